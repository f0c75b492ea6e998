"""Write a meaning as an expression in the benchmark's notation, or in a few words for people."""

from concord.relations.semmt.regex.meaning_tree import ONLY, Meaning, is_some


def expression(node: Meaning) -> str:
    """The expression in the benchmark's notation."""
    inner = [expression(part) for part in node.parts]
    match node.operation:
        case "atom":
            return node.atom
        case "times":
            return f"( {inner[0]} ) {_bounds(node.low, node.high)}"
        case "and" | "list":
            return " & ".join(f"( {part} )" for part in inner)
        case "or":
            return " | ".join(f"( {part} )" for part in inner)
        case "sequence":
            return f"( {inner[0]} ) . * ( {inner[1]} ) . *"
        case "not" if is_some(node.parts[0]):
            return f"~ {inner[0]}"
    return _PATTERNS[node.operation].format(inner[0])


_PATTERNS = {
    "not": "~ ( {} )",
    "start": "( {} ) ( . * )",
    "end": "( . * ) ( {} )",
    "contain": ". * {} . *",
    "word": r"\ b {} \ b",
    "group": "{}",
}


def _bounds(low: int, high: int | None) -> str:
    if high is None:
        return ("*", "+")[low] if low < 2 else f"{{ {low} , }}"
    if low == high:
        return f"{{ {low} }}"
    return f"{{ {low} , {high} }}" if low else f"{{ , {high} }}"


_VERBS = {"contain": "contains", "start": "starts", "end": "ends", "word": "word", "not": "not"}
_JOINTS = {"and": " and ", "list": " and ", "or": " or ", "sequence": " then "}


def words(node: Meaning) -> str:
    """The reading in a few words, such as `contains(vowel) and not(ends(number))`."""
    if node.operation == "atom":
        return node.name
    if is_some(node) and node.parts[0].operation == "atom":
        return f"{node.parts[0].name}s"
    if node.operation == "times":
        return f"{_closed(node.parts[0])} {_often(node.low, node.high)}"
    if node.operation in _JOINTS:
        return _JOINTS[node.operation].join(_closed(part) for part in node.parts)
    if node.operation == "group":
        return words(node.parts[0])
    if node.name == ONLY:
        return f"contains only({words(node.parts[0])})"
    return f"{_VERBS[node.operation]}({words(node.parts[0])})"


def _closed(part: Meaning) -> str:
    open_ended = part.operation in _JOINTS or (part.operation == "times" and not is_some(part))
    return f"({words(part)})" if open_ended else words(part)


def _often(low: int, high: int | None) -> str:
    if high is None:
        return f"{low} or more times"
    return f"{low} times" if low == high else f"{low} to {high} times"

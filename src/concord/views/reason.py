"""The one sentence that says why a case is flagged; the terminal, the pages and JSON take it from here.

It is made of what the row holds: a reason that the relation names, the word that the comparator blames, the places that
the relation found, or the words in which the compared texts differ. Rows may come from untrusted files.
"""

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any

from concord.store.evidence import Range, entries, text_of
from concord.store.findings import OUTPUTS
from concord.views.highlight import Piece, compared_roles, ranges
from concord.views.wording import judged, role_name

LONGEST, MOST, SENTENCE = 60, 3, 200
"""The most characters of a quotation, the most quotations in a row, and the most characters of a guest's sentence."""
WITHIN = 2_000
"""How many characters of long texts are compared."""
ASIDE = ("of", "instead", "aside", "phrase")
ALONE = {
    "untranslated": "{{word}} is left untranslated {own}.",
    "repeated": "{{word}} is repeated {own}.",
    "reordered": "{{word}} has another place {own} than {other}.",
}
"""What is said of a blamed word whatever the other translation has."""
PLACED = {
    ("missing", True, False): "The translation lacks {text}.",
    ("added", False, True): "The translation adds {output}.",
    ("changed", True, True): "The translation has {output} for {text}.",
    ("untranslated", False, True): "The translation leaves {output} untranslated.",
    ("perhaps", True, False): "The translation may lack {text}.",
    ("perhaps", False, True): "The translation may add {output}.",
    ("perhaps", True, True): "The translation has {output}, perhaps for {text}.",
}
"""What is said of a kind of places that a relation found: in the text, and in its translation."""
UNCHANGED = {
    (True, True): "though {old} became {new}",
    (True, False): "though the variant lacks {old}",
    (False, True): "though the variant adds {new}",
    (False, False): "though the texts differ",
}
Row = Mapping[str, Any]
Words = str | Sequence[str]
Marks = Mapping[str, Sequence[Range]]


def reason_text(row: Row) -> str:
    """“beds” is “jaços” in the sentence and “encasta” in the phrase alone."""
    return "".join(f"“{piece.words}”" if piece.differs else piece.words for piece in reason(row))


def reason(row: Row, marks: Marks | None = None) -> list[Piece]:
    """The sentence in pieces, in which words of the row's texts are marked; empty if the case is not flagged.

    `marks` are the `ranges` of the row, where they are known already.
    """
    if not row["flagged"]:
        return []
    made = _named(row["evidence"]) or _blamed(row)
    if not made:
        marks = marks or ranges(row, within=WITHIN)
        made = _placed(row, marks) or _unchanged(row, marks) or _differing(row, marks)
    return made or [Piece(f"{row['relation']} gives no reason: {judged(row)}.", False)]


def _named(evidence: Row) -> list[Piece]:
    """The reason that the relation itself names, with its detail."""
    said, detail = (_short(text_of(evidence.get(name)), SENTENCE) for name in ("reason", "detail"))
    if not said:
        return []
    sentence = f"{said}: {detail}" if detail else said
    return [Piece(sentence[0].upper() + sentence[1:] + "." * (sentence[-1] not in ".!?…"), False)]


def _blamed(row: Row) -> list[Piece]:
    """The word that the comparator blames most, beside what the other translation has for it; the sentence first."""
    blame = next(entries(row["evidence"].get("blamed")), {})
    word, of, instead, role, why = (text_of(blame.get(name)) for name in ("word", "of", "instead", "role", "why"))
    if not word or role not in OUTPUTS:
        return []
    sides = _sides(row)
    own, other = sides if role == "source_output" else sides[::-1]
    first, second = (word, instead) if role == "source_output" else (instead, word)
    if why in ALONE:
        template = ALONE[why]
    elif instead:
        template = (
            "{{of}} is {{first}} {here} and {{second}} {there}." if of else "{{first}} {here} is {{second}} {there}."
        )
    else:
        template = "{{of}} is {{word}} {own} and {lacks} {other}." if of else "{{word}} {own} is {lacks} {other}."
    lacks = "missing" if why == "omission" else "without counterpart"
    located = template.format(own=own, other=other, lacks=lacks, here=sides[0], there=sides[1])
    return _sentence(located, of=of, word=word, first=first, second=second)


def _sides(row: Row) -> tuple[str, str]:
    """Where the two outputs have a word: in the sentence, in a variant of it, or in a part of it alone."""
    source, follow_up = row["source"]["words"], row["follow_up"]["words"]
    if follow_up not in source:
        return "in the sentence", "in the variant"
    if follow_up == row["text"]:
        return "beside another sentence", "in the sentence alone"
    return "in the sentence" if source == row["text"] else "in the longer phrase", "in the phrase alone"


def _placed(row: Row, marks: Marks) -> list[Piece]:
    """What a relation that reads one translation found in it."""
    for kind in dict.fromkeys(span.kind for role in ("source", "source_output") for span in marks[role]):
        text, output = (_marked_words(row, marks, role, kind) for role in ("source", "source_output"))
        if template := PLACED.get((kind, bool(text), bool(output))):
            return _sentence(template, text=text, output=output)
    return []


def _unchanged(row: Row, marks: Marks) -> list[Piece]:
    """Two texts that should have different translations have the same."""
    first, second = row["compared"]
    if first["words"].split() != second["words"].split() or row["source"] == row["follow_up"]:
        return []
    old, new = (_marked_words(row, marks, role) for role in ("source", "follow_up"))
    return _sentence(f"The translation stays the same, {UNCHANGED[bool(old), bool(new)]}.", old=old, new=new)


def _differing(row: Row, marks: Marks) -> list[Piece]:
    """The words that only one of the compared texts has."""
    sides = [(role_name(row, role), _marked_words(row, marks, role)) for role in compared_roles(row)]
    match [side for side in sides if side[1]]:
        case [(one, first), (other, second)]:
            return _sentence(f"The {one} has {{first}}; the {other} has {{second}}.", first=first, second=second)
        case [(one, words)]:
            return _sentence(f"Only the {one} has {{words}}.", words=words)
    return []


def _marked_words(row: Row, marks: Marks, role: str, kind: str = "") -> list[str]:
    spans = [span for span in marks[role] if (span.kind == kind if kind else span.kind not in ASIDE)]
    words = [row[role]["words"][span.start : span.end] for span in spans]
    return [word for word in words if word.strip()] or words


def _sentence(template: str, **words: Words) -> list[Piece]:
    """A template as pieces; its fields are quotations, or lists of quotations."""
    pieces: list[Piece] = []
    for literal, name, *_ in Formatter().parse(template):
        pieces += [Piece(literal, False)] if literal else []
        pieces += _quoted(words[name]) if name else []
    return pieces


def _quoted(words: Words) -> list[Piece]:
    """`“a”, “b”, “c” and 2 more`"""
    listed = list(dict.fromkeys([words] if isinstance(words, str) else words))
    quotations = [Piece(_short(word), True) for word in listed[:MOST]]
    if len(listed) > MOST:
        quotations.append(Piece(f"{len(listed) - MOST:,} more", False))
    pieces = quotations[:1]
    for number, quotation in enumerate(quotations[1:], 2):
        pieces += [Piece(" and " if number == len(quotations) else ", ", False), quotation]
    return pieces


def _short(words: str, longest: int = LONGEST) -> str:
    """Words in one line, cut to `longest` characters."""
    line = " ".join(words[: 4 * longest].split()) or words[:longest]
    return line if len(line) <= longest else line[: longest - 1] + "…"

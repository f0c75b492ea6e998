"""Parse a text as an expression: one pass over the tokens, with an explicit stack instead of recursion."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NoReturn

from concord.relations.semmt.automata import expression as tree
from concord.relations.semmt.automata.expression import CLASSES, Expression, Tree
from concord.relations.semmt.automata.limits import DEEPEST, LONGEST_TEXT, MOST_REPEATS, Unreadable

_TOKEN = re.compile(
    r"""(?P<blank>\s+)
    | (?P<boundary>\\\s*b)
    | (?P<escape>\\\s*\S)
    | (?P<braces>\{[^}]*\})
    | (?P<bracket>\[(?:\\.|[^\]\\])*\])
    | (?P<name><[A-Z][A-Z0-9]*>)
    | (?P<operator>[()|&~*+?.])
    | (?P<stray>[\[\]{}\\])
    | (?P<string>\w+|.)""",
    re.VERBOSE | re.DOTALL,
)
_MEMBER = re.compile(r"<[A-Z][A-Z0-9]*>|\\.|[^\\]-[^\\]|.", re.DOTALL)
"""The content of brackets: a class, an escape, a range or a character."""
_COUNTS = re.compile(r"\{(?P<least>\d{0,9})(?P<comma>,?)(?P<most>\d{0,9})\}")
_ESCAPED = {
    "d": CLASSES["<NUM>"],
    "w": CLASSES["<LET>"] | CLASSES["<NUM>"] | {"_"},
    "s": frozenset(" "),
}
_REPEATS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


@lru_cache(maxsize=4096)
def read(text: str) -> Expression:
    """Read an expression; `Unreadable` says what is wrong and where."""
    if len(text) > LONGEST_TEXT:
        raise Unreadable(text, LONGEST_TEXT, f"it is longer than {LONGEST_TEXT} characters")
    reader = _Reader(text)
    for match in _TOKEN.finditer(text):
        if match.lastgroup != "blank":
            reader.take(match.lastgroup or "", match.group(), match.start())
    return Expression(tuple(reader.tokens), reader.finish())


@dataclass(slots=True)
class _Level:
    """What was read inside one pair of parentheses."""

    place: int
    either: list[Tree] = field(default_factory=list)
    both: list[Tree] = field(default_factory=list)
    parts: list[Tree] = field(default_factory=list)
    nots: int = 0
    repeatable: int = 0
    """How many repetitions may still follow the last part: `a+{3,}` means `(a+){3,}`, but not without end."""

    def end_part(self) -> None:
        self.both.append(_joined(tree.Sequence, self.parts))
        self.parts, self.repeatable = [], 0

    def end_alternative(self) -> None:
        self.end_part()
        self.either.append(_joined(tree.Both, self.both))
        self.both = []


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[str] = []
        self.levels = [_Level(0)]
        self.depth = 0

    def take(self, kind: str, token: str, place: int) -> None:
        self.place = place
        getattr(self, f"_{kind}")(token)

    def finish(self) -> Tree:
        self.place = len(self.text)
        if len(self.levels) > 1:
            self.place = self.levels[-1].place
            self._fail("this parenthesis is not closed")
        return self._close()

    def _fail(self, trouble: str) -> NoReturn:
        raise Unreadable(self.text, self.place, trouble)

    def _boundary(self, token: str) -> None:
        self._add("\\b", tree.Boundary())
        self.levels[-1].repeatable = 0

    def _escape(self, token: str) -> None:
        character = token[-1]
        if character.isalnum() and character not in _ESCAPED:
            self._fail(f"there is no escape '\\{character}'; known are \\b, \\d, \\s, \\w")
        self._add(f"\\{character}", tree.Symbols(_ESCAPED.get(character, frozenset(character))))

    def _braces(self, token: str) -> None:
        plain = "".join(token.split())
        counts = _COUNTS.fullmatch(plain)
        if not counts or not (counts["least"] or counts["most"]):
            self._fail(f"'{plain}' is no count such as {{2}}, {{2,}}, {{,5}} or {{2,5}}")
        least = int(counts["least"] or 0)
        most = int(counts["most"]) if counts["most"] else None if counts["comma"] else least
        if most is not None and most < least:
            self._fail(f"'{plain}' ends before it begins")
        self._repeat(plain, least, most)

    def _bracket(self, token: str) -> None:
        inside = "".join(token[1:-1].split())
        members, outside = self._members(inside)
        tokens = ("[", inside, "]") if len(members) == 1 and not outside else (f"[{inside}]",)
        self._add(tokens[0], tree.Symbols(members, outside))
        self.tokens.extend(tokens[1:])

    def _members(self, inside: str) -> tuple[frozenset[str], bool]:
        if inside in CLASSES:
            return CLASSES[inside], False
        outside = inside.startswith("^") and inside != "^"
        members = frozenset[str]().union(*map(self._member, _MEMBER.findall(inside[outside:])))
        if not members:
            self._fail("the brackets are empty")
        return members, outside

    def _member(self, item: str) -> frozenset[str]:
        if item in CLASSES:
            return CLASSES[item]
        if len(item) == 3 and item[1] == "-":
            if not ord(item[0]) <= ord(item[2]) <= ord(item[0]) + 255:
                self._fail(f"'{item}' is no range of characters")
            return frozenset(map(chr, range(ord(item[0]), ord(item[2]) + 1)))
        if item[0] == "\\" and len(item) > 1:
            return _ESCAPED.get(item[1], frozenset(item[1]))
        return frozenset([item])

    def _name(self, token: str) -> None:
        self._add(token, tree.Symbols(CLASSES.get(token) or frozenset([token])))

    def _string(self, token: str) -> None:
        self._add(token, *(tree.Symbols(frozenset(character)) for character in token))

    def _stray(self, token: str) -> None:
        self._fail(f"'{token}' has no partner; to mean the character, write '\\{token}'")

    def _operator(self, token: str) -> None:
        level = self.levels[-1]
        if token == ".":
            self._add(token, tree.ANY)
        elif token in _REPEATS:
            self._repeat(token, *_REPEATS[token])
        elif token == "(":
            self._deepen()
            self.tokens.append(token)
            self.levels.append(_Level(self.place))
        elif token == ")":
            if len(self.levels) == 1:
                self._fail("this parenthesis was not opened")
            inside = self._close()
            self.depth -= 1
            self._add(token, inside)
        elif token == "~":
            self._deepen()
            self.tokens.append(token)
            level.nots += 1
        else:
            self._settled()
            self.tokens.append(token)
            level.end_part() if token == "&" else level.end_alternative()

    def _deepen(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            self._fail(f"it is nested more than {DEEPEST} deep")

    def _settled(self) -> None:
        if self.levels[-1].nots:
            self._fail("'~' needs something to negate")

    def _close(self) -> Tree:
        self._settled()
        level = self.levels.pop()
        level.end_alternative()
        return _joined(tree.Either, level.either)

    def _add(self, token: str, *parts: Tree) -> None:
        level = self.levels[-1]
        self.tokens.append(token)
        first, *rest = parts
        for _ in range(level.nots):
            first = tree.Not(first)
        self.depth -= level.nots
        level.nots = 0
        level.parts += [first, *rest]
        level.repeatable = MOST_REPEATS

    def _repeat(self, token: str, least: int, most: int | None) -> None:
        level = self.levels[-1]
        if level.nots or not level.repeatable:
            self._fail(f"there is nothing (or too much) before '{token}' that it could repeat")
        self.tokens.append(token)
        level.parts[-1] = tree.Repetition(level.parts[-1], least, most)
        level.repeatable -= 1


def _joined(kind: Callable[[tuple[Tree, ...]], Tree], parts: list[Tree]) -> Tree:
    return parts[0] if len(parts) == 1 else kind(tuple(parts))

"""The linguistic structure of one case: the trees of its texts, and the word alignments of its translations."""

import contextlib
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from concord.comparator.alignment import Aligned, Pair, align
from concord.comparator.evidence import Evidence
from concord.comparator.serialisation import load
from concord.errors import ConcordError, ServiceError, UserError
from concord.language.parse._choice import ParserChoice
from concord.language.trees import Tree
from concord.model import ROLES, Direction, Text
from concord.store import Workspace
from concord.store.comparators import Learnt

PAIRS = (("source", "source_output"), ("follow_up", "follow_up_output"))
MOST_CACHED = 8
ENOUGH = 300
"""The number of pairs that are aligned if the run has stored no alignment; more would keep a reader waiting."""
SURE = 0.2
LONGEST = 2_000
WORDS = 200
LOOKED_AT = 3_000


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A text with its tree, or the reason why there is none; `roles` are the roles that it has in the case."""

    roles: list[str]
    text: Text
    tree: Tree | None
    parser: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Linked:
    """The words of a text and of its translation, and the links between them: two word indices and a probability."""

    roles: tuple[str, str]
    source: list[str]
    output: list[str]
    links: list[tuple[int, int, float]]


@dataclass(frozen=True, slots=True)
class Structure:
    """The trees of a case's texts and the alignments of its translations, which were learnt from `pairs` pairs."""

    parsed: list[ParsedText]
    linked: list[Linked]
    pairs: int


class Structures:
    """Makes structures, one at a time, and caches the parsers and the latest alignments."""

    def __init__(self) -> None:
        self._choice = ParserChoice()
        self._aligned: dict[tuple[int, Direction], Aligned] = {}
        self._lock = threading.Lock()

    def close(self) -> None:
        with self._lock:
            self._choice.close()

    def make(self, store: Workspace, row: Mapping[str, Any]) -> Structure:
        """The structure of a row of a workspace."""
        texts = {role: Text(**row[role]) for role in ROLES}
        pairs = [(roles, (texts[roles[0]], texts[roles[1]])) for roles in PAIRS if _translated(texts, roles)]
        with self._lock:
            aligned = [(roles, pair, self._alignment(store, row["run"], pair)) for roles, pair in pairs]
            parsed = list(_parsed(self._choice, texts))
        linked = {pair: _linked(roles, pair, alignment) for roles, pair, alignment in reversed(aligned)}
        taught = max((alignment.texts for _, _, alignment in aligned), default=0)
        return Structure(parsed, list(reversed(linked.values())), taught)

    def _alignment(self, store: Workspace, run: int, pair: Pair) -> Aligned:
        key = (run, (pair[0].lang, pair[1].lang))
        if key not in self._aligned:
            while len(self._aligned) >= MOST_CACHED:
                del self._aligned[next(iter(self._aligned))]
            self._aligned[key] = _aligned(store, run, key[1])
        return self._aligned[key]


def _translated(texts: Mapping[str, Text], roles: tuple[str, str]) -> bool:
    source, output = texts[roles[0]], texts[roles[1]]
    return source.lang != output.lang and bool(source.words.strip() and output.words.strip())


def _parsed(choice: ParserChoice, texts: Mapping[str, Text]) -> Iterator[ParsedText]:
    roles: dict[Text, list[str]] = {}
    for role, text in texts.items():
        roles.setdefault(text, []).append(role)
    for text, played in roles.items():
        yield _tree(choice, text, played)


def _tree(choice: ParserChoice, text: Text, roles: list[str]) -> ParsedText:
    if len(text.words) > LONGEST:
        return ParsedText(
            roles, text, None, why=f"it has {len(text.words):,} characters; {LONGEST:,} can be shown as a tree"
        )
    try:
        parser = choice.require(text.lang, "`concord parsers`")
        (tree,) = parser.parse([text])
    except ConcordError as error:
        return ParsedText(roles, text, None, why=str(error))
    if isinstance(tree, ServiceError):
        return ParsedText(roles, text, None, why=str(tree))
    return ParsedText(roles, text, tree, type(parser).__module__.rpartition(".")[2])


def _aligned(store: Workspace, run: int, langs: Direction) -> Aligned:
    """The alignment that the run has stored for this direction; if there is none, one that is learnt from its pairs."""
    record = store.run(run)
    with contextlib.suppress(UserError):  # another version has learnt it in another form, or it is damaged
        if langs == (record.source, record.target) and (learnt := Learnt(store).load(run)):
            return load(learnt, Evidence(langs))
    return align(islice(_pairs(store, run, langs), ENOUGH), Evidence(langs))


def _pairs(store: Workspace, run: int, langs: Direction) -> Iterator[Pair]:
    for row in islice(store.rows([run]), LOOKED_AT):
        if row["error"] is None:
            for source, output in PAIRS:
                pair = Text(**row[source]), Text(**row[output])
                if (pair[0].lang, pair[1].lang) == langs:
                    yield pair


def _linked(roles: tuple[str, str], pair: Pair, aligned: Aligned) -> Linked:
    side = aligned.side(*pair)
    source, output = list(side.source.words), list(side.output.words)
    # Of very long texts only the beginnings are linked, as only these are drawn.
    links = ((a, b, side.link(a, b)) for a in range(len(source[:WORDS])) for b in range(len(output[:WORDS])))
    return Linked(roles, source, output, [link for link in links if link[2] >= SURE])

"""The structure behind one case, for who wants to look closer: the trees of its texts, and which words are linked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from concord.compare.aligned import Aligned, Pair, align
from concord.compare.evidence import Evidence
from concord.compare.keeping import load
from concord.errors import ConcordError, ServiceError
from concord.model import ROLES, Text
from concord.store import Workspace
from concord.store.learnt import Learnt
from concord.text.parse._choosing import ParserChoice
from concord.text.trees import Tree

PAIRS = (("source", "source_output"), ("follow_up", "follow_up_output"))
ENOUGH = 400
"""So many pairs of the run are aligned where it has learnt no alignment; more would keep a reader waiting."""
SURE = 0.2
LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text with its tree, or why there is none; `roles` are the parts that it plays in the case."""

    roles: list[str]
    text: Text
    tree: Tree | None
    parser: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Linked:
    """A text and its translation as words, and the links between their places with how sure they are."""

    roles: tuple[str, str]
    source: list[str]
    output: list[str]
    links: list[tuple[int, int, float]]


@dataclass(frozen=True, slots=True)
class Structure:
    """The trees of a case's texts and the alignments of its translations; `pairs` is how many taught the alignment."""

    parsed: list[Parsed]
    linked: list[Linked]
    pairs: int


def structure(store: Workspace, row: Mapping[str, Any]) -> Structure:
    """The structure of a row of a workspace."""
    texts = {role: Text(**row[role]) for role in ROLES}
    wanted = [(roles, (texts[roles[0]], texts[roles[1]])) for roles in PAIRS if _translated(texts, roles)]
    aligned = [(roles, pair, _aligned(store, row["run"], pair)) for roles, pair in wanted]
    linked = {pair: _linked(roles, pair, found) for roles, pair, found in reversed(aligned)}
    taught = max((found.texts for _, _, found in aligned), default=0)
    return Structure(list(_parsed(texts)), list(reversed(linked.values())), taught)


def _translated(texts: Mapping[str, Text], roles: tuple[str, str]) -> bool:
    source, output = texts[roles[0]], texts[roles[1]]
    return source.lang != output.lang and bool(source.words.strip() and output.words.strip())


def _parsed(texts: Mapping[str, Text]) -> Iterator[Parsed]:
    roles: dict[Text, list[str]] = {}
    for role, text in texts.items():
        roles.setdefault(text, []).append(role)
    choice = ParserChoice()
    try:
        for text, played in roles.items():
            yield _tree(choice, text, played)
    finally:
        choice.close()


def _tree(choice: ParserChoice, text: Text, roles: list[str]) -> Parsed:
    if len(text.words) > LONGEST:
        return Parsed(
            roles, text, None, why=f"it has {len(text.words):,} characters; {LONGEST:,} can be shown as a tree"
        )
    try:
        parser = choice.of(text.lang, "`concord parsers`")
        (tree,) = parser.parse([text])
    except ConcordError as error:
        return Parsed(roles, text, None, why=str(error))
    if isinstance(tree, ServiceError):
        return Parsed(roles, text, None, why=str(tree))
    return Parsed(roles, text, tree, type(parser).__module__.rpartition(".")[2])


def _aligned(store: Workspace, run: int, pair: Pair) -> Aligned:
    """What the run has learnt of this direction or, where it had no need to, what its pairs teach now."""
    langs = (pair[0].lang, pair[1].lang)
    record = store.run(run)
    learnt = Learnt(store).of(run) if langs == (record.source, record.target) else None
    if learnt:
        return load(learnt, Evidence(langs))
    return align([pair, *islice(_pairs(store, run, langs), ENOUGH)])


def _pairs(store: Workspace, run: int, langs: tuple[str, str]) -> Iterator[Pair]:
    for row in store.rows([run]):
        if row["error"] is None:
            for source, output in PAIRS:
                pair = Text(**row[source]), Text(**row[output])
                if (pair[0].lang, pair[1].lang) == langs:
                    yield pair


def _linked(roles: tuple[str, str], pair: Pair, aligned: Aligned) -> Linked:
    side = aligned.side(*pair)
    source, output = list(side.source.words), list(side.output.words)
    places = ((a, b, side.link(a, b)) for a in range(len(source)) for b in range(len(output)))
    return Linked(roles, source, output, _surest([each for each in places if each[2] >= SURE]))


def _surest(links: Sequence[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    return sorted(links)

"""PatInv: sentences that mean different things are not translated alike (Gupta, He, Meister, Su, ESEC/FSE 2020).

A word is replaced by one of the same kind that means something else altogether, or its opposite, or a phrase that the
sentence can do without is removed; the new sentence must have the tree that this leaves. That both have one
translation is the violation: something was overlooked.

Suspicion is 1 for equal translations and 0 for others. Today's systems hardly ever answer so; with `relaxed`
suspicion is the share of the change that the translation does not show: 1 − content words changed in the translation /
content words changed in the sentence, from 0 to 1. What is above `threshold` is flagged: by default where less than
half of the change is to be seen. `comparison=concord` asks for more: whether the translations differ in more than
what changed, from 0 to 1, with the paper's suspicion in the score `paper`. Equal translations, in which it sees nothing
wrong, remain the violation that they are to the paper: suspicion is the larger of the two, and 1 for them.

`ways` are `replace` (English only) and `remove` (from full trees with Penn's labels);
of up to `most_words` words of some `kinds`, each is replaced by `count` others, and up to `most_phrases` phrases are
removed. Texts of more than 200 words and marks make no case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from concord.errors import BadAnswer, Refused, UserError
from concord.language.comparison_units import Unit, difference, units
from concord.language.english import unrelated_words
from concord.language.mutants import WordKind, too_long, words
from concord.language.phrase_removal import changed_sentence, removals, shape
from concord.language.services import Parse, Substitutes
from concord.language.stopwords import stop_words
from concord.language.trees import Tree
from concord.language.word_diff import differing_spans
from concord.model import ROLES, Case, Plan, Text, Translate
from concord.relations._judgement import EQUAL, Explain, explained, needing, undecided
from concord.relations._judgement import By as Comparison
from concord.relations._options import abroad, share

Way = Literal["replace", "remove"]
WAYS: tuple[Way, ...] = ("replace", "remove")
KINDS: tuple[WordKind, ...] = ("noun", "adjective")
PARSES = ("source",)
OPTIONAL = {"substitutes": "no word is replaced by its opposite"}
DISTINCT = True
"""A pair is one case wherever it occurs, and keeps its labels whatever the options."""
WORSE_WHEN_HIGHER = ("unseen", EQUAL)
"""Scores of which higher numbers speak for a bug."""
HALF = 0.5
_DIGITS = 12
"""Decimals of a suspicion: quotients that are the same number are meant to be equal."""
TRIED = 5
"""How many words of another meaning are parsed in the place of a word before it is left alone."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A sentence of another meaning: what was done, to which words, and what stands there now."""

    text: Text
    way: Way
    what: str
    old: str
    new: str


async def check(
    x: Text,
    translate: Translate,
    parse: Parse,
    substitutes: Substitutes,
    explain: Explain | None,
    rng: Random,
    *,
    to: str,
    comparison: Comparison = "paper",
    ways: tuple[Way, ...] = WAYS,
    relaxed: bool = False,
    threshold: float | None = None,
    kinds: tuple[WordKind, ...] = KINDS,
    most_words: int = 3,
    count: int = 1,
    most_phrases: int = 3,
) -> list[Case]:
    if too_long(x):
        return []
    # Drawn before anything is tried, so that the phrases do not depend on the words.
    word_rng, phrase_rng = Random(rng.getrandbits(64)), Random(rng.getrandbits(64))
    tree = await parse(x)
    making = _Making(x, tree, parse, substitutes)
    found: list[Changed] = []
    if "replace" in ways and unrelated_words.knows(x.lang):
        found += await making.replaced(kinds, most_words, count, word_rng)
    if "remove" in ways:
        found += await making.removed(most_phrases, phrase_rng)
    if not found:
        return []
    first, *others = await translate.each([x, *(each.text for each in found)], to)
    cases = []
    for each, output in zip(found, others, strict=True):
        case = compare(x, each.text, first, output, relaxed=relaxed, threshold=threshold)
        case.factors |= {"way": each.way, "of": each.what}
        case.evidence |= {"removed": each.old} if each.way == "remove" else {"replaced": f"{each.old} → {each.new}"}
        cases.append(case)
    return await explained(cases, explain, threshold)


class _Making:
    """Makes sentences of another meaning from one, each with the tree that is to be expected."""

    def __init__(self, x: Text, tree: Tree, parse: Parse, substitutes: Substitutes) -> None:
        self._x = x
        self._tree = tree
        self._parse = parse
        self._substitutes = substitutes

    async def replaced(self, kinds: tuple[WordKind, ...], most: int, count: int, rng: Random) -> list[Changed]:
        places = words(self._tree, kinds)
        rng.shuffle(places)
        made: dict[int, list[Changed]] = {}
        for leaf in places:
            if len(made) >= most:
                break
            found = await self._others(leaf, count, rng)
            if found:
                made[leaf.start] = found
        return [each for start in sorted(made) for each in made[start]]

    async def _others(self, leaf: Tree, count: int, rng: Random) -> list[Changed]:
        opposites = await self._substitutes(self._tree, leaf.start, leaf.end, count=count, kinds=("antonym",))
        made = [Changed(opposite.text, "replace", "opposite", leaf.words, opposite.word) for opposite in opposites]
        for tried, (changed, word) in enumerate(unrelated_words.sentences_with_another_word(self._tree, leaf, rng)):
            if len(made) >= count or tried >= count * TRIED:
                break
            text = Text(changed, self._x.lang)
            before, sentence = changed_sentence(self._tree, leaf.start, text)
            if await self._built(sentence, shape(before)):
                made.append(Changed(text, "replace", "another word", leaf.words, word))
        return made

    async def removed(self, most: int, rng: Random) -> list[Changed]:
        found = removals(self._tree, self._x.lang)
        made: dict[tuple[int, int], Changed] = {}
        for each in rng.sample(found, len(found)):
            if len(made) >= most:
                break
            if await self._built(each.sentence, each.shape):
                made[each.start, each.end] = Changed(each.text, "remove", each.label, each.words, "")
        return [made[span] for span in sorted(made)]

    async def _built(self, text: Text, expected: str) -> bool:
        try:
            return shape(await self._parse(text)) == expected
        except (Refused, BadAnswer):
            return False


needs = needing("parse", "substitutes")


def plan(
    source: str,
    *,
    to: str,
    ways: tuple[Way, ...],
    threshold: float | None,
    kinds: tuple[WordKind, ...],
    most_words: int,
    count: int,
    most_phrases: int,
    comparison: Comparison = "paper",
    relaxed: bool = False,
    **_: object,
) -> Plan:
    share("patinv", HALF if threshold is None else threshold)
    abroad(source, to)
    if not ways or not kinds:
        raise UserError(
            "patinv: ways names replace, remove or both, and kinds at least one kind of words, such as noun"
        )
    for name, value in (("most_words", most_words), ("count", count), ("most_phrases", most_phrases)):
        if value < 1:
            raise UserError(f"patinv: {name} is at least 1, not {value}")
    notes = undecided(comparison, {"relaxed": (relaxed, False)})
    if unrelated_words.knows(source) or "replace" not in ways:
        return Plan([(source, to)], tuple(notes))
    if "remove" not in ways:
        raise UserError(f"patinv: words are replaced in English only, not in '{source}'. Choose ways=remove")
    notes.append(
        f"patinv: words are replaced in English only; in '{source}' phrases are removed, if its trees are full ones"
    )
    return Plan([(source, to)], notes)


def compare(
    source: Text,
    follow_up: Text,
    source_output: Text,
    follow_up_output: Text,
    *,
    relaxed: bool = False,
    threshold: float | None = None,
) -> Case:
    """Judge one pair: the follow-up means something else.

    A follow-up that is the source again is refused: its translation is meant to be the same.
    """
    if source.words.split() == follow_up.words.split():
        raise Refused("the follow-up is the source, word for word, so that patinv has nothing to compare")
    equal = source_output.words.split() == follow_up_output.words.split()
    unseen = 1.0 if equal else _unseen(source, follow_up, source_output, follow_up_output)
    spans = (*differing_spans(source, follow_up), *differing_spans(source_output, follow_up_output))
    return Case(
        source=source,
        follow_up=follow_up,
        source_output=source_output,
        follow_up_output=follow_up_output,
        compared=(source_output, follow_up_output),
        suspicion=unseen if relaxed else float(equal),
        threshold=share("patinv", HALF if threshold is None else threshold),
        scores={"unseen": unseen, **({EQUAL: 1.0} if equal else {})},
        evidence={"marked": dict(zip(ROLES, spans, strict=True))},
    )


def _unseen(source: Text, follow_up: Text, output: Text, other: Text) -> float:
    """The share of a change that the translation does not show, in [0, 1]."""
    meant = _changed(source, follow_up)
    return round(max(0.0, 1 - _changed(output, other) / meant), _DIGITS) if meant else 0.0


def _changed(one: Text, other: Text) -> int:
    """How many content words differ: what either text has and the other lacks, whichever is more."""
    ours, theirs = units(one), units(other)
    return max(
        _content(difference(ours, theirs).missing, one.lang), _content(difference(theirs, ours).missing, one.lang)
    )


def _content(found: Sequence[Unit], lang: str) -> int:
    return sum(unit.form not in stop_words(lang) for unit in found)

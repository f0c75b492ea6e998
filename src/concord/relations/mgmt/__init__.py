"""MGMT: sentence, phrase and word each pass a test of their own (Zhong et al., Journal of Software 32(4), 2021).

Sentence granularity: a sentence is translated, translated back and translated again. How alike the two translations
are, divided by how alike the sentence and what came back are, should be 1. Phrase and word granularity: other words
stand in the place of a phrase, or of one word, that lies deep in the sentence's tree (DeepSelect); the translation
should be built as before (StructureSimilarity, by the paths of labels in the trees of both translations).

One case for each granularity, named by the factor `granularity`; one that cannot be tested on a sentence makes none,
and the evidence of the sentence's first case says why. Suspicion is |1 − ratio|, and 1 − StructureSimilarity. The paper
asks for equality, tolerances of 0. It repeats everything five times and averages; how often is an option of the run,
which is 1 unless told otherwise: `--repetitions 5`. `concord judge` judges by one of `granularities`, the word unless
told otherwise, with the embedded parsers.

With `comparison=concord` phrases and words are judged by what explains the difference of the translations, in place of
the way they are built: suspicion is then from 0 to 1, and `threshold` the largest that is not flagged.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random
from typing import Any, Literal

from rapidfuzz.distance import Levenshtein

from concord.errors import UserError
from concord.language.codes import base
from concord.language.services import Parse, Substitutes
from concord.language.tokens import split
from concord.language.trees import Tree
from concord.language.word_diff import differing_spans
from concord.metrics.tree_paths import Path, TreeComparison, can_parse, structure, trees_of
from concord.model import ROLES, Case, Plan, Text, Translate
from concord.relations._judgement import By as Comparison
from concord.relations._judgement import Explain, check_threshold, explained
from concord.relations._options import abroad
from concord.relations.mgmt.deep_select import deep_phrases, deep_words
from concord.relations.mgmt.mutants import Replaced
from concord.relations.mgmt.tree_pairs import Building, Built, OrderedCandidates, Untested

Granularity = Literal["sentence", "phrase", "word"]
Unit = Literal["characters", "words"]
ALL: tuple[Granularity, ...] = ("sentence", "phrase", "word")
NONE_NAMED = f"mgmt: granularities names at least one of: {', '.join(ALL)}"
PHRASES = ("NP", "VP", "PP", "ADJP", "ADVP")
PENN = frozenset(
    {"ADJP", "ADVP", "CONJP", "FRAG", "INTJ", "LST", "NAC", "NP", "NX", "PP", "PRN", "PRT", "QP", "RRC", "UCP", "VP"}
    | {"S", "SBAR", "SBARQ", "SINV", "SQ", "WHADJP", "WHADVP", "WHNP", "WHPP", "X"}
)
"""The labels of phrases in English trees, which are those of the Penn treebank."""
PARSES = ("source", "target")
SERVICES = ("parse", "substitutes")
THRESHOLDS = ("tolerance_sentence", "tolerance_phrase", "tolerance_word", "threshold")
_DIGITS = 12
"""Decimals of a suspicion: quotients that are the same number are meant to be equal."""


async def check(
    x: Text,
    translate: Translate,
    parse: Parse | None,
    substitutes: Substitutes | None,
    explain: Explain | None,
    rng: Random,
    *,
    to: str,
    comparison: Comparison = "paper",
    threshold: float | None = None,
    granularities: tuple[Granularity, ...] = ALL,
    unit: Unit = "characters",
    candidates: int = 5,
    phrases: tuple[str, ...] = PHRASES,
    tolerance_sentence: float = 0.0,
    tolerance_phrase: float = 0.0,
    tolerance_word: float = 0.0,
) -> list[Case]:
    # Drawn before anything is tried, so that the word does not depend on the phrases.
    phrase_rng, word_rng = Random(rng.getrandbits(64)), Random(rng.getrandbits(64))
    output = await translate(x, to)
    cases = []
    if "sentence" in granularities:
        back = await translate(output, x.lang)
        again = await translate(back, to)
        cases.append(_sentence(x, back, output, again, unit, tolerance_sentence))
    if parse is None or substitutes is None:
        return cases
    phrase = OrderedCandidates(lambda tree: deep_phrases(tree, x.lang, phrases), lambda tree: _no_phrase(tree, phrases))
    word = OrderedCandidates(lambda tree: deep_words(tree, x.lang), lambda tree: "the sentence has no content word")
    chosen: dict[str, tuple[OrderedCandidates, Random, float]] = {
        "phrase": (phrase, phrase_rng, tolerance_phrase),
        "word": (word, word_rng, tolerance_word),
    }
    building = Building(x, output, translate, parse, substitutes)
    untested, replaced = {}, []
    for granularity, (ordered, own_rng, tolerance) in chosen.items():
        if granularity not in granularities:
            continue
        try:
            built = await building.of(ordered, candidates, own_rng)
        except Untested as why:
            untested[granularity] = str(why)
        else:
            replaced.append(_replaced(x, output, built, granularity, tolerance, parse.kind(to)))
    cases += await explained(replaced, explain, threshold)
    if untested and cases:
        cases[0].evidence["untested"] = untested
    return cases


def _no_phrase(tree: Tree, wanted: tuple[str, ...]) -> str:
    labels = {node.label for node in tree.nodes() if node.children and node is not tree}
    return f"the tree has no phrase {' or '.join(wanted)} with a content word; its phrases: {', '.join(sorted(labels))}"


def needs(*, granularities: tuple[Granularity, ...], comparison: Comparison = "paper", **_: object) -> Collection[str]:
    if set(granularities) <= {"sentence"}:
        return ()
    return (*SERVICES, "explain") if comparison == "concord" else SERVICES


def optional(*, granularities: tuple[Granularity, ...], **_: object) -> Mapping[str, str]:
    if "sentence" not in granularities:
        return {}
    alone = "only the sentence granularity is tested"
    return {"parse": alone, "substitutes": f"it does not know the language of the source, so {alone}"}


def thresholds(*, granularities: tuple[Granularity, ...], **options: object) -> Collection[str]:
    ours = options.get("comparison") == "concord"
    return {
        "threshold" if ours and granularity != "sentence" else f"tolerance_{granularity}"
        for granularity in granularities
    }


def plan(
    source: str,
    *,
    to: str,
    comparison: Comparison,
    threshold: float | None,
    granularities: tuple[Granularity, ...],
    candidates: int,
    phrases: tuple[str, ...],
    tolerance_sentence: float,
    tolerance_phrase: float,
    tolerance_word: float,
    **_: object,
) -> Plan:
    abroad(source, to)
    if not granularities:
        raise UserError(NONE_NAMED)
    if threshold is not None and comparison == "paper":
        raise UserError(f"mgmt: threshold is for comparison=concord; the paper's are {', '.join(THRESHOLDS[:3])}")
    check_threshold("mgmt", comparison, threshold)
    if candidates < 1:
        raise UserError(f"mgmt: candidates, of which one is drawn, are at least 1, not {candidates}")
    if "phrase" in granularities and not phrases:
        raise UserError("mgmt: phrases names at least one label of the parser's trees, such as phrases=NP,PP")
    _tolerable({"sentence": tolerance_sentence, "phrase": tolerance_phrase, "word": tolerance_word})
    directions = [(source, to), (to, source)] if "sentence" in granularities else [(source, to)]
    return Plan(directions, _unknown(source, phrases) if "phrase" in granularities else [])


def _tolerable(tolerances: Mapping[str, float]) -> None:
    """A ratio has no upper end, and so the sentence's tolerance has none."""
    for name, value in tolerances.items():
        if value < 0:
            raise UserError(f"mgmt: tolerance_{name} is at least 0, which asks for equality, not {value:g}")
        if value > 1 and name != "sentence":
            raise UserError(
                f"mgmt: tolerance_{name} is at most 1, as no suspicion of a {name} is greater, not {value:g}."
                " Choose one from 0 (equality) to 1 (nothing is suspected)"
            )


def _unknown(source: str, phrases: tuple[str, ...]) -> list[str]:
    """A word on labels that English trees do not have; those of other languages depend on the parser."""
    strange = [label for label in phrases if label not in PENN]
    if base(source) != "en" or not strange:
        return []
    return [
        f"English trees have no phrase {' or '.join(strange)}, unless a --parser has labels of its own."
        f" Their labels: {', '.join(sorted(PENN))}"
    ]


def compare(
    source: Text,
    follow_up: Text,
    source_output: Text,
    follow_up_output: Text,
    *,
    granularities: tuple[Granularity, ...] = ALL,
    unit: Unit = "characters",
    tolerance_sentence: float = 0.0,
    tolerance_phrase: float = 0.0,
    tolerance_word: float = 0.0,
) -> Case:
    """Judge one pair by one granularity, by default as words: the follow-up came back, or has other words in it."""
    texts = source, follow_up, source_output, follow_up_output
    granularity = _the_one(granularities)
    _tolerable({"sentence": tolerance_sentence, "phrase": tolerance_phrase, "word": tolerance_word})
    if granularity == "sentence":
        return _sentence(*texts, unit, tolerance_sentence)
    tolerance = tolerance_phrase if granularity == "phrase" else tolerance_word
    if source_output.words == follow_up_output.words:
        return _structural(texts, TreeComparison((), (), 1.0), granularity, tolerance)
    _parsed_here(source_output.lang)
    trees = trees_of(texts[2:])
    found = structure(trees.get(source_output), trees.get(follow_up_output))
    return _structural(texts, found, granularity, tolerance)


def _the_one(granularities: tuple[Granularity, ...]) -> Granularity:
    if not granularities:
        raise UserError(NONE_NAMED)
    if len(granularities) > 1 and granularities != ALL:
        raise UserError(
            f"mgmt: a pair is judged by one granularity, not by {', '.join(granularities)}: its follow-up is either"
            f" what came back or has other words in it. Choose one, such as granularities={granularities[0]}"
        )
    return granularities[-1]


def _parsed_here(lang: str) -> None:
    if not can_parse(lang):
        raise UserError(
            f"mgmt: pairs are judged with the embedded parsers, none of which knows '{lang}'. Install an Apertium pair"
            f" that translates from '{lang}', or judge pairs whose follow-up is what came back: granularities=sentence"
        )


def similarity(a: Text, b: Text, unit: Unit = "characters") -> float:
    """1 − 2 · edits / (length of a + length of b), from 0 to 1: what falls below 0 is 0, two empty texts are 1."""
    ones, others = (text.words if unit == "characters" else split(text) for text in (a, b))
    total = len(ones) + len(others)
    return max(0.0, 1 - 2 * Levenshtein.distance(ones, others) / total) if total else 1.0


def ratio(target: float, source: float) -> float:
    """Target-side over source-side similarity. Where nothing of the source came back there is nothing to divide by,
    and the ratio counts as 0."""
    return target / source if source else 0.0


def _sentence(source: Text, back: Text, output: Text, again: Text, unit: Unit, tolerance: float) -> Case:
    scores = {"source similarity": similarity(source, back, unit), "target similarity": similarity(output, again, unit)}
    scores["ratio"] = ratio(scores["target similarity"], scores["source similarity"])
    marked = dict(zip(ROLES, (*differing_spans(source, back), *differing_spans(output, again)), strict=True))
    return Case(
        source=source,
        follow_up=back,
        source_output=output,
        follow_up_output=again,
        # Where the translations are alike, what differs is what came back.
        compared=(source, back) if output == again else (output, again),
        suspicion=round(abs(1 - scores["ratio"]), _DIGITS),
        threshold=tolerance,
        steps={"translation": output, "back translation": back, "translated again": again},
        scores=scores,
        factors={"granularity": "sentence"},
        evidence={"marked": marked},
    )


def _structural(
    texts: tuple[Text, Text, Text, Text], found: TreeComparison, granularity: str, tolerance: float
) -> Case:
    return Case(
        *texts,
        compared=texts[2:],
        suspicion=round(1 - found.similarity, _DIGITS),
        threshold=tolerance,
        scores={"tree_paths": found.similarity},
        factors={"granularity": granularity},
        evidence={"lost": _written(found.lost), "added": _written(found.added)},
    )


def _replaced(x: Text, output: Text, built: Built, granularity: str, tolerance: float, kind: str) -> Case:
    texts = x, built.follow_up, output, built.output
    case = _structural(texts, structure(*built.trees), granularity, tolerance)
    case.evidence |= {"trees": kind, **_evidence(built.replaced)}
    case.evidence["marked"] |= dict(zip(ROLES[2:], differing_spans(output, built.output), strict=True))
    return case


def _evidence(found: Replaced) -> dict[str, Any]:
    """What was replaced, where in the tree it stood, and what could not be."""
    chosen = found.chosen
    told: dict[str, Any] = {"path": " ".join(chosen.path), "words": chosen.node.words, "replaced": found.pairs}
    if found.kept:
        told["kept"] = found.kept
    sides = {"source": found.before, "follow_up": found.after}
    return told | {"marked": {side: _spans(tree, found.numbers) for side, tree in sides.items()}}


def _spans(tree: Tree, numbers: tuple[int, ...]) -> list[list[int]]:
    leaves = tree.leaves()
    return [[leaves[number].start, leaves[number].end] for number in numbers]


def _written(paths: tuple[Path, ...]) -> list[str]:
    return [" ".join(path) for path in paths]

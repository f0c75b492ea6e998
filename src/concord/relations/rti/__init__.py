"""RTI: a phrase is translated alike wherever it stands (He, Meister and Su, ICSE 2021, "Purity").

A noun phrase keeps its meaning, so its translation should be found again in the translation of the sentence,
and of every longer phrase, that holds it. In a case the container is the source and the phrase the follow-up.

`comparison` is `concord`, by what explains the difference: suspicion is a chance from 0 to 1, flagged above
`threshold` (0.5), and the paper's stays in the score `paper`. With `comparison=paper` it is the paper's distance: how
many words of the phrase's translation (in Chinese and Japanese: characters) are missing from the container's, flagged
above `d`; `threshold` does not concern it.

`match` says when two words are the same: as they are written (`exact`, the paper's way), by their stems or
by their lemmas. Beyond the paper: other phrases than noun phrases (`phrases`), the whole text beside an
unrelated sentence (`context`), words left in the source's script as findings of their own, and words of a
container's translation that no part of it explains (`reverse`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence, Set
from random import Random
from typing import Any, Literal

from concord.errors import BadAnswer, Refused, UserError
from concord.language.alternatives import Alternatives, read_alternatives
from concord.language.codes import base
from concord.language.comparison_units import Unit, UnitDifference, Units, difference, joined
from concord.language.phrases import Sizes
from concord.language.services import Analyse, Parse
from concord.language.stopwords import languages as stop_word_languages
from concord.language.trees import Tree
from concord.language.trees.noun_groups import phrased
from concord.language.untranslated_words import left_over
from concord.language.word_match import Count, Match, counting, counting_here, matching
from concord.model import Case, Plan, Text, Translate
from concord.relations._judgement import By as Comparison
from concord.relations._judgement import Explain, check_threshold, explained, needing
from concord.relations._options import abroad
from concord.relations._spans import places
from concord.relations.rti.pairs import PhrasePair, WantedPhrases, around, beside, parts, referents

Context = Literal["sentence", "concatenate", "both"]

DISTINCT = True
"""A pair is one case wherever it occurs, and keeps its labels whatever the options."""


SEPARATOR = " / "
PROBABILITIES = (0.05, *(tenth / 10 for tenth in range(1, 10)))
"""The limits beside which the embedded parser looks twice, so that no rounding decides."""
UNRELATED = {
    "en": (
        "The library opens at nine o'clock.",
        "It rained all afternoon.",
        "My sister plays the piano.",
        "The train to the coast was late.",
    )
}


async def check(
    x: Text,
    translate: Translate,
    parse: Parse,
    analyse: Analyse,
    explain: Explain | None,
    rng: Random,
    *,
    to: str,
    comparison: Comparison = "concord",
    threshold: float | None = None,
    d: float = 0,
    phrases: tuple[str, ...] = ("NP",),
    max_words: int = 10,
    min_content: int = 3,
    at_least: float | None = None,
    match: Match = "auto",
    alternatives: str = "",
    context: Context = "sentence",
    unrelated: str = "",
    reverse: bool = False,
    trees: bool = False,
) -> list[Case]:
    way = matching(match, to, analysed=analyse.can(to))
    tree = phrased(await parse(x), x.lang, phrases)
    pairs = construct(
        x,
        tree,
        rng,
        phrases=phrases,
        max_words=max_words,
        min_content=min_content,
        at_least=at_least,
        context=context,
        unrelated=unrelated,
    )
    made_of = {pair.container: parts(pair, tree) for pair in pairs if reverse and pair.where != "concatenation"}

    asked = list(dict.fromkeys(text for pair in pairs for text in (pair.container, pair.phrase)))
    outputs = dict(zip(asked, await translate.each(asked, to), strict=True))
    outputs |= await _tried(translate, {part for found in made_of.values() for part in found} - set(asked), to)
    answers = list(outputs.values()) if way == "lemma" else []
    words = dict(zip(answers, await analyse.each(answers), strict=True))
    count = counting(way, words.__getitem__)

    cases = []
    for pair in pairs:
        sides = pair.container, pair.phrase
        case = compare(*sides, *(outputs[text] for text in sides), d=d, alternatives=alternatives, count=count)
        _show(case, pair, tree if trees else None)
        cases.append(case)
    cases = await explained(cases, explain, threshold)
    whole_parts = {whole: found for whole, found in made_of.items() if len(found) > 1 and outputs.keys() >= set(found)}
    cases += [_unexplained(whole, found, outputs, count, d) for whole, found in whole_parts.items()]
    return [*cases, *_left(outputs, d)]


async def _tried(translate: Translate, texts: Set[Text], to: str) -> dict[Text, Text]:
    """Translations of parts, which no corpus has asked for: a system that refuses one has done nothing wrong."""
    wanted = sorted(texts, key=lambda text: text.words)
    try:
        return dict(zip(wanted, await translate.each(wanted, to), strict=True))
    except (Refused, BadAnswer):
        found = {}
        for text in wanted:
            with contextlib.suppress(Refused, BadAnswer):
                found[text] = await translate(text, to)
        return found


def construct(
    x: Text,
    tree: Tree,
    rng: Random,
    *,
    phrases: tuple[str, ...] = ("NP",),
    max_words: int = 10,
    min_content: int = 3,
    at_least: float | None = None,
    context: Context = "sentence",
    unrelated: str = "",
) -> list[PhrasePair]:
    """The pairs that a text is tested with; nothing is translated. Shallow trees have noun phrases alone."""
    _check_options(x.lang, phrases, max_words, min_content, at_least, context, unrelated)
    pairs = []
    if context != "concatenate":
        wanted = WantedPhrases(phrases, Sizes(max_words, min_content), at_least)
        pairs += referents(x, phrased(tree, x.lang, phrases), wanted)
    if context != "sentence":
        pairs.append(beside(x, unrelated or rng.choice(UNRELATED[base(x.lang)]), first=rng.random() < 0.5))
    return pairs


needs = needing("parse", "analyse")


def thresholds(**options: object) -> tuple[str, ...]:
    """`d` judges by the paper's comparison, `threshold` by ours."""
    return ("d",) if options["comparison"] == "paper" else ("threshold",)


def plan(
    source: str,
    *,
    to: str,
    comparison: Comparison,
    threshold: float | None,
    d: float,
    phrases: tuple[str, ...],
    max_words: int,
    min_content: int,
    at_least: float | None,
    match: Match,
    context: Context,
    unrelated: str,
    alternatives: str,
    **_: object,
) -> Plan:
    abroad(source, to)
    check_threshold("rti", comparison, threshold)
    if d < 0:
        raise UserError(f"rti: d counts missing words, so it is at least 0, not {d:g}")
    _check_options(source, phrases, max_words, min_content, at_least, context, unrelated)
    if match == "stem":
        matching(match, to, analysed=False)
    read_alternatives(alternatives, to)
    known = base(source) in stop_word_languages()
    notes = [] if known else [f"there is no list of stop words for '{source}': every word counts as content"]
    return Plan([(source, to)], notes, [alternatives] if alternatives else [])


def _check_options(
    source: str,
    phrases: tuple[str, ...],
    max_words: int,
    min_content: int,
    at_least: float | None,
    context: Context,
    unrelated: str,
) -> None:
    if not phrases:
        raise UserError("rti: phrases names at least one label of the parser's trees, such as phrases=NP")
    if max_words < 2 or not 0 <= min_content <= max_words:
        raise UserError(
            f"rti: max_words is at least 2 and min_content between 0 and max_words, not {max_words} and {min_content}"
        )
    if at_least is not None and at_least not in PROBABILITIES:
        raise UserError(f"rti: at_least is a probability, 0.05 or a tenth from 0.1 to 0.9, not {at_least:g}")
    if context != "sentence" and not unrelated and base(source) not in UNRELATED:
        raise UserError(
            f"rti: name a sentence in '{source}' to stand beside each text: rti,context={context},unrelated=…"
        )


def compare(
    source: Text,
    follow_up: Text,
    source_output: Text,
    follow_up_output: Text,
    *,
    d: float = 0,
    match: Match = "auto",
    alternatives: str = "",
    count: Count | None = None,
) -> Case:
    """Judge one pair: the source is the container, the follow-up the phrase in it."""
    count = count or counting_here(match, source_output.lang)
    own, whole = count(follow_up_output), count(source_output)
    missing, instead = _difference(own, whole, read_alternatives(alternatives, source_output.lang))
    size = len(own) - len(own.empty)
    # Nothing is missing from an answer without a word, and still it cannot be a translation.
    wordless = not own and any(map(str.isalnum, follow_up.words))
    evidence = {"nothing": "the phrase's translation has no word"} if wordless else {}
    marked = {"follow_up_output": _spans(missing), "source_output": _spans(instead)}
    return Case(
        source=source,
        follow_up=follow_up,
        source_output=source_output,
        follow_up_output=follow_up_output,
        compared=(source_output, follow_up_output),
        suspicion=1 if wordless else len(missing),
        threshold=d,
        scores={"bag": 1 - len(missing) / size if size else float(not wordless)},
        factors={"finding": "difference"},
        evidence={
            **evidence,
            "missing": _written(missing, follow_up_output),
            "marked": marked,
            "places": _differing(**marked) if missing else [],
        },
    )


def _differing(follow_up_output: list[list[int]], source_output: list[list[int]]) -> list[dict[str, Any]]:
    return [
        *places("follow_up_output", follow_up_output, "missing", "not in the translation of the container"),
        *places("source_output", source_output, "differs", "not in the translation of the phrase"),
    ]


def _difference(own: Units, whole: Units, alternatives: Alternatives) -> UnitDifference:
    """What is missing as the texts stand, or less where alternatives count as the same."""
    found = difference(own, whole)
    if not found.missing or not alternatives.first:
        return found
    settled = difference(alternatives.settled(own), alternatives.settled(whole))
    return min(found, settled, key=lambda each: len(each.missing))


def _show(case: Case, pair: PhrasePair, tree: Tree | None) -> None:
    start = pair.place + pair.start
    spans = {
        "container": (pair.place, pair.place + len(pair.container.words)),
        "phrase": (start, start + len(pair.phrase.words)),
    }
    case.evidence |= {"phrase": pair.label, "container": pair.where}
    within = [[pair.start, pair.start + len(pair.phrase.words)]]
    case.evidence["marked"]["source"] = within
    case.evidence["places"] += places("source", within, "phrase")
    if pair.where != "concatenation":
        case.evidence["span"] = list(spans["container"])
        if tree is not None:
            case.evidence["trees"] = {side: around(tree, *span).bracketed() for side, span in spans.items()}


def _unexplained(whole: Text, found: Sequence[Text], outputs: Mapping[Text, Text], count: Count, d: float) -> Case:
    """Words of a translation that stand in none of the translations of its parts."""
    output = outputs[whole]
    explained = joined([unit for part in found for unit in count(outputs[part])])
    extra = difference(count(output), explained).missing
    together = Text(SEPARATOR.join(outputs[part].words for part in found), output.lang)
    case = _of_one(whole, output, "unexplained", _written(extra, output), _spans(extra), d)
    case.compared = (output, together)
    case.evidence["parts"] = {part.words: outputs[part].words for part in found}
    return case


def _left(outputs: Mapping[Text, Text], d: float) -> Iterator[Case]:
    """A finding for every text of which words were left in its own script."""
    for text, output in outputs.items():
        found = left_over(text, output)
        if found:
            spans = [[each.start, each.end] for each in found]
            yield _of_one(text, output, "untranslated", [each.words for each in found], spans, d)


def _of_one(text: Text, output: Text, finding: str, words: list[str], spans: list[list[int]], d: float) -> Case:
    """A finding in a single translation: these words of it, which stand there."""
    both = ("source_output", "follow_up_output")
    return Case(
        source=text,
        follow_up=text,
        source_output=output,
        follow_up_output=output,
        compared=(text, output),
        suspicion=len(words),
        threshold=d,
        factors={"finding": finding},
        evidence={
            finding: words,
            "marked": dict.fromkeys(both, spans),
            "places": [place for role in both for place in places(role, spans, finding)],
        },
    )


def _written(found: Sequence[Unit], text: Text) -> list[str]:
    return [text.words[unit.start : unit.end] for unit in found]


def _spans(found: Sequence[Unit]) -> list[list[int]]:
    """Where units stand, those that touch joined."""
    if not found:
        return []
    spans: list[list[int]] = []
    for unit in sorted(found, key=lambda unit: unit.start):
        if spans and unit.start <= spans[-1][1]:
            spans[-1][1] = max(spans[-1][1], unit.end)
        else:
            spans.append([unit.start, unit.end])
    return spans

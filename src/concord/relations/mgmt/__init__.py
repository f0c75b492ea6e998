"""MGMT: sentence, phrase and word each pass a test of their own (Zhong et al., Journal of Software 32(4), 2021).

Sentence granularity: a sentence is translated, translated back and translated again. The ratio of two similarities,
that of the two translations and that of the sentence and its back-translation, should be 1. Phrase and word
granularity: a phrase or a word that lies deep in the sentence's tree (DeepSelect) is replaced; the translation should
be built as before (StructureSimilarity, by the paths of labels in the trees of both translations).

Each granularity makes one case, which the factor `granularity` names. If a sentence cannot be tested at a granularity,
the evidence of its first case says why; a text of more than 200 words and marks is tested as a sentence only. Suspicion
is |1 − ratio|, or 1 − StructureSimilarity. The paper asks for equality, and repeats everything five times: so does
`mgmt:paper`. `concord judge` judges by one of `granularities`, by default the word, with the parsers of `--parser`.
"""

from random import Random
from typing import Annotated, Literal

from concord.errors import Untested, UserError
from concord.language.plugin_choice import cure
from concord.language.services import Parse, Substitutes
from concord.metrics.tree_paths import TreeComparison, can_parse, structure, trees_of
from concord.model import Case, Plan, Text, Traits, Translate
from concord.options import Count, NotEmpty, Share, Within
from concord.relations._plans import one_way, round_trip
from concord.relations.mgmt.cases import Unit, replacement_case, sentence_case, structural_case
from concord.relations.mgmt.deep_select import PHRASES, unknown_labels
from concord.relations.mgmt.tree_pairs import TreePairs

Granularity = Literal["sentence", "phrase", "word"]
ALL: tuple[Granularity, ...] = ("sentence", "phrase", "word")
TOLERANCES = ("tolerance_sentence", "tolerance_phrase", "tolerance_word")
TRAITS = Traits(
    finds="translations built otherwise if a phrase or word is replaced",
    thresholds=TOLERANCES,
    parses=("source", "target"),
    paper=dict.fromkeys(TOLERANCES, 0.0),
    repetitions=5,
)
Granularities = Annotated[tuple[Granularity, ...], NotEmpty(), "Which of the three tests are made."]
Units = Annotated[Unit, "What the similarity of two sentences counts."]
Candidates = Annotated[Count, "Deepest phrases or words of a tree, of which one is drawn."]
Labels = Annotated[tuple[str, ...], NotEmpty(), "Labels of the phrases that may be replaced."]
SentenceLimit = Annotated[float, Within(0), "Largest |1 − ratio| that is not flagged."]
PhraseLimit = Annotated[Share, "Largest suspicion of a phrase that is not flagged."]
WordLimit = Annotated[Share, "Largest suspicion of a word that is not flagged."]


async def check(
    x: Text,
    translate: Translate,
    parse: Parse | None,
    substitutes: Substitutes | None,
    rng: Random,
    *,
    to: str,
    granularities: Granularities = ALL,
    unit: Units = "characters",
    candidates: Candidates = 5,
    phrases: Labels = PHRASES,
    tolerance_sentence: SentenceLimit = 0.0,
    tolerance_phrase: PhraseLimit = 0.0,
    tolerance_word: WordLimit = 0.0,
) -> list[Case]:
    # Drawn before anything is tried, so that the word does not depend on the phrases.
    phrase_rng, word_rng = Random(rng.getrandbits(64)), Random(rng.getrandbits(64))
    output = await translate(x, to)
    cases, untested = [], {}
    if "sentence" in granularities:
        back = await translate(output, x.lang)
        again = await translate(back, to)
        cases.append(sentence_case(x, back, output, again, unit, tolerance_sentence))
    if parse is None or substitutes is None:
        return cases
    tree_pairs = TreePairs(x, output, translate, parse, substitutes)
    for granularity, labels, own_rng, tolerance in (
        ("phrase", phrases, phrase_rng, tolerance_phrase),
        ("word", None, word_rng, tolerance_word),
    ):
        if granularity not in granularities:
            continue
        try:
            pair = await tree_pairs.build(labels, candidates, own_rng)
        except Untested as why:
            untested[granularity] = str(why)
        else:
            cases.append(replacement_case(x, output, pair, granularity, tolerance, parse.kind(to)))
    if untested and not cases:
        raise Untested(next(iter(untested.values())))
    if untested:
        cases[0].evidence["untested"] = untested
    return cases


def services(*, granularities: Granularities) -> dict[str, str | None]:
    if set(granularities) <= {"sentence"}:
        return {}
    if "sentence" not in granularities:
        return {"parse": None, "substitutes": None}
    alone = "only the sentence granularity is tested"
    return {"parse": alone, "substitutes": f"it does not know the language of the source, so {alone}"}


def thresholds(*, granularities: Granularities) -> set[str]:
    return {f"tolerance_{granularity}" for granularity in granularities}


def plan(source: str, *, to: str, granularities: Granularities, phrases: Labels) -> Plan:
    notes = unknown_labels(source, phrases) if "phrase" in granularities else []
    if "sentence" not in granularities:
        return one_way(source, to, notes)
    return Plan(round_trip(source, to).directions, notes)


def compare(
    source: Text,
    follow_up: Text,
    source_output: Text,
    follow_up_output: Text,
    *,
    granularities: Granularities = ALL,
    unit: Units = "characters",
    tolerance_sentence: SentenceLimit = 0.0,
    tolerance_phrase: PhraseLimit = 0.0,
    tolerance_word: WordLimit = 0.0,
) -> Case:
    """Judge one pair by one granularity: the follow-up is the back-translation, or has other words in it."""
    texts = source, follow_up, source_output, follow_up_output
    granularity = _single(granularities)
    if granularity == "sentence":
        return sentence_case(*texts, unit, tolerance_sentence)
    tolerance = tolerance_phrase if granularity == "phrase" else tolerance_word
    if source_output.words == follow_up_output.words:
        return structural_case(texts, TreeComparison((), (), 1.0), granularity, tolerance)
    if not can_parse(source_output.lang):
        lang = source_output.lang
        raise UserError(
            f"mgmt: no parser knows '{lang}'. {cure('parsers', lang)}; or judge pairs whose follow-up is what came"
            " back: granularities=sentence"
        )
    trees = trees_of(texts[2:])
    compared = structure(trees.get(source_output), trees.get(follow_up_output))
    return structural_case(texts, compared, granularity, tolerance)


def _single(granularities: tuple[Granularity, ...]) -> Granularity:
    if len(granularities) > 1 and granularities != ALL:
        raise UserError(
            f"mgmt: a pair is judged by one granularity, not by {', '.join(granularities)}: its follow-up is either"
            f" what came back or has other words in it. Choose one, such as granularities={granularities[0]}"
        )
    return granularities[-1]

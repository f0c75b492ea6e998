"""RTI: a phrase is translated alike wherever it stands (He, Meister and Su, ICSE 2021, "Purity").

A noun phrase keeps its meaning, so its translation should reappear in the translation of its container: the sentence,
or a longer phrase around it. In a case the container is the source and the phrase the follow-up.

The paper's distance is how many words of the phrase's translation (in Chinese and Japanese: characters) are missing
from the container's; a distance above `d` is flagged. `rti:paper` compares words as they are written. Where our
comparator judges, the distance by lemmas or stems, if the language has them, is the score `paper`.
"""

from random import Random
from typing import Annotated

from concord.errors import Untested, UserError
from concord.language.codes import base
from concord.language.comparison_units import difference
from concord.language.phrases import Sizes
from concord.language.services import Analyse, Parse
from concord.language.stopwords import languages as stop_word_languages
from concord.language.trees import Tree
from concord.language.trees.noun_groups import phrased
from concord.language.word_match import Count, Match, counting, counting_here, matching
from concord.model import Case, Plan, Text, Traits, Translate
from concord.options import NotEmpty, OneOf, Within
from concord.relations._plans import one_way
from concord.relations.rti.evidence import difference_evidence, show_pair
from concord.relations.rti.pairs import PhraseFilter, PhrasePair, phrase_pairs

PROBABILITIES = (0.05, *(tenth / 10 for tenth in range(1, 10)))
"""The limits near which the embedded parser computes again, so that no rounding decides."""
TRAITS = Traits(
    finds="phrases translated otherwise in a sentence than alone",
    distinct=True,
    thresholds=("d",),
    compares=True,
    paper={"match": "exact", "phrases": ("NP",), "at_least": None},
)
Distance = Annotated[float, Within(0), "Largest number of missing words that is not flagged."]
Labels = Annotated[tuple[str, ...], NotEmpty(), "Labels of the phrases that are taken from the parser's trees."]
Longest = Annotated[int, Within(2), "Words of the longest phrase."]
Content = Annotated[int, Within(0), "Least number of words of a phrase that are no stop words."]
Probable = Annotated[float | None, OneOf(PROBABILITIES), "Least probability of a phrase by the parser."]
Matched = Annotated[Match, "When two words are the same: as written, by stems or by lemmas."]


async def check(
    x: Text,
    translate: Translate,
    parse: Parse,
    analyse: Analyse | None,
    rng: Random,
    *,
    to: str,
    d: Distance = 0,
    phrases: Labels = ("NP",),
    max_words: Longest = 10,
    min_content: Content = 3,
    at_least: Probable = None,
    match: Matched = "auto",
    trees: Annotated[bool, "Whether a case shows the trees of its texts."] = False,
) -> list[Case]:
    matched_by = matching(match, to, analysed=analyse is not None and analyse.can(to))
    tree = phrased(await parse(x), x.lang, phrases)
    pairs = construct(x, tree, rng, phrases=phrases, max_words=max_words, min_content=min_content, at_least=at_least)
    if not pairs:
        raise Untested("no phrase that meets the limits")
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.container, pair.phrase)))
    outputs = dict(zip(texts, await translate.each(texts, to), strict=True))
    answers = list(outputs.values()) if analyse is not None and matched_by == "lemma" else []
    words = dict(zip(answers, await analyse.each(answers), strict=True)) if analyse is not None and answers else {}
    count = counting(matched_by, words.__getitem__)

    cases = []
    for pair in pairs:
        case = compare(pair.container, pair.phrase, outputs[pair.container], outputs[pair.phrase], d=d, count=count)
        show_pair(case, pair, tree if trees else None)
        cases.append(case)
    return cases


def construct(
    x: Text,
    tree: Tree,
    rng: Random,
    *,
    phrases: Labels = ("NP",),
    max_words: Longest = 10,
    min_content: Content = 3,
    at_least: Probable = None,
) -> list[PhrasePair]:
    """The pairs that a text is tested with; nothing is translated. Shallow trees have noun phrases alone."""
    phrase_filter = PhraseFilter(phrases, Sizes(max_words, min_content), at_least)
    return phrase_pairs(x, phrased(tree, x.lang, phrases), phrase_filter)


def services(*, match: Matched) -> dict[str, str | None]:
    return {"parse": None} if match == "exact" else {"parse": None, "analyse": None}


def plan(source: str, *, to: str, max_words: Longest, min_content: Content) -> Plan:
    if min_content > max_words:
        raise UserError(f"rti: min_content is at most max_words, {max_words}, not {min_content}")
    has_stop_words = base(source) in stop_word_languages()
    note = "" if has_stop_words else f"there is no list of stop words for '{source}': every word counts as content"
    return one_way(source, to, [note])


def compare(
    source: Text,
    follow_up: Text,
    source_output: Text,
    follow_up_output: Text,
    *,
    d: Distance = 0,
    match: Matched = "auto",
    count: Count | None = None,
) -> Case:
    """Judge one pair: the source is the container, the follow-up the phrase in it."""
    count = count or counting_here(match, source_output.lang)
    phrase_units, container_units = count(follow_up_output), count(source_output)
    missing, instead = difference(phrase_units, container_units)
    size = len(phrase_units) - len(phrase_units.empty)
    # An answer without a word lacks nothing, and still cannot be a translation.
    wordless = not phrase_units and any(map(str.isalnum, follow_up.words))
    texts = source, follow_up, source_output, follow_up_output
    return Case(
        *texts,
        compared=texts[2:],
        suspicion=1 if wordless else len(missing),
        threshold=d,
        scores={"bag": 1 - len(missing) / size if size else float(not wordless)},
        factors={"finding": "difference"},
        evidence=difference_evidence(follow_up_output, missing, instead, wordless=wordless),
    )

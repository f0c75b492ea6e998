"""PatInv: sentences that mean different things are not translated alike (Gupta, He, Meister, Su, ESEC/FSE 2020).

A word is replaced by one that fits its place and means something else, perhaps the opposite, or a phrase that the
sentence does not need is removed; the tree of the new sentence must be the expected one. If both sentences have the
same translation, the system has overlooked something. With `removable=any`, as in `patinv:paper`, any word or phrase
with one of the labels JJ, NN, RB, VB, NP, VP, PP and ADVP is removed, and what is left need not be a good sentence.

Suspicion is 1 for equal translations and 0 for others. Today's systems hardly ever give equal ones. With `relaxed`,
suspicion is the proportion of the change that the translation does not show: 1 − content words changed in the
translation / content words changed in the sentence, from 0 to 1. By default a case is flagged if the translation shows
less than half of the change.

`ways` are `replace` and `remove` (from full trees with Penn's labels). Texts of more than 200 words and marks make no
case.
"""

from random import Random
from typing import Annotated

from concord.errors import Refused, Untested
from concord.language.mutants import KindsOfWords, MutantsPerWord, WordKind, WordsPerText, check_length
from concord.language.services import Parse, Substitutes
from concord.model import Case, Text, Traits, Translate
from concord.options import Count, NotEmpty, Share
from concord.relations._judgement import EQUAL
from concord.relations._spans import differing_marks
from concord.relations.patinv.changes import Removable, Variant, VariantMaker, Way, unseen_change

WAYS: tuple[Way, ...] = ("replace", "remove")
KINDS: tuple[WordKind, ...] = ("noun", "adjective")
HALF = 0.5
TRAITS = Traits(
    finds="sentences of different meaning with the same translation",
    distinct=True,
    worse_when_higher=("unseen", EQUAL),
    paper={"relaxed": False, "removable": "any"},
)
Ways = Annotated[tuple[Way, ...], NotEmpty(), "How a sentence is changed."]
Phrases = Annotated[Removable, "Phrases that may be removed: those that the sentence can do without, or any."]
Relaxed = Annotated[bool, "Whether translations that show only a part of the change are suspected, too."]
Limit = Annotated[Share, "Largest suspicion that is not flagged."]


async def check(
    x: Text,
    translate: Translate,
    parse: Parse,
    substitutes: Substitutes | None,
    rng: Random,
    *,
    to: str,
    ways: Ways = WAYS,
    removable: Phrases = "optional",
    relaxed: Relaxed = False,
    threshold: Limit = HALF,
    kinds: KindsOfWords = KINDS,
    most_words: WordsPerText = 3,
    count: MutantsPerWord = 1,
    most_phrases: Annotated[Count, "Phrases of a text, drawn at random, that are removed."] = 3,
) -> list[Case]:
    check_length(x)
    # Drawn before anything is tried, so that the phrases do not depend on the words.
    word_rng, phrase_rng = Random(rng.getrandbits(64)), Random(rng.getrandbits(64))
    maker = VariantMaker(x, await parse(x), parse, substitutes)
    variants: list[Variant] = []
    if "replace" in ways:
        variants += await maker.replaced(kinds, most_words, count, word_rng)
    if "remove" in ways:
        variants += await maker.removed(removable, most_phrases, phrase_rng)
    if not variants:
        raise Untested(f"nothing to {' or '.join(ways)}")
    first, *outputs = await translate.each([x, *(variant.text for variant in variants)], to)
    cases = []
    for variant, output in zip(variants, outputs, strict=True):
        case = compare(x, variant.text, first, output, relaxed=relaxed, threshold=threshold)
        case.factors |= {"way": variant.way, "of": variant.kind}
        removed = {"removed": variant.old}
        case.evidence |= removed if variant.way == "remove" else {"replaced": f"{variant.old} → {variant.new}"}
        cases.append(case)
    return cases


def services(*, ways: Ways) -> dict[str, str | None]:
    if "replace" not in ways:
        return {"parse": None}
    return {"parse": None, "substitutes": "phrases are removed, no word is replaced" if "remove" in ways else None}


def compare(
    source: Text,
    follow_up: Text,
    source_output: Text,
    follow_up_output: Text,
    *,
    relaxed: Relaxed = False,
    threshold: Limit = HALF,
) -> Case:
    """Judge one pair: the follow-up means something else.

    A follow-up that equals the source is refused: its translation should be the same.
    """
    if source.words.split() == follow_up.words.split():
        raise Refused("the follow-up is the source, word for word, so that patinv has nothing to compare")
    equal = source_output.words.split() == follow_up_output.words.split()
    unseen = 1.0 if equal else unseen_change(source, follow_up, source_output, follow_up_output)
    texts = source, follow_up, source_output, follow_up_output
    return Case(
        *texts,
        compared=texts[2:],
        suspicion=unseen if relaxed else float(equal),
        threshold=threshold,
        scores={"unseen": unseen, **({EQUAL: 1.0} if equal else {})},
        evidence={"marked": differing_marks(*texts)},
    )

"""Of translations that disagree, the odd one is mended after the others; the examples are made by hand."""

from __future__ import annotations

import pytest

from concord.analyses.repair.mend import (
    FAILS,
    NOT_ALIGNED,
    OTHER_FORM,
    UNDECIDED,
    Mender,
    Repairs,
    SentenceFamily,
    Version,
    differing_spans,
)
from concord.language.align import Link
from concord.language.analysis import Part, Word
from concord.model import Text
from concord.relations.transrepair import compare
from concord.relations.transrepair.set_aside import Tokenised, compared, measure

SENTENCE = "Patients with asthma should rest every day."
RIGHT = "Los pacientes con {} deberían descansar cada día."
ODD = "Pacientes con {} debería descansar cada día."
WORDS = {"asthma": "asma", "cancer": "cáncer", "flu": "gripe", "every": "cada", "each": "cada", "day": "día"}
WORDS |= {"Patients": "pacientes", "with": "con", "rest": "descansar"}


class Dictionary:
    """Links by a dictionary, in place of a fitted alignment."""

    def __init__(self, words=WORDS):
        self._words = words

    def links(self, source, target):
        found = []
        for i, word in enumerate(source):
            found += [Link(i, j, 1.0) for j, other in enumerate(target) if self._words.get(word) == other]
        return tuple(found)


def row(old, new, output, source_output):
    text = SENTENCE.replace(old, new)
    case = compare(Text(SENTENCE, "en"), Text(text, "en"), Text(source_output, "es"), Text(output, "es"))
    at = SENTENCE.index(old)
    roles = ("source", "follow_up", "source_output", "follow_up_output")
    return {
        **{role: {"words": getattr(case, role).words, "lang": getattr(case, role).lang} for role in roles},
        "run": 1, "system": "table", "segment": "s", "case": "c", "source_lang": "en", "target_lang": "es",
        "suspicion": case.suspicion, "threshold": case.threshold, "flagged": case.flagged,
        "evidence": {"marked": {"source": [[at, at + len(old)]], "follow_up": [[at, at + len(new)]]}},
    }  # fmt: skip


def family(source_output, *mutants):
    return SentenceFamily.of([row(*mutant, source_output) for mutant in mutants])


def suspecting(alike):
    return lambda x, y, of_x, of_y: 1 - compared(Tokenised(of_x).words, Tokenised(of_y).words, alike).similarity


def mended(sentence, **options):
    made = Repairs()
    alike = measure("lcs")
    Mender(alike, **{"model": Dictionary(), "suspect": suspecting(alike), **options}).mend(sentence, made)
    return made


OUT_OF_STEP = family(
    ODD.format("asma"),
    ("asthma", "cancer", RIGHT.format("cáncer")),
    ("asthma", "flu", RIGHT.format("gripe")),
    ("every", "each", RIGHT.format("asma")),
)


def test_the_sentence_is_mended_where_its_mutants_agree_against_it():
    (offered,) = mended(OUT_OF_STEP).offered
    assert offered.side == "source"
    assert offered.after.words == RIGHT.format("asma")
    assert offered.suspicion == 0


def test_the_mutant_is_mended_where_it_stands_alone():
    (offered,) = mended(
        family(
            RIGHT.format("asma"),
            ("asthma", "cancer", ODD.format("cáncer")),
            ("asthma", "flu", RIGHT.format("gripe")),
        )
    ).offered
    assert (offered.side, offered.before.text.words) == ("follow_up", SENTENCE.replace("asthma", "cancer"))
    assert offered.after.words == RIGHT.format("cáncer")
    assert offered.replaced in {("asma", "cáncer"), ("gripe", "cáncer")}


def test_it_is_told_as_plain_data():
    (offered,) = mended(OUT_OF_STEP).offered
    facts = offered.plain()
    assert (facts["text"], facts["translation"], facts["repaired"]) == (
        SENTENCE,
        ODD.format("asma"),
        RIGHT.format("asma"),
    )
    assert facts["suspicion"]["after"] == 0 < facts["suspicion"]["before"]


def test_two_translations_alone_do_not_tell_which_is_odd():
    made = mended(family(ODD.format("asma"), ("asthma", "cancer", RIGHT.format("cáncer"))))
    assert (made.offered, dict(made.unrepaired)) == ([], {UNDECIDED: 1})


def test_probabilities_decide_where_the_model_tells_them():
    pair = family(ODD.format("asma"), ("asthma", "cancer", RIGHT.format("cáncer")))
    cancer = SENTENCE.replace("asthma", "cancer")
    (offered,) = mended(pair, likely={SENTENCE: -9.0, cancer: -2.0}).offered
    assert offered.after.words == RIGHT.format("asma")
    (offered,) = mended(pair, likely={SENTENCE: -1.0, cancer: -2.0}).offered
    assert (offered.side, offered.after.words) == ("follow_up", ODD.format("cáncer"))


def test_a_word_that_the_alignment_does_not_know_is_what_differs():
    strange = dict(WORDS)
    del strange["asthma"]
    (offered,) = mended(OUT_OF_STEP, model=Dictionary(strange)).offered
    assert "asma" in offered.after.words


def test_nothing_is_offered_where_the_words_are_not_aligned():
    made = mended(OUT_OF_STEP, model=Dictionary({}))
    assert (made.offered, dict(made.unrepaired)) == ([], {NOT_ALIGNED: 1})


def test_a_mutant_borrows_only_from_versions_that_differ_in_the_same_place():
    sentence = family(
        RIGHT.format("asma"),
        ("asthma", "cancer", ODD.format("cáncer")),
        ("every", "each", RIGHT.format("asma")),
    )
    likely = {SENTENCE.replace("every", "each"): -1.0, SENTENCE: -2.0, SENTENCE.replace("asthma", "cancer"): -3.0}
    (offered,) = mended(sentence, likely=likely).offered
    assert offered.lender.text.words == SENTENCE


def test_words_of_another_gender_are_not_exchanged():
    genders = {"asma": "f", "cáncer": "m", "gripe": "m"}

    def forms(text):
        found = []
        for word, gender in genders.items():
            at = text.words.find(word)
            if at >= 0:
                found.append(Word(at, at + len(word), (Part(word, ("n", gender, "sg"), "NOUN"),), text.words))
        return found

    made = mended(family(ODD.format("asma"), *_two()), forms=forms)
    assert (made.offered, dict(made.unrepaired)) == ([], {OTHER_FORM: 1})
    genders["gripe"] = "f"
    assert mended(family(ODD.format("asma"), *_two()), forms=forms).offered[0].lender.output.words == RIGHT.format(
        "gripe"
    )


def _two():
    return ("asthma", "cancer", RIGHT.format("cáncer")), ("asthma", "flu", RIGHT.format("gripe"))


def test_what_would_disagree_with_more_versions_than_before_is_not_offered():
    # The model prefers the one translation that nobody agrees with.
    sentence = family(
        RIGHT.format("asma"),
        ("asthma", "cancer", ODD.format("cáncer")),
        ("asthma", "flu", RIGHT.format("gripe")),
        ("every", "each", RIGHT.format("asma")),
    )
    made = mended(sentence, likely={SENTENCE: -2.0, SENTENCE.replace("asthma", "cancer"): -1.0})
    assert (made.offered, dict(made.unrepaired)) == ([], {FAILS: 1})


def test_a_word_that_comes_to_begin_a_sentence_gets_a_capital():
    nurses = ("Patients", "Nurses", "Enfermeros con asma deberían descansar cada día.")
    sentence = family("Ahí pacientes con asma debería.", nurses)
    likely = {SENTENCE: -9.0, SENTENCE.replace("Patients", "Nurses"): -1.0}
    made = mended(sentence, likely=likely, model=Dictionary({**WORDS, "Nurses": "Enfermeros"}))
    assert made.offered[0].after.words == "Pacientes con asma deberían descansar cada día."


@pytest.mark.parametrize("flagged", [True, False])
def test_a_sentence_without_a_flagged_case_is_left_alone(flagged):
    sentence = family((ODD if flagged else RIGHT).format("asma"), *_two())
    assert bool(mended(sentence).offered) is flagged


def test_versions_know_in_which_word_they_differ():
    sentence, cancer, flu, each = OUT_OF_STEP.versions
    assert differing_spans(cancer, sentence) == ((14, 20), (14, 20))
    assert differing_spans(sentence, flu) == ((14, 20), (14, 17))
    assert differing_spans(cancer, flu) == ((14, 20), (14, 17))
    assert differing_spans(cancer, each) is None
    assert differing_spans(sentence, Version(sentence.text, sentence.output)) is None

"""A similar word in its place changes the translation in that place only; the values are computed by hand."""

from __future__ import annotations

import math
from random import Random

import pytest

from concord.errors import Untested, UserError
from concord.model import Text
from concord.relations import transrepair
from concord.relations.transrepair import check, compare, plan
from concord.testing import SubstituteTable, Table, TreeTable, check_relation, now

SENTENCE = "The cat sees 3 dogs."
TREES = TreeTable(
    {SENTENCE: "(ROOT (S (NP (DT The) (NN cat)) (VP (VBZ sees) (NP (CD 3) (NNS dogs))) (. .)))"},
)
OTHERS = SubstituteTable({"cat": ["horse"], "3": ["5"], "dogs": ["mice", "rats"]})
ANSWERS = {
    SENTENCE: "El gato ve 3 perros.",
    "The horse sees 3 dogs.": "El caballo ve 3 perros.",
    "The cat sees 5 dogs.": "El gato vio a 5 perros grandes.",
    "The cat sees 3 mice.": "El gato ve 3 ratones.",
}


def checked(answers=ANSWERS, **options):
    table = Table(answers)
    cases = now(check(Text(SENTENCE, "en"), table, TREES, OTHERS, Random(7), to="es", **options))
    return cases, table


def judged(one, other, **options):
    source, follow_up = Text(SENTENCE, "en"), Text("The horse sees 3 dogs.", "en")
    return compare(source, follow_up, Text(one, "es"), Text(other, "es"), **options)


def test_every_replaced_word_is_a_case_with_its_kind():
    cases, _ = checked()
    assert [(case.evidence["replaced"], case.factors["word"]) for case in cases] == [
        ("cat → horse", "noun"),
        ("3 → 5", "number"),
        ("dogs → mice", "noun"),
    ]


def test_a_long_text_is_left_alone():
    table, x = Table({}), Text(" ".join([SENTENCE] * 40), "en")
    with pytest.raises(Untested, match="more than 200 words and marks"):
        now(check(x, table, TREES, OTHERS, Random(7), to="es"))
    assert table.asked == []


def test_only_the_translation_that_changed_elsewhere_is_flagged():
    cases, _ = checked()
    assert [case.flagged for case in cases] == [False, True, False]
    # ve 3 against vio a 5 is set aside; of the seven words and marks less three, "grandes" is too much.
    assert cases[1].suspicion == pytest.approx(1 / 5)
    assert cases[1].scores == {"lcs": pytest.approx(4 / 5)}


def test_the_evidence_shows_what_was_set_aside_and_marks_what_still_differs():
    _, case, _ = checked()[0]
    told = {role: [getattr(case, role).words[a:b] for a, b in spans] for role, spans in case.evidence["marked"].items()}
    assert case.evidence["set aside"] == "ve 3 → vio a 5"
    assert told == {"source": ["3"], "follow_up": ["5"], "source_output": [], "follow_up_output": ["grandes"]}


def test_a_sentence_is_translated_once_and_each_mutant_once():
    _, table = checked()
    assert [words for words, _ in table.asked] == list(ANSWERS)


def test_a_sentence_without_a_mutant_is_not_translated_and_says_why():
    table, services = Table({}), (TREES, OTHERS)
    for kind, why in (("adverb", "no adverb"), ("verb", "no word with a substitute")):
        with pytest.raises(Untested, match=why):
            now(check(Text(SENTENCE, "en"), table, *services, Random(7), to="es", kinds=(kind,)))
    assert table.asked == []


def test_words_can_be_chosen_by_kind_and_number():
    assert [case.factors["word"] for case in checked(kinds=("number",))[0]] == ["number"]
    assert len(checked(most_words=1)[0]) == 1


def test_less_similar_words_are_taken_only_if_asked_for():
    answers = {**ANSWERS, "The cat sees 3 rats.": "El gato ve 3 ratas."}
    assert len(checked(answers, count=2, similarity=0.995)[0]) == 3
    assert len(checked(answers, count=2)[0]) == 4


def test_the_seed_says_which_words_are_replaced():
    def drawn(seed):
        made = check(Text(SENTENCE, "en"), Table(ANSWERS), TREES, OTHERS, Random(seed), to="es", most_words=1)
        return [case.evidence["replaced"] for case in now(made)]

    assert [drawn(seed) for seed in range(12)] == [drawn(seed) for seed in range(12)]
    assert len({tuple(drawn(seed)) for seed in range(12)}) == 3


@pytest.mark.parametrize(("metric", "threshold"), [("lcs", 0.037), ("ed", 0.037), ("tfidf", 0.001), ("bleu", 0.094)])
def test_the_threshold_follows_the_metric(metric, threshold):
    case = judged("El gato ve 3 perros.", "El caballo ve 3 perros.", metric=metric)
    assert case.threshold == threshold
    assert case.suspicion == 0
    assert set(case.scores) == {metric}


def test_the_papers_threshold_itself_is_not_flagged():
    same = [f"w{at}" for at in range(963)]
    one, other = " ".join([*same, *(f"a{at}" for at in range(37))]), " ".join([*same, *(f"b{at}" for at in range(37))])
    assert not judged(one, other).flagged
    assert judged(one.removeprefix("w0 "), other).flagged


def test_the_threshold_can_be_set():
    assert judged("El gato ve 3 perros.", "Hay un caballo.", threshold=1).flagged is False


def test_a_pair_that_was_translated_elsewhere_tells_the_replaced_words_by_itself():
    case = judged("El gato ve 3 perros.", "El caballo ve 3 perros.")
    assert case.evidence["replaced"] == "cat → horse"
    assert case.evidence["set aside"] == "gato → caballo"
    assert case.evidence["marked"]["follow_up"] == [[4, 9]]


def test_equal_translations_set_nothing_aside():
    case = judged("Hola.", "Hola.")
    assert case.evidence["set aside"] == "nothing → nothing"
    assert case.suspicion == 0


def test_a_lost_translation_is_flagged():
    case = judged("El gato ve 3 perros.", "")
    assert case.suspicion == 1
    assert case.flagged


def test_words_that_a_corpus_knows_to_be_common_count_less(tmp_path):
    corpus = tmp_path / "es.txt"
    corpus.write_text("el perro duerme\nel gato ve\nel mar brilla\n", encoding="utf-8")
    pair = ("Hoy gato ve 3 perros", "Hoy caballo ve 3 el perros")
    # The article, which every sentence of the corpus has, weighs nothing; otherwise it is one word of five.
    assert judged(*pair, metric="tfidf", corpus=str(corpus)).suspicion == 0
    assert judged(*pair, metric="tfidf").suspicion == pytest.approx(1 - math.sqrt(4 / 5))


def test_the_plan_names_the_corpus_and_says_when_there_is_none(tmp_path):
    corpus = tmp_path / "es.txt"
    corpus.write_text("El perro duerme.\n", encoding="utf-8")
    assert plan("en", to="es").notes == []
    assert "corpus=FILE" in plan("en", to="es", metric="tfidf").notes[0]
    with_one = plan("en", to="es", metric="tfidf", corpus=str(corpus))
    assert (with_one.notes, with_one.files) == ([], [str(corpus)])


@pytest.mark.parametrize("metric", transrepair.LEAST)
def test_it_conforms(metric):
    check_relation("transrepair:paper", metric=metric)


def test_a_corpus_is_for_tfidf_and_must_be_there():
    with pytest.raises(UserError, match="for metric=tfidf"):
        plan("en", to="es", corpus="es.txt")
    with pytest.raises(UserError, match="cannot be read"):
        plan("en", to="es", metric="tfidf", corpus="no/such/file")

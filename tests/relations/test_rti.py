"""A phrase is translated alike wherever it stands."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord import api
from concord.errors import Untested, UserError
from concord.language.parse._choice import shared_parsers
from concord.model import Case, Text
from concord.relations import rti
from concord.testing import AnalysisTable, Echo, Table, TreeTable, check_relation, now


@pytest.fixture(autouse=True)
def parsers_are_made_once() -> Iterator[None]:
    with shared_parsers():
        yield


SENTENCE = "Bolsonaro sat for chummy bilateral talks with the new American president."
BRACKETS = (
    "(ROOT (S (NP (NNP Bolsonaro)) (VP (VBD sat) (PP (IN for) (NP (NP (JJ chummy) (JJ bilateral) (NNS talks))"
    " (PP (IN with) (NP (DT the) (JJ new) (JJ American) (NN president)))))) (. .)))"
)
TALKS, PRESIDENT = "chummy bilateral talks", "the new American president"
BOTH = f"{TALKS} with {PRESIDENT}"


def checked(words: str, brackets: str, answers: dict[str, str], to: str = "zh", **options: Any) -> list[Case]:
    services = Table(answers), TreeTable({words: brackets}), AnalysisTable(), random.Random(1)
    return now(rti.check(Text(words, "en"), *services, to=to, **options))


def judged(container: str, phrase: str, container_output: str, phrase_output: str, **options: Any) -> Case:
    texts = (Text(container, "en"), Text(phrase, "en"), Text(container_output, "zh"), Text(phrase_output, "zh"))
    return rti.compare(*texts, **options)


ANSWERS = {
    SENTENCE: "博索纳罗与美国新总统举行双边会谈。",
    BOTH: "与美国新总统的亲切双边会谈",
    TALKS: "亲切的双边会谈",
    PRESIDENT: "美国新总统",
}


def test_every_phrase_is_paired_with_its_sentence_and_the_phrases_around_it() -> None:
    cases = checked(SENTENCE, BRACKETS, ANSWERS)
    assert [(case.follow_up.words, case.source.words, case.suspicion) for case in cases] == [
        (BOTH, SENTENCE, 2),
        (TALKS, SENTENCE, 2),
        (TALKS, BOTH, 0),
        (PRESIDENT, SENTENCE, 0),
        (PRESIDENT, BOTH, 0),
    ]
    assert [case.evidence["container"] for case in cases] == ["sentence", "sentence", "phrase", "sentence", "phrase"]
    assert {case.evidence["phrase"] for case in cases} == {"NP"}


def test_the_evidence_says_what_is_missing_and_where_everything_stands() -> None:
    case = checked(SENTENCE, BRACKETS, ANSWERS)[1]
    marked = case.evidence["marked"]
    assert case.evidence["missing"] == ["亲", "切"]
    assert [case.follow_up_output.words[start:end] for start, end in marked["follow_up_output"]] == ["亲切"]
    assert [case.source.words[start:end] for start, end in marked["source"]] == [TALKS]


def test_trees_are_given_on_request() -> None:
    case = checked(SENTENCE, BRACKETS, ANSWERS, trees=True)[1]
    assert case.evidence["trees"]["phrase"] == "(NP (JJ chummy) (JJ bilateral) (NNS talks))"
    assert f"(ROOT {case.evidence['trees']['container']})" == BRACKETS
    assert "trees" not in checked(SENTENCE, BRACKETS, ANSWERS)[1].evidence


def test_the_threshold_is_the_papers_d() -> None:
    assert [case.flagged for case in checked(SENTENCE, BRACKETS, ANSWERS, d=2)] == [False] * 5
    assert [case.flagged for case in checked(SENTENCE, BRACKETS, ANSWERS, d=1)].count(True) == 2


def test_a_container_that_is_the_sentence_but_for_marks_counts_once() -> None:
    words = "The big red house of my uncle."
    house = "(NP (DT The) (JJ big) (JJ red) (NN house))"
    brackets = f"(ROOT (NP (NP {house} (PP (IN of) (NP (PRP$ my) (NN uncle)))) (. .)))"
    tree = now(TreeTable({words: brackets})(Text(words, "en")))
    pairs = rti.construct(Text(words, "en"), tree, random.Random(1))
    assert [(pair.phrase.words, pair.container.words) for pair in pairs] == [("The big red house", words)]


def test_a_pair_that_occurs_twice_in_a_corpus_is_one_case(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("The new owners of the old paper mill closed it.\n" * 3, "utf-8")
    (done,) = api.run(corpus, relations=["rti"], systems=["fake"], to=["es"], workspace=tmp_path / "w.sqlite")
    (again,) = api.run(corpus, relations=["rti"], systems=["fake"], to=["es"], workspace=tmp_path / "w.sqlite")
    rows = [row for row in api.rows(tmp_path / "w.sqlite", [done.run.id]) if "case" in row]
    assert len({row["case"] for row in rows}) == done.cases == again.cases == len(rows) / 3 > 0
    assert done.checks == 3


def test_a_pair_is_the_same_whether_its_container_is_a_sentence_or_not(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("The big red house of my old uncle\nWe saw the big red house of my old uncle.\n", "utf-8")
    (done,) = api.run(corpus, relations=["rti"], systems=["fake"], to=["es"], workspace=tmp_path / "w.sqlite")
    assert done.cases == len(list(api.constructed(api.read(corpus, "en"), "rti")))


def test_an_answer_without_a_word_is_suspicious() -> None:
    case = judged("the old red house", "the red house", "红色的老房子", "……")
    assert (case.suspicion, case.scores["bag"]) == (1, 0)


def test_an_impossible_match_is_refused_before_anything_is_translated() -> None:
    table = Table(ANSWERS)
    services = table, TreeTable({SENTENCE: BRACKETS}), AnalysisTable(), random.Random(1)
    with pytest.raises(UserError, match="cannot be analysed"):
        now(rti.check(Text(SENTENCE, "en"), *services, to="de", match="lemma"))
    assert table.asked == []


def test_trees_are_those_of_the_place_not_of_the_words() -> None:
    words = "The old bank sued the old bank of the river town."
    bank = "(NP (DT the) (JJ old) (NN bank))"
    town = "(PP (IN of) (NP (DT the) (NN river) (NN town)))"
    brackets = f"(ROOT (S (NP (DT The) (JJ old) (NN bank)) (VP (VBD sued) (NP {bank} {town})) (. .)))"
    answers = dict.fromkeys(
        [words, "The old bank", "the old bank of the river town", "the old bank", "the river town"], "x"
    )
    found = checked(words, brackets, answers, to="es", trees=True, min_content=2)
    assert {case.evidence["trees"]["phrase"] for case in found if case.follow_up.words == "the old bank"} == {bank}


def test_a_sentence_of_several_holds_its_own_phrases() -> None:
    words = "Wait. The big red house fell."
    brackets = "(ROOT (S (VB Wait) (. .)) (S (NP (DT The) (JJ big) (JJ red) (NN house)) (VP (VBD fell)) (. .)))"
    tree = now(TreeTable({words: brackets})(Text(words, "en")))
    (pair,) = rti.construct(Text(words, "en"), tree, random.Random(1))
    assert (pair.phrase.words, pair.container.words, pair.start) == ("The big red house", "The big red house fell.", 0)


def test_verb_phrases_can_be_asked_for() -> None:
    tree = now(TreeTable({SENTENCE: BRACKETS})(Text(SENTENCE, "en")))
    pairs = rti.construct(Text(SENTENCE, "en"), tree, random.Random(1), phrases=("NP", "VP"), max_words=20)
    assert f"sat for {BOTH}" in [pair.phrase.words for pair in pairs if pair.label == "VP"]


def test_lemmas_silence_agreement_and_stems_most_of_it() -> None:
    texts = [Text("the red house and the red car", "en"), Text("the red house", "en")]
    outputs = [Text("el coche y las casas rojas", "es"), Text("la casa roja", "es")]
    suspicions = {match: rti.compare(*texts, *outputs, match=match).suspicion for match in ("exact", "stem", "lemma")}
    assert suspicions == {"exact": 3, "stem": 1, "lemma": 0}


def test_shallow_trees_serve_as_well() -> None:
    words = "Las nuevas empresas españolas cerraron."
    brackets = "(ROOT (S (SN (DET Las) (ADJ nuevas) (NOUN empresas) (ADJ españolas)) (SV (VERB cerraron)) (PUNCT .)))"
    tree = now(TreeTable({words: brackets}, kind="shallow")(Text(words, "es")))
    (pair,) = rti.construct(Text(words, "es"), tree, random.Random(1))
    assert pair.phrase.words == "Las nuevas empresas españolas"
    with pytest.raises(UserError, match="has noun phrases alone, not VP"):
        rti.construct(Text(words, "es"), tree, random.Random(1), phrases=("VP",))


def test_it_conforms() -> None:
    check_relation("rti", min_content=1)
    check_relation("rti:paper", min_content=1)


words = st.lists(
    st.sampled_from(["talks", "peace", "new", "old", "treaty", "(draft)", "'s", "'", '"', ",", "the", "of"]),
    min_size=1,
    max_size=15,
)


@given(words)
def test_a_perfect_translator_is_never_suspected(found: list[str]) -> None:
    text = " ".join(found)
    leaves = " ".join(f"(NN {word.replace('(', '-LRB-').replace(')', '-RRB-')})" for word in found)
    trees = TreeTable({f"{text} is here": f"(ROOT (S (NP (NP {leaves})) (VP (VBZ is) (RB here))))"})
    text = Text(f"{text} is here", "en")
    with contextlib.suppress(Untested):
        found = now(
            rti.check(text, Echo(), trees, AnalysisTable(), random.Random(1), to="es", min_content=0, max_words=20)
        )
        assert not [case for case in found if case.flagged]

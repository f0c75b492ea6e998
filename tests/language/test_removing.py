"""A sentence without a phrase is still one: marks, capitals and articles are mended."""

from __future__ import annotations

import pytest

from concord.language.phrase_removal import changed_sentence, removals, shape
from concord.language.trees import read_brackets
from concord.model import Text


def left(brackets: str, words: str) -> dict[str, str]:
    return {each.words: each.text.words for each in removals(read_brackets(brackets, words), "en")}


def test_an_adjective_goes_and_the_article_is_mended():
    brackets = "(ROOT (S (NP (PRP He)) (VP (VBD bought) (NP (DT a) (JJ big) (NN engine))) (. .)))"
    assert left(brackets, "He bought a big engine.") == {"big": "He bought an engine."}


def test_what_stands_first_goes_with_its_comma_and_leaves_a_capital():
    brackets = "(ROOT (S (PP (IN In) (NP (NNP Brno))) (, ,) (NP (PRP they)) (VP (VBD slept)) (. .)))"
    assert left(brackets, "In Brno, they slept.") == {"In Brno": "They slept."}


def test_a_clause_between_commas_takes_both_with_it():
    brackets = (
        "(ROOT (S (NP (NP (NNP Anna)) (, ,) (SBAR (WHNP (WP who)) (S (VP (VBZ paints)))) (, ,)) (VP (VBD came)) (. .)))"
    )
    assert left(brackets, "Anna, who paints, came.") == {"who paints": "Anna came."}


def test_a_clause_at_the_end_takes_the_comma_before_it():
    brackets = (
        "(ROOT (S (NP (PRP She)) (VP (VBD left) (, ,)"
        " (SBAR (IN because) (S (NP (NNS trains)) (VP (VBD stopped))))) (. .)))"
    )
    assert left(brackets, "She left, because trains stopped.") == {"because trains stopped": "She left."}


@pytest.mark.parametrize(
    ("brackets", "words"),
    [
        ("(ROOT (S (NP (PRP It)) (VP (VBZ depends) (PP (IN on) (NP (NNP Anna)))) (. .)))", "It depends on Anna."),
        ("(ROOT (S (NP (PRP It)) (VP (VBZ is) (PP (IN in) (NP (NNP Brno)))) (. .)))", "It is in Brno."),
        ("(ROOT (S (NP (PRP She)) (VP (VBD said) (SBAR (IN that) (S (NP (NNS cats)) (VP (VBP sleep))))) (. .)))",
         "She said that cats sleep."),
        ("(ROOT (S (NP (PRP She)) (VP (VBD took) (NP (PRP it)) (PP (IN with) (NP (PRP her)))) (. .)))",
         "She took it with her."),
    ],
)  # fmt: skip
def test_what_a_verb_asks_for_and_what_says_nothing_stays(brackets, words):
    assert left(brackets, words) == {}


def test_any_word_and_phrase_with_a_meaning_of_its_own_can_be_removed():
    words = "Anna's well-known trains often stopped in Brno."
    brackets = (
        "(ROOT (S (NP (NP (NNP Anna) (POS 's)) (ADJP (RB well) (HYPH -) (VBN known)) (NNS trains))"
        " (ADVP (RB often)) (VP (VBD stopped) (PP (IN in) (NP (NNP Brno)))) (. .)))"
    )
    removed = removals(read_brackets(brackets, words), "en", any_phrase=True)
    assert {each.words: each.text.words for each in removed} == {
        "Anna's": "Well-known trains often stopped in Brno.",
        "Anna's well-known trains": "Often stopped in Brno.",
        "trains": "Anna's well-known often stopped in Brno.",
        "often": "Anna's well-known trains stopped in Brno.",
        "stopped": "Anna's well-known trains often in Brno.",
        "stopped in Brno": "Anna's well-known trains often.",
        "in Brno": "Anna's well-known trains often stopped.",
        "Brno": "Anna's well-known trains often stopped in.",
    }
    assert [each.label for each in removed if each.words in ("often", "Brno")] == ["RB", "NNP"]


@pytest.mark.parametrize("brackets", ["(ROOT (VP (VB Sleep)))", "(ROOT (S (VP (VB Sleep)) (. !)))"])
def test_a_text_is_never_removed_as_a_whole(brackets):
    assert removals(read_brackets(brackets), "en", any_phrase=True) == []


def test_the_tree_that_is_to_be_expected_has_no_phrase_around_a_phrase_of_its_kind():
    whole = read_brackets("(ROOT (S (NP (NP (DT the) (NN end)) (PP (IN of) (NP (NN winter)))) (VP (VBD came))))")
    (removed,) = removals(whole, "en")
    assert removed.text.words == "the end came"
    assert removed.shape == shape(read_brackets("(ROOT (S (NP (DT the) (NN end)) (VP (VBD came))))"))


TWO = read_brackets(
    "(ROOT (S (NP (PRP He)) (VP (VBD left)) (. .)) (S (PP (IN In) (NP (NNP Brno))) (, ,) (NP (PRP they))"
    " (VP (VBD slept)) (. .)) (S (NP (PRP It)) (VP (VBD rained)) (. .)))",
    "He left.  In Brno, they slept. It rained.",
)


def test_the_sentence_that_held_a_phrase_is_told_by_itself():
    (removed,) = removals(TWO, "en")
    assert removed.text.words == "He left. They slept. It rained."
    assert removed.sentence.words == "They slept."
    assert removed.shape == "(ROOT (S (NP PRP) (VP VBD) .))"


def test_a_change_that_reaches_other_sentences_is_told_whole():
    new = Text("She left. They slept. It rained.", "en")
    assert changed_sentence(TWO, 10, new) == (TWO, new)

"""Phrases are cut from the text, can stand alone, and are neither too short nor too long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.language.phrases import _PAIRS, Phrase, Sizes, _partners, alone, bare, containers, phrases
from concord.language.trees import Tree, read_brackets

PURITY = Sizes(most_words=10, least_content=3)
MOVIE = "(NP (NP (DT a) (NN movie)) (VP (VBN based) (PP (IN on) (NP (JJ Bad) (NN Blood)))))"
HOLMES = f"(NP (NP (NNP Holmes)) (PP (IN in) {MOVIE}))"


def cut(brackets: str, text: str, *labels: str) -> list[str]:
    return [phrase.words for phrase, _ in phrases(read_brackets(brackets, text), labels or ("NP",))]


def fitting(brackets: str, text: str, sizes: Sizes = PURITY) -> list[str]:
    found = phrases(read_brackets(brackets, text), ("NP",))
    return [phrase.words for phrase, leaves in found if sizes.fit(leaves, "en")]


def test_the_phrases_of_the_papers_tree_are_found_from_the_outside_in() -> None:
    text = "Holmes in a movie based on Bad Blood"
    assert cut(HOLMES, text) == [text, "Holmes", "a movie based on Bad Blood", "a movie", "Bad Blood"]
    assert fitting(HOLMES, text) == [text, "a movie based on Bad Blood"]


def test_a_phrase_keeps_the_blanks_and_marks_of_the_text() -> None:
    brackets = "(NP (NP (DT the) (NN nation) (POS 's)) (, ,) (JJ  old) (NN capital))"
    assert cut(brackets, "the nation's ,  old capital")[0] == "the nation's ,  old capital"


def test_marks_at_the_ends_of_a_phrase_are_left_behind() -> None:
    brackets = "(S (NP (`` “) (JJ chummy) (NN talk) ('' ”) (, ,)) (VP (VBD ended)) (. .))"
    assert cut(brackets, "“chummy talk”, ended.") == ["chummy talk"]


def test_a_possessive_ending_at_the_end_is_left_behind() -> None:
    assert cut("(NP (NP (DT the) (NN company) (POS 's)) (NN rule))", "the company's rule") == [
        "the company's rule",
        "the company",
    ]


def test_brackets_that_close_within_the_phrase_stay() -> None:
    text = "a retreat (more likely) or investment (less likely)"
    brackets = (
        "(NP (NP (DT a) (NN retreat) (PRN (-LRB- -LRB-) (RBR more) (JJ likely) (-RRB- -RRB-))) (CC or)"
        " (NN investment) (-LRB- -LRB-) (RBR less) (JJ likely) (-RRB- -RRB-))"
    )
    assert cut(brackets, text) == [text, "a retreat (more likely)"]


@pytest.mark.parametrize(("dangling", "text"), [("-LRB-", "the (old rule"), ("''", "the ” old rule")])
def test_a_phrase_with_one_bracket_or_quotation_mark_of_two_is_no_phrase(dangling: str, text: str) -> None:
    assert cut(f"(NP (DT the) (X {dangling}) (JJ old) (NN rule))", text) == []


@pytest.mark.parametrize(
    ("leaves", "kept"),
    [
        ("( a ) and ( b )", "( a ) and ( b )"),
        ("“ a ” and “ b ”", "“ a ” and “ b ”"),
        ("( ( a ) )", "a"),
        ("a ) and ( b", ""),
        ("der „ gute “ Mann", "der „ gute “ Mann"),
        ("„ gut “", "gut"),
        ("《 书 》 的 人", "《 书 》 的 人"),
        ("boys ' club", "boys ' club"),
        (", , '", ""),
    ],
)
def test_marks_are_matched_with_each_other(leaves: str, kept: str) -> None:
    found, at = [], 0
    for word in leaves.split():
        found.append(Tree("X", at, at + len(word), (), leaves))
        at += len(word) + 1
    assert " ".join(leaf.words for leaf in alone(found)) == kept


def test_thousands_of_marks_are_looked_at_once() -> None:
    text = "( " * 20_000
    leaves = [Tree("X", 2 * at, 2 * at + 1, (), text) for at in range(20_000)]
    assert alone(leaves) == []


MARKS = sorted({*_PAIRS, *"".join(_PAIRS.values()), "''", '"', "word"})


@given(st.lists(st.sampled_from(MARKS)))
def test_a_mark_that_closes_goes_with_the_latest_one_open_and_ends_what_was_opened_since(words: list[str]) -> None:
    found: dict[int, int] = {}
    open_at: list[int] = []
    for at, word in enumerate(words):
        closed = [place for place in open_at if word in closing(words[place])]
        if closed:
            found |= {closed[-1]: at, at: closed[-1]}
            open_at = [place for place in open_at if place < closed[-1]]
        elif word in _PAIRS or word == '"':
            open_at.append(at)
    assert _partners(words) == found


def closing(mark: str) -> list[str]:
    return {"``": ["''"], '"': ['"']}.get(mark) or list(_PAIRS[mark])


def test_a_per_cent_sign_belongs_to_the_phrase() -> None:
    assert cut("(NP (DT the) (JJ top) (CD 1) (NN %))", "the top 1 %") == ["the top 1 %"]


def test_a_single_word_is_too_short_and_eleven_are_too_long() -> None:
    one = "(NP (NNS economists))"
    eleven = "(NP " + " ".join(f"(NN word{at})" for at in range(11)) + ")"
    assert fitting(one, "economists", Sizes(10, 1)) == []
    assert fitting(eleven, " ".join(f"word{at}" for at in range(11))) == []
    assert len(fitting(eleven, " ".join(f"word{at}" for at in range(11)), Sizes(11, 3))) == 1


def test_stop_words_and_endings_do_not_count_as_content() -> None:
    assert fitting("(NP (DT the) (NN school) (POS 's) (NN lab))", "the school's lab") == []
    assert fitting("(NP (DT the) (NN school) (POS 's) (NN crash) (NN lab))", "the school's crash lab") != []


def test_phrases_of_several_labels_come_in_the_order_of_the_text() -> None:
    brackets = "(S (NP (DT the) (NN cat)) (VP (VBD chased) (NP (DT a) (NN dog))))"
    assert cut(brackets, "the cat chased a dog", "VP", "NP") == ["the cat", "chased a dog", "a dog"]


def test_a_container_differs_by_more_than_marks() -> None:
    text = "the old rule (here)"
    whole, same, inner = Phrase("NP", 0, 19, text), Phrase("NP", 0, 12, text), Phrase("NP", 0, 12, text)
    assert list(containers(inner, [whole, same])) == [whole]


words = st.sampled_from(["a", "b", "'", "'s", '"', "(", ")", ".", ",", "%"])


@given(st.lists(words, min_size=1, max_size=12))
def test_whatever_is_cut_lies_in_the_text_without_a_dangling_mark(found: list[str]) -> None:
    text = " ".join(found)
    leaves, at = [], 0
    for word in found:
        leaves.append(Tree("X", at, at + len(word), (), text))
        at += len(word) + 1
    tree = Tree("NP", 0, len(text), tuple(leaves), text)
    for phrase, kept in phrases(tree, ("NP",)):
        assert phrase.words == text[phrase.start : phrase.end] != ""
        marks = [leaf.words for leaf in kept]
        assert marks.count("(") == marks.count(")")
        assert marks.count('"') % 2 == 0
        assert marks[-1] not in ("'", ".", ",", "(")
        assert marks[0] not in (".", ",", ")")
        assert bare(phrase.words) in bare(text)

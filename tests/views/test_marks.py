from __future__ import annotations

import doctest
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.language import word_diff
from concord.language.invisible import blanks, visible
from concord.views import highlight as module
from concord.views.highlight import Piece, beginning, diff, excerpt

LANGS = st.sampled_from(["", "en", "zh-Hans", "ja", "th", "hi", "ar"])
SIMILAR = st.text("ab ,.'1我กिำ \n\u200d\u0301", max_size=30)


def bracketed(pieces: list[Piece]) -> str:
    return "".join(f"[{piece.words}]" if piece.differs else piece.words for piece in pieces)


def joined(pieces: list[Piece]) -> str:
    return "".join(piece.words for piece in pieces)


def subsequence(a: list[str], b: list[str]) -> int:
    """The length of the longest common one, the slow and obvious way."""
    rows = [[0] * (len(b) + 1)]
    for x in a:
        row = [0]
        for j, y in enumerate(b):
            row.append(rows[-1][j] + 1 if x == y else max(row[j], rows[-1][j + 1]))
        rows.append(row)
    return rows[-1][-1]


@given(st.one_of(SIMILAR, st.text()), st.one_of(SIMILAR, st.text()), LANGS)
def test_the_pieces_joined_are_the_texts_again(a: str, b: str, lang: str) -> None:
    first, second = diff(a, b, lang)
    assert (joined(first), joined(second)) == (a, b)


@given(SIMILAR, SIMILAR, LANGS)
def test_something_is_marked_exactly_when_the_texts_differ(a: str, b: str, lang: str) -> None:
    first, second = diff(a, b, lang)
    assert any(piece.differs for piece in first + second) == (a != b)


@given(SIMILAR, SIMILAR, LANGS)
def test_pieces_are_not_empty_and_take_turns(a: str, b: str, lang: str) -> None:
    for pieces in diff(a, b, lang):
        assert all(piece.words for piece in pieces)
        assert all(one.differs != other.differs for one, other in pairwise(pieces))


@given(st.text("ab 我", max_size=40), SIMILAR, SIMILAR, LANGS, st.sampled_from([1, 50, 400]))
def test_long_texts_compared_in_part_are_whole_and_marked_as_all_are(start, a, b, lang, within):
    one, other = start * 20 + a, start * 20 + b
    found = diff(one, other, lang, within)
    assert tuple(map(joined, found)) == (one, other)
    assert any(piece.differs for pieces in found for piece in pieces) == (a != b)
    assert all(one.differs != other.differs for pieces in found for one, other in pairwise(pieces))


def test_words_before_the_first_difference_are_not_cut_where_long_texts_are_compared_in_part():
    one, other = ("word " * 1_000 + f"{each} difference " + "word " * 1_000 + f"{each}" for each in ("here", "there"))
    (first, _) = diff(one, other, "en", 600)
    assert bracketed(first).startswith("word " * 1_000 + "[here] difference " + "word " * 50)
    assert bracketed(first).endswith("word " * 500 + "here")
    assert bracketed(diff(one, other, "en")[0]).endswith("word [here]")


TALE = " ".join(f"the {word} of house {number}," for number in range(700) for word in ("door", "roof"))


@pytest.mark.parametrize("within", [1_200, 10_000])
@pytest.mark.parametrize("inserted", ["new", "the many words that were added", "words " * 39 + "words"])
def test_words_that_an_insertion_pushes_out_of_the_part_that_is_compared_are_not_marked(within, inserted):
    short, long = f"It begins with {TALE}", f"It begins with {inserted} {TALE}"
    for first, second in (
        diff(short, long, "en", within),
        diff(long, short, "en", within)[::-1],
    ):
        assert bracketed(first) == short
        (marked,) = (piece.words for piece in second if piece.differs)
        assert (bracketed(second).index("["), len(marked)) == (long.index(marked), len(inserted))


def test_an_end_that_differs_is_marked_where_nothing_else_is_known_to_differ():
    ends = "yes " * 500, "no " * 500
    first, second = diff(*("It begins alike, then " + end for end in ends), "en", 600)
    assert bracketed(first).startswith("It begins alike, then [yes yes")
    assert bracketed(second).startswith("It begins alike, then [no no")


def test_words_behind_the_end_of_the_other_text_are_marked_also_if_more_differs():
    short, long = "It began alike.", "It begins alike. " + "more " * 500
    first, second = diff(short, long, "en", 600)
    assert bracketed(first) == "It [began] alike."
    assert bracketed(second).startswith("It [begins] alike. [more more")


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_as_many_words_stay_unmarked_as_the_texts_have_in_common(a: list[str], b: list[str]) -> None:
    for pieces in diff(" ".join(a), " ".join(b)):
        same = " ".join(piece.words for piece in pieces if not piece.differs).split()
        assert len(same) == subsequence(a, b)


@pytest.mark.parametrize(
    ("lang", "a", "b", "marked_a", "marked_b"),
    [
        ("en", "the old bridge", "the bridge", "the [old] bridge", "the bridge"),
        ("en", "a big red dog", "a small blue dog", "a [big red] dog", "a [small blue] dog"),
        ("en", "It is closed.", "It is closed", "It is closed[.]", "It is closed"),
        ("en", "Closed", "closed", "[Closed]", "[closed]"),
        ("en", "I don't know", "I do know", "I [don't] know", "I [do] know"),
        ("es", "pagó 7.000 euros", "pagó 7,000 euros", "pagó [7.000] euros", "pagó [7,000] euros"),
        ("en", "a b", "a  b", "a[ ]b", "a[  ]b"),
        ("en", "a b ", "a b", "a b[ ]", "a b"),
        ("en", "", "new", "", "[new]"),
        ("zh", "我们喜欢iPhone手机", "我喜欢iPad手机", "我[们]喜欢[iPhone]手机", "我喜欢[iPad]手机"),
        ("en", "left 未翻译 here", "left 没翻译 here", "left [未]翻译 here", "left [没]翻译 here"),
        ("ja", "東京へ行った", "東京に行った", "東京[へ]行った", "東京[に]行った"),
        ("th", "ฉันไปบ้าน", "ฉันมาบ้าน", "ฉัน[ไป]บ้าน", "ฉัน[มา]บ้าน"),
        ("hi", "हिन्दी में लिखा", "हिन्दी मे लिखा", "हिन्दी [में] लिखा", "हिन्दी [मे] लिखा"),
        ("ko", "나는 학교에 간다", "나는 집에 간다", "나는 [학교에] 간다", "나는 [집에] 간다"),
    ],
)
def test_whole_words_are_marked_as_their_script_writes_them(
    lang: str, a: str, b: str, marked_a: str, marked_b: str
) -> None:
    first, second = diff(a, b, lang)
    assert (bracketed(first), bracketed(second)) == (marked_a, marked_b)


def test_texts_too_long_to_compare_are_marked_from_the_first_difference_to_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(word_diff, "PAIRS", 3)
    first, second = diff("same a x b end", "same c x d end")
    assert (bracketed(first), bracketed(second)) == ("same [a x b] end", "same [c x d] end")


def test_texts_of_a_hundred_kilobytes_stay_within_the_limit() -> None:
    one = "".join(chr(0x4E00 + i * 7919 % 5000) for i in range(1, 100_001))
    other = "".join(chr(0x4E00 + i * 6007 % 5000) for i in range(1, 100_001))
    first, second = diff("始" + one + "一", "始" + other + "二")
    assert [len(piece.words) for piece in first] == [1, 100_001]
    assert joined(second) == "始" + other + "二"


@given(st.lists(st.builds(Piece, st.text(min_size=1, max_size=90), st.booleans()), max_size=8), st.integers(1, 200))
def test_an_excerpt_is_a_stretch_of_the_text_and_says_what_is_left_out(pieces: list[Piece], limit: int) -> None:
    whole, part = joined(pieces), excerpt(pieces, limit)
    shown = joined(part.pieces)
    assert whole[part.before :].startswith(shown)
    assert part.before + len(shown) + part.after == len(whole)
    assert len(shown) == min(limit, len(whole))
    assert any(piece.differs for piece in part.pieces) == any(piece.differs for piece in pieces)


def test_a_text_that_is_compared_with_nothing_is_shown_from_its_beginning() -> None:
    part = beginning("x" * 50, 20)
    assert (joined(part.pieces), part.before, part.after) == ("x" * 20, 0, 30)


def test_no_control_character_and_no_direction_override_gets_through() -> None:
    bad = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in ("Cc", "Cs")]
    bad += list("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\u200b\ufeff\xad")
    for character in bad:
        shown = visible(f"a{character}b")
        assert character not in shown
        assert len(shown) >= 3


@given(st.text())
def test_making_visible_twice_changes_nothing_more(text: str) -> None:
    once = visible(text)
    assert visible(once) == once


@pytest.mark.parametrize(
    "text", ["plain [red]", "می\u200cخواهم", "👩\u200d👧", "שלום\u200f!", "हिन्दी", "葛\U000e0100", "é e\u0301"]
)
def test_what_a_script_needs_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_control_characters_that_the_medium_can_bear_are_kept() -> None:
    assert visible("a\nb\tc\x00", keep="\n\t") == "a\nb\tc␀"


def test_blanks_become_signs() -> None:
    assert blanks(" \xa0\n") == "␣⟨U+00A0⟩␊"


def test_the_examples_in_the_documentation_are_right() -> None:
    assert doctest.testmod(module).failed == doctest.testmod(word_diff).failed == 0

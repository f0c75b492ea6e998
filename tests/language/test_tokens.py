from __future__ import annotations

import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from concord.language import segmenters
from concord.language.segmenters import note
from concord.language.tokens import Token, split, tokens, version
from concord.model import Text

LARGE = pytest.mark.large
KOREAN = pytest.param("ko", marks=LARGE)
LANGUAGES = ["en", "es", "ca", "gl", "pt", "fr", "it", "de", "sv", "ru", "zh-Hans", "ja", KOREAN, "hi", "th", "pt-BR"]

# Characters that tokenisers stumble over, more often than chance would bring them.
AWKWARD = st.sampled_from(
    [*"'’-.1,€%@aBя漢か한ก𠮷👍 \n\0\u200d\ufe0f\u0301\u00a0\u3000\x1c\u1100\ud800", "👍🏽", "🇪", "n't"]
)
ADDRESS = st.sampled_from(["http://", "www.", "e.g.", "a@b.org", "J. "])
ANYTHING = st.lists(st.characters(codec=None) | AWKWARD | ADDRESS, max_size=30).map("".join)


def cut(words: str, lang: str = "en") -> list[str]:
    return [token.text for token in tokens(Text(words, lang))]


def kinds(words: str, lang: str = "en") -> list[str]:
    return [token.kind for token in tokens(Text(words, lang))]


@pytest.mark.parametrize("lang", LANGUAGES)
@settings(deadline=None)  # a segmenter reads its dictionary when it is first asked
@given(words=ANYTHING)
@example(words="")
@example(words=" \n ")
@example(words="  a  b  ")
def test_offsets_are_right_no_token_is_empty_and_blanks_alone_lie_between_tokens(lang, words):
    found = tokens(Text(words, lang))
    assert all(words[each.start : each.end] == each.text != "" for each in found)
    places = [0, *(place for each in found for place in (each.start, each.end)), len(words)]
    assert places == sorted(places)
    assert not any(words[start:end].strip() for start, end in zip(places[::2], places[1::2], strict=True))


def test_a_token_knows_its_place_and_its_kind():
    assert tokens(Text(" Hi  you ", "en")) == [Token("Hi", 1, 3, "word"), Token("you", 5, 8, "word")]


@given(words=ANYTHING)
def test_the_tokens_can_be_had_as_strings(words):
    assert split(Text(words, "en")) == [each.text for each in tokens(Text(words, "en")) if each.kind != "blank"]


def test_a_text_of_blanks_is_one_token_of_its_own_kind():
    assert tokens(Text(" \t", "en")) == [Token(" \t", 0, 2, "blank")]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("3.5 kg", ["3.5", "kg"]),
        ("3.5kg,", ["3.5kg", ","]),
        ("1,000.50", ["1,000.50"]),
        ("10%.", ["10%", "."]),
        ("€5 or 5€", ["€5", "or", "5€"]),
        ("at 12:30.", ["at", "12:30", "."]),
        ("-5 and 3-5", ["-5", "and", "3", "-", "5"]),
        ("20°C", ["20°C"]),
        ("80km/h", ["80km/h"]),
        ("1\u00a0000\u202f000,50", ["1\u00a0000\u202f000,50"]),
        ("1\u00a00000", ["1", "0000"]),
        ("2020-01-15", ["2020-01-15"]),
        ("a 10-year-old", ["a", "10-year-old"]),
        ("4x4 mp3", ["4x4", "mp3"]),
        ("10th 1980s", ["10th", "1980s"]),
        ("1/2", ["1/2"]),
    ],
)
def test_numbers_keep_their_separators_and_the_units_that_touch_them(words, expected):
    assert cut(words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("See https://a.org/b_(c)?d=1.", ["See", "https://a.org/b_(c)?d=1", "."]),
        ("(http://a.org/x)", ["(", "http://a.org/x", ")"]),
        ("www.a.org, b", ["www.a.org", ",", "b"]),
        ("a.b+c@d-e.co.uk.", ["a.b+c@d-e.co.uk", "."]),
        ("on example.com.", ["on", "example.com", "."]),
    ],
)
def test_addresses_are_whole_and_end_before_punctuation(words, expected):
    assert cut(words) == expected
    assert "address" in kinds(words)


@pytest.mark.parametrize(
    ("words", "lang", "expected"),
    [
        ("Mr. Fox of the U.S. left.", "en", ["Mr.", "Fox", "of", "the", "U.S.", "left", "."]),
        ("J. Smith, Ph.D., e.g. this", "en", ["J.", "Smith", ",", "Ph.D.", ",", "e.g.", "this"]),
        ("No. 5? No.", "en", ["No.", "5", "?", "No", "."]),
        ("better than I. Then", "en", ["better", "than", "I", ".", "Then"]),
        ("p. ej. esto", "es", ["p.", "ej.", "esto"]),
        ("z.B. das, d.h. usw.", "de", ["z.B.", "das", ",", "d.h.", "usw."]),
        ("т.е. и т.д.", "ru", ["т.е.", "и", "т.д."]),
        ("la dott.ssa Rossi", "it", ["la", "dott.ssa", "Rossi"]),
        ("t.ex. nu", "sv", ["t.ex.", "nu"]),
    ],
)
def test_abbreviations_keep_their_full_stops(words, lang, expected):
    assert cut(words, lang) == expected


@pytest.mark.parametrize(
    ("words", "lang", "expected"),
    [
        ("I don't; John's", "en", ["I", "do", "n't", ";", "John", "'s"]),
        ("He do n't like Babe 's bar", "en", ["He", "do", "n't", "like", "Babe", "'s", "bar"]),
        ("we’ll O’Neil o'clock", "en", ["we", "’ll", "O’Neil", "o'clock"]),
        ("'quoted' dogs'", "en", ["'", "quoted", "'", "dogs", "'"]),
        ("l'home s’ha dona'm", "ca", ["l'", "home", "s’", "ha", "dona'm"]),
        ("col·lecció", "ca", ["col·lecció"]),
        ("D'eau aujourd'hui", "fr", ["D'", "eau", "aujourd'hui"]),
        ("jusqu'à quelqu'un", "fr", ["jusqu'", "à", "quelqu'un"]),
        ("dit-il, a-t-il", "fr", ["dit-il", ",", "a-t-il"]),
        ("dell'acqua, un'altra", "it", ["dell'", "acqua", ",", "un'", "altra"]),
        ("dámelo d'Artagnan", "es", ["dámelo", "d'Artagnan"]),
        ("state-of-the-art", "en", ["state-of-the-art"]),
        ("wait -- what...", "en", ["wait", "--", "what", "..."]),
        ("and/or", "en", ["and", "/", "or"]),
    ],
)
def test_elisions_and_contractions_are_cut_and_hyphens_are_not(words, lang, expected):
    assert cut(words, lang) == expected


def test_an_emoji_is_one_token_whatever_it_is_made_of():
    emoji = ["👩‍👩‍👧‍👦", "👍🏽", "🇪🇸", "🇫🇷", "❤️", "1️⃣", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🙂"]
    assert cut("".join(emoji)) == emoji
    assert set(kinds("".join(emoji))) == {"emoji"}


def test_letters_with_combining_marks_and_in_other_scripts_make_words():
    assert cut("cafe\u0301 हिन्दी IT-компания _x") == ["cafe\u0301", "हिन्दी", "IT-компания", "_x"]


def test_scripts_without_blanks_fall_into_characters_in_the_midst_of_others():
    assert cut("GPT模型 ok") == ["GPT", "模", "型", "ok"]
    assert cut("กำ", "th") == ["ก", "ำ"]


def test_symbols_marks_and_the_rest_are_told_apart():
    assert kinds("a + ! \0") == ["word", "symbol", "mark", "other"]


@pytest.mark.parametrize(
    ("words", "lang", "expected"),
    [
        ("我来到北京清华大学,3.5公斤", "zh", ["我", "来到", "北京", "清华大学", ",", "3.5", "公斤"]),
        ("看http://a.cn/x。好", "zh", ["看", "http://a.cn/x", "。", "好"]),
        ("東京都に 行った。", "ja", ["東京", "都", "に", "行っ", "た", "。"]),
        pytest.param("나는 학교에 갔다.", "ko", ["나", "는", "학교", "에", "갔", "다", "."], marks=LARGE),
        pytest.param("고마워 IT기업", "ko", ["고마워", "IT", "기업"], marks=LARGE),
    ],
)
def test_chinese_japanese_and_korean_are_cut_into_words(words, lang, expected):
    assert cut(words, lang) == expected


def test_morphemes_that_share_a_syllable_stay_together():
    assert segmenters.boundaries("abcdef", lambda _: [(0, 3), (2, 4), (4, 5), (4, 5)]) == [0, 4, 5]
    assert segmenters.boundaries("abcd", lambda _: [(0, 1), (2, 3)]) == [0, 1, 2, 3]


@pytest.fixture
def no_extras(monkeypatch):
    for package in ("jieba", "fugashi", "kiwipiepy"):
        monkeypatch.setitem(sys.modules, package, None)
    segmenters._loaded.cache_clear()
    yield
    segmenters._loaded.cache_clear()


@pytest.mark.usefixtures("no_extras")
def test_without_the_extra_there_are_characters_and_a_note_that_says_what_installs_it():
    assert cut("我来到 北京3", "zh-Hant") == ["我", "来", "到", "北", "京", "3"]
    assert cut("か\u3099行", "ja") == ["か\u3099", "行"]
    assert cut("갔다 ok", "ko") == ["갔", "다", "ok"]
    assert version("zh") == "concord@1+characters"
    assert note("zh-Hans") == 'Chinese is split into characters. To split it into words: pip install "concord-mt[zh]"'
    assert 'concord-mt[ja]"' in str(note("ja"))
    assert 'concord-mt[ko]"' in str(note("ko"))


@LARGE
def test_the_version_names_everything_that_the_tokens_depend_on():
    assert version("en") == version("ca") == "concord@1"
    assert version("zh-Hans").startswith("concord@1+jieba@")
    assert "unidic-lite@" in version("ja")
    assert "kiwipiepy-model@" in version("ko")


@LARGE
def test_nothing_is_noted_where_nothing_is_missing():
    assert [note(lang) for lang in ("en", "zh", "ja", "ko", "th")] == [None] * 5


@pytest.mark.parametrize(
    "unit",
    [
        "a.",
        "((((",
        "a@",
        "http://",
        "www.(",
        "1,",
        "a-",
        "a'",
        "👩‍",
        "\u0301",
        "漢",
        "-",
        "$",
        "J. ",
        "x\u00a0",
        "1\u00a0000",
    ],
)
def test_a_hostile_text_takes_steps_in_proportion_to_its_length(unit):
    # A pattern that went back over 100 kB would not come to an end here.
    words = unit * (100_000 // len(unit))
    assert tokens(Text(words, "en"))


@pytest.mark.parametrize("unit", ["漢", "行く。", "가 "])
def test_a_segmenter_is_handed_a_long_text_in_pieces(unit):
    handed = []

    def whole(text):
        handed.append(text)
        return [(0, len(text))]

    words = unit * 2_000
    cuts = segmenters.boundaries(words, whole)
    assert "".join(handed) == words
    assert max(map(len, handed)) <= 1_000
    assert all(piece.endswith(unit) for piece in handed)
    assert cuts[-1] == len(words)


def test_a_long_text_is_cut_into_the_words_of_its_sentences():
    assert cut("我来到北京清华大学。" * 300, "zh") == cut("我来到北京清华大学。", "zh") * 300

"""Number words have their values, and all that read or write numbers take them from one table."""

from __future__ import annotations

from concord.language.numbers import english_words
from concord.language.substitutes._numbers import amount
from concord.relations.semmt import rewordings
from concord.relations.semmt.logic.english import ENGLISH
from concord.relations.semmt.regex.lexicon import VALUES


def test_words_have_their_values():
    assert (english_words.ONES["zero"], english_words.ONES["twelve"], english_words.ONES["nineteen"]) == (0, 12, 19)
    assert (english_words.ROUND["twenty"], english_words.ROUND["ninety"]) == (20, 90)
    assert (english_words.RANKS["second"], english_words.RANKS["twelfth"]) == (2, 12)
    assert (english_words.FOLD["threefold"], english_words.FOLD["hundredfold"]) == (3, 100)
    assert "onefold" not in english_words.FOLD


def test_all_readers_and_writers_agree_on_small_numbers():
    for value, word in enumerate(english_words.SMALL[2:], start=2):
        assert ENGLISH.ones[word] == VALUES[word] == amount(word) == value
        assert rewordings.reworded(f"At least {value} dogs barked.")[1].words == f"At least {word} dogs barked."

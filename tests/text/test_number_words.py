"""Number words have their values, and all that read or write numbers take them from one table."""

from __future__ import annotations

from concord.relations.semmt import rewordings
from concord.relations.semmt.logic.english import ENGLISH
from concord.relations.semmt.regex.lexicon import VALUES
from concord.text import number_words
from concord.text.substitutes._numbers import amount


def test_words_have_their_values():
    assert (number_words.ONES["zero"], number_words.ONES["twelve"], number_words.ONES["nineteen"]) == (0, 12, 19)
    assert (number_words.ROUND["twenty"], number_words.ROUND["ninety"]) == (20, 90)
    assert (number_words.RANKS["second"], number_words.RANKS["twelfth"]) == (2, 12)
    assert (number_words.FOLD["threefold"], number_words.FOLD["hundredfold"]) == (3, 100)
    assert "onefold" not in number_words.FOLD


def test_all_readers_and_writers_agree_on_small_numbers():
    for value, word in enumerate(number_words.SMALL[2:], start=2):
        assert ENGLISH.ones[word] == VALUES[word] == amount(word) == value
        assert rewordings.reworded(f"At least {value} dogs barked.")[1].words == f"At least {word} dogs barked."

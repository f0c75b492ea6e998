"""Number words have their values, and all that read or write numbers take them from one table."""

from __future__ import annotations

from concord.language import word_tables
from concord.language.numbers import context, english
from concord.language.numbers.context import can_be_equal
from concord.language.substitutes._numbers import amount
from concord.relations.semmt import rewordings
from concord.relations.semmt.logic import find
from concord.relations.semmt.regex.lexicon import VALUES


def test_words_have_their_values():
    assert (english.ONES["zero"], english.ONES["twelve"], english.ONES["nineteen"]) == (0, 12, 19)
    assert (english.ROUND["twenty"], english.ROUND["ninety"]) == (20, 90)
    assert (english.RANKS["second"], english.RANKS["twelfth"]) == (2, 12)
    assert (english.FOLD["threefold"], english.FOLD["hundredfold"]) == (3, 100)
    assert "onefold" not in english.FOLD


def test_all_readers_and_writers_agree_on_small_numbers():
    for value, word in enumerate(english.SMALL[2:], start=2):
        assert [each.low for each in find(f"{word} dogs")] == [VALUES[word]] == [amount(word)] == [value]
        assert rewordings.reworded(f"At least {value} dogs barked.")[1].words == f"At least {word} dogs barked."


def test_of_the_units_that_have_words_only_seven_are_of_time():
    units = word_tables(context.__file__)["words"]
    assert [unit for unit in units if not can_be_equal(unit, "day")] == ["h", "min", "s", "week", "month", "year"]

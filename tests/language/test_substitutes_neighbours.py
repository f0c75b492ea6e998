"""How usual words are beside each other, by the counts that ship."""

from __future__ import annotations

import numpy as np
import pytest

from concord.language.substitutes._neighbours import Neighbours, neighbours, spelt


@pytest.fixture
def tiny(tmp_path):
    """Before "cat" stands "the" nine times of ten, before "dog" never; both are of one class, "car" of another."""
    words = ["the", "ran", "cat", "dog", "car"]
    file = tmp_path / "tiny.npz"
    np.savez_compressed(
        file,
        words=np.frombuffer("\n".join(words).encode(), np.uint8),
        counts=np.array([1000, 1000, 1000, 1000, 1000], np.uint32),
        classes=np.array([2, 2, 0, 0, 1], np.uint8),
        before=np.array([[900, 0, 0], [0, 500, 0]], np.uint32),
        after=np.array([[0, 0, 0], [500, 0, 0]], np.uint32),
        starts=np.array([0, 1, 1, 1, 1, 1], np.uint32),
        nexts=np.array([2], np.uint16),
        pairs=np.array([900], np.uint16),
        total=np.array(100_000, np.uint32),
        of_class=np.array([2000, 1000, 2000], np.uint32),
    )
    return Neighbours(file)


def test_a_word_that_is_never_seen_there_has_lost(tiny):
    assert tiny.lost("cat", "dog", "the", "ran") < -2


def test_a_word_that_is_more_usual_there_has_lost_nothing(tiny):
    assert tiny.lost("dog", "cat", "the", "ran") == 0


def test_words_of_the_same_class_help_a_word_that_was_not_seen_there(tiny):
    assert tiny.lost("cat", "car", "the", "ran") < tiny.lost("cat", "dog", "the", "ran")


def test_a_neighbour_that_was_never_counted_says_nothing(tiny):
    assert tiny.lost("cat", "car", "xyzzy", "xyzzy") == 0


def test_words_that_were_never_counted_are_alike(tiny):
    assert tiny.lost("xyzzy", "plugh", "the", "ran") == 0


def test_case_does_not_matter(tiny):
    assert tiny.lost("Cat", "DOG", "The", "ran") == tiny.lost("cat", "dog", "the", "ran")


def test_numbers_are_alike_and_so_are_the_articles():
    assert [spelt(word) for word in ("1,200", "An", "a", "River")] == ["#", "a", "a", "river"]


def test_what_ships_knows_which_words_go_together():
    counted = neighbours()
    assert counted.lost("percent", "river", "#", "of") < counted.lost("percent", "portion", "#", "of") <= 0


def test_the_version_tells_the_counts(tiny):
    assert tiny.version != neighbours().version

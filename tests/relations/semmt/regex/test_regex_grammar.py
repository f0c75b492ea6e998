from __future__ import annotations

from collections.abc import Iterator

import pytest

from concord.relations.semmt.regex.grammar import ChartItem, bracketings
from concord.relations.semmt.regex.meaning_tree import Meaning, meaning, plain
from concord.relations.semmt.regex.phrases import cut
from concord.relations.semmt.regex.weights import features, scored_by, shipped
from concord.relations.semmt.regex.writer import expression

VOWEL = Meaning("atom", atom="[ <VOW> ]", name="vowel")
DIGIT = Meaning("atom", atom="[ <NUM> ]", name="number")


def indifferent(rule: str, left: str, right: str) -> float:
    return 0.0


def signs(sentence: str) -> list[tuple[str, str]]:
    return [(phrase.kind, phrase.key) for phrase in cut(sentence).phrases]


def all_expressions(sentence: str) -> set[str]:
    phrases = cut(sentence).phrases
    return {expression(meaning(item, phrases)) for item in bracketings(signs(sentence), indifferent, beam=50)}


def test_an_ambiguous_sentence_has_all_its_bracketings() -> None:
    assert all_expressions("lines with a vowel or a digit, 3 or more times") == {
        "( ( [ <VOW> ] ) | ( [ <NUM> ] ) ) { 3 , }",
        "( [ <VOW> ] ) | ( ( [ <NUM> ] ) { 3 , } )",
    }


def test_either_holds_an_alternative_together() -> None:
    assert all_expressions("either a vowel, a digit, or <M0>") == {"( [ <VOW> ] ) | ( [ <NUM> ] ) | ( <M0> )"}


def test_a_denied_list_is_denied_as_a_whole() -> None:
    assert "~ ( ( [ <VOW> ] ) & ( [ <NUM> ] ) & ( <M0> ) )" in all_expressions(
        "lines not having a vowel, not a digit, and not <M0>"
    )


def test_the_likeliest_comes_first_whatever_the_beam() -> None:
    row = signs("lines ending with a vowel or a digit before <M0>, 3 or more times")
    scores = [item.score for item in bracketings(row, shipped(), beam=50)]
    assert scores == sorted(scores, reverse=True)
    assert bracketings(row, shipped(), beam=50)[0].score == pytest.approx(bracketings(row, shipped(), beam=5)[0].score)


def used(item: ChartItem) -> Iterator[str]:
    """The names of all the weights in a bracketing."""
    if item.parts:
        right = item.parts[1].label if item.parts[1:] else ""
        yield from features(f"{item.rule}:{item.label}", item.parts[0].label, right)
        for part in item.parts:
            yield from used(part)


def test_a_score_is_the_sum_of_the_weights_used() -> None:
    row = signs("lines ending with a vowel or a digit before <M0>, 3 or more times")
    names = [name for item in bracketings(row, indifferent, beam=50) for name in used(item)]
    weights = {name: len(name) / 100 for name in names}
    for item in bracketings(row, scored_by(weights), beam=50):
        assert item.score == pytest.approx(sum(weights[name] for name in used(item)))


def test_a_rule_with_one_part_has_one_weight() -> None:
    assert features("not:not", "a", "") == ("not:not a",)


def test_phrases_that_do_not_fit_are_only_read_with_repairs() -> None:
    row = signs("before a vowel a digit")
    assert bracketings(row, indifferent, beam=5) == []
    best = bracketings(row, indifferent, beam=5, repair=True)[0]
    assert best.repairs == 2
    assert best.score < 0


def test_an_atom_is_never_left_out_by_a_repair() -> None:
    def atoms(item: ChartItem) -> int:
        return sum(map(atoms, item.parts)) if item.parts else 1

    found = bracketings(signs("vowel not digit or or <M0>"), indifferent, beam=5, repair=True)
    assert {atoms(item) for item in found} == {3}


def test_bracketings_that_come_to_the_same_have_the_same_plain_meaning() -> None:
    inside = Meaning("contain", (Meaning("sequence", (VOWEL, DIGIT)),))
    outside = Meaning("sequence", (Meaning("contain", (VOWEL,)), DIGIT))
    assert plain(inside) == plain(outside)
    assert plain(Meaning("start", (VOWEL,))) != plain(Meaning("end", (VOWEL,)))


def test_at_least_once_is_denied_as_a_whole_unlike_a_plural() -> None:
    assert "~ ( ( [ <VOW> ] ) + )" in all_expressions("lines not having a vowel at least once")
    assert all_expressions("lines not having vowels") == {"~ ( [ <VOW> ] ) +"}


def test_containing_one_of_two_things_several_times_is_more_than_containing_it() -> None:
    either = Meaning("contain", (Meaning("or", (VOWEL, DIGIT)),))
    single = Meaning("contain", (VOWEL,))
    assert plain(Meaning("times", (single,), low=1)) == plain(single)
    assert plain(Meaning("times", (either,), low=1)) != plain(either)

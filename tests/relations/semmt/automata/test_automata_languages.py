"""Automata accept what the expression says, count words exactly, and obey the laws of sets."""

from __future__ import annotations

import itertools

import pytest
from greenery import Charclass
from greenery import parse as other_library
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.relations.semmt.automata import TooComplex, equal, language, read
from concord.relations.semmt.automata import expression as tree
from concord.relations.semmt.automata.alphabet import PRINTABLE, is_word
from concord.relations.semmt.automata.limits import MOST_STATES

SYMBOLS = ("a", "-", "<M0>")
WORDS = [word for length in range(6) for word in itertools.product(SYMBOLS, repeat=length)]
LEAVES = ("a", "-", "<M0>", ".", "[^a]", "[a-]", "()", "a-", "[<M0>a]")


def grown(leaves: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Expressions, everything in parentheses so that no test depends on which operator binds closer."""

    def more(smaller: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        one = st.sampled_from(
            ["({})*", "({})+", "({})?", "({}){{2}}", "({}){{1,2}}", "({}){{,2}}", "({}){{2,}}", "~({})"]
        )
        two = st.sampled_from(["({})({})", "({})|({})", "({})&({})", "({})({})"])
        return st.builds(str.format, one, smaller) | st.builds(str.format, two, smaller, smaller)

    return st.recursive(st.sampled_from(leaves), more, max_leaves=6)


plain = grown(LEAVES)
bounded = grown((*LEAVES, r"\b", r"\b", r"\w"))


def matches(node, word):
    """Whether the whole word matches: the obvious way, with all pairs (start, end) that a part of the tree matches."""
    return (0, len(word)) in spans(node, word)


def spans(node, word):
    places = range(len(word) + 1)
    match node:
        case tree.Symbols(members, outside):
            return {(at, at + 1) for at, symbol in enumerate(word) if (symbol in members) != outside}
        case tree.Boundary():
            kinds = [False, *map(is_word, word), False]
            return {(at, at) for at in places if kinds[at] != kinds[at + 1]}
        case tree.Sequence(parts):
            return chained([spans(part, word) for part in parts], places)
        case tree.Either(parts):
            return set().union(*(spans(part, word) for part in parts))
        case tree.Both(parts):
            return set.intersection(*(spans(part, word) for part in parts))
        case tree.Not(inside):
            return {(start, end) for start in places for end in places[start:]} - spans(inside, word)
        case tree.Repetition(inside, least, most):
            one = spans(inside, word)
            # Copies beyond the number of characters are empty ones, so they lead nowhere new.
            times = range(least, (least + len(word) if most is None else most) + 1)
            return set().union(*(chained([one] * count, places) for count in times))


def chained(relations, places):
    done = {(at, at) for at in places}
    for relation in relations:
        done = {(start, end) for start, middle in done for other, end in relation if middle == other}
    return done


def of(text):
    return language(read(text))


@settings(max_examples=100, deadline=None)
@given(bounded)
def test_an_automaton_accepts_what_the_slow_matcher_accepts(text):
    expression = read(text)
    accepted = language(expression)
    assert [word for word in WORDS if accepted.accepts(word)] == [
        word for word in WORDS if matches(expression.tree, word)
    ]


@settings(max_examples=100, deadline=None)
@given(bounded)
def test_words_are_counted_exactly(word_counts, text):
    text = f"({text})|(<M0>a-)&()"
    counted, expression = [0] * 6, read(text.replace(r"\w", "[a<M0>]"))
    for word in WORDS:
        counted[len(word)] += matches(expression.tree, word)
    assert word_counts(language(expression), 5, universe="") == counted


def test_the_universe_is_the_printable_characters_and_what_is_mentioned(word_counts):
    assert word_counts(of(".{2}"), 3) == [0, 0, 95**2, 0]
    assert word_counts(of(".*&~(<M0>|é)"), 2) == [1, 95, 97**2]
    assert word_counts(of(".*"), 2, universe="ab") == [1, 2, 4]
    assert word_counts(of("[A-Z]{0,3}"), 4) == [1, 26, 26**2, 26**3, 0]
    assert sum(word_counts(of("[A-Z]{0,3}"), 3)) == 18279


def test_counts_do_not_overflow(word_counts):
    assert word_counts(of(".*"), 200)[200] == 95**200


LAWS = [
    ("~(({a})|({b}))", "(~({a}))&(~({b}))"),
    ("~(({a})&({b}))", "(~({a}))|(~({b}))"),
    ("({a})&(({b})|({c}))", "(({a})&({b}))|(({a})&({c}))"),
    ("({a})|(({b})&({c}))", "(({a})|({b}))&(({a})|({c}))"),
    ("({a})(({b})|({c}))", "(({a})({b}))|(({a})({c}))"),
    ("(({a})({b}))({c})", "({a})(({b})({c}))"),
    ("~(~({a}))", "{a}"),
    ("(({a})*)*", "({a})*"),
    ("({a})+", "({a})({a})*"),
    ("({a}){{2,3}}", "(({a})({a}))|(({a})({a})({a}))"),
    ("({a})&~({a})", "a&b"),
]


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(LAWS), bounded, bounded, bounded)
def test_the_laws_of_sets_hold(law, a, b, c):
    one, other = (side.format(a=a, b=b, c=c) for side in law)
    try:
        assert equal(of(one), of(other))
    except TooComplex:
        assert len(one) > 60


@settings(max_examples=100, deadline=None)
@given(bounded, bounded)
def test_languages_are_equal_if_and_only_if_nothing_tells_them_apart(one, other):
    a, b = of(one), of(other)
    told = next((word for word in WORDS if a.accepts(word) != b.accepts(word)), None)
    assert not (equal(a, b) and told)
    assert equal(a, b) == equal(b, a)
    assert equal(a, of(f"({one})|({one})"))
    difference = of(f"(({one})&~({other}))|(({other})&~({one}))")
    assert equal(a, b) == (not any(difference.ends))


def translated(node):
    """The same expression for another library, which knows no names like `<M0>` and no boundaries."""
    match node:
        case tree.Symbols(members, outside):
            letters = Charclass("".join(sorted(members)).replace("<M0>", "0"))
            return other_library(str(~letters if outside else letters))
        case tree.Sequence(parts):
            return other_library("".join(f"({translated(part)})" for part in parts))
        case tree.Either(parts):
            first, *rest = map(translated, parts)
            return first.union(*rest)
        case tree.Both(parts):
            first, *rest = map(translated, parts)
            return first.intersection(*rest)
        case tree.Not(inside):
            return translated(inside).everythingbut()
        case tree.Repetition(inside, least, most):
            return other_library(f"({translated(inside)}){{{least},{'' if most is None else most}}}")


@settings(max_examples=60, deadline=None)
@given(plain)
def test_the_minimal_automaton_is_that_of_another_library(text):
    theirs = translated(read(text).tree).to_fsm().reduce()
    ours = of(text)
    assert len(ours.rows) == max(1, sum(theirs.islive(state) for state in theirs.states))
    for word in WORDS:
        assert theirs.accepts("".join(word).replace("<M0>", "0")) == ours.accepts(word)


@settings(max_examples=60, deadline=None)
@given(plain, plain)
def test_equality_is_that_of_another_library(one, other):
    assert equal(of(one), of(other)) == translated(read(one).tree).equivalent(translated(read(other).tree))


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        (r"\b(dog)\b", ["dog"], ["", "a dog"]),
        (r".*\b(dog)\b.*", ["dog", "a dog!", "-dog-"], ["hotdog", "dogs", "dog_"]),
        (r".*(\b[<CAP>]\b)", ["I", "it is I"], ["II", "I."]),
        (r".*\bdo.*", ["do", "a dog"], ["undo", "ado"]),
        (r"\b", [], ["", "a"]),
        (r"(.*\b){2}", ["a", "-a"], ["", "-a-"]),
        (r"~(.*\ba.*)", ["ba", ""], ["a", "b a"]),
        (r"a\b-|a-\b", ["a-"], ["a"]),
        (r"-(~(\ba)).*", ["-ab", "-", "-b"], [""]),
        (r"-(~(\ba))", ["-b", "-aa"], ["-a"]),
    ],
)
def test_a_boundary_is_where_words_begin_and_end(text, inside, outside):
    accepted = of(text)
    assert [word for word in inside if not accepted.accepts(word)] == []
    assert [word for word in outside if accepted.accepts(word)] == []


def test_a_quoted_string_is_a_word_that_belongs_to_no_class():
    assert of(r".*\b<M0>\b.*").accepts(["-", "<M0>", "!"])
    assert not of(r".*\b<M0>\b.*").accepts(["x", "<M0>"])
    assert not of("[<LET>]").accepts(["<M0>"])
    assert of(".").accepts(["<M7>"])
    assert of("[^a]").accepts("é")


def test_languages_that_mention_different_symbols_are_compared_over_all_of_them():
    assert equal(of(".*"), of(".*|<M0>"))
    assert not equal(
        of("[^a]"), of(f"[{''.join(chr(at) for at in range(33, 127) if chr(at).isalnum()).replace('a', '')}]")
    )
    everything = "|".join(f"\\{each}" if not each.isalnum() else each for each in PRINTABLE if each != " ")
    assert not equal(of("."), of(rf"\s|{everything}"))


def test_the_empty_language_has_no_words(word_counts):
    nothing = of("a&b")
    assert word_counts(nothing, 3) == [0, 0, 0, 0]
    assert not nothing.accepts("")
    assert equal(nothing, of("~(.*)"))


HOSTILE = [
    "((a{1,50}){1,50}){1,50}",
    "|".join(f"w{number}" for number in range(3000)),
    "(.*a.{20}){3}",
    "~(.*a.{12})&~(.*b.{12})",
    "(){999999999}",
    "(){,999999999}",
    "a{999999999,}",
    r"(\b){999999999}",
    "((a|b)?){600}",
    "&".join(f".*<M{number}>.*" for number in range(40)),
    "|".join(f"<M{number}>" for number in range(300)),
    "(" * 39 + "a" + "){1,2}" * 39,
    "(ab?){800}(c|ab)*",
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:20])
def test_what_grows_without_bound_is_refused(text):
    with pytest.raises(TooComplex, match="needs more than"):
        of(text)


def test_a_number_up_to_the_limit_can_be_counted():
    assert len(of(f"X{{{MOST_STATES - 1},}}").rows) == MOST_STATES

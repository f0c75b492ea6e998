"""A sentence, one of its phrases and one of its words are each put to a test."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.errors import BadAnswer, Refused, ServiceError
from concord.language.parse._choice import shared_parsers
from concord.language.substitutes import PHRASE, Substitute
from concord.language.word_diff import differing_spans
from concord.model import Case, Text
from concord.relations import mgmt
from concord.relations._protocol import load_relation
from concord.relations.mgmt.cases import similarity
from concord.testing import Echo, SubstituteTable, Table, TreeTable, check_relation, now

SENTENCE = "The old man chased a dog with a very thick tail ."
SHAPE = (
    "(ROOT (S (NP (DT {}) (JJ {}) (NN {})) (VP (VBD {}) (NP (NP (DT {}) (NN {})) (PP (IN {})"
    " (NP (DT {}) (ADJP (RB {}) (JJ {})) (NN {}))))) (. {})))"
)
FLAT = "(ROOT (S {}))"
NO_QP = "the tree has no phrase QP with a content word; its phrases: ADJP, NP, PP, S, VP"


@pytest.fixture(autouse=True)
def parsers_are_made_once():
    with shared_parsers():
        yield


def shaped(words: str) -> str:
    """Brackets for every English sentence of twelve words: those of the sentence above; for others, flat ones."""
    found = words.split()
    if len(found) == 12:
        return SHAPE.format(*found)
    return FLAT.format(" ".join(f"(X {word})" for word in found))


class Upper(Echo):
    """Translates into capitals and back, but for the words that it is told to lose."""

    def __init__(self, lost: str = "") -> None:
        super().__init__()
        self._lost = lost

    async def __call__(self, x: Text, to: str) -> Text:
        kept = [word for word in x.words.split() if word.lower() != self._lost]
        return Text(" ".join(word.upper() if to == "es" else word.lower() for word in kept), to)


class Without(TreeTable):
    """A parser that does not know some languages."""

    def __init__(self, *unknown: str) -> None:
        super().__init__({}, otherwise=shaped)
        self._unknown = unknown

    def can(self, lang: str) -> bool:
        return lang not in self._unknown


def checked(translate: Any, words: dict[str, list[str]], seed: int = 1, **options: Any) -> list[Case]:
    services: dict[str, Any] = {"parse": TreeTable({}, otherwise=shaped), "substitutes": SubstituteTable(words)}
    services |= {name: options.pop(name) for name in list(options) if name in services}
    x = Text(options.pop("text", SENTENCE), "en")
    return now(mgmt.check(x, translate, *services.values(), random.Random(seed), to="es", **options))


def by_granularity(cases: list[Case]) -> dict[str, Case]:
    return {case.factors["granularity"]: case for case in cases}


ROUND_TRIP = {("kitten", "es"): "ABCDE", ("ABCDE", "en"): "sitting", ("sitting", "es"): "ABCDX"}
WORDS = {"thick": ["short"], "tail": ["leash"], "dog": ["cat"], "chased": ["met"]}


def test_similarity_by_hand():
    # Three edits make kitten sitting, of 6 and 7 characters: 1 - 6/13.
    assert similarity(Text("kitten", "en"), Text("sitting", "en")) == pytest.approx(7 / 13)
    # Of two and three words one is added: 1 - 2/5.
    assert similarity(Text("red wine", "en"), Text("red wine here", "en"), "words") == pytest.approx(3 / 5)


def test_similarity_at_its_bounds():
    empty, word = Text("", "en"), Text("abc", "en")
    assert similarity(empty, empty) == similarity(word, word) == 1
    assert similarity(empty, word) == 0  # the formula alone would give -1


def test_the_sentence_s_ratio_by_hand():
    (case,) = checked(Table(ROUND_TRIP), {}, text="kitten", granularities=("sentence",))
    # One of five characters differs in the target, 1 - 2/10; 7/13 are left in the source.
    assert case.scores == pytest.approx({"source similarity": 7 / 13, "target similarity": 0.8, "ratio": 0.8 * 13 / 7})
    assert case.suspicion == pytest.approx(0.8 * 13 / 7 - 1)
    assert case.flagged
    assert [text.words for text in case.steps.values()] == ["ABCDE", "sitting", "ABCDX"]


def marked(case: Case) -> dict[str, list[str]]:
    found = case.evidence["marked"].items()
    return {role: [getattr(case, role).words[start:end] for start, end in spans] for role, spans in found}


def test_what_came_back_otherwise_is_marked_even_where_the_translations_are_alike():
    answers = {
        ("He began early.", "es"): "Empezó.",
        ("Empezó.", "en"): "He has started.",
        ("He has started.", "es"): "",
    }
    (case,) = checked(Table(answers), {}, text="He began early.", granularities=("sentence",))
    assert marked(case)["source"] == ["began early"]
    assert marked(case)["follow_up"] == ["has started"]
    assert (marked(case)["source_output"], marked(case)["follow_up_output"]) == (["Empezó."], [])
    assert [text.words for text in case.compared] == ["Empezó.", ""]
    alike = Table(answers | {("He has started.", "es"): "Empezó."})
    (case,) = checked(alike, {}, text="He began early.", granularities=("sentence",))
    assert (marked(case)["source"], marked(case)["source_output"]) == (["began early"], [])
    assert [text.words for text in case.compared] == ["He began early.", "He has started."]


def test_where_only_blanks_differ_these_are_marked():
    assert differing_spans(Text("to day", "en"), Text("to  day", "en")) == ([[2, 3]], [[2, 4]])


def test_where_nothing_came_back_the_ratio_counts_as_nought():
    answers = {("abc", "es"): "uvw", ("uvw", "en"): "xyz", ("xyz", "es"): "uvw"}
    (case,) = checked(Table(answers), {}, text="abc", granularities=("sentence",))
    assert case.scores["source similarity"] == 0
    assert (case.scores["ratio"], case.suspicion) == (0, 1)


def test_a_tolerance_satisfies_what_equality_does_not():
    (strict,) = checked(Table(ROUND_TRIP), {}, text="kitten", granularities=("sentence",))
    (lenient,) = checked(Table(ROUND_TRIP), {}, text="kitten", granularities=("sentence",), tolerance_sentence=0.5)
    assert (strict.flagged, lenient.flagged) == (True, False)
    assert lenient.threshold == 0.5


def test_one_case_for_each_granularity():
    cases = checked(Upper(), WORDS)
    assert [case.factors for case in cases] == [{"granularity": each} for each in ("sentence", "phrase", "word")]


def test_the_deepest_word_is_replaced_and_recorded_with_its_path():
    case = by_granularity(checked(Upper(), WORDS, candidates=1))["word"]
    assert case.follow_up.words == SENTENCE.replace("thick", "short")
    assert case.evidence["replaced"] == [["thick", "short"]]
    assert case.evidence["path"] == "ROOT S VP NP PP NP ADJP JJ"
    assert case.evidence["trees"] == "full"
    ((start, end),) = case.evidence["marked"]["source"]
    assert SENTENCE[start:end] == "thick"
    ((start, end),) = case.evidence["marked"]["follow_up"]
    assert case.follow_up.words[start:end] == "short"


def test_every_content_word_of_a_phrase_is_replaced():
    case = by_granularity(checked(Upper(), WORDS, candidates=1, phrases=("NP",)))["phrase"]
    assert case.evidence["words"] == "a very thick tail"
    assert case.evidence["replaced"] == [["thick", "short"], ["tail", "leash"]]
    assert case.follow_up.words == "The old man chased a dog with a very short leash ."
    assert marked(case)["source"] == ["thick", "tail"]
    assert marked(case)["follow_up"] == ["short", "leash"]


def test_a_phrase_with_a_word_that_cannot_be_replaced_is_passed_over():
    words = {"tail": ["leash"], "old": ["young"], "man": ["boy"]}
    case = by_granularity(checked(Upper(), words, candidates=1, phrases=("NP",)))["phrase"]
    assert case.evidence["replaced"] == [["old", "young"], ["man", "boy"]]


def test_what_cannot_be_replaced_is_drawn_anew():
    cases = by_granularity(checked(Upper(), {"dog": ["cat"]}, candidates=1))
    assert cases["word"].evidence["replaced"] == [["dog", "cat"]]
    assert cases["phrase"].evidence["words"] == "a dog"


def test_other_draws_give_other_words_and_other_combinations():
    words = {"thick": ["short", "soft", "thin"], "tail": ["leash", "rope", "coat"]}
    variants = {
        by_granularity(checked(Upper(), words, seed, candidates=1, phrases=("NP",)))["phrase"].follow_up.words
        for seed in range(60)
    }
    assert len(variants) == 9


def test_no_word_stands_for_two_others_if_there_is_another_one():
    words = {"thick": ["soft"], "tail": ["soft", "coat"]}
    for seed in range(10):
        case = by_granularity(checked(Upper(), words, seed, candidates=1, phrases=("NP",)))["phrase"]
        assert case.evidence["replaced"] == [["thick", "soft"], ["tail", "coat"]]


def test_other_wordings_of_the_whole_phrase_come_before_words():
    class Wordings(SubstituteTable):
        """A source that has other words for one phrase."""

        async def __call__(self, tree: Any, start: int, end: int, *, kinds: Any = (), **options: Any) -> Any:
            if tuple(kinds) != (PHRASE,):
                return await super().__call__(tree, start, end, kinds=kinds, **options)
            if tree.text[start:end] != "a very thick tail":
                return []
            texts = [
                SENTENCE.replace("a very thick tail", wording) for wording in ("the very old hat", "a so red nose")
            ]
            return [Substitute(Text(text, "en"), start, end, text[-17:-2], 0.1, PHRASE) for text in texts]

    source = Wordings(WORDS)
    cases = [by_granularity(checked(Upper(), {}, seed, substitutes=source, candidates=1)) for seed in range(20)]
    replaced = [case["phrase"].evidence["replaced"] for case in cases]
    assert [["a", "the"], ["thick", "old"], ["tail", "hat"]] in replaced
    assert [["very", "so"], ["thick", "red"], ["tail", "nose"]] in replaced
    assert {str(case["word"].evidence["replaced"]) for case in cases} == {"[['thick', 'short']]"}


@pytest.mark.parametrize(
    "first", ["THICK", "no thick", "not so thick"], ids=["the same word", "one word more", "two words more"]
)
def test_a_substitute_that_is_the_same_or_is_built_otherwise_is_passed_over(first):
    case = by_granularity(checked(Upper(), {"thick": [first, "short"]}))["word"]
    assert case.evidence["replaced"] == [["thick", "short"]]


class OnlyCapitals(TreeTable):
    """A parser that knows every translation, but not every sentence."""

    async def __call__(self, x: Text) -> Any:
        return await (TreeTable({}, otherwise=shaped)(x) if x.words.isupper() else super().__call__(x))


def test_a_substitute_that_cannot_be_parsed_is_passed_over():
    parse = OnlyCapitals({text: shaped(text) for text in (SENTENCE, SENTENCE.replace("thick", "short"))})
    case = by_granularity(checked(Upper(), {"thick": ["brief", "short"]}, parse=parse))["word"]
    assert case.evidence["replaced"] == [["thick", "short"]]


def test_a_translation_that_is_built_otherwise_is_suspected():
    cases = by_granularity(checked(Upper(lost="short"), {"thick": ["short"]}, granularities=("word",)))
    case = cases["word"]
    # Each of the twelve words has a path of its own, those of a flat tree share another: all is lost, all is added.
    assert case.suspicion == 1
    assert case.flagged
    assert case.evidence["added"] == ["ROOT S X"]
    assert len(case.evidence["lost"]) == 12


def test_where_nothing_can_be_replaced_there_is_no_case_and_the_sentence_s_own_says_why():
    (case,) = checked(Upper(), {})
    assert case.factors == {"granularity": "sentence"}
    assert case.evidence["untested"] == {
        "phrase": "no phrase can be replaced as a whole",
        "word": "no word can be replaced",
    }


def test_where_the_tree_has_no_such_phrase_that_is_said():
    (case, _) = checked(Upper(), WORDS, phrases=("QP",))
    assert case.evidence["untested"] == {"phrase": NO_QP}


@pytest.mark.parametrize("unknown", ["en", "es"])
def test_without_a_parser_of_one_side_the_sentence_is_tested_alone(unknown):
    (case,) = checked(Upper(), WORDS, parse=Without(unknown))
    assert case.factors == {"granularity": "sentence"}
    assert set(case.evidence["untested"].values()) == {f"there is no parser for '{unknown}'"}


def test_without_substitutes_of_the_language_the_sentence_is_tested_alone():
    class Nothing(SubstituteTable):
        async def __call__(self, *_: Any, **__: Any) -> list[Substitute]:
            raise Refused("lexicon has no substitutes for 'eo'")

    (case,) = checked(Upper(), {}, substitutes=Nothing({}))
    assert set(case.evidence["untested"].values()) == {"lexicon has no substitutes for 'eo'"}


class Failing(Upper):
    """Translates what it knows, and fails at every other text in some way."""

    def __init__(self, error: ServiceError, *known: str) -> None:
        super().__init__()
        self._error, self._known = error, known

    async def __call__(self, x: Text, to: str) -> Text:
        if to == "es" and x.words not in self._known:
            raise self._error
        return await super().__call__(x, to)


@pytest.mark.parametrize("error", [Refused("too rude"), BadAnswer("a blank answer")])
def test_a_follow_up_that_cannot_be_translated_is_the_check_s_error(error):
    with pytest.raises(type(error), match=str(error)):
        checked(Failing(error, SENTENCE, SENTENCE.lower()), WORDS)


class NoCapitals(TreeTable):
    """A parser that refuses one translation."""

    async def __call__(self, x: Text) -> Any:
        if "SHORT" in x.words:
            raise BadAnswer("no tree")
        return await super().__call__(x)


def test_a_follow_up_s_translation_that_cannot_be_parsed_is_untested():
    (case,) = checked(Upper(), {"thick": ["short"]}, parse=NoCapitals({}, otherwise=shaped))
    assert case.evidence["untested"] == {"phrase": "no tree", "word": "no tree"}


def test_why_a_granularity_is_untested_is_said_without_the_sentence_s_own_case_too():
    (case,) = checked(Upper(), WORDS, granularities=("phrase", "word"), phrases=("QP",))
    assert case.factors == {"granularity": "word"}
    assert case.evidence["untested"] == {"phrase": NO_QP}


def test_sentences_alone_need_neither_parser_nor_substitutes():
    assert not load_relation("mgmt").services({"granularities": ("sentence",)})
    assert list(load_relation("mgmt").services({"granularities": ("sentence", "word")})) == ["parse", "substitutes"]
    (case,) = checked(Upper(), {}, parse=None, substitutes=None, granularities=("sentence",))
    assert case.factors == {"granularity": "sentence"}


def test_granularities_can_be_chosen():
    cases = checked(Upper(), WORDS, granularities=("word",))
    assert [case.factors["granularity"] for case in cases] == ["word"]


def test_the_choice_depends_on_the_seed_alone():
    drawn = [checked(Upper(), WORDS, seed=seed)[2].follow_up.words for seed in range(20)]
    assert drawn == [checked(Upper(), WORDS, seed=seed)[2].follow_up.words for seed in range(20)]
    assert len(set(drawn)) > 1


def test_the_word_does_not_depend_on_the_phrases():
    for seed in range(10):
        one, other = (checked(Upper(), WORDS, seed=seed, phrases=labels)[-1] for labels in (("NP",), ("VP", "PP")))
        assert one == other


@given(st.lists(st.sampled_from(sorted(WORDS)), min_size=12, max_size=12), st.integers(0, 2**64 - 1))
def test_a_perfect_translator_is_never_suspected(words, seed):
    cases = checked(Upper(), {**WORDS, "short": ["thick"]}, seed, text=" ".join(words))
    assert [case.factors["granularity"] for case in cases] == ["sentence", "phrase", "word"]
    assert cases[0].source_output.words == " ".join(words).upper()
    assert [(case.suspicion, case.flagged) for case in cases] == [(0, False)] * 3


def test_it_is_a_sound_relation():
    check_relation("mgmt")
    check_relation("mgmt:paper")
    services = {"parse": TreeTable({}, otherwise=shaped), "substitutes": SubstituteTable(WORDS)}
    check_relation("mgmt", SENTENCE, services)
    check_relation("mgmt", services=services, granularities=("sentence",), unit="words")

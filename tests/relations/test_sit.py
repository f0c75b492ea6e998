"""Sentences that are built alike have translations that are built alike; the distances are computed by hand."""

from __future__ import annotations

from random import Random

import pytest

from concord import plugins
from concord.comparator import Comparison
from concord.errors import Untested, UserError
from concord.language.parse._choice import shared_parsers
from concord.model import Text
from concord.relations import sit
from concord.relations._protocol import load_relation
from concord.relations.sit import check, compare
from concord.testing import DependTable, SubstituteTable, Table, TreeTable, check_relation, now

SENTENCE = "The old cat sees dogs ."
SHAPE = "(ROOT (S (NP (DT {}) (JJ {}) (NN {})) (VP (VBZ {}) (NP (NNS {}))) (. {})))"
BUILT = "(ROOT (S (NP (DT El) (NN gato) (JJ viejo)) (VP (VBZ ve) (NP (NNS perros))) (. .)))"
ANSWERS = {
    SENTENCE: "El gato viejo ve perros .",
    "The old horse sees dogs .": "El caballo viejo ve perros .",
    "The old bird sees dogs .": "El pájaro viejo sierra",
    "The new cat sees dogs .": "El gato nuevo ve .",
    "The old cat sees mice .": "El gato viejo ve ratones .",
}
TREES = {
    ANSWERS[SENTENCE]: BUILT,
    "El caballo viejo ve perros .": BUILT.replace("gato", "caballo"),
    "El gato viejo ve ratones .": BUILT.replace("perros", "ratones"),
    "El gato nuevo ve .": "(ROOT (S (NP (DT El) (NN gato) (JJ nuevo)) (VP (VBZ ve)) (. .)))",
    "El pájaro viejo sierra": "(ROOT (NP (DT El) (NN pájaro) (JJ viejo) (NN sierra)))",
}
OTHERS = {"cat": ["horse", "bird"], "old": ["new"], "dogs": ["mice"]}


@pytest.fixture(autouse=True)
def parsers_are_made_once():
    with shared_parsers():
        yield


def shaped(words: str) -> str:
    return SHAPE.format(*words.split())


class Unable(DependTable):
    """A `depend` for which every language is unknown."""

    def can(self, lang: str) -> bool:
        return False


class Blind(TreeTable):
    """A `parse` that knows English alone."""

    def can(self, lang: str) -> bool:
        return lang == "en"


def checked(parse=None, depend=None, seed=7, explain=None, **options):
    parse = parse or TreeTable(TREES, otherwise=shaped)
    table = Table(ANSWERS)
    substitutes = SubstituteTable(OTHERS)
    x = Text(SENTENCE, "en")
    relation = load_relation("sit" if explain else "sit:paper")
    settings = {option.name: option.default for option in relation.options} | options
    services = table, parse, depend or DependTable(parse), substitutes, Random(seed)
    cases = now(check(x, *services, to="es", **relation.arguments(settings)))
    return now(relation.judged(cases, explain, settings)), table


def test_the_most_distant_translation_is_reported():
    (case,), _ = checked()
    assert case.follow_up.words == "The old bird sees dogs ."
    assert case.factors == {"structure": "relations", "word": "noun"}


def test_the_distance_is_the_sum_of_the_differences_of_relation_counts():
    (case,), _ = checked()
    # det, amod, nsubj, root, obj and punct against det, compound, amod and root, one of each: four differ.
    assert case.suspicion == 4
    assert case.scores == {"distance": 4}
    assert case.evidence["built otherwise"] == {
        "compound": "0 → 1",
        "nsubj": "1 → 0",
        "obj": "1 → 0",
        "punct": "1 → 0",
    }


def test_what_is_four_relations_apart_is_not_flagged_and_five_would_be():
    (case,), _ = checked()
    assert not case.flagged
    (case,), _ = checked(threshold=3)
    assert case.flagged


def test_top_reports_more_pairs_the_most_distant_first_and_the_most_natural_among_equals():
    cases, _ = checked(top=3)
    assert [(case.evidence["replaced"], case.suspicion) for case in cases] == [
        ("cat → bird", 4),
        ("old → new", 1),
        ("cat → horse", 0),
    ]
    assert [case.evidence["rank"] for case in cases] == ["1 of 4", "2 of 4", "3 of 4"]


class Explained:
    """An `explain` that gives each translation a suspicion."""

    def __init__(self, suspicions):
        self._suspicions = suspicions

    async def each(self, fours):
        found = [self._suspicions.get(of_other.words, 0.0) for _, _, _, of_other in fours]
        return [Comparison(each, each, (), ()) for each in found]


@pytest.mark.parametrize(
    ("horse", "bird", "first"),
    [
        (0.039829, 0.039858, "cat → horse"),
        (0.039858, 0.039829, "cat → horse"),
        (0.031, 0.039, "cat → bird"),
        (0.499, 0.501, "cat → bird"),
    ],
)
def test_the_most_natural_is_first_among_those_that_are_equal_to_two_decimals_but_for_flagged_ones(horse, bird, first):
    explain = Explained({"El caballo viejo ve perros .": horse, "El pájaro viejo sierra": bird})
    (case,), _ = checked(explain=explain)
    assert case.evidence["replaced"] == first


def test_without_relations_the_labels_of_phrases_are_counted():
    parse = TreeTable(TREES, otherwise=shaped, kind="shallow")
    (case,), _ = checked(parse, Unable(parse))
    # S 1, NP 2, VP 1 against NP 1.
    assert case.suspicion == 3
    assert case.flagged
    assert case.factors["structure"] == "labels"
    assert case.evidence["trees"] == "shallow"


def test_without_a_parser_the_characters_are_compared():
    parse = Blind(TREES, otherwise=shaped)
    (case,), _ = checked(parse, Unable(parse))
    # gato → pájaro: four edits; "ve perros ." → "sierra": eight.
    assert case.factors["structure"] == "characters"
    assert case.suspicion == 12
    assert not case.flagged


def test_a_structure_that_cannot_be_had_is_refused_with_a_cure():
    parse = TreeTable(TREES, otherwise=shaped)
    with pytest.raises(UserError, match=r"structure=relations needs a parser.*Name one: --parser es=stanza"):
        checked(parse, Unable(parse), structure="relations")


def test_the_evidence_marks_the_replaced_words_and_what_differs():
    (case,), _ = checked()
    told = {role: [getattr(case, role).words[a:b] for a, b in spans] for role, spans in case.evidence["marked"].items()}
    assert told["source"] == ["cat"]
    assert told["follow_up"] == ["bird"]
    assert told["source_output"] == ["gato", "ve perros ."]
    assert told["follow_up_output"] == ["pájaro", "sierra"]


def test_every_mutant_is_translated_once():
    _, table = checked()
    assert sorted(words for words, _ in table.asked) == sorted(ANSWERS)


def test_the_words_are_drawn_by_the_seed():
    drawn = {seed: [words for words, _ in checked(most_words=1, seed=seed)[1].asked] for seed in range(8)}
    assert drawn == {seed: [words for words, _ in checked(most_words=1, seed=seed)[1].asked] for seed in range(8)}
    assert len({tuple(asked) for asked in drawn.values()}) == 3


def test_a_sentence_without_a_mutant_is_not_translated_and_says_why():
    table, trees = Table({}), TreeTable({}, otherwise=shaped)
    services = trees, DependTable(trees), SubstituteTable(OTHERS)
    for kind, why in (("adverb", "no adverb"), ("verb", "no word with a substitute")):
        with pytest.raises(Untested, match=why):
            now(check(Text(SENTENCE, "en"), table, *services, Random(7), to="es", kinds=(kind,)))
    assert table.asked == []


def test_a_long_text_is_left_alone():
    trees = TreeTable({}, otherwise=shaped)
    table, x = Table({}), Text(" ".join([SENTENCE] * 40), "en")
    services = trees, DependTable(trees), SubstituteTable(OTHERS), Random(7)
    with pytest.raises(Untested, match="more than 200 words and marks"):
        now(check(x, table, *services, to="es"))
    assert table.asked == []


def test_a_pair_of_english_translations_is_judged_by_the_shipped_parser():
    texts = Text("猫睡了。", "zh"), Text("狗睡了。", "zh"), Text("The cat slept.", "en"), Text("The dog slept.", "en")
    assert compare(*texts).suspicion == 0
    assert compare(*texts).factors == {"structure": "relations"}
    other = Text("It was the dog that slept on the floor.", "en")
    assert compare(*texts[:3], other).flagged


def test_a_pair_in_a_language_without_a_parser_is_judged_by_characters():
    texts = Text("A cat.", "en"), Text("A dog.", "en"), Text("猫がここで眠るよ。", "ja"), Text("犬", "ja")
    case = compare(*texts)
    assert (case.suspicion, case.threshold, case.factors) == (9, 8, {"structure": "characters"})
    assert case.flagged
    with pytest.raises(UserError, match="knows 'ja'"):
        compare(*texts, structure="labels")


def test_a_perfect_translator_is_never_suspected():
    trees = TreeTable({}, otherwise=shaped)
    services = {"parse": trees, "depend": DependTable(trees), "substitutes": SubstituteTable(OTHERS)}
    check_relation("sit:paper", SENTENCE, services, top=4, threshold=0)
    check_relation("sit", SENTENCE, services, top=4, threshold=0.01)


def test_the_command_line_finds_it_with_its_options():
    spec = plugins.parse("relations", "sit:paper,structure=labels,top=3,threshold=2")
    found = plugins.settings("relations", spec)
    assert (found["structure"], found["top"], found["threshold"]) == ("labels", 3, 2)
    assert set(sit.LIMITS) == {"relations", "labels", "characters"}


def test_a_structure_that_is_chosen_by_name_is_there_or_refused():
    assert sit.services(structure="labels") == {"parse": "", "depend": "", "substitutes": None}
    assert "characters" in sit.services(structure="auto")["depend"]

"""CAT takes more words than TransRepair, and compares as TransRepair does."""

from __future__ import annotations

from random import Random

from concord.language.substitutes import Substitute
from concord.model import Text
from concord.relations import cat, transrepair
from concord.testing import SubstituteTable, Table, TreeTable, check_relation, now

SENTENCE = "The cat slept well."
TREES = TreeTable({SENTENCE: "(ROOT (S (NP (DT The) (NN cat)) (VP (VBD slept) (ADVP (RB well))) (. .)))"})
OTHERS = SubstituteTable({"cat": ["horse"], "slept": ["dreamt"], "well": ["badly"]}, kind="masked")
ANSWERS = {
    SENTENCE: "El gato durmió bien.",
    "The horse slept well.": "El caballo durmió bien.",
    "The cat dreamt well.": "Los gatos sueñan con un buen pozo.",
    "The cat slept badly.": "El gato durmió mal.",
}


def checked(relation, others=OTHERS):
    return now(relation.check(Text(SENTENCE, "en"), Table(ANSWERS), TREES, others, Random(1), to="es"))


def test_words_of_every_kind_are_replaced():
    cases = checked(cat)
    assert [case.factors["word"] for case in cases] == ["noun", "verb", "adverb"]
    assert [case.flagged for case in cases] == [False, True, False]
    assert [case.factors["word"] for case in checked(transrepair)] == ["noun"]


def test_a_score_that_is_a_similarity_must_be_high_enough():
    asked = []

    class Scored:
        async def each(self, tree, spans, *, lang="en", count=5, kinds=(), least=0.0):
            asked.append(least)
            return [self.found(tree.text, *span) for span in spans]

        def found(self, text, start, end):
            word = {"cat": ("horse", 0.81), "slept": ("dreamt", 0.79)}.get(text[start:end])
            changed = word and Text(text[:start] + word[0] + text[end:], "en")
            return [Substitute(changed, start, end, *word, "similar")] if word else []

    assert [case.evidence["replaced"] for case in checked(cat, Scored())] == ["cat → horse"]
    assert asked == [0.8]


def test_a_pair_is_judged_as_by_transrepair():
    texts = [Text(words, "en") for words in list(ANSWERS)[:3:2]]
    outputs = [Text(words, "es") for words in list(ANSWERS.values())[:3:2]]
    assert cat.compare(*texts, *outputs) == transrepair.compare(*texts, *outputs)


def test_it_conforms():
    check_relation("cat")
    check_relation("cat:paper", metric="bleu")

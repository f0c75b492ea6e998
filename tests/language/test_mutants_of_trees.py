"""A mutant is the sentence with one word replaced, and says where."""

from __future__ import annotations

from random import Random

import pytest

from concord.errors import UserError
from concord.language.mutants import LONGEST, all_replaced, mutants, too_long, words
from concord.language.parse.concord_en import Parser
from concord.language.substitutes import GOOD, Slot, Substitute
from concord.language.substitutes.lexicon import Substitutes
from concord.language.trees import read_brackets
from concord.model import Text
from concord.testing import SubstituteTable, now

SENTENCE = "The old cat saw 3 dogs in Rome."
TREE = read_brackets(
    "(ROOT (S (NP (DT The) (JJ old) (NN cat)) (VP (VBD saw) (NP (CD 3) (NNS dogs)) (PP (IN in) (NP (NNP Rome))))"
    " (. .)))",
    SENTENCE,
)
TABLE = SubstituteTable({"old": ["young"], "cat": ["ape", "horse"], "3": ["5"], "dogs": ["mice", "rats"]})


def made(kinds=("noun", "adjective", "number"), most_words=9, count=2, **more):
    return now(mutants(TREE, TABLE, kinds=kinds, most_words=most_words, count=count, **more))


def test_words_are_told_by_their_tags():
    assert [word.words for word in words(TREE, ("noun", "name"))] == ["cat", "dogs", "Rome"]
    assert [word.words for word in words(TREE, ("verb", "number", "adjective"))] == ["old", "saw", "3"]


def test_a_text_is_too_long_from_its_201st_word_or_mark_on():
    assert not too_long(Text(" ".join(["word"] * LONGEST), "en"))
    assert too_long(Text(" ".join(["word"] * LONGEST) + ".", "en"))


def test_every_word_is_replaced_in_the_order_of_the_text():
    assert [(each.word, each.new, each.kind) for each in made()] == [
        ("old", "young", "adjective"),
        ("cat", "ape", "noun"),
        ("cat", "horse", "noun"),
        ("3", "5", "number"),
        ("dogs", "mice", "noun"),
        ("dogs", "rats", "noun"),
    ]


def test_a_mutant_says_where_its_words_stand():
    for each in made():
        assert SENTENCE[each.start : each.end] == each.word
        assert each.text.words[each.new_start : each.new_end] == each.new
        assert each.text.words.startswith(SENTENCE[: each.start])
        assert each.text.words.endswith(SENTENCE[each.end :])


def test_an_article_that_changed_does_not_shift_the_new_word():
    text = "A dog barked."
    tree = read_brackets("(ROOT (S (NP (DT A) (NN dog)) (VP (VBD barked)) (. .)))", text)

    class Apes:
        async def each(self, tree, spans, *, lang="en", count=5, kinds=(), least=0.0):
            return [[Substitute(Text("An ape barked.", "en"), 2, 5, "ape", 0.9, "similar")] for _ in spans]

    (each,) = now(mutants(tree, Apes(), kinds=("noun",), most_words=1, count=1))
    assert each.text.words[each.new_start : each.new_end] == "ape"
    assert (each.word, each.start, each.end) == ("dog", 2, 5)


def test_there_are_at_most_so_many_words_and_so_many_mutants_of_each():
    assert [each.new for each in made(most_words=2, count=1)] == ["young", "ape"]


def test_words_without_a_mutant_do_not_count():
    assert [each.word for each in made(kinds=("name", "verb", "number"), most_words=1)] == ["3"]


def test_as_many_words_are_asked_for_at_once_as_are_missing():
    asked = []

    class Told(SubstituteTable):
        async def each(self, tree, spans, **options):
            asked.append([tree.text[start:end] for start, end in spans])
            return await super().each(tree, spans, **options)

    table = Told({"cat": ["ape"], "Rome": ["Paris"]})
    kinds = ("noun", "name", "adjective", "number")
    found = now(mutants(TREE, table, kinds=kinds, most_words=2, count=1))
    assert [each.new for each in found] == ["ape", "Paris"]
    assert asked == [["old", "cat"], ["3"], ["dogs"], ["Rome"]]
    assert now(mutants(TREE, table, kinds=kinds, most_words=0, count=1)) == []
    assert len(asked) == 4


def test_the_seed_alone_says_which_words_are_taken():
    drawn = [{each.word for each in made(most_words=1, count=1, rng=Random(seed))} for seed in range(20)]
    assert drawn == [{each.word for each in made(most_words=1, count=1, rng=Random(seed))} for seed in range(20)]
    assert set.union(*drawn) == {"old", "cat", "3", "dogs"}


def test_what_scores_too_low_is_no_mutant_and_leaves_room_for_another_word():
    assert [each.new for each in made(least=0.995)] == ["young", "ape", "5", "mice"]


class Scored:
    """Substitutes for single words, each with a score, and what was asked for."""

    def __init__(self, **words: tuple[str, float]) -> None:
        self._words = words
        self.asked: list[float] = []

    async def each(self, tree, spans, *, kinds, count, least):
        self.asked.append(least)
        return [self._found(tree, span, least) for span in spans]

    def _found(self, tree, span, least):
        word, score = self._words.get(tree.text[slice(*span)], ("", 0.0))
        text = Text(tree.text[: span[0]] + word + tree.text[span[1] :], "en")
        return [Substitute(text, *span, word, score, "fitting")] if word and score >= least else []


def test_words_with_good_substitutes_come_first_and_others_stand_in_where_there_are_none():
    both, poor = Scored(old=("red", 0.72), cat=("car", 0.83)), Scored(old=("red", 0.72))
    for source, new in ((both, ["car"]), (poor, ["red"])):
        found = now(mutants(TREE, source, kinds=("noun", "adjective"), most_words=1, count=2))
        assert [each.new for each in found] == new
    assert min(both.asked) == GOOD
    assert (poor.asked[0], poor.asked[-1]) == (GOOD, 0)


def test_probabilities_of_a_masked_model_are_no_similarities():
    masked = SubstituteTable({"cat": ["ape", "horse"]}, kind="masked")
    found = now(mutants(TREE, masked, kinds=("noun",), most_words=1, count=2, least=0.9))
    assert [each.new for each in found] == ["ape", "horse"]


def test_an_unknown_kind_of_word_is_refused_with_the_choices():
    with pytest.raises(UserError, match="noun, name, adjective, number, verb, adverb, not pronoun"):
        made(kinds=("pronoun",))
    with pytest.raises(UserError, match="at least one"):
        made(kinds=())


def test_the_lexicons_mutants_have_passed_the_gate():
    text = Text("Two nurses were dismissed.", "en")
    parser = Parser()
    (tree,) = parser.parse([text])
    source = Substitutes(parse=parser.parse)

    class Gated:
        async def each(self, tree, spans, *, lang="en", count=5, kinds=(), least=0.0):
            return source.substitutes([Slot(tree, *span, count, tuple(kinds), lang, least) for span in spans])

    found = now(mutants(tree, Gated(), kinds=("noun", "number"), most_words=2, count=2))
    assert [each.kind for each in found] == ["number", "number", "noun", "noun"]
    shape = tree.shape()
    assert all(parsed.shape() == shape for parsed in parser.parse([each.text for each in found]))
    assert source.rejected["similarity"] > 0


def test_several_words_are_replaced_at_once_each_with_its_article():
    text = Text("He saw a cat and a dog.", "en")

    def instead(old: str, sentence: str, word: str) -> Substitute:
        start = text.words.index(old)
        return Substitute(Text(sentence, "en"), start, start + len(old), word, 0.5, "fitting")

    cat = instead("cat", "He saw an ape and a dog.", "ape")
    dog = instead("dog", "He saw a cat and an owl.", "owl")
    assert all_replaced(text, [cat, dog]) == all_replaced(text, [dog, cat]) == Text("He saw an ape and an owl.", "en")
    assert all_replaced(text, []) == text

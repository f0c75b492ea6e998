"""Sentences that mean different things are not translated alike; the shares are computed by hand."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from concord import plugins
from concord.errors import Refused, Untested
from concord.language.parse.concord_en import Parser
from concord.model import Text
from concord.relations._protocol import load_relation
from concord.relations.patinv import WAYS, check, compare, services
from concord.testing import Echo, SubstituteTable, Table, TreeTable, check_relation, now

SENTENCE = "The farmer sold the old bridge over the river on Tuesday."
NOTHING = SubstituteTable({})
OPPOSITES = SubstituteTable({"old": ["new"]}, kind="antonym")
FITTING = SubstituteTable({"farmer": ["miller", "baker"], "old": ["red"], "river": ["valley"]}, kind="fitting")
WITHOUT_OLD = "The farmer sold the bridge over the river on Tuesday."
WITHOUT_RIVER = "The farmer sold the old bridge on Tuesday."
ANSWER = "El granjero vendió el puente viejo sobre el río el martes."


class Shipped(TreeTable):
    """The parser that ships, as a service."""

    def __init__(self) -> None:
        super().__init__({})
        self._parser = Parser()

    async def __call__(self, x: Text):
        (tree,) = self._parser.parse([x])
        return tree


PARSE = Shipped()


class Always(Table):
    """A translator that has one answer for everything but some sentences."""

    def __init__(self, answers=()):
        super().__init__({})
        self._but = dict(answers)

    async def __call__(self, x: Text, to: str) -> Text:
        return Text(self._but.get(x.words, ANSWER), to)


def checked(translate=None, substitutes=NOTHING, seed=7, words=SENTENCE, **options):
    x = Text(words, "en")
    return now(check(x, translate or Echo(), PARSE, substitutes, Random(seed), to="es", **options))


def judged(source, follow_up, one, other, **options):
    return compare(Text(source, "en"), Text(follow_up, "en"), Text(one, "es"), Text(other, "es"), **options)


def test_equal_translations_of_different_sentences_are_flagged():
    cases = checked(Always())
    assert cases
    assert all(case.flagged and case.suspicion == 1 for case in cases)


def test_translations_that_differ_are_none():
    cases = checked(Always({SENTENCE: ANSWER.replace("viejo", "antiguo")}))
    assert cases
    assert not any(case.flagged or case.suspicion for case in cases)


def test_phrases_that_the_sentence_can_do_without_are_removed():
    cases = checked(ways=("remove",), most_phrases=9)
    assert {case.evidence["removed"]: case.follow_up.words for case in cases} == {
        "old": WITHOUT_OLD,
        "over the river": WITHOUT_RIVER,
        "on Tuesday": "The farmer sold the old bridge over the river.",
    }
    assert [case.factors["of"] for case in cases] == ["JJ", "PP", "PP"]


def test_any_phrase_is_removed_in_the_published_form_and_what_is_left_is_not_parsed():
    assert load_relation("patinv:paper").arguments({})["removable"] == "any"
    parse = Seen()
    options = {"to": "es", "ways": ("remove",), "removable": "any", "most_phrases": 99}
    cases = now(check(Text(SENTENCE, "en"), Echo(), parse, NOTHING, Random(7), **options))
    left = {case.evidence["removed"]: case.follow_up.words for case in cases}
    assert left["sold the old bridge over the river on Tuesday"] == "The farmer."
    assert left["The farmer"] == "Sold the old bridge over the river on Tuesday."
    assert left["the old bridge"] == "The farmer sold over the river on Tuesday."
    assert left["sold"] == "The farmer the old bridge over the river on Tuesday."
    assert {case.factors["of"] for case in cases} >= {"NP", "VP", "PP", "JJ", "NN", "VBD"}
    assert parse.asked == [SENTENCE]
    assert len(left) > len(checked(ways=("remove",), most_phrases=99))


def test_a_word_is_replaced_by_its_opposite():
    (case,) = checked(substitutes=OPPOSITES, ways=("replace",), kinds=("adjective",))
    assert case.evidence["replaced"] == "old → new"
    assert case.factors == {"way": "replace", "of": "opposite"}


def test_a_word_is_replaced_by_one_that_fits_and_means_something_else():
    cases = checked(substitutes=FITTING, ways=("replace",), most_words=9, count=2)
    assert [case.evidence["replaced"] for case in cases] == [
        "farmer → miller",
        "farmer → baker",
        "old → red",
        "river → valley",
    ]
    assert cases[2].follow_up.words == SENTENCE.replace(" old ", " red ")
    assert {case.factors["of"] for case in cases} == {"another word"}


def test_words_that_mean_much_the_same_replace_none():
    synonyms = SubstituteTable({"old": ["ancient"]}, kind="synonym")
    with pytest.raises(Untested, match="nothing to replace"):
        checked(substitutes=synonyms, ways=("replace",))


def test_relaxed_asks_how_much_of_the_change_is_to_be_seen():
    # Of the two content words that were removed, both are gone, one is, none is.
    for other, unseen in (
        ("Vino en barco.", 0.0),
        ("Vino en barco desde allí por Lima.", 0.5),
        ("Vino en un barco desde Lima por Perú.", 1.0),
    ):
        case = judged(
            "He came by boat from Lima and Peru.",
            "He came by boat.",
            "Vino en barco desde Lima por Perú.",
            other,
            relaxed=True,
        )
        assert case.suspicion == pytest.approx(unseen)
        assert case.scores == {"unseen": pytest.approx(unseen)}


def test_relaxed_flags_what_shows_less_than_half_of_a_change():
    pair = "She reads old books.", "She reads new books."
    assert judged(*pair, "Lee libros.", "Lee los libros.", relaxed=True).flagged
    assert not judged(*pair, "Lee libros.", "Lee los libros.").flagged
    assert not judged(*pair, "Lee libros viejos.", "Lee libros nuevos.", relaxed=True).flagged


def test_blanks_make_no_difference():
    assert judged("An old man.", "A man.", "Un hombre.", " Un  hombre. ").flagged


@pytest.mark.parametrize("follow_up", ["An old man.", " An  old man. "])
def test_a_follow_up_that_is_the_source_again_is_refused(follow_up):
    with pytest.raises(Refused, match="the follow-up is the source, word for word"):
        judged("An old man.", follow_up, "Un viejo.", "Un viejo.")


class Seen(Shipped):
    """The parser that ships, with what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def __call__(self, x: Text):
        self.asked.append(x.words)
        return await super().__call__(x)


def test_of_a_text_of_sentences_only_the_changed_one_is_parsed_anew():
    text, parse = f"Anna slept.  {SENTENCE} It rained.", Seen()
    cases = now(check(Text(text, "en"), Echo(), parse, NOTHING, Random(7), to="es", most_phrases=9))
    first, *others = parse.asked
    assert first == text
    assert others
    assert all(" rained" not in each or "farmer" not in each for each in others)
    assert {case.follow_up.words for case in cases if case.factors["way"] == "remove"} == {
        text.replace(SENTENCE, each)
        for each in (WITHOUT_OLD, WITHOUT_RIVER, "The farmer sold the old bridge over the river.")
    }


def test_a_long_text_is_left_alone_before_anything_is_asked():
    parse = Seen()
    long = Text(" ".join([SENTENCE] * 17), "en")
    with pytest.raises(Untested, match="more than 200 words and marks"):
        now(check(long, Echo(), parse, NOTHING, Random(7), to="es"))
    assert parse.asked == []


def test_no_generator_is_left_open_when_a_check_is_dropped_half_way():
    left = []

    class Waiting(Shipped):
        async def __call__(self, x: Text):
            if x.words != SENTENCE:
                await asyncio.Event().wait()
            return await super().__call__(x)

    async def dropped() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, told: left.append(told))
        making = asyncio.ensure_future(
            check(Text(SENTENCE, "en"), Echo(), Waiting(), NOTHING, Random(7), to="es", ways=("remove",))
        )
        await asyncio.sleep(0)
        await asyncio.get_running_loop().shutdown_asyncgens()
        making.cancel()
        await asyncio.gather(making, return_exceptions=True)

    asyncio.run(dropped())
    assert left == []


def test_the_marks_show_what_was_removed_and_what_went_with_it():
    answers = {WITHOUT_RIVER: ANSWER.replace(" sobre el río", "")}
    case = next(each for each in checked(Always(answers), ways=("remove",)) if each.follow_up.words == WITHOUT_RIVER)
    told = {role: [getattr(case, role).words[a:b] for a, b in spans] for role, spans in case.evidence["marked"].items()}
    assert told == {
        "source": ["over the river"],
        "follow_up": [],
        "source_output": ["sobre el río"],
        "follow_up_output": [],
    }


def test_what_is_made_depends_on_the_seed_alone():
    made = [[case.follow_up.words for case in checked(most_words=1, most_phrases=1, seed=seed)] for seed in range(6)]
    assert made == [[case.follow_up.words for case in checked(most_words=1, most_phrases=1, seed=n)] for n in range(6)]
    assert len({tuple(each) for each in made}) > 1


def test_the_phrases_do_not_depend_on_the_words():
    alone = [case.follow_up.words for case in checked(ways=("remove",), most_phrases=1)]
    both = checked(substitutes=FITTING, most_phrases=1)
    assert {case.factors["way"] for case in both} == {"replace", "remove"}
    assert alone == [case.follow_up.words for case in both if case.factors["way"] == "remove"]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("relaxed", [False, True])
def test_a_perfect_translator_is_never_suspected(seed, relaxed):
    cases = checked(seed=seed, relaxed=relaxed, substitutes=OPPOSITES)
    assert cases
    assert not any(case.suspicion for case in cases)


def test_it_conforms():
    check_relation("patinv", SENTENCE, {"parse": PARSE, "substitutes": OPPOSITES}, relaxed=True)
    check_relation("patinv:paper", SENTENCE, {"parse": PARSE, "substitutes": OPPOSITES})


def test_without_substitutes_for_the_language_phrases_are_removed_and_the_run_says_so():
    assert services(ways=("remove",)) == {"parse": None}
    assert services(ways=("replace",)) == {"parse": None, "substitutes": None}
    assert services(ways=WAYS)["substitutes"] == "phrases are removed, no word is replaced"
    assert {case.factors["way"] for case in checked(substitutes=None)} == {"remove"}


def test_the_command_line_finds_it_with_its_options():
    found = plugins.settings("relations", plugins.parse("relations", "patinv,ways=remove,relaxed=true"))
    assert (found["ways"], found["relaxed"], found["threshold"]) == (("remove",), True, 0.5)

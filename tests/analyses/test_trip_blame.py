"""Which trip of a round trip is to blame, told by other systems."""

from __future__ import annotations

import pytest

from concord import api
from concord.analyses.trip_blame import Usual, Wrong, blamed_trip
from concord.errors import Refused, UserError
from concord.labels.labels import Label, Labels
from concord.metrics import similarity
from concord.model import System, Text
from concord.store import Workspace
from concord.store.label_rows import outputs_of

LINES = [
    "Nobody came home today.",
    "At least three dogs barked.",
    "No cat slept in the house.",
    "Both birds sang well.",
]
FORTH = {
    "Nobody came home today.": "nadie vino a casa hoy",
    "At least three dogs barked.": "al menos tres perros ladraron",
    "No cat slept in the house.": "ningún gato durmió en la casa",
    "Both birds sang well.": "ambos pájaros cantaron bien",
}
BACK = {there: here for here, there in FORTH.items()}


PARSER = """
from concord.language.trees.dependencies import Relation

class Parser:
    id = "few"
    kind = "full"
    def version(self): return "1"
    def languages(self): return frozenset({"ja"})
    def parse(self, texts): return []
"""
DEPEND = """
    def depend(self, texts):
        return [[Relation(label, None, None) for label in each.words.split()] for each in texts]
"""


class Known(System):
    """A dictionary both ways, with mistakes of its own."""

    def __init__(self, name: str, forth: dict[str, str] | None = None, back: dict[str, str] | None = None) -> None:
        self.id = name
        self._known = {("es", text): made for text, made in (FORTH | (forth or {})).items()}
        self._known |= {("en", text): made for text, made in (BACK | (back or {})).items()}

    async def translate(self, texts, source, target):
        return [self._known[target, text] for text in texts]


FORWARD = "alguien se quedó fuera"
SYSTEMS = [
    Known(
        "first", {LINES[0]: FORWARD}, {FORWARD: "Somebody stayed outside.", FORTH[LINES[1]]: "At most one dog barked."}
    ),
    Known("second"),
    Known("third"),
]


@pytest.fixture
def made(tmp_path):
    """A workspace with round trips by three systems, the first of which fails once on each way."""
    corpus = tmp_path / "lines.txt"
    corpus.write_text("\n".join(LINES) + "\n")
    place = tmp_path / "made.sqlite"
    api.run(corpus, relations=["semmt"], systems=SYSTEMS, to=["es"], workspace=place)
    return place


def test_a_mistake_on_the_way_there_is_told_from_one_on_the_way_back(made):
    found = api.blame(made)
    assert {each.row["source"]["words"]: set(each.blame.values()) for each in found.blamed} == {
        LINES[0]: {"forward"},
        LINES[1]: {"backward"},
    }
    assert found.untold == 0


def test_the_usual_agreement_is_that_of_round_trips_that_are_not_suspected(made):
    usual = {each.system: each for each in api.blame(made, metrics=["levenshtein"]).usual}
    assert (usual["first"].forward, usual["first"].backward) == (1, 1)
    # Beside the two others, of which one disagrees on one of four sentences.
    disagreed = similarity("levenshtein", Text(FORWARD, "es"), Text(FORTH[LINES[0]], "es"))
    assert usual["second"].forward == usual["third"].forward == pytest.approx((3 + (1 + disagreed) / 2) / 4)
    assert all(each.accuracy is None for each in usual.values())


def test_every_metric_has_its_own_opinion(made):
    found = api.blame(made, metrics=["levenshtein", "chrf"])
    assert {each.metric for each in found.usual} == {"levenshtein", "chrf"}
    row = found.blamed[0].plain()
    assert set(row["blame"]) == set(row["forward"]) == set(row["backward"]) == {"levenshtein", "chrf"}
    assert row["intermediate"] == FORWARD


def labelled(made, sides: dict[str, str], verdict: str = "error") -> None:
    with Workspace(made) as store:
        rows = [row for row in store.rows([1]) if row["source"]["words"] in sides]
        Labels(store).save(
            Label(row["case"], "ana", verdict, outputs_of(row), wrong=sides[row["source"]["words"]]) for row in rows
        )


def test_labels_say_how_often_blame_is_right(made):
    labelled(made, {LINES[0]: "both", LINES[1]: "source output"})
    usual = {each.system: each for each in api.blame(made, metrics=["chrf"]).usual}
    forward = usual["first"].wrong["forward"]
    assert (forward.among, forward.right, usual["first"].accuracy) == (2, 1, 0.5)
    assert usual["second"].accuracy is None


def test_wrong_round_trips_have_a_similarity_of_their_own_by_the_trip_that_is_wrong(made):
    labelled(made, {LINES[0]: "source output", LINES[1]: "follow-up output"})
    usual = api.blame(made, metrics=["levenshtein"]).usual[0]
    forward, backward = usual.wrong["forward"], usual.wrong["backward"]
    assert (forward.among, forward.right, backward.among, backward.right) == (1, 1, 1, 1)
    assert forward.forward == similarity("levenshtein", Text(FORTH[LINES[0]], "es"), Text(FORWARD, "es"))
    assert (backward.forward, usual.accuracy) == (1, 1)
    assert backward.backward < usual.backward == 1


def test_a_wrong_round_trip_counts_whether_it_was_flagged_or_not(made):
    labelled(made, {LINES[2]: "source output"})
    found = api.blame(made, metrics=["chrf"])
    assert all(trip.row["source"]["words"] != LINES[2] for trip in found.blamed)
    assert found.usual[0].among == 1


# The similarities (distances of DEP turned round) of table 6 of Cao et al. 2021: of correct round trips, of those that
# are wrong on the way there, and of those that are wrong on the way back.
TABLE_6 = {
    "LEVEN": ((0.50, 0.64), (0.39, 0.66), (0.42, 0.54), 57, 19, 0.65),
    "DEP": ((-3.15, -6.34), (-3.07, -5.70), (-3.28, -8.87), 36, 8, 0.38),
    "BLEU": ((0.42, 0.67), (0.36, 0.74), (0.44, 0.62), 55, 23, 0.67),
    "SBERT": ((0.94, 0.90), (0.91, 0.92), (0.95, 0.89), 74, 15, 0.76),
}


@pytest.mark.parametrize("metric", TABLE_6)
def test_the_rule_blames_the_trips_of_the_papers_averages_and_counts_as_its_table_6(metric):
    correct, forward, backward, found_forward, found_backward, accuracy = TABLE_6[metric]
    # By DEP, translations of wrong forward trips are more alike than usual, so nothing is told of them.
    assert blamed_trip(forward, correct) == ("untold" if metric == "DEP" else "forward")
    assert blamed_trip(backward, correct) == "backward"
    wrong = {"forward": Wrong(87, found_forward), "backward": Wrong(30, found_backward)}
    usual = Usual(1, "google", metric, *correct, wrong)
    assert (usual.among, round(usual.accuracy, 2)) == (117, accuracy)


def test_a_flagged_round_trip_that_is_labelled_correct_is_usual(made):
    before = api.blame(made, metrics=["chrf"]).usual[0]
    labelled(made, {LINES[1]: ""}, "correct")
    after = api.blame(made, metrics=["chrf"]).usual[0]
    assert before.backward == 1
    assert after.backward < 1


def test_a_label_of_other_outputs_says_nothing(made):
    with Workspace(made) as store:
        row = next(store.rows([1]))
        Labels(store).save([Label(row["case"], "ana", "error", "{}", wrong="both")])
    assert api.blame(made, metrics=["chrf"]).usual[0].among == 0


def test_two_systems_are_not_enough(made):
    with pytest.raises(UserError, match="3 systems or more"):
        api.blame(made, [1, 2])


def test_a_run_of_another_relation_takes_no_place(made, tmp_path):
    api.run(tmp_path / "lines.txt", relations=["rtt"], systems=SYSTEMS[:1], to=["es"], workspace=made)
    with pytest.raises(UserError, match=r"round trips of rtt by first \(run 4\).*or leave it out"):
        api.blame(made, [1, 2, 3, 4])
    api.run(tmp_path / "lines.txt", relations=["rtt"], systems=SYSTEMS[1:], to=["es"], workspace=made)
    found = api.blame(made, metrics=["chrf"])
    assert sorted((each.run, each.system) for each in found.usual) == [
        (run, system.id) for run, system in enumerate([*SYSTEMS, *SYSTEMS], 1)
    ]


def test_where_all_systems_agree_as_usual_nobody_is_blamed(tmp_path):
    wrong = {FORTH[LINES[1]]: "At most one dog barked."}
    (tmp_path / "lines.txt").write_text("\n".join(LINES) + "\n")
    systems = [Known(name, back=wrong) for name in ("first", "second", "third")]
    place = tmp_path / "same.sqlite"
    api.run(tmp_path / "lines.txt", relations=["semmt"], systems=systems, to=["es"], workspace=place)
    labelled(place, {LINES[1]: "follow-up output"})
    found = api.blame(place)
    assert [set(each.blame.values()) for each in found.blamed] == [{"untold"}] * 3
    assert {(each.among, each.accuracy) for each in found.usual if each.run == 1} == {(1, 0)}


def test_what_too_few_others_have_done_is_counted(tmp_path):
    place = tmp_path / "few.sqlite"
    corpus = tmp_path / "lines.txt"
    corpus.write_text("\n".join(LINES) + "\n")

    class Silent(Known):
        async def translate(self, texts, source, target):
            return [Refused("no") if text == LINES[0] else self._known[target, text] for text in texts]

    api.run(
        corpus, relations=["semmt"], systems=[SYSTEMS[0], Silent("mute"), Known("third")], to=["es"], workspace=place
    )
    found = api.blame(place)
    assert [each.row["source"]["words"] for each in found.blamed] == [LINES[1]]
    assert found.untold == 1


def test_relations_without_a_round_trip_cannot_be_blamed(tmp_path):
    corpus = tmp_path / "lines.txt"
    corpus.write_text("Hello world\n")
    place = tmp_path / "pivot.sqlite"
    for system in ("fake", "fake,flaws=0", "fake,flaws=1"):
        api.run(corpus, relations=["pivot,pivots=gl"], systems=[system], to=["es"], workspace=place)
    with pytest.raises(UserError, match="no round trips"):
        api.blame(place)


def test_dependency_relations_blame_a_trip_where_a_parser_knows_the_language_in_between(made, guest):
    guest("parsers", "few", PARSER.replace('"ja"', '"es"') + DEPEND)
    found = api.blame(made, metrics=["dependency:parser=few"])
    assert {trip.row["source"]["words"] for trip in found.blamed} == {LINES[0], LINES[1]}
    with pytest.raises(UserError, match=r"'es'.*dependency:parser=es=stanza"):
        api.blame(made, metrics=["dependency"])

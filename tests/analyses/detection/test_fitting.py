"""Labels teach the comparison: kept in the workspace, it judges later runs there if it beats the rule."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from concord import api
from concord.analyses.detection.labelled_rows import labelled_runs
from concord.errors import UserError
from concord.labels.labels import Label, Labels
from concord.model import System
from concord.store import Workspace
from concord.store.comparators import Comparator, Comparators
from concord.store.label_rows import outputs_of

SPANISH = {
    "the": "el", "house": "casa", "dog": "perro", "tree": "árbol", "book": "libro", "river": "río", "friend": "amigo",
    "sees": "ve", "wants": "quiere", "sells": "vende",
}  # fmt: skip
NOUNS = ("house", "dog", "tree", "book", "river", "friend")
TEXTS = [
    f"the {one} {verb} {number} {other}"
    for number, ((one, other), verb) in enumerate(
        itertools.product(itertools.permutations(NOUNS, 2), ("sees", "wants")), 10
    )
]


class Shaky(System):
    """Word for word; on the way back every third number is another one, and every third first noun another noun."""

    id = "shaky"

    async def translate(self, texts, source, target):
        return [_there(text) if target == "es" else _back(text) for text in texts]


def _there(text: str) -> str:
    return " ".join(SPANISH.get(word, word) for word in text.split())


def _back(text: str) -> str:
    english = {spanish: word for word, spanish in SPANISH.items()}
    the, noun, verb, number, other = (english.get(word, word) for word in text.split())
    if int(number) % 3 == 0:
        return f"{the} {noun} {verb} {int(number) + 500} {other}"
    if int(number) % 3 == 1:
        noun = next(each for each in NOUNS if each not in (noun, other))
    return f"{the} {noun} {verb} {number} {other}"


@pytest.fixture
def ran(tmp_path: Path, trip):
    """Runs the relation, and gives its signature and its rows."""
    (tmp_path / "c.txt").write_text("\n".join(TEXTS) + "\n")

    def run(relation=trip):
        (summary,) = api.run(
            tmp_path / "c.txt", relations=[relation], systems=[Shaky()], to=["es"], workspace=tmp_path / "w.sqlite"
        )
        return summary.run, list(api.rows(tmp_path / "w.sqlite", [summary.run.id]))

    return run


@pytest.fixture
def workspace(tmp_path: Path):
    return tmp_path / "w.sqlite"


def _label(workspace: Path, rows: list, is_wrong) -> None:
    said = [Label(row["case"], "ana", "error" if is_wrong(row) else "correct", outputs_of(row)) for row in rows]
    with Workspace(workspace) as store:
        Labels(store).save(said)


def _number_changed(row) -> bool:
    return int(row["source"]["words"].split()[3]) % 3 == 0


def _noun_changed(row) -> bool:
    return int(row["source"]["words"].split()[3]) % 3 == 1


def test_what_labels_teach_judges_later_runs_until_it_is_forgotten(ran, workspace) -> None:
    first, rows = ran()
    assert "+fitted@" not in first.signature
    assert any(_number_changed(row) and row["flagged"] for row in rows)
    _label(workspace, rows, _noun_changed)
    found = api.fit_comparator(relation="trip", workspace=workspace)
    assert (found.relation, found.direction, found.runs) == ("trip", ("en", "es"), (first.id,))
    assert (found.labels, found.wrong, found.used) == (60, 20, True)
    assert found.area > 0.95 > found.area_of_rule
    second, rows = ran()
    assert second.signature == first.signature.replace("|corpus:", f"+{found.name}|corpus:")
    assert {row["flagged"] for row in rows if _noun_changed(row)} == {True}
    assert {row["flagged"] for row in rows if _number_changed(row)} == {False}
    assert api.fit_comparator([first.id, second.id], workspace=workspace).labels == 60
    assert api.forget_comparator("trip", workspace=workspace) == [("en", "es")]
    assert ran()[0].signature == first.signature
    with pytest.raises(UserError, match=r"nothing about trip in .*; there is nothing to forget"):
        api.forget_comparator("trip", workspace=workspace)


def test_what_does_not_beat_the_rule_is_kept_but_not_used(ran, workspace) -> None:
    first, rows = ran()
    _label(workspace, rows, _number_changed)
    found = api.fit_comparator(workspace=workspace)
    assert (found.area_of_rule, found.used) == (1.0, False)
    with Workspace(workspace) as store:
        kept = Comparators(store).get("trip", ("en", "es"))
        assert Comparators(store).used("trip", ("en", "es")) is None
    assert kept is not None
    assert (kept.area, kept.area_of_rule, kept.labels, kept.wrong) == (found.area, 1.0, 60, 20)
    assert ran()[0].signature == first.signature


def test_too_few_labels_are_refused_with_their_numbers_and_nothing_is_kept(ran, workspace) -> None:
    _, rows = ran()
    _label(workspace, rows[:12], _number_changed)
    with pytest.raises(UserError, match=r"12 labelled pairs, 4 of them wrong, from 12 sentences: too few.*Label more"):
        api.fit_comparator(workspace=workspace)
    with Workspace(workspace) as store:
        assert Comparators(store).get("trip", ("en", "es")) is None


def test_runs_that_are_not_judged_so_or_not_labelled_are_refused(ran, workspace) -> None:
    ran("rtt")
    with pytest.raises(UserError, match=r"Runs: 1. `concord run` with a relation that it judges, such as rti, makes"):
        api.fit_comparator(relation="rtt", workspace=workspace)
    ran()
    with pytest.raises(UserError, match=r"no case of run 2 is labelled. `concord label export`"):
        api.fit_comparator(workspace=workspace)
    with pytest.raises(UserError, match="none of these runs of pivot was judged"):
        api.fit_comparator(relation="pivot", workspace=workspace)
    with pytest.raises(UserError, match="--forget --relation"):
        api.forget_comparator("", workspace=workspace)


def test_a_comparator_is_for_one_relation_and_direction(ran, workspace) -> None:
    ran()
    ran("concatenation")
    with pytest.raises(UserError, match="among: trip en-es: 1; concatenation en-es: 2"):
        api.fit_comparator(workspace=workspace)


def test_runs_by_the_rule_and_by_what_labels_taught_are_not_evaluated_together(ran, workspace) -> None:
    first, rows = ran()
    _label(workspace, rows, _noun_changed)
    api.fit_comparator(workspace=workspace)
    second, _ = ran()
    with Workspace(workspace) as store:
        assert labelled_runs(store, [second.id]).bug.sum() == 20
        with pytest.raises(UserError, match=f"Choose among: {first.id}; {second.id}"):
            labelled_runs(store, [first.id, second.id])


def test_a_later_comparator_takes_the_place_of_the_earlier_one(workspace) -> None:
    with Workspace(workspace) as store:
        known = Comparators(store)
        for number, area in enumerate((0.5, 0.9)):
            known.keep(Comparator("rti", ("en", "es"), bytes([number]), area, 0.7, 40, 20))
        known.keep(Comparator("rti", ("en", "fr"), b"x", 0.6, 0.7, 40, 20))
        used = known.used("rti", ("en", "es"))
        assert used is not None
        assert (used.data, used.area, known.used("rti", ("en", "fr"))) == (b"\x01", 0.9, None)
        assert sorted(known.forget("rti")) == [("en", "es"), ("en", "fr")]
        assert known.get("rti", ("en", "es")) is None


def test_a_comparator_that_cannot_be_read_is_said_before_anything_is_sent(ran, workspace) -> None:
    with Workspace(workspace) as store:
        Comparators(store).keep(Comparator("trip", ("en", "es"), b"something", 0.9, 0.7, 40, 20))
    with pytest.raises(UserError, match="is no fitted comparator"):
        ran()
    with Workspace(workspace) as store:
        assert store.runs() == []

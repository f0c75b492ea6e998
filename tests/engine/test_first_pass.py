"""What words mean is learnt from a run's own texts before any is judged, and is the same however the run goes."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import signal
import threading
from pathlib import Path

import pytest

import concord.api
from concord.api import Settings
from concord.comparator import Evidence, align, compare, dictionaries
from concord.comparator.serialisation import dump, load, with_pairs
from concord.engine.first_pass import SHARE, Allowance, _learnt, first_pass
from concord.engine.translate import Translating
from concord.errors import Exhausted, Interrupted, Refused, UserError
from concord.model import Limits, Segment, System, Text
from concord.relations._protocol import load_relation
from concord.store import Workspace
from concord.store.comparators import Learnt

SPANISH = {"the": "el", "cat": "gato", "dog": "perro", "bird": "pajaro", "sees": "mira", "hears": "oye", "and": "y"}
ANIMALS, VERBS = ("cat", "dog", "bird"), ("sees", "hears")
TEXTS = [f"the {a} {verb} the {b}" for a in ANIMALS for verb in VERBS for b in ANIMALS if a != b]
RELATION = '''
"""Explained: a cat in place of the bird changes one word of the translation."""
from concord.model import Case, Text, Traits
TRAITS = Traits(compares=True)
async def check(x, translate, parse, *, to, trees=False):
    assert (parse is None) is not trees
    other = Text(x.words.replace("bird", "cat"), x.lang)
    outputs = await translate.each([x, other], to)
    return [compare(x, other, *outputs)]
def compare(x, other, output, other_output):
    return Case(x, other, output, other_output, (output, other_output), 0, 0)
def services(*, trees):
    return {"parse": None} if trees else {}
'''


class Spanish(System):
    """Word for word, with two words in the other order; it counts what it is asked."""

    id = "spanish"

    def __init__(self, refused: str = "") -> None:
        self.asked: list[str] = []
        self._refused = refused

    async def translate(self, texts, source, target):
        self.asked += texts
        return [Refused("no") if text == self._refused else _spanish(text) for text in texts]


def _spanish(text: str) -> str:
    words = [SPANISH.get(word, word) for word in text.split()]
    return " ".join([*words[3:], *words[:3]])


def _segments(texts: list[str]) -> list[Segment]:
    return [Segment(str(at), Text(text, "en"), at) for at, text in enumerate(texts)]


def test_the_first_pass_asks_each_text_once_and_gives_pairs_in_the_order_of_the_corpus() -> None:
    system = Spanish()
    pairs = asyncio.run(first_pass(_segments([*TEXTS, *TEXTS]), Translating(system, None), "es"))
    assert [x.words for x, _ in pairs] == TEXTS
    assert [y.words for _, y in pairs] == [_spanish(text) for text in TEXTS]
    assert sorted(system.asked) == sorted(TEXTS)


def test_what_cannot_be_translated_is_not_learnt_from() -> None:
    pairs = asyncio.run(first_pass(_segments(TEXTS), Translating(Spanish(TEXTS[0]), None), "es"))
    assert [x.words for x, _ in pairs] == TEXTS[1:]


def test_a_run_explains_differences_by_its_own_texts_whatever_the_number_of_workers(guest, tmp_path: Path) -> None:
    guest("relations", "explained", RELATION)
    corpus, table = tmp_path / "texts.txt", tmp_path / "table.tsv"
    corpus.write_text("\n".join(TEXTS) + "\n")
    wrong = "the bird hears the dog"
    answers = {text: _spanish(text) for text in [*TEXTS, *(text.replace("bird", "cat") for text in TEXTS)]}
    answers[wrong] = answers[wrong].replace("oye", "come")
    table.write_text("".join(f"en\tes\t{text}\t{answer}\n" for text, answer in answers.items()))
    found = []
    for workers in (1, 2):
        workspace = tmp_path / f"{workers}.sqlite"
        (summary,) = concord.api.run(
            corpus,
            relations=["explained,threshold=0.1"],
            systems=[f"table:{table}"],
            to=["es"],
            workspace=workspace,
            settings=Settings(workers=workers),
        )
        assert "|explain:concord@3" in summary.run.signature
        assert "parse" not in summary.run.signature
        rows = list(concord.api.rows(workspace))
        assert {row["error"] for row in rows} == {None}
        found.append(sorted(json.dumps([row["source"], row["suspicion"], row["evidence"]]) for row in rows))
        assert [row["source"]["words"] for row in rows if row["flagged"]] == [wrong]
    assert found[0] == found[1]
    again = concord.api.check("explained,threshold=0.1", TEXTS, translator=f"table:{table}", to="es")
    assert [json.dumps(case.evidence) for each in again for case in each.cases] == [
        json.dumps(row["evidence"]) for row in sorted(rows, key=lambda row: row["position"])
    ]


def test_what_was_learnt_comes_back_from_its_bytes() -> None:
    pairs = [(Text(text, "en"), Text(_spanish(text), "es")) for text in TEXTS]
    known = align(pairs)
    again = load(dump(known), known.evidence)
    fours = [(*one, *other) for one, other in itertools.pairwise(pairs)]
    for a, of_a, b, of_b in fours:
        assert compare(a, b, of_a, of_b, again) == compare(a, b, of_a, of_b, known)
        assert compare(a, b, of_a, of_b, with_pairs(again, pairs)) == compare(a, b, of_a, of_b, known)


def test_the_thread_that_learnt_ends_so_that_others_can_have_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    learning: list[threading.Thread] = []

    def noted(*given):
        learning.append(threading.current_thread())
        return align(*given)

    async def learnt() -> bool:
        assert await _learnt([(Text("The dog.", "en"), Text("El perro.", "es"))], {"dictionaries": "none"}, False)
        learning[0].join(10)
        return learning[0].is_alive()

    monkeypatch.setattr("concord.comparator.align", noted)
    assert not asyncio.run(learnt())
    assert learning != [threading.current_thread()]


def test_bytes_of_another_format_are_refused() -> None:
    data = dump(align([]))
    with pytest.raises(UserError, match="format 9; this Concord reads 2"):
        load(data.replace(b'"format": 2', b'"format": 9'), Evidence(("en", "es")))


def test_a_service_that_the_options_do_not_need_is_not_made(guest) -> None:
    guest("relations", "explained", RELATION)
    relation = load_relation("explained")
    assert list(relation.services({"threshold": 0.5, "trees": False})) == ["explain"]
    assert list(relation.services({"threshold": 0.5, "trees": True})) == ["parse", "explain"]


def test_a_run_that_is_taken_up_again_judges_by_what_it_had_learnt(tmp_path: Path) -> None:
    with Workspace(tmp_path / "w.sqlite") as store:
        facts = {"signature": "s", "relation": "r", "settings": {}, "system": "x", "source": "en", "target": "es"}
        record = store.begin({**facts, "corpus": "c", "seed": 1, "notes": []})
        assert Learnt(store).load(record.id) is None
        Learnt(store).keep(record.id, b"words", {"usual": 1.5})
        assert Learnt(store).load(record.id) == b"words"
        assert Learnt(store).profile(record.id) == {"usual": 1.5}
        store.discard(record)
        assert Learnt(store).load(record.id) is None


def test_an_allowance_ends_before_the_first_text_that_is_too_dear_and_known_texts_are_free() -> None:
    known = {TEXTS[1]}
    allowance = Allowance(len(TEXTS[0]) + len(TEXTS[2]), lambda text: text.words in known)
    system = Spanish()
    pairs = asyncio.run(first_pass(_segments(TEXTS), Translating(system, None), "es", None, allowance))
    assert [x.words for x, _ in pairs] == TEXTS[:3]
    assert sorted(system.asked) == sorted(TEXTS[:3])


def test_a_capped_budget_leaves_most_for_checks(guest, tmp_path: Path) -> None:
    guest("relations", "explained", RELATION)
    (tmp_path / "c.txt").write_text("\n".join(TEXTS) + "\n")
    system = Spanish()
    with pytest.raises(Exhausted, match="larger --max-chars"):
        _run(tmp_path, system, Settings(max_characters=sum(map(len, TEXTS))))
    with Workspace(tmp_path / "w.sqlite") as store:
        learnt = Learnt(store).load(1)
    assert learnt is not None
    assert load(learnt, Evidence(("en", "es"))).texts == len(TEXTS) // SHARE
    assert set(system.asked) - set(TEXTS)
    _run(tmp_path, Spanish(), Settings())
    assert len(list(concord.api.rows(tmp_path / "w.sqlite"))) == len(TEXTS)


def test_a_run_without_any_check_learns_anew_when_it_is_taken_up_again(guest, tmp_path: Path) -> None:
    guest("relations", "explained", RELATION.replace('x.words.replace("bird", "cat")', 'x.words + " and the cat" * 99'))
    (tmp_path / "c.txt").write_text("\n".join(TEXTS) + "\n")
    known = []
    for most in (3 * len(TEXTS[0]), None):
        with contextlib.suppress(Exhausted):
            _run(tmp_path, Spanish(), Settings(max_characters=most))
        with Workspace(tmp_path / "w.sqlite") as store:
            learnt = Learnt(store).load(1)
            assert learnt is not None
            known.append((store.tally(1)["checks"], load(learnt, Evidence(("en", "es"))).texts))
    assert known == [(0, 1), (len(TEXTS), len(TEXTS))]


def test_a_run_that_has_checks_keeps_to_what_it_had_learnt(guest, tmp_path: Path) -> None:
    guest("relations", "explained", RELATION)
    (tmp_path / "c.txt").write_text("\n".join(TEXTS) + "\n")
    (summary,) = _run(tmp_path, Spanish(), Settings())
    few = dump(align([(Text("cat", "en"), Text("gato", "es"))]))
    with Workspace(tmp_path / "w.sqlite") as store:
        Learnt(store).keep(summary.run.id, few, {})
        with store.writing() as db:
            db.execute("UPDATE runs SET finished = NULL")
    _run(tmp_path, Spanish(), Settings())
    with Workspace(tmp_path / "w.sqlite") as store:
        assert Learnt(store).load(summary.run.id) == few


def test_a_text_that_hangs_is_left_out_once_patience_is_over(clock) -> None:
    translate = Translating(Hanging(TEXTS[3]), None, waits=clock.waits())
    pairs = clock.run(first_pass(_segments(TEXTS), translate, "es"))
    assert [x.words for x, _ in pairs] == TEXTS[:3] + TEXTS[4:]


def test_texts_that_are_refused_in_the_first_pass_are_rows_with_an_error_and_the_run_goes_on(
    guest, tmp_path: Path
) -> None:
    guest("relations", "explained", RELATION)
    (tmp_path / "c.txt").write_text("\n".join(TEXTS) + "\n")
    _run(tmp_path, Spanish(TEXTS[0]), Settings())
    rows = list(concord.api.rows(tmp_path / "w.sqlite"))
    assert len(rows) == len(TEXTS)
    # Some have a follow-up that is such a text.
    refused = {text for text in TEXTS if TEXTS[0] in (text, text.replace("bird", "cat"))}
    assert {row["text"] for row in rows if row["error"]} == refused


def test_ctrl_c_in_the_first_pass_ends_the_run_cleanly_and_it_can_be_taken_up_again(guest, tmp_path: Path) -> None:
    guest("relations", "explained", RELATION)
    (tmp_path / "c.txt").write_text("\n".join(TEXTS) + "\n")
    with pytest.raises(Interrupted):
        _run(tmp_path, Interrupting(), Settings())
    with Workspace(tmp_path / "w.sqlite") as store:
        assert (store.tally(1)["checks"], Learnt(store).load(1)) == (0, None)
    again = Spanish()
    (summary,) = _run(tmp_path, again, Settings())
    assert summary.run.id == 1
    assert {row["error"] for row in concord.api.rows(tmp_path / "w.sqlite")} == {None}
    # What was answered before the interruption is kept.
    assert set(again.asked).isdisjoint(TEXTS[:4])


class Hanging(Spanish):
    """Never answers a request with a certain text."""

    limits = Limits(texts=4, seconds=60)

    def __init__(self, hangs: str) -> None:
        super().__init__()
        self._hangs = hangs

    async def translate(self, texts, source, target):
        if self._hangs in texts:
            await asyncio.Event().wait()
        return await super().translate(texts, source, target)


class Interrupting(Spanish):
    """Somebody presses Ctrl-C while it is asked for the first time."""

    limits = Limits(texts=4, in_flight=1)

    async def translate(self, texts, source, target):
        if not self.asked:
            os.kill(os.getpid(), signal.SIGINT)
        return await super().translate(texts, source, target)


def _run(folder: Path, system: System, settings: Settings) -> list:
    what = {"relations": ["explained"], "systems": [system], "to": ["es"], "workspace": folder / "w.sqlite"}
    return concord.api.run(folder / "c.txt", **what, settings=settings)


def test_synonyms_of_the_user_change_the_signature_and_what_is_suspicious(guest, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(dictionaries, "DICTD", tmp_path)
    guest("relations", "explained", RELATION)
    (tmp_path / "c.txt").write_text("\n".join(TEXTS) + "\n")
    synonyms = tmp_path / "ours.tsv"
    signatures, suspicions = [], []
    for words in ("", "oye\tausculta\n", "oye\tausculta\tescucha\n"):
        synonyms.write_text(words)
        services = {"synonyms": str(synonyms)} if words else {}
        (summary,) = _run(tmp_path, Wording("the bird hears the dog"), Settings(services=services))
        rows = [row for row in concord.api.rows(tmp_path / "w.sqlite") if row["run"] == summary.run.id]
        suspicions.append(max(row["suspicion"] for row in rows))
        signatures.append(summary.run.signature)
        assert any("synonyms ours.tsv" in note for note in summary.notes) is bool(words)
        assert any("apt-get install dict-freedict-eng-spa" in note for note in summary.notes)
    assert len(set(signatures)) == 3
    assert suspicions[1] == suspicions[2] < suspicions[0]


class Wording(Spanish):
    """Has another word for "hears" in one of the texts."""

    def __init__(self, otherwise: str) -> None:
        super().__init__()
        self._otherwise = otherwise

    async def translate(self, texts, source, target):
        made = await super().translate(texts, source, target)
        return [y.replace("oye", "ausculta") if x == self._otherwise else y for x, y in zip(texts, made, strict=True)]

"""The index gives what the workspace would, follows every change, and can be lost at any time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from concord import api
from concord.api import Filter
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace
from concord.store.index import Damaged, Index, with_index
from concord.store.index.location import index_errors, index_path, open_index


def case(words="hello", suspicion=0.5, threshold=0.4, output=""):
    source, there = Text(words, "en"), Text(output or words.upper(), "es")
    return Case(source, there, there, source, (source, source), suspicion, threshold)


def outcome(position=0, cases=(), domain="news", **more):
    return Outcome(
        Segment(f"s{position}", Text(f"sentence {position}", "en"), position, domain), cases=list(cases), **more
    )


CASES = st.builds(
    case,
    words=st.sampled_from(["a", "b", "c", "d"]),
    suspicion=st.sampled_from([0.0, 0.3, 0.5, 0.5, 0.7, 1.0]),
    threshold=st.sampled_from([0.4, 0.4, 0.6]),
)
OUTCOMES = st.lists(
    st.builds(
        outcome,
        position=st.integers(0, 5),
        repetition=st.integers(0, 2),
        domain=st.sampled_from(["", "news", "law"]),
        cases=st.lists(CASES, max_size=4),
        error=st.none(),
    )
    | st.builds(outcome, position=st.integers(6, 9), error=st.just("no answer")),
    max_size=12,
)
RUNS = st.lists(st.tuples(st.sampled_from(["rtt", "patinv", "pivot"]), OUTCOMES), min_size=1, max_size=3)


def filled(path, runs, facts):
    Path(path).unlink(missing_ok=True)
    with Workspace(path) as store:
        for number, (relation, outcomes) in enumerate(runs):
            run = store.begin(facts(relation, settings={}, signature=f"{relation}{number}", corpus=str(number)))
            for each in outcomes:
                store.add(run, [each])
    return path


def every_page(ask, limit):
    """All rows, page by page; going back page by page must give the same."""
    pages, after = [], ""
    while True:
        page = ask(after=after, limit=limit)
        pages.append(page)
        if not page.next:
            break
        after = page.next
    back = [pages[-1]]
    while back[-1].previous:
        back.append(ask(after=back[-1].previous, limit=limit))
    rows = [row for page in pages for row in page.rows]
    assert [row for page in reversed(back) for row in page.rows] == rows
    assert [page.before for page in pages] == [sum(len(p.rows) for p in pages[:n]) for n in range(len(pages))]
    assert all(page.total == len(rows) for page in pages)
    return rows


def ranked(store, runs, *, flagged):
    """What the index lists, said a second time: each case where it occurs first, by rank within its run."""
    found = []
    for run in runs:
        cases = [row for row in store.rows([run]) if "case" in row and (row["flagged"] or not flagged)]
        firsts = {row["case"]: row for row in reversed(cases)}.values()
        order = sorted(firsts, key=lambda row: (-row["suspicion"], row["position"], row["number"], row["repetition"]))
        found += [{**row, "rank": rank} for rank, row in enumerate(order, 1)]
    return sorted(found, key=lambda row: (row["rank"], row["run"]))


def bare(rows):
    return [{name: value for name, value in row.items() if name not in ("labels", "other_labels")} for row in rows]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(runs=RUNS, flagged=st.sampled_from([True, None]), limit=st.integers(1, 7))
def test_the_index_lists_and_counts_what_the_workspace_does(tmp_path, facts, runs, flagged, limit):
    path = filled(tmp_path / "w.sqlite", runs, facts)
    wanted = Filter(flagged=flagged)
    rows = every_page(lambda **page: api.cases(path, wanted, **page), limit)
    with Workspace(path) as store:
        numbers = [run.id for run in store.runs()]
        assert bare(rows) == ranked(store, numbers, flagged=flagged)
        errors = [row for row in store.rows(numbers) if row["error"] is not None]
        assert api.show(path, errors=True, limit=limit).rows == errors[:limit]
        assert api.show(path, errors=True).total == len(errors)
        for run in numbers:
            counts = api.counts(path, [run])[run]
            whole = {name: sum(each[name] for each in counts.values()) for name in store.tally(run)}
            assert whole == store.tally(run)


# -- being up to date ---------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path, facts):
    with Workspace(tmp_path / "w.sqlite") as store:
        run = store.begin(facts())
        store.add(run, [outcome(i, [case(f"word{i}", 0.5 + i / 100)]) for i in range(5)])
    return tmp_path / "w.sqlite"


def words_of(path, **wanted):
    return [row["source"]["words"] for row in api.cases(path, Filter(**wanted)).rows]


def add(path, *outcomes, run=1):
    with Workspace(path) as store:
        store.add(store.run(run), outcomes)


def test_a_run_taken_up_again_is_indexed_again(path):
    assert words_of(path) == ["word4", "word3", "word2", "word1", "word0"]
    add(path, outcome(9, [case("later", 0.9)]))
    assert words_of(path)[:2] == ["later", "word4"]


def test_what_is_indexed_has_a_stamp_that_changes_with_the_run(path):
    def indexed():
        with Workspace(path) as store:
            return with_index(store, lambda index: index.indexed())

    assert indexed() == {}
    words_of(path)
    before = indexed()
    assert before.keys() == {1}
    add(path, outcome(9, [case("later", 0.9)]))
    assert indexed() == before, "not yet indexed anew"
    words_of(path)
    assert indexed()[1] != before[1]


def test_what_replaces_an_outcome_replaces_it_in_the_index(path):
    assert words_of(path, text="word4") == ["word4"]
    add(path, outcome(4, [case("other", 0.9)]))
    assert words_of(path, text="word4") == []
    assert words_of(path, text="other") == ["other"]


def test_a_discarded_run_is_forgotten_and_its_number_can_be_used_again(path, facts):
    with Workspace(path) as store:
        second = store.begin(facts(corpus="two"))
        store.add(second, [outcome(0, [case("doomed")])])
    assert "doomed" in words_of(path)
    with Workspace(path) as store:
        store.discard(second)
    assert "doomed" not in words_of(path)
    with Workspace(path) as store:
        again = store.begin(facts(corpus="two"))
        assert again.id == second.id
        store.add(again, [outcome(0, [case("reborn")])])
    assert "reborn" in words_of(path)
    assert "doomed" not in words_of(path)


def test_what_an_older_copy_became_is_not_taken_for_what_it_was(path):
    before = path.read_bytes()
    add(path, outcome(9, [case("this", 0.9)]))
    assert words_of(path)[0] == "this"
    path.write_bytes(before)
    add(path, outcome(9, [case("that", 0.9)]))
    assert words_of(path)[0] == "that"


def test_an_index_is_not_made_again_while_nothing_changes(path, monkeypatch):
    assert words_of(path)
    monkeypatch.setattr("concord.store.index.index.build", lambda *_: pytest.fail("it was made again"))
    assert words_of(path)
    with Workspace(path) as store:
        store.finish(store.run(1))
    assert words_of(path)


def test_a_writer_that_was_killed_leaves_what_it_had_stored_to_be_found(path):
    program = """
        import sys
        from concord.model import Case, Outcome, Segment, Text
        from concord.store import Workspace
        with Workspace(sys.argv[1]) as store:
            number = 100
            while True:
                text = Text(f"killed{number}", "en")
                case = Case(text, text, text, text, (text, text), 0.9, 0.4)
                store.add(store.run(1), [Outcome(Segment("s", text, number), cases=[case])])
                print(number, flush=True)
                number += 1
    """
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program), str(path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    for _ in range(20):
        child.stdout.readline()
        api.cases(path)
    os.kill(child.pid, signal.SIGKILL)
    child.stdout.close()
    child.wait()
    with Workspace(path) as store:
        assert bare(api.cases(path, limit=500, patient=True).rows) == ranked(store, [1], flagged=True)[:500]


def test_an_indexer_that_was_killed_leaves_an_index_that_is_finished_later(path):
    program = """
        import os, signal, sys
        from concord import api
        from concord.store.index import builder
        def killed(*_):
            os.kill(os.getpid(), signal.SIGKILL)
        builder._ranked = killed
        api.update_index(sys.argv[1])
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program), str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert words_of(path) == ["word4", "word3", "word2", "word1", "word0"]


def test_big_runs_are_left_to_the_background(path, monkeypatch):
    monkeypatch.setattr("concord.store.index.index.SMALL", 3)
    found = api.cases(path)
    assert (found.rows, found.as_of) == ([], [1])
    assert len(api.cases(path, patient=True).rows) == 5
    add(path, outcome(9, [case("later", 0.9)]))
    found = api.cases(path)
    assert (len(found.rows), found.as_of) == (5, [1]), "it is shown as it was"
    api.update_index(path)
    found = api.cases(path)
    assert (len(found.rows), found.as_of) == (6, [])


def test_rows_that_are_gone_since_are_passed_over(path, monkeypatch):
    assert words_of(path)
    monkeypatch.setattr("concord.store.index.index.SMALL", 0)
    add(path, outcome(4, error="no answer"))
    assert words_of(path) == ["word3", "word2", "word1", "word0"]


def test_nothing_is_indexed_without_patience_while_another_process_does(path):
    from concord.store.index.location import locked

    assert words_of(path)
    add(path, outcome(9, [case("later", 0.9)]))
    with locked(index_path(path)):
        found = api.cases(path)
    assert (len(found.rows), found.as_of) == (5, [1])


def test_several_processes_may_index_at_once(path):
    add(path, *[outcome(i, [case(f"more{i}", 0.5 + i / 10000)]) for i in range(10, 1500)])
    program = "import sys; from concord import api; api.update_index(sys.argv[1])"
    children = [subprocess.Popen([sys.executable, "-c", program, str(path)]) for _ in range(3)]
    assert [child.wait() for child in children] == [0, 0, 0]
    with Workspace(path) as store:
        assert bare(api.cases(path, limit=50).rows) == ranked(store, [1], flagged=True)[:50]


# -- the file -----------------------------------------------------------------------------------


def test_the_index_can_be_deleted_at_any_time(path):
    assert words_of(path)
    for suffix in ("", "-wal", "-shm", "-lock"):
        Path(f"{index_path(path)}{suffix}").unlink(missing_ok=True)
    assert words_of(path)


@pytest.mark.parametrize("rest", [b"", b"nothing of the kind" * 5000])
def test_a_file_that_is_no_index_is_replaced(path, rest):
    index_path(path).write_bytes(rest)
    assert words_of(path)


@pytest.mark.parametrize("start", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_damaged_index_is_made_anew(path, start):
    add(path, *[outcome(i, [case(f"more{i}", 0.45)]) for i in range(10, 300)])
    before = words_of(path)
    with Workspace(path) as store, Index(store) as index:
        index._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = index_path(path).stat().st_size
    with index_path(path).open("r+b") as file:
        file.seek(int(size * start))
        file.write(b"\xff" * (size // 10))
    assert words_of(path) == before
    assert words_of(path, text="more123") == ["more123"]


def test_an_index_of_another_version_is_made_anew(path, monkeypatch):
    monkeypatch.setattr("concord.store.index.location.version_for", lambda _: 0)
    assert words_of(path)
    monkeypatch.undo()
    assert words_of(path)


def test_an_index_of_another_workspace_says_nothing_about_this_one(path, tmp_path, facts):
    filled(tmp_path / "other.sqlite", [("rtt", [outcome(0, [case("stranger")])])], facts)
    assert words_of(tmp_path / "other.sqlite") == ["stranger"]
    index_path(tmp_path / "other.sqlite").rename(index_path(path))
    assert words_of(path) == ["word4", "word3", "word2", "word1", "word0"]


def test_where_nothing_can_be_written_the_index_is_elsewhere(path, monkeypatch):
    monkeypatch.setattr("os.access", lambda *_: False)
    assert index_path(path).parent != path.parent
    assert words_of(path)
    assert not Path(f"{path}-index").exists()


def test_a_workspace_that_cannot_be_written_and_is_of_an_older_format_is_indexed(path, monkeypatch):
    with Workspace(path) as store:
        for column in ("changes", "changed"):
            store._db.execute(f"ALTER TABLE runs DROP COLUMN {column}")
        store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    monkeypatch.setattr("os.access", lambda *_: False)
    assert words_of(path)


def test_anything_made_of_a_run_is_kept_until_the_run_changes(path):
    made = []

    def make():
        made.append(1)
        return b"%d" % len(made)

    def ask():
        with Workspace(path) as store:
            return with_index(store, lambda index: index.blob(1, "verdicts", make))

    assert [ask(), ask()] == [b"1", b"1"]
    api.update_index(path)
    assert ask() == b"1"
    add(path, outcome(9, [case("later")]))
    assert [ask(), ask()] == [b"2", b"2"]
    api.update_index(path)
    assert ask() == b"2"


def test_what_was_made_of_a_run_while_it_changed_is_not_kept(path):
    def make():
        add(path, outcome(9, [case("later")]))
        return b"half"

    with Workspace(path) as store:
        assert with_index(store, lambda index: index.blob(1, "verdicts", make)) == b"half"
        assert with_index(store, lambda index: index.blob(1, "verdicts", lambda: b"whole")) == b"whole"


def test_many_who_open_a_new_index_at_once_meet_it_whole(tmp_path, path):
    def opened(path, workspace, gate, seen):
        gate.wait()
        for _ in range(3):
            try:
                with index_errors(path):
                    open_index(path, workspace).close()
                seen.append("whole")
            except Damaged as error:
                seen.append(str(error))

    seen: list[str] = []
    for number in range(60):
        gate = threading.Barrier(3)
        each = [
            threading.Thread(target=opened, args=(tmp_path / f"{number}-index", path, gate, seen)) for _ in range(3)
        ]
        for thread in each:
            thread.start()
        for thread in each:
            thread.join()
    assert set(seen) == {"whole"}
    assert len(seen) == 60 * 9

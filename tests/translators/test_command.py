from __future__ import annotations

import asyncio
import os
import shlex
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord import plugins
from concord.errors import BadAnswer, Refused, Unavailable, UserError
from concord.translators import command
from concord.translators.command import Translator


@pytest.fixture
def script(tmp_path):
    """Makes a Python program of some lines, and gives the command that runs it."""

    def write(body):
        path = tmp_path / "my mt.py"
        path.write_text("import os, subprocess, sys, time\n" + body)
        return shlex.join([sys.executable, str(path)])

    return write


def translated(argument, texts, **options):
    return list(asyncio.run(Translator(argument=argument, **options).translate(texts, "en", "es")))


def wait_for(what):
    while not what():
        time.sleep(0.01)


def alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


UPPER = "for line in sys.stdin: print(line.rstrip('\\n').upper())"


def test_a_line_goes_in_and_a_line_comes_out(script):
    assert translated(script(UPPER), ["one", "two ñ 😀", ""]) == ["ONE", "TWO Ñ 😀", ""]


def test_the_languages_are_put_into_the_command(script):
    argument = (
        script("for line in sys.stdin: print(sys.argv[1:], line.strip())") + " --from={source} {target} '{other} x'"
    )
    assert translated(argument, ["hi"]) == ["['--from=en', 'es', '{other} x'] hi"]


def test_no_shell_reads_the_command(tmp_path):
    target = tmp_path / "made"
    assert translated(f"echo hello > {target} ; $HOME", ["hi"]) == [f"hello > {target} ; $HOME"]
    assert not target.exists()


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_a_line_break_inside_a_text_is_sent_as_one_space(end):
    assert translated("cat", [f"one{end}two", "three"]) == ["one two", "three"]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(), min_size=1, max_size=8))
def test_a_program_that_copies_gives_every_text_back_on_its_line(texts):
    for text, answer in zip(texts, translated("cat", texts), strict=True):
        if isinstance(answer, Refused):
            assert "\0" in text
        else:
            assert answer == command.LINE_BREAK.sub(" ", text)


def test_a_program_may_end_its_lines_as_windows_does_and_leave_the_last_one_open(script):
    assert translated(script(r"sys.stdout.write('uno\r\ndos')"), ["one", "two"]) == ["uno", "dos"]


def test_only_a_line_feed_ends_a_line_of_the_answer(script):
    body = r"sys.stdout.buffer.write('a\u2028b\x85c\n'.encode())"
    assert translated(script(body), ["x"]) == ["a\u2028b\x85c"]


def test_a_program_may_open_its_input_by_name():
    assert translated("cat /dev/stdin", ["hello"]) == ["hello"]


@pytest.mark.parametrize(("printed", "expected"), [(0, "0 lines for 2"), (1, "1 line for 2"), (3, "3 lines for 2")])
def test_the_wrong_number_of_lines_is_a_bad_answer(script, printed, expected):
    with pytest.raises(BadAnswer, match=expected):
        translated(script(f"print('x\\n' * {printed}, end='')"), ["one", "two"])


def test_a_failing_program_is_quoted(script):
    body = r"print('first', file=sys.stderr); print('out of \x1b[31mmemory\x07\n\n', file=sys.stderr); sys.exit(3)"
    with pytest.raises(BadAnswer) as caught:
        translated(script(body), ["one"])
    assert "ended with status 3: out of [31mmemory" in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_long_complaint_is_cut(script):
    with pytest.raises(BadAnswer) as caught:
        translated(script("sys.stderr.write('x' * 1_000_000); sys.exit(1)"), ["one"])
    assert len(str(caught.value)) < 500


def test_a_complaint_after_the_last_answer_is_still_heard(script):
    body = r"os.close(1); sys.stderr.write('x' * 60_000 + '\nat last\n'); sys.stderr.flush(); os._exit(3)"
    for _ in range(5):
        with pytest.raises(BadAnswer, match="status 3: at last"):
            translated(script(body), ["one"])


def test_a_program_without_a_message_and_one_that_was_killed_are_told_apart(script):
    with pytest.raises(BadAnswer, match="status 1: it wrote no message"):
        translated("false", ["one"])
    with pytest.raises(Unavailable, match="killed by signal 9"):
        translated(script("os.kill(os.getpid(), 9)"), ["one"])


def test_what_is_not_utf8_is_a_bad_answer_that_names_the_line(script):
    with pytest.raises(BadAnswer, match="line 2"):
        translated(script(r"sys.stdout.buffer.write(b'ok\n\xff\n')"), ["one", "two"])


def test_texts_that_no_line_can_carry_are_refused_alone(script):
    nul, good, surrogate = translated(script(UPPER), ["a\0b", "good", "\ud800"])
    assert good == "GOOD"
    assert isinstance(nul, Refused)
    assert isinstance(surrogate, Refused)


def test_a_batch_with_nothing_to_send_starts_no_program(tmp_path):
    (answer,) = translated(f"touch {tmp_path / 'started'}", ["\0"])
    assert isinstance(answer, Refused)
    assert not (tmp_path / "started").exists()


def test_a_program_that_does_not_read_its_input_does_no_harm(script):
    texts = ["x" * 1000] * 1000
    assert translated(script("os.close(0); print('ok\\n' * 1000, end='')"), texts) == ["ok"] * 1000


def test_a_program_that_prints_forever_is_stopped():
    with pytest.raises(BadAnswer, match="more than 8 MB"):
        translated("yes", ["one"])


def test_a_long_answer_can_be_read(script):
    assert translated(script("print('1-' * 1_500_000)"), ["one"]) == ["1-" * 1_500_000]


def test_a_program_that_complains_forever_is_stopped_by_the_clock(script):
    async def ask():
        system = Translator(argument=script("while True: sys.stderr.write('x' * 65536)"))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(system.translate(["one"], "en", "es"), 0.3)

    asyncio.run(ask())


@pytest.mark.parametrize("escape", ["False", "True"], ids=["in its group", "in a session of its own"])
def test_cancelling_ends_the_program_and_lets_the_next_one_run(script, tmp_path, escape):
    pids = tmp_path / "pids"
    child = f"subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], start_new_session={escape})"
    body = f"""
if sys.stdin.readline() == "hang\\n":
    child = {child}
    with open({str(pids)!r} + "~", "w") as file:
        file.write(f"{{os.getpid()}} {{child.pid}}")
    os.rename({str(pids)!r} + "~", {str(pids)!r})
    time.sleep(600)
print("ok")
"""

    async def ask():
        system = Translator(argument=script(body))
        task = asyncio.ensure_future(system.translate(["hang"], "en", "es"))
        while not pids.exists():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 120)
        assert await system.translate(["go"], "en", "es") == ["ok"]
        program, grandchild = map(int, pids.read_text().split())
        return program, grandchild

    program, grandchild = asyncio.run(ask())
    assert not alive(program)
    if escape == "True":
        os.kill(grandchild, 9)
    wait_for(lambda: not alive(grandchild))


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.01, 0.05])
def test_a_timeout_at_any_moment_leaves_no_process(script, seconds):
    mark = f"mark-{uuid4()}"

    async def ask():
        system = Translator(argument=f"{script('time.sleep(600)')} {mark}")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(system.translate(["hang"], "en", "es"), seconds)

    asyncio.run(ask())
    wait_for(lambda: not running_with(mark))


def test_cancelling_while_the_program_is_starting_ends_what_it_has_started(script, tmp_path):
    pids = tmp_path / "pids"
    body = f"""
child = subprocess.Popen(["sleep", "600"])
with open({str(pids)!r} + "~", "w") as file:
    file.write(str(child.pid))
os.rename({str(pids)!r} + "~", {str(pids)!r})
time.sleep(600)
"""
    mark = f"mark-{uuid4()}"

    async def ask():
        task = asyncio.ensure_future(Translator(argument=f"{script(body)} {mark}").translate(["x"], "en", "es"))
        while not running_with(mark):
            await asyncio.sleep(0)
        # The event loop stands still meanwhile, so it has not yet heard that the program runs.
        wait_for(pids.exists)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 120)

    asyncio.run(ask())
    wait_for(lambda: not alive(int(pids.read_text())))
    assert not running_with(mark)


def running_with(mark):
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                if mark.encode() in (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
            except OSError:
                continue
    return found


@pytest.mark.parametrize("status", [0, 3])
def test_a_helper_left_in_the_background_does_not_hold_the_answer_up(script, tmp_path, status):
    body = f"""
helper = subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL)
with open({str(tmp_path / "pid")!r}, "w") as file:
    file.write(str(helper.pid))
print("ok", flush=True)
print("broken", file=sys.stderr, flush=True)
os._exit({status})
"""
    try:
        system = Translator(argument=script(body))
        if status == 0:
            assert asyncio.run(asyncio.wait_for(system.translate(["x"], "en", "es"), 120)) == ["ok"]
        else:
            with pytest.raises(BadAnswer, match="broken"):
                asyncio.run(asyncio.wait_for(system.translate(["x"], "en", "es"), 120))
    finally:
        os.kill(int((tmp_path / "pid").read_text()), 9)


@pytest.mark.parametrize(("printed", "texts"), [("ok\\nok\\n", 2), ("ok\\n" * 9_000, 9_000)], ids=["few", "many"])
def test_a_program_that_has_ended_with_all_its_lines_has_answered(script, tmp_path, printed, texts):
    body = leaving_behind(tmp_path) + f"sys.stdout.write('{printed}'); sys.stdout.flush(); os._exit(0)"
    try:
        system = Translator(argument=script(body), batch=texts)
        asked = system.translate(["x"] * texts, "en", "es")
        assert asyncio.run(asyncio.wait_for(asked, 60)) == ["ok"] * texts
    finally:
        os.kill(int((tmp_path / "pid").read_text()), 9)


@pytest.mark.parametrize("status", [0, 3])
def test_a_program_that_has_ended_with_too_few_lines_is_not_waited_for(script, tmp_path, status, monkeypatch):
    monkeypatch.setattr(command, "GRACE", 0.05)
    body = leaving_behind(tmp_path) + f"print('ok', flush=True); os._exit({status})"
    try:
        asked = Translator(argument=script(body)).translate(["x", "y"], "en", "es")
        with pytest.raises(BadAnswer, match="ended with status 3" if status else "1 line for 2 texts"):
            asyncio.run(asyncio.wait_for(asked, 60))
    finally:
        os.kill(int((tmp_path / "pid").read_text()), 9)


def leaving_behind(folder):
    """The beginning of a program that starts another, which keeps the program's output open for ten minutes."""
    return f"""
helper = subprocess.Popen(["sleep", "600"])
with open({str(folder / "pid")!r}, "w") as file:
    file.write(str(helper.pid))
"""


def test_lines_that_a_filter_behind_the_program_writes_after_its_end_count(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "GRACE", 60.0)
    slow = tmp_path / "slow.sh"
    # The filter waits until the program has ended, and writes what it holds then.
    slow.write_text("(while kill -0 $$ 2>/dev/null; do sleep 0.05; done; echo uno; echo dos) &\nexit 0\n")
    assert translated(f"sh {slow}", ["one", "two"]) == ["uno", "dos"]


def test_two_batches_can_be_under_way_at_once(script):
    async def ask():
        system = Translator(argument=script(UPPER), processes=2)
        return await asyncio.gather(*(system.translate([word], "en", "es") for word in ("one", "two")))

    assert asyncio.run(ask()) == [["ONE"], ["TWO"]]


def test_a_missing_program_is_told_with_the_cure(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-mt").write_text("#!/bin/sh\ncat\n")
    with pytest.raises(UserError, match=r"no program 'my-mt'.*\./my-mt"):
        translated("my-mt", ["one"])
    with pytest.raises(UserError, match="no program '/nowhere/mt'"):
        translated("/nowhere/mt", ["one"])


def test_what_cannot_be_run_is_told_with_the_cure(tmp_path):
    program = tmp_path / "mt"
    program.write_text("#!/no/such/interpreter\n")
    with pytest.raises(UserError, match=r"chmod \+x"):
        translated(str(program), ["one"])
    program.chmod(0o755)
    with pytest.raises(UserError, match="check its first line"):
        translated(str(program), ["one"])
    with pytest.raises(UserError, match="cannot be run"):
        translated(str(tmp_path), ["one"])


def test_a_command_that_is_none_is_the_users_to_cure():
    with pytest.raises(UserError, match="there is no command"):
        Translator(argument=" ")
    with pytest.raises(UserError, match="cannot be split"):
        Translator(argument="mt 'x")
    for option in ("batch=0", "seconds=0", "processes=0"):
        with pytest.raises(UserError, match="cannot be '0"):
            plugins.system(f"command:cat,{option}")


def test_the_options_become_limits():
    limits = Translator(argument="cat", batch=7, seconds=2.5, processes=3).limits
    assert (limits.texts, limits.seconds, limits.in_flight) == (7, 2.5, 3)


def test_an_edited_file_is_a_new_version(tmp_path):
    program, model = tmp_path / "mt", tmp_path / "model-en-es.bin"
    program.write_text("#!/bin/sh\ncat\n")
    program.chmod(0o755)
    model.write_bytes(b"1")
    system = Translator(argument=f"{program} --model={tmp_path}/model-{{source}}-{{target}}.bin")
    versions = [system.version("en", "es")]
    model.write_bytes(b"2")
    versions.append(system.version("en", "es"))
    program.write_text("#!/bin/sh\ntac\n")
    versions.append(system.version("en", "es"))
    versions.append(system.version("en", "fr"))
    assert None not in versions
    assert len(set(versions)) == 4
    assert system.version("en", "fr") == versions[-1]


def test_a_version_that_is_told_counts_whatever_changes(tmp_path):
    log = tmp_path / "log"
    log.write_text("1")
    system = Translator(argument=f"cat {log}", version="2026-11")
    assert system.version("en", "es") == "2026-11"
    log.write_text("2")
    assert system.version("en", "es") == "2026-11"


def test_a_very_large_file_counts_by_size_and_time(tmp_path):
    model = tmp_path / "model"
    with model.open("wb") as file:
        file.truncate(command.LARGEST_FILE_READ + 1)
    system = Translator(argument=f"cat {model}")
    before = system.version("en", "es")
    assert system.version("en", "es") == before
    os.utime(model, (1, 1))
    assert system.version("en", "es") != before


def test_a_command_that_names_no_file_has_no_version():
    assert Translator(argument="no-such-program --fast").version("en", "es") is None
    assert Translator(argument="no-such-program --fast").id == "command:no-such-program --fast"


def test_it_works_in_an_event_loop_of_another_thread():
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(translated, "cat", ["one"]).result() == ["one"]

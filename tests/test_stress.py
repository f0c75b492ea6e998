"""`tools/stress` runs a command on a busy machine, and leaves nothing of that behind."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

STRESS = Path(__file__).parent.parent / "tools" / "stress"
TELL_CHILDREN = "echo $(cat /proc/$PPID/task/$PPID/children); "


def started(command: str, folder: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "TMPDIR": str(folder)}
    # A run in the background of a shell ignores Ctrl-C, and so would all that it starts.
    words = ["env", "--default-signal=INT", STRESS, "sh", "-c", TELL_CHILDREN + command]
    return subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True)


def neighbours(process: subprocess.Popen[str], becomes: str = "") -> list[int]:
    """The loops and the writer, when the command, which was started last, has become another program."""
    assert process.stdout
    *found, command = (int(word) for word in process.stdout.readline().split())
    while becomes and Path(f"/proc/{command}/comm").read_text().strip() != becomes:
        time.sleep(0.02)
    return found


def wait_until_gone(pids: list[int], folder: Path) -> None:
    while any(Path(f"/proc/{pid}").exists() for pid in pids) or any(folder.iterdir()):
        time.sleep(0.02)


def test_the_exit_code_is_that_of_the_command_and_no_neighbour_is_left(tmp_path):
    with started("exit 7", tmp_path) as process:
        found = neighbours(process)
    assert len(found) == 5
    assert process.returncode == 7
    wait_until_gone(found, tmp_path)


def test_no_neighbour_outlives_ctrl_c(tmp_path):
    with started("exec sleep 600", tmp_path) as process:
        found = neighbours(process, becomes="sleep")
        os.killpg(process.pid, signal.SIGINT)
    assert process.returncode == 130
    wait_until_gone(found, tmp_path)


def test_no_neighbour_outlives_sigkill(tmp_path):
    with started("exec sleep 600", tmp_path) as process:
        found = neighbours(process, becomes="sleep")
        process.kill()
        process.wait()
        wait_until_gone(found, tmp_path)
        os.killpg(process.pid, signal.SIGKILL)  # the command, which nobody has ended

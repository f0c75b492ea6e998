"""The memory of a run does not grow with its corpus."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path


def peak_megabytes(count: int) -> float:
    """The largest memory that `concord run` had, over a corpus of that many sentences."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.txt"
        with corpus.open("w") as file:
            file.writelines(f"Sentence number {i} tells of {i * 7} houses and no garden.\n" for i in range(count))
        command = ["run", str(corpus), "--system", "fake", "--to", "es", "-w", str(Path(folder) / "w.sqlite"), "--json"]
        child = subprocess.Popen([sys.executable, "-m", "concord.cli", *command], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0, f"the run over {count} sentences failed"
        return usage.ru_maxrss / 1024


def rows() -> list[tuple[str, str, str]]:
    small, large = peak_megabytes(10_000), peak_megabytes(100_000)
    return [
        ("peak memory, 100,000 sentences × rtt, with its workspace", f"{large:.0f} MB", "≤ 300 MB"),
        ("the same / 10,000 sentences", f"{large / small:.2f}", "1 = does not grow"),
    ]


if __name__ == "__main__":
    for row in rows():
        print("| " + " | ".join(row) + " |")

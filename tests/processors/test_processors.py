"""Every processor has one answer: trees, pairs, mutants, verdicts and stored rows do not depend on its kernels.

Each kernel of OpenBLAS that this processor can run is forced in a process of its own, where numpy and the C library
also go without the instructions that a processor of that make lacks. (They would not have to: products differ anyway.)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

SCRIPT = Path(__file__).with_name("everything.py")
KERNELS = {
    "SkylakeX": {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"},
    "Haswell": {"avx2", "fma"},
    "Sandybridge": {"avx"},
    "Nehalem": {"sse4_2"},
    "Prescott": {"pni"},
}
"""By the name that OPENBLAS_CORETYPE takes: what the processor needs for it."""
ALSO = {"Prescott": "Katmai"}
"""What OpenBLAS calls the kernel in force, where that is another name."""
SENTENCES = 10


@cache
def flags() -> frozenset[str]:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    return frozenset(next((line for line in lines if line.startswith("flags")), "").split())


def without(kernel: str) -> list[str]:
    """The instructions that numpy would use here and that a processor of the kernel's make does not have."""
    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    if kernel == "SkylakeX":
        return []
    return [each for each in found if kernel != "Haswell" or "512" in each or "V4" in each]


def lacking(kernel: str) -> dict[str, str]:
    """Settings for numpy and the C library to do without what a processor of the kernel's make does not have."""
    tunables = "" if kernel in ("SkylakeX", "Haswell") else "glibc.cpu.hwcaps=-AVX2,-FMA"
    return {"NPY_DISABLE_CPU_FEATURES": " ".join(without(kernel)), "GLIBC_TUNABLES": tunables}


@pytest.fixture
def made(tmp_path_factory) -> dict[str, dict]:
    """What each kernel makes of the same sentences; those that this processor cannot run are left out."""
    found = {}
    for kernel, needed in KERNELS.items():
        if not needed <= flags():
            continue
        folder = tmp_path_factory.mktemp(kernel)
        variables = {**os.environ, "OPENBLAS_CORETYPE": kernel, **lacking(kernel)}
        command = [sys.executable, str(SCRIPT), str(folder), str(SENTENCES), "fake"]
        subprocess.run(command, env=variables, cwd=folder, check=True)
        found[kernel] = json.loads((folder / "found.json").read_text())
    if len(found) < 2:
        pytest.skip(f"this processor can run no second kernel of {', '.join(KERNELS)}")
    return found


def test_trees_and_rows_are_the_same_on_every_processor(made):  # one test, for what it takes
    check_that_kernels_differ(made)
    check_trees(made)
    check_rows(made)


def check_that_kernels_differ(made: dict[str, dict]) -> None:
    """The kernels that were asked for are in force, and the last digits of their probabilities differ."""
    assert {kernel: each["kernels"] for kernel, each in made.items()} == {
        kernel: [ALSO.get(kernel, kernel)] for kernel in made
    }
    assert all(set(each["instructions"]).isdisjoint(without(kernel)) for kernel, each in made.items())
    assert len({str(each["chances"]) for each in made.values()}) > 1


def check_trees(made: dict[str, dict]) -> None:
    """Trees are the same, and probabilities to five digits."""
    first, *others = made.values()
    for other in others:
        assert other["trees"] == first["trees"]
        assert other["exact"] == first["exact"]
        for ours, theirs in zip(first["chances"], other["chances"], strict=True):
            assert [each[:3] for each in ours] == [each[:3] for each in theirs]
            for one, two in zip(ours, theirs, strict=True):
                assert one[3] == pytest.approx(two[3], abs=1e-5)


def check_rows(made: dict[str, dict]) -> None:
    """Every stored row is the same."""
    (name, first), *others = made.items()
    for table, rows in first["rows"].items():
        assert rows
        for kernel, other in others:
            strange = [row for row in other["rows"][table] if row not in set(rows)]
            assert not strange, f"{table}: {len(strange)} of {len(rows)} rows differ between {name} and {kernel}"
            assert len(other["rows"][table]) == len(rows)

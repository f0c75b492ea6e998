"""One BLAS thread: wherever matrices are multiplied, in every process, whatever the environment says."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import concord
from concord.blas import one_blas_thread
from concord.corpus import demo

ROOT = Path(concord.__file__).parent
TESTS = Path(__file__).parent
BY_BLAS = {
    *("matmul", "dot", "vdot", "inner", "tensordot", "cov", "corrcoef", "polyfit", "leggauss", "pearsonr", "spearmanr"),
    *("qr", "solve", "solve_triangular", "lstsq", "svd", "eigh", "inv", "pinv", "det", "CubicSpline"),
}
"""Names of functions of numpy and scipy that call BLAS or LAPACK."""
LIBRARIES = {"np", "stats", "linalg"}
PROBE = """
import json, os, sys, threading

products, seen = {tuple(each) for each in json.load(open(os.environ["PRODUCTS"]))}, set()

def probe(frame, event, argument):
    place = frame.f_code.co_filename, frame.f_code.co_firstlineno
    if event == "call" and place in products:
        from threadpoolctl import threadpool_info
        threads = max(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas")
        if (place, threads) not in seen:
            seen.add((place, threads))
            with open(os.environ["SEEN"], "a") as file:
                print(json.dumps([os.getpid(), place[0], threads]), file=file)

sys.setprofile(probe)
threading.setprofile(probe)
"""
"""Told by every process whenever a function begins that multiplies: who, where, and how many BLAS threads there are."""


def multiplies(node: ast.AST) -> bool:
    """Whether a piece of a program multiplies matrices, itself or by a function that is known to."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.MatMult)
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").startswith("scipy.") and any(each.name in BY_BLAS for each in node.names)
    return isinstance(node, ast.Attribute) and node.attr in BY_BLAS and root(node) in LIBRARIES


def root(node: ast.expr) -> str:
    """The name that a chain of attributes begins with."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def functions(path: Path) -> list[ast.FunctionDef]:
    return [each for each in ast.walk(ast.parse(path.read_text())) if isinstance(each, ast.FunctionDef)]


def products(path: Path) -> list[ast.FunctionDef]:
    return [each for each in functions(path) if any(map(multiplies, ast.walk(each)))]


MULTIPLYING = [
    path for path in sorted(ROOT.rglob("*.py")) if any(map(multiplies, ast.walk(ast.parse(path.read_text()))))
]


@pytest.mark.parametrize("path", MULTIPLYING, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_that_multiplies_matrices_holds_blas_to_one_thread_after_its_imports(path):
    body = ast.parse(path.read_text()).body
    calls = [each.lineno for each in body if ast.unparse(each) == "one_blas_thread()"]
    imports = [each.lineno for each in body if isinstance(each, ast.Import | ast.ImportFrom)]
    assert calls, "multiplies matrices, but does not call one_blas_thread()"
    assert min(calls) > max(imports)


def threads() -> set[int]:
    assert np.__version__  # whose BLAS is meant
    return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}


@pytest.fixture
def several():
    """As many threads as a user may have asked for, and in the end one, as Concord has it."""
    set_elsewhere(2)
    yield
    one_blas_thread()


def set_elsewhere(count: int) -> None:
    thread = Thread(target=lambda: threadpool_limits(count, user_api="blas"))
    thread.start()
    thread.join()


def test_whatever_was_set_before_is_overruled(several):
    assert threads() == {2}
    one_blas_thread()
    assert threads() == {1}


def test_a_thread_that_lives_on_does_not_keep_others_from_setting_the_limit(several):
    done, leave = Event(), Event()

    def work() -> None:
        one_blas_thread()
        done.set()
        leave.wait()

    thread = Thread(target=work)
    thread.start()
    done.wait()
    set_elsewhere(2)
    assert threads() == {2}
    one_blas_thread()
    assert threads() == {1}
    leave.set()
    thread.join()


def seen(folder: Path, *command: str, given: str = "") -> list[tuple[int, str, int]]:
    """The processes that a command starts, where they multiplied, and how many BLAS threads there were."""
    (folder / "sitecustomize.py").write_text(PROBE)
    # The network is given its product by the module of its steps.
    every = [*MULTIPLYING, ROOT / "language" / "parse" / "_network.py"]
    places = [[str(path), first(each)] for path in every for each in products(path) or functions(path)]
    (folder / "products.json").write_text(json.dumps(places))
    paths = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    variables = {"PYTHONPATH": paths, "PRODUCTS": str(folder / "products.json"), "SEEN": str(folder / "seen")}
    asked = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "4")
    everything = os.environ | variables | asked
    subprocess.run([sys.executable, *command], cwd=folder, env=everything, input=given.encode(), check=True)
    lines = [json.loads(line) for line in (folder / "seen").read_text().splitlines()]
    return [(process, str(Path(file).relative_to(ROOT)), threads) for process, file, threads in lines]


def first(function: ast.FunctionDef) -> int:
    return min([function.lineno, *(each.lineno for each in function.decorator_list)])


@pytest.mark.parametrize("workers", [1, 3])
def test_a_run_multiplies_on_one_thread_in_every_process(tmp_path, workers):
    (tmp_path / "lines.txt").write_text("".join(f"{each.text.words}\n" for each in islice(demo(), 12)))
    run = ["run", "lines.txt", "--relation", "transrepair", "--system", "fake", "--to", "es", "--workers", str(workers)]
    found = seen(tmp_path, "-m", "concord.cli", *run)
    assert {file for _, file, _ in found} >= {"language/parse/_network.py", "language/english/lexicon.py"}
    assert (len({process for process, _, _ in found}) > 1) == (workers > 1)
    assert {threads for _, _, threads in found} == {1}


def test_what_a_page_starts_multiplies_on_one_thread(tmp_path):
    asked = {"do": "attempt", "sentence": "The red house stood near the old river.", "system": "fake"}
    asked |= {"relations": ["rti"], "source": "en", "to": "es"}
    found = seen(tmp_path, "-m", "concord.web.worker", given=json.dumps(asked))
    assert {(file, threads) for _, file, threads in found} >= {("language/parse/_network.py", 1)}
    assert {threads for _, _, threads in found} == {1}


def test_statistics_multiply_on_one_thread_of_both_libraries(tmp_path):
    rows = "".join(f"{score},{system},{pair}\n" for score in (0.1, 0.4, 0.2) for system in "ab" for pair in "xy")
    (tmp_path / "scores.csv").write_text(f"score,system,pair\n{rows}")
    found = seen(
        tmp_path,
        "-m",
        "concord.cli",
        "analyse",
        "scores.csv",
        "--response",
        "score",
        "--factor",
        "system",
        "--factor",
        "pair",
    )
    assert {file for _, file, _ in found} >= {"stats/linear.py", "stats/cells.py"}
    assert {threads for _, _, threads in found} == {1}

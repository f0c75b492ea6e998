"""An experiment small enough for a test: two made-up systems over three languages."""

from __future__ import annotations

import pytest

from concord import api

FILE = """
systems = ["fake", "faulty:fake,kind=drop_word,rate=0.5"]
targets = {targets}
replications = {replications}
{more}
"""


@pytest.fixture
def experiment(tmp_path, monkeypatch):
    """`experiment(replications, more)` writes a file and makes its observations; gives the file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CONCORD_WORKSPACE", raising=False)

    def made(replications=10, more="", targets=("es", "ca", "gl"), **options):
        file = tmp_path / "small.toml"
        file.write_text(FILE.format(replications=replications, more=more, targets=list(targets)))
        api.run_experiment(file, **options)
        return file

    return made

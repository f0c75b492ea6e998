"""The phrases of a relation are printed without a translation, and a parser that fails costs one text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from concord import api
from concord.corpus import read
from concord.errors import UserError

MOODY = '''
"""A parser for tests that fails on what it does not like."""
from concord.language.parse.concord_en import Parser as Sound

class Parser(Sound):
    id = "moody"
    def parse(self, texts):
        if any("!" in text.words for text in texts):
            raise RuntimeError("not so loud")
        return super().parse(texts)
'''
LINES = "The new owners of the old paper mill closed it.\nGo!\nThe new owners of the old paper mill closed it.\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "c.txt"
    path.write_text(LINES, "utf-8")
    return path


def test_every_pair_is_a_row_once(corpus: Path) -> None:
    rows = list(api.constructed(read(corpus, "en"), "rti"))
    assert [(row["position"], row["phrase"], row["where"]) for row in rows] == [
        (0, "The new owners of the old paper mill", "sentence"),
        (0, "the old paper mill", "sentence"),
        (0, "the old paper mill", "phrase"),
    ]


def test_the_command_prints_a_table_or_json(concord, corpus: Path) -> None:
    code, out, _ = concord("phrases", str(corpus), "--relation", "rti")
    assert (code, out.splitlines()[-1]) == (0, "3 segments, 2 phrases, 3 pairs")
    code, out, _ = concord("phrases", str(corpus), "--relation", "rti", "--json")
    found = json.loads(out)
    assert (found["phrases"], found["pairs"], found["errors"], len(found["rows"])) == (2, 3, 0, 3)


def test_a_parser_that_fails_costs_one_text(corpus: Path, guest) -> None:
    guest("parsers", "moody", MOODY)
    rows = list(api.constructed(read(corpus, "en"), "rti", parser="moody"))
    assert [row["position"] for row in rows if "error" not in row] == [0, 0, 0]
    assert [row["error"] for row in rows if "error" in row] == ["the parser failed with RuntimeError: not so loud"]


def test_a_corpus_of_errors_alone_has_failed(concord, corpus: Path, guest) -> None:
    guest("parsers", "moody", MOODY)
    corpus.write_text("Go!\n", "utf-8")
    assert concord("phrases", str(corpus), "--parser", "moody")[0] == 1


@pytest.mark.parametrize(
    ("relation", "said"),
    [("rtt", "has no phrases"), ("rti,max_words=1", "max_words")],
)
def test_what_cannot_work_is_said(corpus: Path, relation: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        list(api.constructed(read(corpus, "en"), relation))

"""The plug-ins that CONTRIBUTING shows work as they stand, from a file and in a package."""

from __future__ import annotations

from pathlib import Path

import pytest

from concord import api, plugins
from concord.errors import UserError
from concord.testing import check_relation, check_translator

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "examples" / "plugins"


@pytest.mark.parametrize("name", ["echo", "shout", "first_word"])
def test_contributing_quotes_the_example(name):
    assert (FOLDER / f"{name}.py").read_text().rstrip() in (ROOT / "CONTRIBUTING.md").read_text()


def test_they_conform():
    check_relation(plugins.load("relations", str(FOLDER / "echo.py")))
    translator = plugins.entry("translators", str(FOLDER / "shout.py"))
    check_translator(lambda: translator(), "en", "es")


def test_a_relation_a_system_and_a_metric_are_taken_from_files_of_the_user(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("echo", "shout", "first_word"):
        (tmp_path / f"{name}.py").write_text((FOLDER / f"{name}.py").read_text())
    (tmp_path / "c.txt").write_text("A dog sleeps.\n")
    relations = ["./echo.py,threshold=0.1", "rtt,metric=./first_word.py"]
    settings = api.Settings(workers=2)
    first, second = api.run("c.txt", relations=relations, systems=["./shout.py,mark=?"], to=["es"], settings=settings)
    assert first.run.signature.startswith("./echo.py|threshold:0.1|en-es|mt:./shout.py,mark=?")
    assert "|file[echo.py]:" in first.run.signature
    assert (first.cases, second.cases, first.errors, second.errors) == (1, 1, 0, 0)
    (row,) = api.rows("concord.sqlite", [second.run.id])
    assert row["directions"] == {"./first_word.py": "lower-is-worse"}


@pytest.mark.parametrize(
    ("family", "text", "message"),
    [
        ("relations", "./echo.py,threshold=abc", "threshold cannot be 'abc'"),
        ("relations", "./echo.py,threshold=2", "a number from 0 to 1 is expected"),
        ("relations", "./none.py", "there is no file"),
        ("relations", "./broken.py", "cannot be loaded"),
        ("relations", "./first_word.py", "its module has no check"),
        ("translators", "./shout.py,marks=!", "Did you mean 'mark'"),
        ("metrics", "./none.py", "there is no file"),
    ],
)
def test_what_is_wrong_with_a_file_or_its_options_is_said_before_anything_is_sent(
    tmp_path, monkeypatch, family, text, message
):
    monkeypatch.chdir(tmp_path)
    for name in ("echo", "shout", "first_word"):
        (tmp_path / f"{name}.py").write_text((FOLDER / f"{name}.py").read_text())
    (tmp_path / "broken.py").write_text("import nothing_of_that_name\n")
    with pytest.raises(UserError, match=message):
        plugins.parse(family, text)


def test_an_option_without_annotation_has_the_type_of_its_default(tmp_path):
    file = tmp_path / "bare.py"
    file.write_text(
        '"""Bare: nothing."""\nasync def check(x, translate, *, to, threshold=0.5, kinds=("a",), n=3): ...\n'
    )
    spec = plugins.parse("relations", f"{file},threshold=1,kinds=b,c,n=4")
    assert spec.options == {"threshold": 1.0, "kinds": ("b", "c"), "n": 4}
    with pytest.raises(UserError, match="a value of type number is expected"):
        plugins.parse("relations", f"{file},threshold=abc")

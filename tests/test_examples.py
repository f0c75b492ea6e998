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
    plugins.admit(str(FOLDER / "shout.py"))
    check_relation(str(FOLDER / "echo.py"))
    translator = plugins.entry("translators", str(FOLDER / "shout.py"))
    check_translator(lambda: translator(), "en", "es")


@pytest.mark.usefixtures("toy_languages")
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
    plugins.admit(text)
    with pytest.raises(UserError, match=message):
        plugins.parse(family, text)


def test_an_option_without_annotation_has_the_type_of_its_default(tmp_path):
    file = tmp_path / "bare.py"
    file.write_text(
        '"""Bare: nothing."""\nasync def check(x, translate, *, to, threshold=0.5, kinds=("a",), n=3): ...\n'
    )
    plugins.admit(str(file))
    spec = plugins.parse("relations", f"{file},threshold=1,kinds=b,c,n=4")
    assert spec.options == {"threshold": 1.0, "kinds": ("b", "c"), "n": 4}
    with pytest.raises(UserError, match="a value of type number is expected"):
        plugins.parse("relations", f"{file},threshold=abc")


def test_a_file_that_only_data_name_is_not_run(tmp_path, concord):
    (tmp_path / "evil.py").write_text("open('ran', 'w')\n")
    header = "relation\tsource\tfollow_up\tsource_output\tfollow_up_output\n"
    (tmp_path / "pairs.tsv").write_text(f"{header}./evil.py\ta\tb\tc\td\n")
    code, _, err = concord("judge", "pairs.tsv", "--from", "en", "--to", "es")
    assert code == 2
    assert "nobody has named it" in err
    assert not (tmp_path / "ran").exists()


@pytest.mark.usefixtures("toy_languages")
def test_a_system_or_a_metric_that_has_changed_is_another_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.txt").write_text("A dog sleeps.\n")
    for name in ("shout", "first_word"):
        (tmp_path / f"{name}.py").write_text((FOLDER / f"{name}.py").read_text())
    what = {"relations": ["rtt,metric=./first_word.py"], "systems": ["./shout.py"], "to": ["es"]}
    (first,) = api.run("c.txt", **what)
    for name, old, new in (("shout", "upper", "lower"), ("first_word", "==", "!=")):
        (tmp_path / f"{name}.py").write_text((FOLDER / f"{name}.py").read_text().replace(old, new))
        (again,) = api.run("c.txt", **what)
        assert again.run.signature != first.run.signature
        first = again
    (row,) = api.rows("concord.sqlite", [first.run.id])
    assert (row["source_output"]["words"], row["suspicion"]) == ("a dog sleeps.!", 0.0)


def test_a_file_of_the_user_is_configured_tuned_and_limited_by_its_path(tmp_path, concord):
    (tmp_path / "echo.py").write_text((FOLDER / "echo.py").read_text())
    (tmp_path / "c.txt").write_text("A dog sleeps.\n")
    run = ("run", "c.txt", "-s", "fake", "-t", "es", "-r", "./echo.py")
    assert concord(*run)[0] == 0
    assert concord("tune", "--at", "0.3", "-r", "./echo.py")[0] == 0
    code, out, _ = concord(*run, "--json")
    assert (code, "|threshold:0.3|" in out) == (0, True)
    assert concord("run", "c.txt", "-s", "fake", "-t", "es", "-r", "rtt")[0] == 0
    assert concord("gate", "--max", "./echo.py=1", "--max", "rtt=1")[0] == 0


def test_a_form_that_does_not_exist_is_refused_in_the_project_file_and_by_the_gate(tmp_path, concord):
    (tmp_path / "c.txt").write_text("A dog sleeps.\n")
    (tmp_path / "concord.toml").write_text('[relations."rti:papr"]\nd = 2\n')
    code, _, err = concord("run", "c.txt", "-s", "fake", "-t", "es", "-r", "rtt")
    assert (code, "Choose rti or rti:paper" in err) == (2, True)
    (tmp_path / "concord.toml").unlink()
    assert concord("run", "c.txt", "-s", "fake", "-t", "es", "-r", "rti:paper")[0] == 0
    assert "there is no relation" not in concord("gate", "--max", "rti:paper=1")[2]
    assert "Choose rti or rti:paper" in concord("gate", "--max", "rti:=1")[2]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def check(x, translate, *, to): return []", "write async def check"),
        ("TRAITS = {}\nasync def check(x, translate, *, to): return []", "TRAITS is a concord.Traits"),
        ("async def check(x, translate, prase, *, to): return []", "there is no service 'prase'"),
        ("async def check(x, translate, *, to, n: 'Missing' = 1): return []", "cannot be read"),
    ],
)
def test_a_mistake_in_a_relation_is_said_before_anything_is_sent(tmp_path, concord, source, message):
    (tmp_path / "mine.py").write_text(f'"""Mine: nothing."""\n{source}\n')
    (tmp_path / "c.txt").write_text("A dog sleeps.\n")
    code, _, err = concord("run", "c.txt", "-s", "fake", "-t", "es", "-r", "./mine.py")
    assert (code, message in err) == (2, True), err

"""Corrected translations leave the workspace as training sets that other programs read."""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ET

import pytest

from concord import api
from concord.labels.corrections import Correction, corrections, put_corrections
from concord.labels.labels import Label, Labels
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace
from concord.store.export import Form
from concord.store.label_rows import outputs_of

LANG = "{http://www.w3.org/XML/1998/namespace}lang"
HOSTILE = '<seg>&amp; "quoted" ]]> \x00\x0b\ufffe\tend\r\nof it'
REQUIRED = {"creationtool", "creationtoolversion", "segtype", "o-tmf", "adminlang", "srclang", "datatype"}


def phrase(words, made="un perro"):
    texts = Text(f"I see {words}.", "en"), Text(words, "en"), Text(f"Veo {made}.", "es"), Text(made, "es")
    return Case(*texts, texts[2:], 1.0, 0.0)


@pytest.fixture
def workspace(tmp_path, facts):
    with Workspace(tmp_path / "w.sqlite") as opened:
        run = opened.begin(facts("rti", system='table "x"'))
        cases = [phrase("a dog"), phrase("two cats", "dos perros")]
        opened.add(run, [Outcome(Segment("s0", Text("I see.", "en"), 0), cases=cases)])
        yield opened


def say(workspace, number, verdict="error", annotator="ana", **more):
    row = api.worst(workspace.path, [1], 10)[number]
    Labels(workspace).save([Label(row["case"], annotator, verdict, outputs_of(row), **more)])


def written(found, format, **how):
    file = io.StringIO()
    assert put_corrections(found, file, Form(format, **how)) == len(found)
    return file.getvalue()


def correction(source, corrected="así", **more):
    facts = dict(zip(Correction.__slots__, [source, "wrong", corrected, "en", "es", "s", "rti"], strict=False))
    facts |= {"categories": ("unclear logic", "over-translation"), "kinds": (), "severity": "major"}
    facts |= {"annotator": "ana", "created": "2026-01-02T03:04:05.678901+00:00", "case": "00ff", "comment": ""}
    return Correction(**facts | more)


def test_a_correction_is_of_the_output_that_is_called_wrong(workspace):
    say(workspace, 0, wrong="source output", correction="Veo un can.", categories=("unclear logic",), severity="minor")
    say(workspace, 1, wrong="follow-up output", correction="dos gatos")
    first, second = corrections(workspace, [1])
    assert (first.source, first.wrong, first.corrected) == ("I see a dog.", "Veo un perro.", "Veo un can.")
    assert (first.source_lang, first.target_lang, first.annotator, first.severity) == ("en", "es", "ana", "minor")
    assert first.categories == ("unclear logic",)
    assert (second.source, second.wrong, second.corrected) == ("two cats", "dos perros", "dos gatos")


def test_only_errors_with_another_translation_are_corrections(workspace):
    say(workspace, 0, "correct", correction="Veo un can.")
    say(workspace, 1, correction="Veo dos perros.")  # what it was
    say(workspace, 1, annotator="ben")
    assert list(corrections(workspace, [1])) == []


def test_everybodys_correction_is_there_and_each_once(workspace, facts):
    again = workspace.begin(facts("rti", system='table "x"'))
    workspace.add(again, [Outcome(Segment("s0", Text("I see.", "en"), 0), cases=[phrase("a dog")])])
    for name in ("ana", "ben"):
        say(workspace, 0, annotator=name, correction=f"Veo un can, {name}.")
    assert [each.annotator for each in corrections(workspace, [1, again.id])] == ["ana", "ben"]


def test_a_correction_of_former_outputs_keeps_what_was_wrong_then(workspace, facts):
    say(workspace, 0, wrong="both", correction="Veo un can.")
    later = workspace.begin(facts("rti", system='table "x"'))
    workspace.add(later, [Outcome(Segment("s0", Text("I see.", "en"), 0), cases=[phrase("a dog", "un lobo")])])
    (found,) = corrections(workspace, [later.id])
    assert found.wrong == "Veo un perro."


def test_tmx_is_what_its_definition_asks_for():
    found = [correction(HOSTILE, comment="<b>&"), correction("Two.", source_lang="zh-Hant", target_lang="pt-BR")]
    text = written(found, "tmx")
    tree = ET.fromstring(text.encode())
    assert (tree.tag, tree.get("version"), [each.tag for each in tree]) == ("tmx", "1.4", ["header", "body"])
    assert set(tree.find("header").keys()) >= REQUIRED
    assert tree.find("header").get("segtype") in ("block", "paragraph", "sentence", "phrase")
    for unit in tree.find("body"):
        tags = [each.tag for each in unit]
        assert tags == sorted(tags, key=("note", "prop", "tuv").index)  # (note | prop)*, tuv+
        assert all(variant.get(LANG) and [each.tag for each in variant] == ["seg"] for variant in unit.findall("tuv"))
    first, second = tree.find("body")
    assert first.get("creationdate") == "20260102T030405Z"
    assert first.find("note").text == "<b>&"
    assert [each.get(LANG) for each in second.findall("tuv")] == ["zh-Hant", "pt-BR"]
    assert first.find("tuv/seg").text.startswith('<seg>&amp; "quoted" ]]> \ufffd\ufffd\ufffd\tend')


def test_tmx_is_read_back_as_a_corpus(tmp_path):
    (tmp_path / "c.tmx").write_text(written([correction("I see a dog.", "Veo un can.")], "tmx"), encoding="utf-8")
    (segment,) = api.read(tmp_path / "c.tmx", "en")
    assert (segment.text.words, segment.reference) == ("I see a dog.", "Veo un can.")


def test_tsv_has_one_line_for_each_whatever_is_in_the_texts():
    lines = written([correction("a\tb\nc\u2028d\re"), correction("two")], "tsv").splitlines()
    assert len(lines) == 3
    names, first = lines[0].split("\t"), lines[1].split("\t")
    assert (len(names), len(first)) == (len(Correction.__slots__),) * 2
    assert dict(zip(names, first, strict=True))["source"] == "a b c d e"
    assert dict(zip(names, first, strict=True))["categories"] == "unclear logic; over-translation"


def test_tsv_has_no_formula_unless_it_is_raw_and_is_read_back_as_it_was(tmp_path):
    texts = ["=1+1", "- no", "\t@x", "'tis", "plain"]
    table = written([correction(text) for text in texts], "tsv")
    (tmp_path / "c.tsv").write_text(table)
    assert [line.split("\t")[0] for line in table.splitlines()[1:]] == ["'=1+1", "'- no", "' @x", "''tis", "plain"]
    assert [each.text.words for each in api.read(tmp_path / "c.tsv", "en")] == ["=1+1", "- no", " @x", "'tis", "plain"]
    raw = written([correction(text) for text in texts], "tsv", raw=True)
    assert [line.split("\t")[0] for line in raw.splitlines()[1:]] == ["=1+1", "- no", " @x", "'tis", "plain"]
    (tmp_path / "raw.tsv").write_text(raw)
    assert [each.text.words for each in api.read(tmp_path / "raw.tsv", "en")] == [
        "=1+1",
        "- no",
        " @x",
        "'tis",
        "plain",
    ]


def test_jsonl_has_the_texts_as_they_are():
    (line,) = written([correction(HOSTILE)], "jsonl").splitlines()
    found = json.loads(line)
    assert found["source"] == HOSTILE
    assert found["categories"] == ["unclear logic", "over-translation"]


def test_without_labels_there_are_files_without_units(workspace, tmp_path):
    for format in ("jsonl", "tsv", "tmx"):
        assert api.export(workspace.path, [1], tmp_path / f"c.{format}", kind="corrections") == 0
    assert ET.parse(tmp_path / "c.tmx").find("body") is not None

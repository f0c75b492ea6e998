"""The data folder is built from clones; the clones here are small trees of the same shape, made up by the test."""

from __future__ import annotations

import csv
import importlib
import json
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMESPACE = "http://schemas.openxmlformats.org"
LABELS = "No.,Source_Sentence,Translated_Sentence,Translation_Label_Consistent\n"


@pytest.fixture
def get(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    return importlib.import_module("reproduce.get")


@pytest.fixture
def clones(tmp_path):
    """All five repositories, with a few made-up entries in each file."""
    folder = tmp_path / "clones"
    errors = (
        "# Title\n\n+ Row 1: category\n\n| under \\| logic |\n| :--- |\n| A dog barks. |\n|一只狗。|\n| A dog.|\n\n"
    )
    files = {
        "TestTranslation/dataset/business": "The price rose.\n\nThe shop shut.\n",
        "TestTranslation/dataset/politics": "The vote is today.\n",
        "TestTranslation/errors/GoogleRTI.md": errors,
        "TestTranslation/errors/GoogleSIT.md": errors * 2,
        "TestTranslation/errors/GooglePatInvChinese.md": "| Issue 1 |\n| :--- |\n|a|\n|b|\n|甲|\n| both |\n| c |\n",
        "SemMT/data/RQ1-RQ3-Bug-Detection/bug_detection_label.csv": f'\ufeff{LABELS}1,"a, b",c,bug\n2,d,e,correct\n',
        **{f"SemMT/data/RQ4-Applicability/{name}.csv": ",NL1,NL1t\n0,a,b\n" for name in ("Bing", "EN-JP", "KB13")},
        "SemMT/data/Training-Data/NL-RX-Synth-Augmented.txt": 'lines with "a"\t. * a . *\nlines\t. *\n',
        "SemMT/data/Motivation/WMT-News.en-es.en": "Two dogs bark.\n\nNo cat sleeps.\n",
        "TransRepair/labeled data/RQ2 Inconsistency-revealing/Threshold-Learning-data-GT.txt": "\n\n".join(
            f"Label: {bug}\nLCS: 0.5\nED: 1\nTf-idf: 1\nBLEU: 0.25\n甲 乙\na b\n甲 丙\na c" for bug in ("True", "False")
        ),
        **{
            f"Word-Closure-Based-MT/data/RQ1/{relation}-{direction}-google.csv": "\ufeffS_s,S_f,T_s,T_f,Violation,X\n"
            f"{relation} {direction},f,t,u,1,\n"
            for relation in ("SIT", "CAT", "CIT", "Purity", "PatInv")
            for direction in ("en2zh", "zh2en")
        },
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    report = folder / "Metamorphic-Testing-of-Machine-Translation-Software"
    report.mkdir()
    for name in ("local_test_results.xlsx", "testResults.xlsx", "local_test_results_Robin.xlsx"):
        workbook(report / name)
    return folder


def workbook(path):
    """A workbook of two sheets with shared, inline and numeric cells, one row of which could not be translated."""
    header = ["Service", "Test Phrase", "Source Language", "Intermediate Language", "Target Language"]
    header += ["Direct Translation", "Alternate Translation"]
    rows = [["Google", "A dog.", "en", "fr", "ja", "犬", "狗"], ["Bing", "A cat.", "en", "N/A", "ja", "猫", "N/A"]]
    results = [
        ["Service", "Lev-Distance", "BLEU-Score", "Cosine-Similarity"],
        ["Google", 0.5, 0.25, 0.125],
        ["Bing", "N/A"],
    ]
    shared = ["Google", "Service"]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{NAMESPACE}/spreadsheetml/2006/main"'
            f' xmlns:r="{NAMESPACE}/officeDocument/2006/relationships"><sheets>'
            '<sheet name="Test Phrases" r:id="rId1"/><sheet name="Test Results" r:id="rId2"/></sheets></workbook>',
        )
        links = "".join(f'<Relationship Id="rId{n}" Target="worksheets/sheet{n}.xml"/>' for n in (1, 2))
        archive.writestr("xl/_rels/workbook.xml.rels", f"<Relationships>{links}</Relationships>")
        texts = "".join(f"<si><t>{text}</t></si>" for text in shared)
        archive.writestr("xl/sharedStrings.xml", f'<sst xmlns="{NAMESPACE}/spreadsheetml/2006/main">{texts}</sst>')
        for number, sheet in ((1, [header, *rows]), (2, results)):
            body = "".join(
                f'<row r="{at}">'
                + "".join(cell(value, f"{chr(65 + n)}{at}", shared) for n, value in enumerate(row))
                + "</row>"
                for at, row in enumerate(sheet, 1)
            )
            page = f'<worksheet xmlns="{NAMESPACE}/spreadsheetml/2006/main"><sheetData>{body}</sheetData></worksheet>'
            archive.writestr(f"xl/worksheets/sheet{number}.xml", page)


def cell(value, place, shared):
    if value in shared:
        return f'<c r="{place}" t="s"><v>{shared.index(value)}</v></c>'
    if isinstance(value, float):
        return f'<c r="{place}"><v>{value}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>'


def jsonl(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def table(path):
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_every_file_is_built_from_its_repository(get, clones, tmp_path, capsys):
    data = tmp_path / "data"
    assert get.main(clones, data) == 0
    assert capsys.readouterr().err == ""
    assert jsonl(data / "rti/sentences.jsonl") == [
        {"corpus": "business", "text": "The price rose."},
        {"corpus": "business", "text": "The shop shut."},
        {"corpus": "politics", "text": "The vote is today."},
    ]
    error = {"categories": ["under", "logic"], "source": "A dog barks.", "target": "一只狗。", "meaning": "A dog."}
    assert jsonl(data / "rti/published_errors_google.jsonl") == [error]
    assert jsonl(data / "sit/published_errors_google.jsonl") == [error, error]
    (invariant,) = jsonl(data / "patinv/published_errors_google_chinese.jsonl")
    assert invariant == {"source": "a", "mutant": "b", "translation": "甲", "wrong": "both", "meaning": "c"}
    assert jsonl(data / "semmt/wmt_news.jsonl") == [{"text": "Two dogs bark."}, {"text": "No cat sleeps."}]


def test_of_the_labelled_round_trips_half_are_the_development_file(get, clones, tmp_path):
    get.main(clones, tmp_path / "data")
    whole, half = (table(tmp_path / f"data/semmt/labelled_google_en_zh{part}.csv") for part in ("", "_dev"))
    assert [row["No."] for row in whole] == ["1", "2"]
    assert half == whole[:1]
    assert half[0]["Source_Sentence"] == "a, b"


def test_expressions_keep_their_quotation_marks(get, clones, tmp_path):
    get.main(clones, tmp_path / "data")
    text = (tmp_path / "data/semmt/nl_regex_train.tsv").read_text("utf-8")
    assert text == 'sentence\tregex\nlines with "a"\t. * a . *\nlines\t. *\n'


def test_pairs_have_their_scores_and_relations_their_directions(get, clones, tmp_path):
    get.main(clones, tmp_path / "data")
    first, second = jsonl(tmp_path / "data/transrepair/threshold_learning_data_gt.jsonl")
    assert first | {"bug": False} == second
    assert (first["bug"], first["lcs"], first["tfidf"], first["mutant"], first["source"]) == (
        True,
        0.5,
        1.0,
        "a b",
        "a c",
    )
    pairs = table(tmp_path / "data/pairs/labelled_google.csv")
    assert len(pairs) == 10
    assert pairs[1] == {
        **{"relation": "SIT", "source_lang": "zh", "target_lang": "en", "system": "google"},
        **{"source": "SIT zh2en", "follow_up": "f", "source_translation": "t", "follow_up_translation": "u"},
        "violation": "1",
    }


def test_observations_are_read_from_workbooks_without_those_that_failed(get, clones, tmp_path):
    get.main(clones, tmp_path / "data")
    rows = table(tmp_path / "data/pivot/uow_2017_observations.csv")
    assert len(rows) == 3
    assert rows[0] == {
        **{"system": "Google", "source": "A dog.", "source_lang": "en", "pivot_lang": "fr", "target_lang": "ja"},
        **{"direct": "犬", "via_pivot": "狗", "levenshtein": "0.5", "bleu": "0.25", "cosine": "0.125"},
    }


@pytest.mark.parametrize(
    ("lacking", "named"),
    [
        ("TestTranslation/dataset/politics", "RobustNLP/TestTranslation"),
        ("SemMT/data/Motivation/WMT-News.en-es.en", "ArabelaTso/SemMT"),
        ("Metamorphic-Testing-of-Machine-Translation-Software/testResults.xlsx", "yanboyang713/Metamorphic"),
    ],
)
def test_what_a_clone_lacks_is_named_and_the_rest_is_built(get, clones, tmp_path, capsys, lacking, named):
    (clones / lacking).unlink()
    assert get.main(clones, tmp_path / "data") == 1
    (message,) = capsys.readouterr().err.splitlines()
    assert f"there is no file {clones / lacking}. Clone https://github.com/{named}" in message
    assert (tmp_path / "data/pairs/labelled_google.csv").is_file()


def test_without_any_clone_every_file_is_named(get, tmp_path, capsys):
    (tmp_path / "none").mkdir()
    assert get.main(tmp_path / "none", tmp_path / "data") == 1
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(":")[0] for line in lines] == [source.target for source in get.SOURCES]
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("TestTranslation/errors/GoogleRTI.md", "| under |\n| :--- |\n| A dog. |\n", "has 2 rows instead of 4: under"),
        ("TestTranslation/errors/GoogleRTI.md", "nothing\n", "its files have no rows"),
        (
            "TransRepair/labeled data/RQ2 Inconsistency-revealing/Threshold-Learning-data-GT.txt",
            "Label: True\nLCS: 1\n",
            "has 2 lines instead of 9: Label: True",
        ),
        ("Word-Closure-Based-MT/data/RQ1/SIT-en2zh-google.csv", "version\noid\n", "is not as its repository has it"),
        (
            "Metamorphic-Testing-of-Machine-Translation-Software/testResults.xlsx",
            "version\noid\n",
            "is not as its repository has it (BadZipFile",
        ),
    ],
)
def test_a_file_of_another_shape_is_refused(get, clones, tmp_path, capsys, file, text, said):
    (clones / file).write_text(text, encoding="utf-8")
    assert get.main(clones, tmp_path / "data") == 1
    assert said in capsys.readouterr().err

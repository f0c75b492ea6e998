"""Pairs that were translated elsewhere, in the shapes people have."""

from __future__ import annotations

import json

import pytest

from concord.corpus.pairs import read_pairs
from concord.errors import CorpusError, UserError

HEADER = "relation,source_lang,target_lang,source,follow_up,source_translation,follow_up_translation,violation"


def write(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_csv_with_the_published_columns_is_read_in_order(tmp_path):
    path = write(tmp_path, "pairs.csv", f'{HEADER}\nrtt,en,zh,"a, b",c,d,e,1\nrtt,eng,zh-CN,f,g,h,i,0\n')
    first, second = read_pairs(path)
    assert first.words == {"source": "a, b", "follow_up": "c", "source_output": "d", "follow_up_output": "e"}
    assert (first.langs["target_lang"], second.langs["source_lang"]) == ("zh", "en")
    assert second.langs["target_lang"] == "zh-Hans"
    assert first.row["violation"] == "1"


def test_tsv_and_jsonl_say_the_same(tmp_path):
    row = {"relation": "rtt", "source_lang": "en", "target_lang": "es", "src": "a", "mt": "b", "back_translation": "c"}
    tsv = write(tmp_path, "p.tsv", "\t".join(row) + "\n" + "\t".join(row.values()) + "\n")
    jsonl = write(tmp_path, "p.jsonl", json.dumps(row) + "\n\n")
    (a,), (b,) = read_pairs(tsv), read_pairs(jsonl)
    assert a.words == b.words == {"source": "a", "source_output": "b", "follow_up_output": "c"}


def test_rows_of_jsonl_may_have_different_fields(tmp_path):
    row = {
        "relation": "pivot",
        "source_lang": "en",
        "target_lang": "es",
        "src": "a",
        "mt": "b",
        "back_translation": "c",
    }
    lines = [json.dumps(row), json.dumps(row | {"pivot": "ca"})]
    first, second = read_pairs(write(tmp_path, "p.jsonl", "\n".join(lines)))
    assert (first.langs["pivot_lang"], second.langs["pivot_lang"]) == ("und", "ca")


def test_what_no_column_says_comes_from_the_call(tmp_path):
    path = write(tmp_path, "p.csv", "source,translation,follow_up_output\na,b,c\n")
    (pair,) = read_pairs(path, source="en", target="es", relation="rtt")
    assert (pair.relation, pair.langs) == ("rtt", {"source_lang": "en", "target_lang": "es", "pivot_lang": "und"})
    with pytest.raises(UserError, match="no source lang; add a column source_lang, or give --from"):
        list(read_pairs(path, relation="rtt"))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("p.csv", "", "there is no row"),
        ("p.csv", HEADER + "\n", "there is no row"),
        ("p.csv", "source,other\na,b\n", "no column source_output"),
        ("p.csv", HEADER + "\nrtt,en\n", "line 2: 2 columns, but the header has 8"),
        ("p.csv", 'source\n"a\n', "not CSV"),
        ("p.jsonl", "[1]\n", "expected a JSON object whose fields are the columns, found a list"),
        ("p.jsonl", "{\n", "not JSON"),
        ("p.txt", "a\n", "pairs are read from .csv, .tsv or .jsonl"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(tmp_path, name, text, said):
    with pytest.raises(UserError) as caught:
        list(read_pairs(write(tmp_path, name, text), source="en", target="es", relation="rtt"))
    assert said in str(caught.value)


def test_a_missing_file_is_said(tmp_path):
    with pytest.raises(CorpusError, match="there is no file"):
        list(read_pairs(tmp_path / "p.csv"))

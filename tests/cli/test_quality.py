"""Quality and correlation as a user asks for them."""

from __future__ import annotations

import json

import pytest

WORDS = ["dog", "cat", "bird", "horse", "fish", "wolf"]


@pytest.fixture
def concord(concord, tmp_path):
    """The program after `sane` and `rtt` on three systems; of six sentences the second and third system lose some."""
    (tmp_path / "c.tsv").write_text("text\tdomain\n" + "".join(f"The {w} sleeps here.\tzoo\n" for w in WORDS))
    for name, lost in {"good": 0, "fair": 2, "poor": 4}.items():
        rows = []
        for number, word in enumerate(WORDS):
            there = f"El {word} duerme aquí." if number >= lost else f"El zzz {number}."
            rows += [("en", "es", f"The {word} sleeps here.", there)]
            rows += [("es", "en", there, f"The {word} sleeps here." if number >= lost else f"Qqq {number}")]
        (tmp_path / f"{name}.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
    (tmp_path / "refs.txt").write_text("".join(f"El {word} duerme aquí.\n" for word in WORDS))
    systems = [part for name in ("good", "fair", "poor") for part in ("-s", f"table:{name}.tsv")]
    assert concord("run", "c.tsv", *systems, "-t", "es", "-r", "rtt", "--top", "0")[0] == 0
    return concord


def test_quality_is_a_table_with_ranks(concord):
    code, out, err = concord("quality", "--resamples", "50")
    assert code == 0
    assert "en→es: satisfied, in percent" in out
    assert "100.0 (100.0 … 100.0)" in out
    assert "number satisfied of sane, rtt" in out
    assert "with 6 sentences, intervals are narrower" in err


def test_quality_is_one_json_object(concord):
    code, out, _ = concord("quality", "2,4", "--resamples", "20", "--json")
    assert code == 0
    (table,) = json.loads(out)["tables"]
    assert [each["mean"]["rate"] for each in table["standings"]] == pytest.approx([1, 4 / 6])


def test_a_program_that_returns_its_input_is_listed_below_the_ranking(concord):
    assert concord("run", "c.tsv", "-s", "command:cat", "-t", "es", "-r", "rtt", "--top", "0")[0] == 0
    code, out, _ = concord("quality", "--resamples", "20")
    ranked, _, listed = out.partition("\nNot ranked\n")
    assert (code, "command:cat" in ranked) == (0, False)
    assert listed.splitlines()[1].split() == ["command:cat", "en→es", "6", "6", "(100.0%)", "copy", "7"]
    assert "command:cat" in concord("quality", "--resamples", "20", "--max-insane", "1")[1].partition("Not ranked")[0]


def test_correlation_is_printed_and_written_as_a_page(concord, tmp_path):
    how = ("--references", "refs.txt", "--score", "chrf", "--resamples", "20", "--html", "page.html")
    code, out, err = concord("correlate", *how)
    assert code == 0
    assert "en→es: correlation by system" in out
    assert "Written: page.html" in out
    assert "3 systems are few" in err
    page = (tmp_path / "page.html").read_text()
    assert page.count("<svg") == 1
    assert "rtt and chrf, by system" in page
    assert "groups are set side by side" not in page


def test_correlation_is_one_json_object_without_nan(concord):
    code, out, _ = concord("correlate", "--references", "refs.txt", "--score", "wer", "--resamples", "20", "--json")
    assert code == 0
    (row,) = json.loads(out, parse_constant=pytest.fail)["rows"]
    systems = next(each for each in row["agreements"] if each["scale"] == "system")
    assert systems["coefficients"][0]["r"] == pytest.approx(1)
    assert systems["coefficients"][0]["fisher"] == [None, None]


def test_fewer_systems_have_pictures_of_sentences(concord, tmp_path):
    how = ("--references", "refs.txt", "--score", "chrf", "--resamples", "20", "--html", "page.html")
    assert concord("correlate", "4,6", *how)[0] == 0
    assert "rtt and chrf, by sentence" in (tmp_path / "page.html").read_text()


def test_the_page_does_not_replace_the_workspace(concord):
    code, _, err = concord("correlate", "--references", "refs.txt", "--score", "wer", "--html", "concord.sqlite")
    assert (code, "is the workspace itself" in err) == (2, True)


def test_what_is_missing_is_one_line_with_a_cure(concord):
    code, _, err = concord("correlate")
    assert code == 2
    assert err.startswith("error: en→es: no sentence has both a translation and a reference. Give references")
    code, _, err = concord("quality", "9")
    assert (code, "there is no run 9" in err) == (2, True)

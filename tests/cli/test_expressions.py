"""The commands on what sentences claim."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def sentences(tmp_path):
    path = tmp_path / "sentences.txt"
    path.write_text("lines with at least 3 numbers\nAt least three banks paid.\nI understand.\n")
    return str(path)


def test_sentences_become_expressions(concord, sentences):
    code, out, _ = concord("regex", sentences, "--json")
    assert code == 0
    assert json.loads(out)["rows"] == [
        {
            "sentence": "lines with at least 3 numbers",
            "regex": "( [ <NUM> ] ) { 3 , }",
            "confidence": pytest.approx(1, abs=0.1),
            "reading": "number 3 or more times",
        },
        {
            "sentence": "At least three banks paid.",
            "regex": "X{3,}",
            "confidence": 0.97,
            "reading": "At least three X.",
        },
        {"sentence": "I understand.", "regex": None, "confidence": 0.0, "reading": ""},
    ]


def test_expressions_are_shown_as_a_table_too(concord, sentences):
    code, out, _ = concord("regex", sentences, "--limit", "1")
    assert code == 0
    assert "( [ <NUM> ] ) { 3 , }" in out
    assert "banks" not in out


def test_a_sentence_that_is_not_read_whole_is_an_error(concord, tmp_path):
    long = " and ".join(["at least 3 numbers"] * 60)
    (tmp_path / "long.txt").write_text(f"{long}\nAt least three banks paid.\n")
    code, out, _ = concord("regex", "long.txt", "--json")
    first, second = json.loads(out)["rows"]
    assert code == 0
    assert set(first) == {"sentence", "error"}
    assert "more than 100 quantifiers" in first["error"]
    assert second["regex"] == "X{3,}"
    code, out, _ = concord("regex", "long.txt")
    assert code == 0
    assert "more than 100 quantifiers" in out


def test_pairs_of_expressions_are_compared_and_bad_ones_have_an_error(concord, tmp_path):
    pairs = tmp_path / "pairs.tsv"
    lines = ["[A-Z]{3,}\t[A-Z]{0,3}", "", "((a{1,50}){1,50}){1,50}\ta", "(a\tb", "one", ". * dog . *\t.*dog.*"]
    pairs.write_text("\n".join([*lines, "|".join(f"w{at}" for at in range(4000)) + "\ta"]) + "\n")
    code, out, _ = concord("regex", "--compare", str(pairs), "--json")
    rows = json.loads(out)["rows"]
    assert code == 0
    assert [row["line"] for row in rows] == [1, 3, 4, 5, 6, 7]
    assert (rows[0]["equal"], rows[0]["r"]) == (False, 0.5)
    assert rows[0]["h"] == pytest.approx((rows[0]["r"] + rows[0]["d"]) / 2)
    assert "too complex" in rows[1]["error"]
    assert "parenthesis is not closed" in rows[2]["error"]
    assert "two expressions" in rows[3]["error"]
    assert rows[4] == {"line": 6, "equal": True, "r": 1.0, "d": 1.0, "h": 1.0}
    assert "too complex" in rows[5]["error"] or "longer than" in rows[5]["error"]
    assert "too complex" in concord("regex", "--compare", str(pairs))[1]


def test_two_expressions_that_nothing_fits_are_equal_and_said_to_be_empty(concord, tmp_path):
    (tmp_path / "pairs.tsv").write_text("[<NUM>]&[<VOW>]{7,}\t[<NUM>]&[<VOW>]{,2}\nX{0}\tY{0}\n")
    empty, blank = json.loads(concord("regex", "--compare", "pairs.tsv", "--json")[1])["rows"]
    assert (empty["equal"], empty["d"], empty["note"]) == (True, 1.0, "both are empty: no text fits either")
    assert blank["equal"]
    assert "note" not in blank
    assert "both are empty" in concord("regex", "--compare", "pairs.tsv")[1]


def test_where_nothing_can_be_compared_the_program_fails(concord, tmp_path):
    (tmp_path / "pairs.tsv").write_text("(a\tb\none\n")
    for more in ((), ("--json",)):
        code, _, err = concord("regex", "--compare", "pairs.tsv", *more)
        assert code == 1
        assert "could be compared; lines with an error: 2" in err


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_a_file_without_expressions_is_a_mistake_and_no_empty_table(concord, tmp_path, text):
    (tmp_path / "pairs.tsv").write_text(text)
    code, out, err = concord("regex", "--compare", "pairs.tsv")
    assert (code, out) == (2, "")
    assert "pairs.tsv has no expression" in err
    code, out, _ = concord("regex", "--compare", "pairs.tsv", "--json")
    assert code == 2
    assert set(json.loads(out)) == {"error"}


def test_where_no_sentence_can_be_read_the_program_fails_and_shows_them_all_the_same(concord, tmp_path):
    (tmp_path / "unread.txt").write_text("zzz\nqqq\n")
    code, out, err = concord("regex", "unread.txt")
    assert code == 1
    assert "zzz" in out
    assert "unread.txt has no sentence that could be read" in err
    code, out, _ = concord("regex", "unread.txt", "--json")
    assert code == 1
    assert [row["sentence"] for row in json.loads(out)["rows"]] == ["zzz", "qqq"]


@pytest.mark.parametrize("unused", [("--k", "0.5"), ("--measure", "geometric")])
def test_what_is_for_pairs_is_refused_with_sentences(concord, sentences, unused):
    code, out, err = concord("regex", sentences, *unused)
    assert (code, out) == (2, "")
    assert f"{unused[0]} goes with --compare" in err


@pytest.mark.parametrize("unused", [("--limit", "1"), ("--from", "en"), ("--format", "tsv")])
def test_what_is_for_sentences_is_refused_with_pairs(concord, tmp_path, unused):
    (tmp_path / "pairs.tsv").write_text("a\tb\n")
    code, out, err = concord("regex", "--compare", "pairs.tsv", *unused)
    assert (code, out) == (2, "")
    assert f"{unused[0]} is for sentences" in err


def test_another_language_is_no_misspelling(concord, tmp_path):
    (tmp_path / "german.txt").write_text("Alle Hunde bellen.\n")
    run = ("run", "german.txt", "-s", "fake", "--to", "es", "-r", "semmt")
    for words in (("regex", "german.txt"), ("prevalence", "german.txt"), run):
        code, _, err = concord(*words, "--from", "de")
        assert code == 2
        assert "'de' is another language" in err
        assert "Did you mean" not in err


def test_the_measure_and_k_can_be_chosen(concord, tmp_path):
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("[A-Z]{3,}\t[A-Z]{0,3}\n")
    (row,) = json.loads(concord("regex", "--compare", str(pairs), "--measure", "paper", "--k", "1", "--json")[1])[
        "rows"
    ]
    assert row["h"] == row["r"] == 0.5
    assert row["d"] == pytest.approx(17576 / 321272407)
    code, _, err = concord("regex", "--compare", str(pairs), "--measure", "mine")
    assert code == 2
    assert "Known: geometric, paper" in err


@pytest.mark.parametrize("words", [(), ("demo", "--compare", "pairs.tsv")])
def test_either_sentences_or_pairs_are_wanted(concord, words):
    code, _, err = concord("regex", *words)
    assert code == 2
    assert "name a file of sentences, or --compare" in err


def test_prevalence_counts_and_gives_examples(concord):
    made = json.loads(concord("prevalence", "demo", "--json")[1])
    assert made["total"] == 288
    assert max(made["quantity"], made["logic"]) <= made["related"] <= made["quantity"] + made["logic"]
    assert made["related_precise"] <= made["related"] <= made["kept"] <= made["total"]
    assert made["shares"]["related"] == pytest.approx(made["related"] / made["kept"], abs=1e-5)
    assert any("least" in each for each in made["examples"]["quantity: at_least"])
    every = json.loads(concord("prevalence", "demo", "--least-words", "0", "--json")[1])
    assert every["kept"] == every["total"]
    assert every["related"] >= made["related"]


def test_prevalence_is_a_table_for_people(concord):
    code, out, _ = concord("prevalence")
    assert code == 0
    assert "288 sentences" in out
    assert "found, and precise" in out
    assert "--least-words 10" in out
    assert "Shares are of the 253 sentences" in out
    assert json.loads(concord("prevalence", "--json")[1])["least_words"] == 10
    code, _, err = concord("prevalence", "--least-words", "1000")
    assert code == 2
    assert "of 288 sentences none has 1,000 words or more" in err


def test_blame_needs_three_systems_and_shows_trips(concord, tmp_path):
    (tmp_path / "lines.txt").write_text("Nobody came home today.\nAt least three dogs barked.\nBoth birds sang.\n")
    systems = ["fake,flaws=0", "fake,flaws=0.5", "fake,flaws=1"]
    run = ["run", "lines.txt", "--to", "es", "-r", "rtt,threshold=0.01"]
    concord(*run, *(word for system in systems[:2] for word in ("-s", system)))
    code, _, err = concord("blame")
    assert code == 2
    assert "3 systems or more" in err
    concord(*run, *(word for system in systems for word in ("-s", system)))
    code, out, _ = concord("blame", "--metric", "levenshtein")
    assert code == 0
    assert "flagged round trips" in out
    made = json.loads(concord("blame", "--json")[1])
    assert set(made) == {"usual", "rows", "untold"}


def test_a_run_counts_the_sentences_that_claim_nothing_as_checks_without_cases(concord, sentences):
    _, made = json.loads(concord("run", sentences, "-s", "fake", "--to", "es", "-r", "semmt", "--json")[1])["runs"]
    assert (made["cases"], made["errors"]) == (2, 0)
    assert made["translations"]["asked"] == 4


def test_pairs_can_be_judged(concord, tmp_path):
    (tmp_path / "pairs.tsv").write_text(
        "source\tsource_translation\tfollow_up_translation\n"
        "Nobody came.\tNadie vino.\tAnybody came.\nNobody came.\tNadie vino.\tNo one came.\n"
    )
    made = json.loads(concord("judge", "pairs.tsv", "-r", "semmt", "--from", "en", "--to", "es", "--json")[1])
    assert [row["flagged"] for row in made["rows"]] == [True, False]


def test_a_pair_of_which_a_run_makes_no_case_is_not_judged(concord, tmp_path):
    (tmp_path / "pairs.tsv").write_text(
        "source\tsource_translation\tfollow_up_translation\n"
        "I see.\tVeo.\tI see.\nNobody came.\tNadie vino.\tNo one came.\n"
    )
    code, out, _ = concord("judge", "pairs.tsv", "-r", "semmt", "--from", "en", "--to", "es")
    assert code == 0
    assert "no quantifier and no logic" in out
    assert "0 of 1 pair flagged; 1 could not be judged" in out

"""Pairs that were translated elsewhere, judged by whatever relation a file names."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread

import pytest

from concord.api import judge
from concord.errors import CorpusError

HEADER = "relation,source_lang,target_lang,source,follow_up,source_translation,follow_up_translation\n"
ROW = "{},en,es,a small dog barks,a small cat barks,un perro pequeño ladra,un gato pequeño ladra\n"


@pytest.mark.parametrize(("named", "ours"), [("SIT", "sit"), ("Purity", "rti"), ("CIT", "cat"), ("CAT", "cat")])
def test_the_names_of_published_data_are_known(tmp_path: Path, named: str, ours: str) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(HEADER + ROW.format(named))
    (row,), (own,) = judge(file), judge(file, relation=ours)
    assert row["relation"] == named
    assert "error" not in row
    assert (row["suspicion"], row["threshold"]) == (own["suspicion"], own["threshold"])


def test_a_name_that_is_nobodys_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(HEADER + ROW.format("Purty"))
    with pytest.raises(CorpusError, match="line 2: there is no relation 'Purty'"):
        list(judge(file))


def test_translations_alone_are_enough_where_no_more_is_read(tmp_path: Path) -> None:
    file = tmp_path / "translations.tsv"
    file.write_text("source\tmt\nI have 31 cats.\tTengo 13 gatos.\n")
    (row,) = judge(file, relation="literals", source="en", target="es")
    assert row["flagged"]
    lacking = r"rti reads more than the file has: no column follow_up .*\. Columns found: source, mt$"
    with pytest.raises(CorpusError, match=lacking):
        list(judge(file, relation="rti", source="en", target="es"))


def test_a_text_that_is_empty_is_named_as_the_file_names_it(tmp_path: Path) -> None:
    file = tmp_path / "translations.tsv"
    file.write_text("SRC\tMT\tback_translation\n \tUn gato.\tA cat.\n…\t\t \n")
    rows = judge(file, relation="rtt", source="en", target="es")
    assert [row["error"] for row in rows] == ["empty: SRC", "empty: MT, back_translation"]


def test_a_round_trip_is_explained_by_the_text_in_between(tmp_path: Path, trip: str) -> None:
    file = tmp_path / "pairs.csv"
    trips = [(noun, noun) for noun in ("dog", "cat", "bird", "house", "tree")] + [("dog", "wolf")]
    words = "source_lang,target_lang,source,source_translation,follow_up_translation\n"
    file.write_text(words + "".join(f"en,es,I see a {a},veo un {a}o,I see a {b}\n" for a, b in trips))
    rows = list(judge(file, relation=f"{trip},threshold=0.2"))
    assert [row["flagged"] for row in rows] == [False] * 5 + [True]
    assert {blame["word"] for blame in rows[-1]["evidence"]["blamed"]} == {"dog", "wolf"}
    assert rows[-1]["evidence"]["marked"] == {"source": [[8, 11]], "follow_up_output": [[8, 12]]}


@pytest.mark.parametrize(("trips", "thin"), [(24, True), (25, False)])
def test_a_file_with_too_few_translations_to_learn_from_says_so(tmp_path: Path, trips: int, thin: bool) -> None:
    file = tmp_path / "pairs.csv"
    lines = [f"sit,en,es,dog {n},cat {n},perro {n},gato {n}\n" for n in range(trips)]
    file.write_text(HEADER + "".join([*lines, *lines]))
    notes: list[str] = []
    assert len(list(judge(file, note=notes.append))) == 2 * trips
    assert [note.partition(";")[0] for note in notes if note.startswith("en→es")] == [
        "en→es: the file has 48 different texts with a translation"
    ] * thin


def test_the_comparison_of_a_paper_learns_nothing_and_needs_no_number_of_translations(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(HEADER + ROW.format("SIT"))
    notes: list[str] = []
    list(judge(file, relation="transrepair:paper", note=notes.append))
    assert notes == []


def test_judging_takes_synonyms_and_says_what_helped(tmp_path: Path) -> None:
    file, synonyms = tmp_path / "pairs.csv", tmp_path / "ours.tsv"
    lines = [f"sit,en,es,dog {n},cat {n},perro {n},gato {n}\n" for n in range(30)]
    file.write_text(
        HEADER + "".join(lines) + "sit,en,es,the old dog 3,the old cat 3,el vetusto perro 3,el rancio gato 3\n"
    )
    synonyms.write_text("vetusto\trancio\n")
    notes: list[str] = []
    without = list(judge(file))[-1]["suspicion"]
    having = list(judge(file, synonyms=str(synonyms), note=notes.append))[-1]["suspicion"]
    assert having < without
    assert "differences are also explained by synonyms ours.tsv" in notes[0]


COPY = "{},en,es,a small dog barks,a small cat barks,a small dog barks,un gato pequeño ladra\n"


def test_a_pair_with_an_answer_that_is_no_translation_is_not_judged_and_says_why(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(HEADER + ROW.format("SIT") + COPY.format("SIT"))
    _, answer, pair = judge(file)
    assert (answer["line"], answer["relation"], answer["suspicion"], answer["flagged"]) == (3, "sane", 1.0, True)
    assert answer["evidence"]["reason"] == "The answer is a copy of the text."
    assert (pair["line"], pair["relation"]) == (3, "SIT")
    assert pair["error"] == (
        "not judged: the answer to “a small dog barks” is not sane (copy). The answer is a copy of the text."
    )


def test_an_answer_that_is_in_several_pairs_is_flagged_once(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(HEADER + COPY.format("SIT") * 2 + COPY.format("CAT"))
    rows = list(judge(file))
    assert [row["relation"] for row in rows] == ["sane", "SIT", "SIT", "CAT"]
    assert all("(copy)" in row["error"] for row in rows[1:])


def test_sane_itself_has_one_row_for_each_pair(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(HEADER + ROW.format("SIT") + COPY.format("SIT") * 2)
    rows = list(judge(file, relation="sane"))
    assert [(row["line"], row["flagged"], row["factors"]["failure"]) for row in rows] == [
        (2, False, "none"),
        (3, True, "copy"),
        (4, True, "copy"),
    ]


def test_the_answer_to_a_variant_is_marked_where_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(HEADER + "sit,en,es,The dog barks.,The cat barks.,El perro ladra.,Translation: el gato ladra.\n")
    answer, _ = judge(file)
    assert answer["evidence"]["marked"] == {"follow_up_output": [[0, 12]]}


def test_only_the_answers_that_a_relation_reads_must_be_sane(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(HEADER + "sit,en,es,I saw 3 dogs.,I saw 3 cats.,Vi 3 perros.,I saw 3 cats.\n")
    (row,) = judge(file, relation="literals")
    assert not row["flagged"]


def test_both_ways_of_a_round_trip_must_be_sane(tmp_path: Path) -> None:
    file = tmp_path / "trips.csv"
    file.write_text("source,translation,back_translation\nThe cat is black.,El gato es negro.,El gato es negro.\n")
    answer, row = judge(file, relation="rtt", source="en", target="es")
    assert list(answer["evidence"]["marked"]) == ["follow_up_output"]
    assert "the answer to “El gato es negro.” is not sane (copy)" in row["error"]


def test_the_usual_length_and_repeated_answers_are_those_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "trips.csv"
    texts = [f"{name} went home {day}" for name in ("Anna", "Otto", "Hugo", "Emma") for day in range(10)]
    lines = [f"{text},{text[::-1]},{text}\n" for text in texts]
    shrugs = [
        f"{letter}ou {letter}at {letter}um {letter}ill {letter}ye,Quién sabe,Who knows\n" for letter in "BFHLMPST"
    ]
    file.write_text("source,translation,back_translation\n" + "".join([*lines, *shrugs]))
    rows = list(judge(file, relation="rtt", source="en", target="es"))
    assert {row["factors"]["failure"] for row in rows if row["relation"] == "sane"} == {"repeated"}
    assert sum("error" in row for row in rows) == len(shrugs)


def test_pairs_are_read_from_a_pipe_though_they_are_read_twice(tmp_path: Path) -> None:
    pipe = tmp_path / "pairs.csv"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=(HEADER + ROW.format("SIT"),))
    writer.start()
    (row,) = judge(pipe)
    writer.join()
    assert "error" not in row

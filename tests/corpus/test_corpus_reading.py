from __future__ import annotations

import csv
import gzip
import io
import json
import re
import sys
import tracemalloc
from collections.abc import Callable
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.corpus import read
from concord.errors import CorpusError, UserError


def lines(folder, *rows, name="a.txt"):
    file = folder / name
    file.write_bytes("".join(f"{row}\n" for row in rows).encode())
    return file


def words(corpus):
    return [segment.text.words for segment in corpus]


def test_a_corpus_can_be_iterated_again_and_twice_at_once(tmp_path):
    corpus = read(lines(tmp_path, "one", "two"), "en")
    assert [(a.id, b.id) for a, b in zip(corpus, corpus, strict=True)] == [(s.id, s.id) for s in corpus]


def test_segments_carry_the_normalised_language(tmp_path):
    corpus = read(lines(tmp_path, "one"), "eng_Latn")
    assert corpus.lang == "en"
    assert [segment.text.lang for segment in corpus] == ["en"]


@pytest.mark.parametrize(
    ("file", "name"),
    [("news.txt", "news"), ("news", "news"), ("news.en.txt", "news.en"), ("news.tsv.gz", "news"), ("n.gz", "n")],
)
def test_the_name_is_the_stem_of_the_file(tmp_path, file, name):
    content = b"Hello\n"
    (tmp_path / file).write_bytes(gzip.compress(content) if file.endswith(".gz") else content)
    assert read(tmp_path / file, "en").name == name


def test_empty_lines_keep_their_place_and_are_warned_about_once(tmp_path):
    corpus = read(lines(tmp_path, "one", "", "two", "x", "y", "z", " \t", "three", "\u3000"), "en")
    assert {s.text.words: s.position for s in corpus} == {"one": 0, "two": 2, "x": 3, "y": 4, "z": 5, "three": 7}
    assert corpus.warnings == ["3 empty lines are skipped (2, 7, 9)"]
    assert corpus.size == 6


def test_only_the_first_of_many_empty_lines_are_named(tmp_path):
    corpus = read(lines(tmp_path, "one", *[""] * 400), "en")
    assert corpus.warnings == ["400 empty lines are skipped (2, 3, 4, 5, 6, …)"]


def test_the_header_counts_as_a_line_but_not_as_a_position(tmp_path):
    corpus = read(lines(tmp_path, "id\ttext", "", "a\tHello", "b\t", "c\tBye", name="a.tsv"), "en")
    assert [(s.id, s.position) for s in corpus] == [("a", 1), ("c", 3)]
    assert corpus.warnings == ["2 empty lines are skipped (2, 4)"]


def test_ids_without_a_field_are_line_numbers(tmp_path):
    assert [segment.id for segment in read(lines(tmp_path, "Hello", "", "Hello"), "en")] == ["line 1", "line 3"]
    table = lines(tmp_path, "text\tdomain", "Hello\tnews", "Bye\tnews", name="a.tsv")
    assert [segment.id for segment in read(table, "en")] == ["line 2", "line 3"]


def test_an_id_used_twice_is_an_error_that_names_both_lines(tmp_path):
    file = lines(tmp_path, "id\ttext", "a\tone", "b\ttwo", "a\tthree", name="a.tsv")
    with pytest.raises(CorpusError, match="line 4: the id 'a' is already in line 2"):
        read(file, "en")


def test_a_limit_takes_the_first_segments_with_text_and_reads_no_further(tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes(b"one\n\ntwo\n\n\xff not read\n")
    corpus = read(file, "en", limit=2)
    assert [(s.text.words, s.position) for s in corpus] == [("one", 0), ("two", 2)]
    assert (corpus.size, corpus.warnings) == (2, ["1 empty line is skipped (2)"])
    assert corpus.digest == read(lines(tmp_path, "one", "", "two", name="b.txt"), "en").digest


def test_a_limit_beyond_the_end_takes_all(tmp_path):
    assert read(lines(tmp_path, "one", "two"), "en", limit=5).size == 2


@pytest.mark.parametrize("limit", [0, -3])
def test_a_limit_below_one_is_refused(tmp_path, limit):
    with pytest.raises(UserError, match=f"at least 1, not {limit}"):
        read(lines(tmp_path, "one"), "en", limit=limit)


def test_a_reference_is_parallel_to_the_rows_empty_ones_included(tmp_path):
    source = lines(tmp_path, "one", "", "two", "three")
    reference = lines(tmp_path, "uno", "x", "dos", "", name="a.es")
    corpus = read(source, "en", reference=reference)
    assert [(s.text.words, s.reference) for s in corpus] == [("one", "uno"), ("two", "dos"), ("three", None)]


def test_a_reference_of_a_table_has_no_line_for_the_header(tmp_path):
    source = lines(tmp_path, "text\tref", "one\tX", "two\tY", name="a.tsv")
    packed = tmp_path / "ref.gz"
    packed.write_bytes(gzip.compress(b"uno\ndos\n"))
    assert [s.reference for s in read(source, "en", reference=packed)] == ["uno", "dos"]


@pytest.mark.parametrize("limit", [None, 1])
@pytest.mark.parametrize(("count", "said"), [(1, "1 line"), (3, "3 lines")])
def test_a_reference_of_another_length_is_refused_with_both_counts(tmp_path, limit, count, said):
    source = lines(tmp_path, "one", "two")
    reference = lines(tmp_path, *["x"] * count, name="a.es")
    with pytest.raises(CorpusError, match=f"do not match: 2 rows, {said}[.]"):
        read(source, "en", reference=reference, limit=limit)


def test_standard_input_may_be_the_reference_but_not_both(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"uno\n")))
    with pytest.raises(UserError, match="standard input cannot be"):
        read("-", "en", reference="-")
    assert [s.reference for s in read(lines(tmp_path, "one"), "en", reference="-")] == ["uno"]


def test_the_digest_depends_on_the_content_and_its_order_only(tmp_path):
    def digest(*rows, name="a.jsonl"):
        return read(lines(tmp_path, *map(json.dumps, rows), name=name), "en").digest

    one, two = {"text": "one"}, {"text": "two"}
    known = digest(one, two)
    assert re.fullmatch("[0-9a-f]{8}", known)
    assert known == digest(one, two, name="elsewhere.jsonl")
    others = {
        digest(two, one),
        digest(one),
        digest(one | {"id": "1"}, two),
        digest(one | {"domain": "news"}, two),
        digest(one | {"ref": "uno"}, two),
        digest({"text": "one two"}),
    }
    assert len(others | {known}) == 7


def as_lines(texts):
    return "a.txt", "".join(f"{text}\n" for text in texts)


def as_tsv(texts):
    return "a.tsv", "label\ttext\n" + "".join(f"x\t{text}\n" for text in texts)


def as_csv(texts):
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerows([["text"], *([text] for text in texts)])
    return "a.csv", buffer.getvalue()


def as_jsonl(texts):
    return "a.jsonl", "".join(json.dumps({"text": text}) + "\n" for text in texts)


def as_strings(texts):
    return "a.jsonl", "".join(json.dumps(text, ensure_ascii=False) + "\r\n" for text in texts)


WRITERS: list[Callable[[list[str]], tuple[str, str]]] = [as_lines, as_tsv, as_csv, as_jsonl, as_strings]
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\t\0")
TEXTS = st.lists(st.text(CHARACTERS, min_size=1).filter(str.strip), min_size=1).map(lambda texts: ["First", *texts])


@given(texts=TEXTS, packed=st.booleans())
def test_what_is_written_in_any_format_is_read_back_with_the_same_digest(tmp_path_factory, texts, packed):
    folder = tmp_path_factory.mktemp("round")
    digests = set()
    for number, write in enumerate(WRITERS):
        name, content = write(texts)
        file = folder / f"{number}{name}{'.gz' if packed else ''}"
        file.write_bytes(gzip.compress(content.encode()) if packed else content.encode())
        corpus = read(file, "en")
        assert words(corpus) == texts
        assert [segment.position for segment in corpus] == list(range(len(texts)))
        assert corpus.size == len(texts)
        digests.add(corpus.digest)
    assert len(digests) == 1


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1))
def test_json_lines_give_back_any_text_whatever_it_holds(tmp_path_factory, texts):
    file = lines(tmp_path_factory.mktemp("any"), '"First"', *map(json.dumps, texts), name="a.jsonl")
    expected = [(i, text) for i, text in enumerate(["First", *texts]) if text.strip()]
    assert [(s.position, s.text.words) for s in read(file, "en")] == expected


@given(st.binary(max_size=300), st.sampled_from(["lines", "tsv", "csv", "jsonl"]))
def test_any_bytes_are_a_corpus_or_a_corpus_error(tmp_path_factory, content, format):
    file = tmp_path_factory.mktemp("bytes") / "a"
    file.write_bytes(content)
    try:
        corpus = read(file, "en", format=format)
    except CorpusError:
        return
    assert len(list(corpus)) == corpus.size > 0


@pytest.mark.parametrize(
    ("ending", "rows", "bound"),
    [("txt", 20_000, 400_000), ("txt.gz", 10_000, 500_000), ("jsonl", 10_000, 400_000)],
)
def test_a_large_corpus_is_never_in_memory_whole(tmp_path, ending, rows, bound):
    file = tmp_path / f"large.{ending}"
    with gzip.open(file, "wt", compresslevel=1) if ending.endswith("gz") else file.open("w") as stream:
        for number in range(rows):
            text = f"This is the sentence with the number {number}, and it goes on."
            stream.write(f"{text}\n" if "txt" in ending else f'{{"id": "{number}", "text": "{text}"}}\n')
    tracemalloc.start()
    try:
        corpus = read(file, "en")
        # Whatever held the whole file would hold it at the first segment already.
        assert len({segment.position for segment in islice(corpus, 1000)}) == 1000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert corpus.size == rows
    assert peak < bound

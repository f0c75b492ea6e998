from __future__ import annotations

import csv
import json

import pytest

from concord.corpus import read
from concord.errors import CorpusError, UnknownName


def opened(folder, name, content, lang="en", **options):
    file = folder / name
    file.write_bytes(content.encode())
    return read(file, lang, **options)  # type: ignore[arg-type]


def words(corpus):
    return [segment.text.words for segment in corpus]


def refusal(folder, name, content, lang="en"):
    with pytest.raises(CorpusError) as caught:
        opened(folder, name, content, lang)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", "Hello\n"),
        ("a.en", "Hello\n"),
        ("a", "Hello\n"),
        ("a.tsv", "Hello\tHola\n"),
        ("a.TSV", "text\tlabel\nHello\tx\n"),
        ("a.csv", "text,label\nHello,x\n"),
        ("a.jsonl", '{"text": "Hello"}\n'),
        ("a.ndjson", '"Hello"\n'),
        ("a.json", '"Hello"\n'),
    ],
)
def test_the_ending_tells_the_format(tmp_path, name, content):
    assert words(opened(tmp_path, name, content)) == ["Hello"]


@pytest.mark.parametrize("name", ["jsonl", "JSONL", "json lines", "ndjson"])
def test_the_format_can_be_named(tmp_path, name):
    assert words(opened(tmp_path, "a.txt", '"Hello"\n', format=name)) == ["Hello"]


def test_an_unknown_format_is_answered_with_the_nearest(tmp_path):
    with pytest.raises(UnknownName, match=r"no format 'tvs'\. Did you mean 'tsv'"):
        opened(tmp_path, "a.txt", "Hello", format="tvs")


@pytest.mark.parametrize("header", ["source", "src", "Text", "sentence", "segment", "en", "eng", "en_US", "eng_Latn"])
def test_a_header_says_which_column_is_the_text(tmp_path, header):
    lang = "en-US" if header == "en_US" else "en"
    assert words(opened(tmp_path, "a.tsv", f"de\t{header}\nHallo\tHello\n", lang)) == ["Hello"]
    assert words(opened(tmp_path, "a.csv", f"de,{header}\nHallo,Hello\n", lang)) == ["Hello"]
    assert words(opened(tmp_path, "a.jsonl", json.dumps({"de": "Hallo", header: "Hello"}), lang)) == ["Hello"]


def test_without_a_header_the_first_column_is_the_text(tmp_path):
    assert words(opened(tmp_path, "a.tsv", "Hello\tHola\nBye\tAdiós\n")) == ["Hello", "Bye"]


def test_a_header_without_a_name_for_the_text_leaves_it_the_first_free_column(tmp_path):
    corpus = opened(tmp_path, "a.tsv", "id\tEnglish\tdomain\n7\tHello\tnews\n")
    assert [(s.id, s.text.words, s.domain) for s in corpus] == [("7", "Hello", "news")]
    assert "no column is left for the text. Found: id, domain" in refusal(tmp_path, "b.tsv", "id\tdomain\n7\tnews\n")


def test_a_first_row_that_begins_a_sentence_is_no_header(tmp_path):
    assert words(opened(tmp_path, "a.tsv", "No\tIt\nHei\tHello\n", "nb")) == ["No", "Hei"]


@pytest.mark.parametrize(
    ("id", "domain", "reference"),
    [("id", "domain", "reference"), ("key", "genre", "ref"), ("segment_id", "corpus", "ref"), ("ID", "Domain", "REF")],
)
def test_ids_domains_and_references_are_found_by_the_names_people_use(tmp_path, id, domain, reference):
    fields = {id: "n1", "src": "Hello", "mt": "Halo", reference: "Hola", domain: "news"}
    line = json.dumps(fields)
    table = "\t".join(fields) + "\n" + "\t".join(fields.values())
    for corpus in (
        opened(tmp_path, "a.jsonl", line),
        opened(tmp_path, "a.tsv", table),
        opened(tmp_path, "a.csv", table.replace("\t", ",")),
    ):
        (segment,) = corpus
        assert (segment.id, segment.text.words) == ("n1", "Hello")
        assert (segment.domain, segment.reference, segment.position) == ("news", "Hola", 0)


def test_the_long_names_of_a_scored_file_are_understood(tmp_path):
    (segment,) = opened(tmp_path, "a.jsonl", '{"source": "Hello", "hypothesis": "Halo", "reference": "Hola"}')
    assert (segment.text.words, segment.reference) == ("Hello", "Hola")


def test_when_two_fields_could_be_the_text_the_choice_is_told_once(tmp_path):
    line = '{"source": "a forum", "text": "Hello"}\n'
    corpus = opened(tmp_path, "a.jsonl", line * 3)
    assert words(corpus) == ["Hello"] * 3
    assert corpus.warnings == ["the text is read from 'text', not from 'source'"]


def test_a_field_named_id_is_an_id_even_in_indonesian_unless_it_is_the_only_text(tmp_path):
    corpus = opened(tmp_path, "a.jsonl", '{"id": "7", "text": "Selamat pagi"}', "id")
    assert [(s.id, s.text.words) for s in corpus] == [("7", "Selamat pagi")]
    assert words(opened(tmp_path, "b.tsv", "id\ten\nSelamat pagi\tGood morning\n", "id")) == ["Selamat pagi"]


def test_a_quote_in_tsv_is_a_character(tmp_path):
    assert words(opened(tmp_path, "a.tsv", '"Stop\tx\nhe said "" no"\ty\n')) == ['"Stop', 'he said "" no"']


def test_csv_quotes_hold_commas_quotes_and_line_ends(tmp_path):
    corpus = opened(tmp_path, "a.csv", 'id,text\n1,"Hello, ""you""\nthere"\n\n2,Bye\n')
    assert [(s.text.words, s.position) for s in corpus] == [('Hello, "you"\nthere', 0), ("Bye", 2)]
    assert corpus.warnings == ["1 empty line is skipped (4)"]


def test_csv_with_semicolons_is_read(tmp_path):
    assert words(opened(tmp_path, "a.csv", "id;text\n1;Hello, you\n")) == ["Hello, you"]


def test_a_long_csv_field_is_read_whatever_the_limit_of_the_csv_module(tmp_path):
    before = csv.field_size_limit(1000)
    try:
        assert words(opened(tmp_path, "a.csv", "text\n" + "x" * 500_000)) == ["x" * 500_000]
    finally:
        csv.field_size_limit(before)


def test_csv_needs_a_header(tmp_path):
    message = refusal(tmp_path, "a.csv", "Hello,Hola\n")
    assert "line 1: a CSV file needs a header that names the text (text, src, en, source" in message
    assert "Found: Hello, Hola" in message


def test_broken_csv_quotes_are_placed(tmp_path):
    assert "line 3: not CSV" in refusal(tmp_path, "a.csv", 'text\nok\n"never closed\nmore\n')


@pytest.mark.parametrize(("name", "joint"), [("a.tsv", "\t"), ("a.csv", ",")])
def test_a_row_with_another_number_of_columns_is_placed(tmp_path, name, joint):
    rows = [["id", "text"], ["1", "Hello"], ["2", "Bye", "extra"]]
    message = refusal(tmp_path, name, "\n".join(joint.join(row) for row in rows))
    assert "line 3: 3 columns, but the first row has 2" in message


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"text": "Hello"', "not JSON (Expecting ',' delimiter at column 17). Each line must be one JSON value"),
        ('{"words": "Hello"}', "no field holds the text (expected text, src, en, source, sentence, segment). Found: w"),
        ("{}", "Found: none"),
        ('{"text": 5}', "the field 'text' must be a string, not a number"),
        ('{"text": null}', "the field 'text' must be a string, not null"),
        ('{"text": ["Hello"]}', "the field 'text' must be a string, not a list"),
        ('{"text": "Hello", "ref": {}}', "the field 'ref' must be a string, not an object"),
        ('{"text": "Hello", "id": true}', "the field 'id' must be a string, not true or false"),
        ("17", "expected a JSON object or a string, found a number"),
        (r'{"text": "Hi \ud83d there"}', r"the field 'text' has \ud83d, which is half a character"),
        (r'"\udc00"', r"the field 'text' has \udc00, which is half a character"),
        (r'{"text": "Hi", "id": "\ud800"}', r"the field 'id' has \ud800, which is half a character"),
        ("[" * 100_000, "not JSON (nested too deeply). Each line must be one JSON value"),
        ("9" * 5_000, "not JSON (a number has thousands of digits)"),
    ],
)
def test_json_that_is_no_segment_is_placed_and_explained(tmp_path, line, said):
    message = refusal(tmp_path, "a.jsonl", f'"fine"\n{line}\n')
    assert f"{tmp_path / 'a.jsonl'}, line 2: " in message
    assert said in message


def test_a_json_array_is_answered_with_the_way_to_turn_it_into_lines(tmp_path):
    assert "jq -c '.[]'" in refusal(tmp_path, "a.json", '[\n{"text": "Hello"}\n]\n')


def test_json_escapes_of_whole_characters_are_text(tmp_path):
    assert words(opened(tmp_path, "a.jsonl", r'"\ud83d\ude00 \u0000"')) == ["\U0001f600 \0"]


def test_numbers_are_ids_and_null_is_no_id(tmp_path):
    corpus = opened(tmp_path, "a.jsonl", '{"id": 7, "text": "a"}\n{"id": null, "text": "b", "ref": null}\n')
    first, second = corpus
    assert first.id == "7"
    assert second.id == "line 2"
    assert second.reference is None

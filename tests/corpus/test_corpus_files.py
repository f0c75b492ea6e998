from __future__ import annotations

import gc
import gzip
import io
import os
import resource
import sqlite3
import sys
import tempfile
import threading

import pytest

from concord.corpus import read
from concord.errors import CorpusError


def words(path):
    return [segment.text.words for segment in read(path, "en")]


def refusal(path):
    with pytest.raises(CorpusError) as caught:
        read(path, "en")
    return str(caught.value)


@pytest.fixture
def spools(tmp_path, monkeypatch):
    folder = tmp_path / "spools"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def give_stdin(monkeypatch, content):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="ascii"))


@pytest.mark.parametrize(
    "content", ["one\ntwo", "one\ntwo\n", "\ufeffone\ntwo\n", "one\r\ntwo\r\n", "one\r\ntwo"], ids=ascii
)
def test_line_ends_and_a_byte_order_mark_are_no_text(tmp_path, content):
    file = tmp_path / "a.txt"
    file.write_bytes(content.encode())
    assert words(file) == ["one", "two"]


@pytest.mark.parametrize("inside", ["\u2028", "\u2029", "\x85", "\v", "\f", "\x1c", "\r", "\0", "\ufeff"], ids=ascii)
def test_only_a_line_feed_ends_a_line(tmp_path, inside):
    file = tmp_path / "a.txt"
    file.write_bytes(f"one{inside}two\nthree\n".encode())
    assert words(file) == [f"one{inside}two", "three"]


def test_a_missing_file_is_answered_with_the_nearest_name_in_its_folder(tmp_path):
    (tmp_path / "news.en").write_text("Hello\n")
    assert f"Did you mean {tmp_path / 'news.en'}?" in refusal(tmp_path / "nwes.en")
    assert "Did you mean" not in refusal(tmp_path / "zzzzzzzz.tsv")


def test_a_missing_folder_is_named(tmp_path):
    assert f"the folder {tmp_path / 'gone'} does not exist" in refusal(tmp_path / "gone" / "a.txt")


def test_a_folder_is_no_corpus(tmp_path):
    assert "is a folder" in refusal(tmp_path)


@pytest.mark.parametrize("content", ["", "\n", " \n\t\n \n"], ids=ascii)
@pytest.mark.parametrize("ending", ["txt", "tsv", "csv", "jsonl"])
def test_a_file_without_text_is_no_corpus(tmp_path, content, ending):
    file = tmp_path / f"a.{ending}"
    file.write_text(content)
    assert "has no text" in refusal(file)


def test_bytes_that_are_not_utf8_are_placed_and_recognised_as_latin1(tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes("Good morning\nThe caf\xe9 is open\n".encode("latin-1"))
    message = refusal(file)
    assert f"{file}, line 2: byte 0xe9 at offset 20" in message
    assert "looks like Latin-1" in message
    assert "iconv -f latin1 -t utf-8" in message


def test_a_character_cut_short_is_not_called_latin1(tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes("\ufeffone\ncaf\xe9".encode()[:-1])
    message = refusal(file)
    assert "line 2: byte 0xc3 at offset 10" in message
    assert "Latin-1" not in message


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_is_recognised(tmp_path, encoding):
    file = tmp_path / "a.txt"
    file.write_bytes("Good morning, everyone.\n".encode(encoding))
    assert "iconv -f utf-16 -t utf-8" in refusal(file)


def test_binary_files_are_refused_by_kind(tmp_path):
    packed = tmp_path / "packed.txt"
    packed.write_bytes(gzip.compress(b"Hello\n"))
    assert "Give it the ending .gz" in refusal(packed)
    database = tmp_path / "data.txt"
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    assert "SQLite database" in refusal(database)
    other = tmp_path / "other.bin"
    other.write_bytes(bytes(range(64)) + bytes(200))
    assert "is a binary file (201 NUL bytes" in refusal(other)


def test_a_line_may_be_long_but_not_endless(tmp_path):
    file = tmp_path / "a.txt"
    longest = ["a" * 100_000, "b" * 1_000_000]
    file.write_bytes("\r\n".join(longest).encode())
    assert words(file) == longest
    file.write_text("short\n" + "b" * 1_000_001 + "\n")
    assert f"{file}, line 2: longer than 1,000,000 bytes" in refusal(file)


def test_gzip_is_read_as_a_stream_as_often_as_wanted(tmp_path, spools):
    file = tmp_path / "news.tsv.gz"
    file.write_bytes(gzip.compress("\ufeffid\ttext\nn1\tHello\n".encode()))
    corpus = read(file, "en")
    assert corpus.name == "news"
    assert [(s.id, s.text.words) for s in corpus] == [("n1", "Hello")]
    assert [(s.id, s.text.words) for s in corpus] == [("n1", "Hello")]
    assert list(spools.iterdir()) == []


@pytest.mark.parametrize(
    ("ending", "content"),
    [
        ("txt", "one\n\ntwo\r\n"),
        ("csv", 'id,text\na,"one\nmore"\n'),
        ("jsonl", '{"text": "one"}\n'),
        ("po", 'msgid "one"\nmsgstr "uno"\n'),
        ("tmx", '<tmx><body><tu><tuv xml:lang="en"><seg>one</seg></tuv></tu></body></tmx>'),
        ("xlf", '<xliff><file source-language="en"><body><trans-unit id="1"><source>one</source>'
         "</trans-unit></body></file></xliff>"),
    ],
)  # fmt: skip
def test_a_corpus_has_the_same_digest_packed_or_not(tmp_path, ending, content):
    plain, packed = tmp_path / f"a.{ending}", tmp_path / f"a.{ending}.gz"
    plain.write_text(content, newline="")
    packed.write_bytes(gzip.compress(content.encode()))
    assert read(packed, "en").digest == read(plain, "en").digest


def test_of_a_packed_file_only_as_much_is_read_as_a_limit_needs(tmp_path):
    file = tmp_path / "cut.txt.gz"
    file.write_bytes(gzip.compress(b"one\ntwo\n" + os.urandom(400_000).hex().encode())[:300_000])
    assert [s.text.words for s in read(file, "en", limit=2)] == ["one", "two"]
    assert "is damaged" in refusal(file)


def test_a_packed_file_takes_no_more_memory_than_a_part_of_it(tmp_path, size_and_peak):
    file = tmp_path / "bomb.txt.gz"
    with gzip.open(file, "wb") as packed:
        for _ in range(100):
            packed.write(b"a long line of text " * 10_000 + b"\n")
    size, peak = size_and_peak(file)
    assert size == 100
    assert peak < 5_000_000, "unpacked it has 20 MB"


def test_damaged_gzip_is_refused(tmp_path):
    whole = gzip.compress(os.urandom(5000).hex().encode())
    cut, not_gzip, spoilt, other = (tmp_path / f"{name}.gz" for name in ("cut", "not", "spoilt", "other"))
    cut.write_bytes(whole[:2000])
    not_gzip.write_text("Hello\n")
    spoilt.write_bytes(whole[:10] + b"\xff" * 50 + whole[60:])
    other.write_bytes(whole[:-8] + b"\0" * 8)
    assert "is damaged" in refusal(cut)
    assert "is not a gzip file" in refusal(not_gzip)
    assert "is damaged" in refusal(spoilt)
    assert "is damaged: CRC check failed" in refusal(other)


def test_an_iterator_keeps_the_copy_that_it_reads_and_then_it_is_removed(monkeypatch, spools):
    give_stdin(monkeypatch, b"one\ntwo\n")
    segments = iter(read("-", "en"))
    gc.collect()
    assert len(list(spools.iterdir())) == 1
    assert [segment.text.words for segment in segments] == ["one", "two"]
    del segments
    gc.collect()
    assert list(spools.iterdir()) == []


def test_where_no_copy_fits_the_place_for_copies_is_blamed(monkeypatch, spools):
    give_stdin(monkeypatch, b"line\n" * 100_000)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        message = refusal("-")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert message.startswith(f"standard input cannot be copied to {spools}/")
    assert "TMPDIR" in message
    assert list(spools.iterdir()) == []


def test_standard_input_is_read_once_and_iterated_often(monkeypatch, spools):
    give_stdin(monkeypatch, "één\ntwee\n".encode())
    corpus = read("-", "nl")
    assert corpus.name == "stdin"
    assert [s.text.words for s in corpus] == [s.text.words for s in corpus] == ["één", "twee"]


def test_standard_input_takes_a_format(monkeypatch, spools):
    give_stdin(monkeypatch, b'{"text": "Hello"}\n')
    assert [s.text.words for s in read("-", "en", format="jsonl")] == ["Hello"]


def test_errors_in_standard_input_name_it(monkeypatch, spools):
    give_stdin(monkeypatch, b"ok\n\xff\n")
    assert refusal("-").startswith("standard input, line 2: byte 0xff")
    give_stdin(monkeypatch, b"")
    assert refusal("-").startswith("standard input has no text")


def test_a_named_pipe_is_read_like_a_file(tmp_path, spools):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"one\ntwo\n",))
    writer.start()
    corpus = read(pipe, "en")
    writer.join()
    assert [s.text.words for s in corpus] == [s.text.words for s in corpus] == ["one", "two"]


def test_a_file_that_changes_under_the_reader_is_an_error(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("one\n")
    corpus = read(file, "en")
    file.write_text("one\ntwo\n")
    with pytest.raises(CorpusError, match="has changed since it was opened"):
        list(corpus)
    file.unlink()
    with pytest.raises(CorpusError, match="cannot be read: No such file"):
        list(corpus)

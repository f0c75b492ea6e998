from __future__ import annotations

import bz2
import gzip
import io
import sys
import tracemalloc
from types import SimpleNamespace
from xml.sax.saxutils import escape

import pytest

from concord.corpus.sampling.pages import LARGEST_PAGE, LONGEST_TITLE, Page
from concord.corpus.sampling.wikipedia import dump_pages
from concord.errors import CorpusError

HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
  <siteinfo>
    <sitename>Wikipedia</sitename>
    <namespaces><namespace key="0" case="first-letter" /><namespace key="1">Talk</namespace></namespaces>
  </siteinfo>
"""
FOOT = "</mediawiki>\n"


def page(id: int, title: str, text: str, *, ns: int = 0, redirect: str = "", model: str = "wikitext") -> str:
    target = f'<redirect title="{redirect}" />' if redirect else ""
    return f"""  <page>
    <title>{title}</title>
    <ns>{ns}</ns>
    <id>{id}</id>
    {target}
    <revision>
      <id>{id + 1000}</id>
      <contributor><username>A</username><id>7</id></contributor>
      <model>{model}</model>
      <format>text/x-wiki</format>
      <text bytes="{len(text)}" sha1="x" xml:space="preserve">{escape(text)}</text>
    </revision>
  </page>
"""


DUMP = (
    HEAD
    + page(12, "Anarchism", "'''Anarchism''' is a [[philosophy]] & more.")
    + page(13, "Talk:Anarchism", "I disagree.", ns=1)
    + page(14, "Anarchy", "#REDIRECT [[Anarchism]]", redirect="Anarchism")
    + page(15, "Module:X", "return 1", model="Scribunto")
    + page(16, "Autism", "Ünïcode is <b>here</b>.")
    + FOOT
)
ARTICLES = [Page("12", "Anarchism", "Anarchism is a philosophy & more."), Page("16", "Autism", "Ünïcode is here.")]


def multistream() -> bytes:
    middle = DUMP.index("    <title>Talk")
    return bz2.compress(DUMP[:middle].encode()) + bz2.compress(DUMP[middle:].encode())


@pytest.mark.parametrize(
    "content",
    [DUMP.encode(), bz2.compress(DUMP.encode()), multistream(), gzip.compress(DUMP.encode())],
    ids=["plain", "bz2", "multistream", "gzip"],
)
def test_the_articles_of_a_dump_are_read_however_it_is_packed(tmp_path, content):
    (tmp_path / "dump").write_bytes(content)
    assert list(dump_pages(tmp_path / "dump")) == ARTICLES


def test_a_dump_is_read_from_standard_input(monkeypatch):
    stdin = SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(bz2.compress(DUMP.encode()))))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert list(dump_pages("-")) == ARTICLES


def test_of_several_revisions_the_last_one_counts(tmp_path):
    two = page(1, "A", "Old.").replace("</revision>", "</revision><revision><text>New.</text></revision>")
    (tmp_path / "dump.xml").write_text(HEAD + two + FOOT)
    assert [each.text for each in dump_pages(tmp_path / "dump.xml")] == ["New."]


def test_a_page_without_end_is_cut_off(tmp_path):
    (tmp_path / "dump.xml").write_text(HEAD + page(1, "A", "x" * (LARGEST_PAGE + 10)) + page(2, "B", "Short.") + FOOT)
    assert [len(each.text) for each in dump_pages(tmp_path / "dump.xml")] == [LARGEST_PAGE, 6]


def test_titles_and_ids_without_end_are_cut_off(tmp_path):
    endless = page(1, "t" * 100_000, "Short.").replace("<id>1</id>", f"<id>{'1' * 100_000}</id>")
    (tmp_path / "dump.xml").write_text(HEAD + endless + FOOT)
    assert list(dump_pages(tmp_path / "dump.xml")) == [Page("1" * LONGEST_TITLE, "t" * LONGEST_TITLE, "Short.")]


def test_memory_holds_one_page_and_not_the_dump(tmp_path):
    with bz2.open(tmp_path / "dump.bz2", "wt", compresslevel=1) as file:
        file.write(HEAD)
        file.writelines(page(number, "A", "word " * 2_000) for number in range(200))
        file.write(FOOT)
    tracemalloc.start()
    assert sum(1 for _ in dump_pages(tmp_path / "dump.bz2")) == 200
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


BOMB = '<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + HEAD + "&b;" + FOOT


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (BOMB, "declares the entity 'a'"),
        ("<rss></rss>", "the root element is <rss>, not <mediawiki>"),
        (HEAD + "<page>", "not well-formed XML"),
        (HEAD + "<a>" * 60, "more than 50 elements"),
        ('<?xml version="1.0" encoding="nonsense"?>' + HEAD + FOOT, "encoding"),
        ("", "not well-formed XML"),
    ],
    ids=["bomb", "root", "truncated", "deep", "encoding", "empty"],
)
def test_what_is_no_dump_is_refused_with_its_place(tmp_path, content, message):
    (tmp_path / "dump.xml").write_text(content)
    with pytest.raises(CorpusError, match=message) as caught:
        list(dump_pages(tmp_path / "dump.xml"))
    assert "dump.xml, line" in str(caught.value)


def test_a_comment_that_is_too_long_is_refused(tmp_path):
    (tmp_path / "dump.xml").write_text(HEAD + "<!--" + "x" * 9_000_000)
    with pytest.raises(CorpusError, match=r"dump\.xml, line .*a tag or a comment longer than"):
        list(dump_pages(tmp_path / "dump.xml"))


def test_a_damaged_or_missing_file_is_told(tmp_path):
    (tmp_path / "dump.bz2").write_bytes(bz2.compress(DUMP.encode())[:-20])
    with pytest.raises(CorpusError, match="damaged"):
        list(dump_pages(tmp_path / "dump.bz2"))
    (tmp_path / "bad.bz2").write_bytes(b"BZh9" + b"\0" * 100)
    with pytest.raises(CorpusError, match="cannot be read"):
        list(dump_pages(tmp_path / "bad.bz2"))
    with pytest.raises(CorpusError, match="there is no file"):
        list(dump_pages(tmp_path / "none.xml"))
    with pytest.raises(CorpusError, match="is a folder"):
        list(dump_pages(tmp_path))

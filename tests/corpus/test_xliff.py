"""XLIFF 1.2 and 2.x, in the shapes of the tools that write them."""

from __future__ import annotations

import gzip
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.corpus import read
from concord.errors import CorpusError

TRADOS = """\ufeff<?xml version="1.0" encoding="utf-8"?>
<xliff xmlns:sdl="http://sdl.com/FileTypes/SdlXliff/1.0" xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2" \
sdl:version="1.0">
<file original="C:\\docs\\manual.docx" datatype="x-sdlfilterframework2" source-language="en-US" target-language="es-ES">
<header><sdl:ref-files uid="1" id="x"/><tag-defs xmlns="http://sdl.com/FileTypes/SdlXliff/1.0">
<tag id="5"><bpt name="b">&lt;b&gt;</bpt></tag></tag-defs></header>
<body>
<trans-unit id="lockTU_1" translate="no" sdl:locktype="Manual"><source><x id="0"/></source></trans-unit>
<group><sdl:cxts><sdl:cxt id="1"/></sdl:cxts>
<trans-unit id="8f1c">
<source><g id="5">Hello there.</g> How are you? <x id="6"/></source>
<seg-source><g id="5"><mrk mtype="seg" mid="1">Hello <g id="7">there</g>.</mrk></g> \
<mrk mtype="seg" mid="2">How are you?</mrk> <x id="6"/></seg-source>
<target><g id="5"><mrk mtype="seg" mid="1">Hola <g id="7">a todos</g>.</mrk></g> \
<mrk mtype="seg" mid="2"></mrk> <x id="6"/></target>
<sdl:seg-defs><sdl:seg id="1" conf="Translated"/><sdl:seg id="2"/></sdl:seg-defs>
</trans-unit>
</group>
</body></file></xliff>
"""
TWO = """<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0"
  version="2.0" srcLang="en" trgLang="es">
 <file id="f1" original="a.html">
  <group id="g" translate="no"><unit id="u0"><segment><source>CODE</source></segment></unit>
   <unit id="u1" translate="yes">
    <mtc:matches><mtc:match ref="#s1"><source>Not</source><target>this</target></mtc:match></mtc:matches>
    <originalData><data id="d1">&lt;b></data></originalData>
    <segment id="s1"><source>Press <pc id="1" dataRefStart="d1">here</pc><ph id="2"/>. </source>
     <target>Pulse <pc id="1">aquí</pc><ph id="2"/>. </target></segment>
    <ignorable><source> </source></ignorable>
    <segment><source><sc id="3"/>Or <mrk id="m" type="term">there</mrk><ec startRef="3"/>.</source></segment>
   </unit></group>
  <unit id="u2"><segment><source/></segment></unit>
  <unit id="u3"><segment><source>Last</source></segment></unit>
 </file>
</xliff>
"""


def unit(id, source, rest=""):
    return f'<trans-unit id="{id}"><source>{source}</source>{rest}</trans-unit>'


def part(*units, original="a.txt", lang="en"):
    body = "\n".join(units)
    return f'<file original="{original}" source-language="{lang}" datatype="plaintext"><body>\n{body}\n</body></file>'


def xliff(*parts):
    return f'<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">{"".join(parts)}</xliff>'


def opened(folder, content, lang="en", name="a.xlf"):
    file = folder / name
    file.write_bytes(content.encode())
    return read(file, lang)


def refusal(folder, content, lang="en"):
    with pytest.raises(CorpusError) as caught:
        opened(folder, content, lang)
    return str(caught.value)


def words(corpus):
    return [segment.text.words for segment in corpus]


def test_the_segments_that_trados_marks_are_the_rows(tmp_path):
    corpus = opened(tmp_path, TRADOS, name="manual.docx.sdlxliff")
    assert [(s.id, s.text.words, s.reference) for s in corpus] == [
        ("8f1c/1", "Hello there.", "Hola a todos."),
        ("8f1c/2", "How are you?", None),
    ]
    assert {segment.domain for segment in corpus} == {"C:\\docs\\manual.docx"}
    assert corpus.warnings == [
        "1 inline tag in 1 segment is left out of the text",
        '1 unit with translate="no" is skipped',
    ]


def test_version_two_is_read_with_its_segments_and_inherited_translate(tmp_path):
    corpus = opened(tmp_path, TWO, name="a.xliff")
    assert [(s.id, s.position, s.text.words, s.reference) for s in corpus] == [
        ("u1/s1", 0, "Press here. ", "Pulse aquí. "),
        ("u1/2", 1, "Or there.", None),
        ("u3", 3, "Last", None),
    ]
    assert {segment.domain for segment in corpus} == {"a.html"}
    assert corpus.warnings == [
        "4 inline tags in 2 segments are left out of the text",
        '1 unit with translate="no" is skipped',
        "1 empty line is skipped (13)",
    ]


def test_all_codes_of_version_one_leave_the_text(tmp_path):
    source = 'a<bpt id="1">X<sub>sub</sub></bpt>b<ept id="1">X</ept><it id="2" pos="open">X</it><ph id="3">X</ph>c'
    more = '<bx id="4"/>{0} <g id="5">%d <mrk mtype="term">term</mrk></g><ex id="4"/>'
    corpus = opened(tmp_path, xliff(part(unit("1", source + more))))
    assert words(corpus) == ["abc{0} %d term"]
    assert corpus.warnings == [
        "7 inline tags in 1 segment are left out of the text",
        "1 sub-flow is left out of the text",
    ]


def test_proposals_are_neither_text_nor_reference(tmp_path):
    proposal = '<alt-trans match-quality="80"><source>Hi</source><target>Buenas</target></alt-trans>'
    (segment,) = opened(tmp_path, xliff(part(unit("1", "Hello", proposal))), name="a.mxliff")
    assert (segment.text.words, segment.reference) == ("Hello", None)


def test_an_id_of_another_file_is_told_apart_by_the_original(tmp_path):
    parts = [part(unit("1", "a"), original=name) for name in ("x.txt", "y.txt", "y.txt")]
    assert [s.id for s in opened(tmp_path, xliff(*parts))] == ["1", "y.txt/1", "3/1"]


def test_an_id_used_twice_in_one_file_gives_way_to_the_number(tmp_path):
    corpus = opened(tmp_path, xliff(part(unit("1", "a"), unit("1", "b"))))
    first, second = corpus
    assert first.id == "1"
    assert second.id == "unit 2"
    assert corpus.warnings == ["1 segment repeats an id and is named by its number"]


def test_files_in_another_language_are_skipped_and_counted(tmp_path):
    content = xliff(part(unit("1", "Hallo"), lang="de"), part(unit("1", "Hello"), lang="en_US"))
    corpus = opened(tmp_path, content)
    assert [(s.id, s.text.words) for s in corpus] == [("1", "Hello")]
    assert corpus.warnings == ["1 unit not in 'en' is skipped"]
    assert "has no segment in 'fr'. Found: de, en-US. Choose one" in refusal(tmp_path, content, "fr")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("<tmx/>", "a.xlf, line 1: the root element is <tmx>, not <xliff>"),
        ("<xliff>\n<file>", "a.xlf, line 2: not well-formed XML (no element found)"),
        ("<xliff>\n<m:a/></xliff>", "a.xlf, line 2: not well-formed XML (unbound prefix)"),
        ('<!DOCTYPE xliff [<!ENTITY a "b">]><xliff/>', "a.xlf, line 1: the file declares the entity 'a'"),
        (xliff(), "a.xlf has no units in it"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(tmp_path, content, said):
    assert said in refusal(tmp_path, content)


def two(texts):
    units = (f'<unit id="{i}"><segment><source>{text}</source></segment></unit>' for i, text in enumerate(texts))
    return f'<xliff version="2.1" srcLang="en"><file id="f">{"".join(units)}</file></xliff>'


def one(texts):
    return xliff(part(*(unit(str(number), text) for number, text in enumerate(texts))))


CHARACTERS = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff") | st.sampled_from(
    "\n\t\r"
)
TEXTS = st.lists(st.text(CHARACTERS), min_size=1).map(lambda texts: ["First", *texts])


@given(texts=TEXTS, packed=st.booleans(), write=st.sampled_from([one, two]))
def test_what_is_written_is_read_back(tmp_path_factory, texts, packed, write):
    content = write([escape(text, {"\r": "&#13;"}) for text in texts]).encode()
    file = tmp_path_factory.mktemp("xliff") / ("a.xliff.gz" if packed else "a.xlf")
    file.write_bytes(gzip.compress(content) if packed else content)
    expected = [(str(i), i, text) for i, text in enumerate(texts) if text.strip()]
    assert [(s.id, s.position, s.text.words) for s in read(file, "en")] == expected


@given(st.data())
def test_a_damaged_file_is_a_corpus_or_a_corpus_error(tmp_path_factory, data):
    whole = data.draw(st.sampled_from([TRADOS, TWO])).encode()
    start = data.draw(st.integers(0, len(whole)))
    damaged = whole[:start] + data.draw(st.binary(max_size=4)) + whole[start + data.draw(st.integers(0, 40)) :]
    file = tmp_path_factory.mktemp("damaged") / "a.xlf"
    file.write_bytes(damaged)
    try:
        corpus = read(file, "en")
    except CorpusError:
        return
    assert len(list(corpus)) == corpus.size > 0


def test_a_large_file_is_never_whole_in_memory(tmp_path, size_and_peak):
    file = tmp_path / "large.xlf"
    with file.open("w") as stream:
        stream.write('<xliff><file original="a" source-language="en"><body>')
        text = "A sentence <x/>that goes on" + " and on" * 80
        stream.writelines(unit(str(i), text, "<target>Una</target>") for i in range(10_000))
        stream.write("</body></file></xliff>")
    size, peak = size_and_peak(file)
    assert size == 10_000
    assert peak < 1_000_000

"""Translation memories, in the shapes of the tools that write them."""

from __future__ import annotations

import gzip
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.corpus import read
from concord.errors import CorpusError

OMEGAT = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx11.dtd">
<tmx version="1.1">
  <header creationtool="OmegaT" o-tmf="OmegaT TMX" adminlang="EN-US" segtype="sentence" srclang="EN-US"/>
  <body>
<!-- Default translations -->
    <tu>
      <tuv lang="EN-US">
        <seg>Press &lt;b0&gt;Start&lt;/b0&gt; &amp; wait.</seg>
      </tuv>
      <tuv lang="ES-ES" changeid="ana" changedate="20240102T030405Z">
        <seg>Pulse &lt;b0&gt;Inicio&lt;/b0&gt; y espere.</seg>
      </tuv>
    </tu>
    <tu>
      <prop type="file">a.txt</prop>
      <tuv lang="EN-US"><seg></seg></tuv>
      <tuv lang="ES-ES"><seg>Nada</seg></tuv>
    </tu>
    <tu>
      <tuv lang="EN-US"><seg>Bye</seg></tuv>
      <tuv lang="ES-ES"><seg/></tuv>
    </tu>
  </body>
</tmx>
"""


def tuv(lang, seg):
    return f'<tuv xml:lang="{lang}"><seg>{seg}</seg></tuv>'


def tmx(*units, before=""):
    body = "\n".join(units)
    return f'{before}<tmx version="1.4"><header srclang="*all*"/><body>\n{body}\n</body></tmx>'


def tu(*variants, attributes=""):
    return f"<tu {attributes}>{''.join(variants)}</tu>"


def opened(folder, content, lang="en", limit=None):
    file = folder / "a.tmx"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read(file, lang, limit=limit)


def refusal(folder, content, lang="en"):
    with pytest.raises(CorpusError) as caught:
        opened(folder, content, lang)
    assert str(folder / "a.tmx") in str(caught.value)
    return str(caught.value)


def words(corpus):
    return [segment.text.words for segment in corpus]


def test_a_memory_of_omegat_is_read_with_its_references_and_empty_segments(tmp_path):
    corpus = opened(tmp_path, OMEGAT)
    assert [(s.position, s.text.words, s.reference) for s in corpus] == [
        (0, "Press <b0>Start</b0> & wait.", "Pulse <b0>Inicio</b0> y espere."),
        (2, "Bye", None),
    ]
    assert corpus.warnings == ["1 empty line is skipped (15)"]
    assert words(opened(tmp_path, OMEGAT, "es")) == ["Pulse <b0>Inicio</b0> y espere.", "Nada"]


def test_ids_and_domains_are_kept(tmp_path):
    unit = tu('<prop type="x-Domain"> law </prop>', tuv("en", "Hello"), attributes='tuid="7"')
    (segment,) = opened(tmp_path, tmx(unit))
    assert (segment.id, segment.domain) == ("7", "law")


def test_an_id_that_is_used_again_gives_way_to_the_number(tmp_path):
    units = [tu(tuv("en", text), attributes='tuid="7"') for text in ("one", "two", "three")]
    corpus = opened(tmp_path, tmx(*units))
    assert [segment.id == "7" for segment in corpus] == [True, False, False]
    assert corpus.warnings == ["2 segments repeat an id and are named by their numbers"]


@pytest.mark.parametrize(
    ("lang", "text"),
    [("en", "plain"), ("en-GB", "British"), ("en-US", "plain"), ("pt", "Brazil"), ("pt-BR", "Brazil")],
)
def test_the_nearest_variant_of_the_language_is_taken(tmp_path, lang, text):
    unit = tu(tuv("en_GB", "British"), tuv("eng", "plain"), tuv("PT-br", "Brazil"))
    (segment,) = opened(tmp_path, tmx(unit), lang)
    assert segment.text.words == text


def test_another_region_is_another_language(tmp_path):
    message = refusal(tmp_path, tmx(tu(tuv("en-GB", "Hello"), tuv("es", "Hola"))), "en-US")
    assert "has no segment in 'en-US'. Found: en-GB, es. Choose one" in message


def test_a_reference_needs_exactly_one_other_language_and_the_same_in_all_units(tmp_path):
    en, es, fr = tuv("en", "Hello"), tuv("es", "Hola"), tuv("fr", "Salut")
    corpus = opened(tmp_path, tmx(tu(en, es, fr), tu(en), tu(en, es), tu(en, fr), tu(es, en), tu(fr, es)))
    assert [segment.reference for segment in corpus] == [None, None, "Hola", None, "Hola"]
    assert corpus.warnings == [
        "1 translation, not in 'es' like the first, is no reference",
        "1 unit without 'en' is skipped",
    ]


def test_native_code_and_sub_flows_leave_the_text_and_are_counted(tmp_path):
    first = 'Click <bpt i="1">&lt;b></bpt>%s<ept i="1">&lt;/b></ept> <hi>or <it pos="begin">x</it>{name}</hi>'
    second = "<ph>&lt;img alt='<sub>A <ph/>cat</sub>'/></ph>Done"
    corpus = opened(tmp_path, tmx(tu(tuv("en", first)), tu(tuv("en", second)), tu(tuv("en", "Plain"))))
    assert words(corpus) == ["Click %s or {name}", "Done", "Plain"]
    assert corpus.warnings == [
        "4 inline tags in 2 segments are left out of the text",
        "1 sub-flow is left out of the text",
    ]


def test_counts_cover_what_was_read_when_there_is_a_limit(tmp_path):
    unit = tu(tuv("en", "a<ph/>"))
    corpus = opened(tmp_path, tmx(unit, unit, unit), limit=1)
    assert corpus.warnings == ["1 inline tag in 1 segment is left out of the text"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "line 1: not well-formed XML (no element found)"),
        ("Hello\n", "line 1: not well-formed XML (syntax error)"),
        ("<tmx>\n<body>\n<tu></body></tmx>", "line 3: not well-formed XML (mismatched tag)"),
        ("<tmx>\n<body>", "line 2: not well-formed XML (no element found)"),
        ("<tmx>\n&nbsp;</tmx>", "line 2: not well-formed XML (undefined entity)"),
        ("<!-- x -->\n<html/>", "line 2: the root element is <html>, not <tmx>"),
        ("<tmx/>", "has no units in it"),
        (tmx(tu(tuv("de", "Hallo")), tu(tuv("", "?"))), "has no segment in 'en'. Found: (none), de"),
        ('<?xml version="1.0" encoding="klingon"?><tmx/>', "line 1: the declared encoding cannot be read"),
        ('<?xml version="1.0" encoding="gb18030"?><tmx/>', "line 1: the declared encoding cannot be read"),
        ("<tmx>" + "<a>" * 100, "line 1: more than 100 elements inside each other"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(tmp_path, content, said):
    assert said in refusal(tmp_path, content)


def test_a_unit_that_is_too_long_is_refused(tmp_path):
    content = tmx(tu(tuv("en", "x" * 11_000_000)))
    assert "line 2: a unit longer than 10,000,000 bytes" in refusal(tmp_path, content)


@pytest.mark.parametrize(
    "declaration",
    ['<!ENTITY a "aaaa">', '<!ENTITY a SYSTEM "file:///etc/hostname">', '<!ENTITY % a SYSTEM "x.dtd"> %a;'],
)
def test_a_file_that_declares_entities_is_refused(tmp_path, declaration):
    content = tmx(tu(tuv("en", "&a;")), before=f"<!DOCTYPE tmx [\n{declaration}]>\n")
    assert "line 2: the file declares the entity 'a'" in refusal(tmp_path, content)


def test_an_entity_of_an_external_dtd_is_not_lost_in_silence(tmp_path):
    content = tmx(tu(tuv("en", "a&nbsp;b")), before='<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n')
    assert "line 3: the entity &nbsp; is declared nowhere in the file" in refusal(tmp_path, content)


def test_the_declared_encoding_counts_unless_the_file_was_converted_from_utf16(tmp_path):
    text = tmx(tu(tuv("en", "café")))
    for declared, real in [("windows-1252", "cp1252"), ("utf-16", "utf-8"), ("UTF-8", "utf-8-sig")]:
        content = f'<?xml version="1.0" encoding="{declared}"?>\n{text}'.encode(real)
        assert words(opened(tmp_path, content)) == ["café"]


def test_a_memory_that_changes_under_the_reader_is_an_error(tmp_path):
    corpus = opened(tmp_path, OMEGAT)
    (tmp_path / "a.tmx").write_text(tmx(tu(tuv("en", "Other"))))
    with pytest.raises(CorpusError, match="has changed since it was opened"):
        list(corpus)


CHARACTERS = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff") | st.sampled_from(
    "\n\t\r"
)
TEXTS = st.lists(st.text(CHARACTERS), min_size=1).map(lambda texts: ["First", *texts])


@given(texts=TEXTS, packed=st.booleans())
def test_what_is_written_is_read_back(tmp_path_factory, texts, packed):
    units = (tu(tuv("en", escape(text, {"\r": "&#13;"})), tuv("es", "x")) for text in texts)
    content = tmx(*units).encode()
    file = tmp_path_factory.mktemp("tmx") / ("a.tmx.gz" if packed else "a.tmx")
    file.write_bytes(gzip.compress(content) if packed else content)
    expected = [(i, text) for i, text in enumerate(texts) if text.strip()]
    assert [(s.position, s.text.words) for s in read(file, "en")] == expected


def test_a_large_memory_is_never_whole_in_memory(tmp_path, size_and_peak):
    file = tmp_path / "large.tmx"
    unit = tu(
        tuv("en", "A sentence that goes <ph>x</ph>on" + " and on" * 80), tuv("es", "Una frase"), attributes='tuid="{}"'
    )
    with file.open("w") as stream:
        stream.write("<tmx><body>\n")
        stream.writelines(unit.replace("{}", str(number)) + "\n" for number in range(10_000))
        stream.write("</body></tmx>")
    size, peak = size_and_peak(file)
    assert size == 10_000
    assert peak < 1_200_000

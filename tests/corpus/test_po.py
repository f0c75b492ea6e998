"""gettext catalogues and templates."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.corpus import read
from concord.errors import CorpusError

GETTEXT = r"""# Spanish translations.
#, fuzzy
msgid ""
msgstr ""
"Project-Id-Version: demo 1.0\n"
"Language: es\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

#. A greeting
#: src/main.c:12
#, c-format
msgid "Hello, %s!"
msgstr "¡Hola, %s!"

msgctxt "menu"
msgid ""
"Open the file "
"\"{name}\"\n"
"\tnow \\ later"
msgstr ""
"Abrir"

#: src/main.c:20
#, fuzzy, c-format
#| msgid "%d files"
msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d archivo"
msgstr[1] "%d archivos"

msgid "One"
msgid_plural "Many"
msgstr[0] "Uno"
msgstr[1] "Muchos"
msgctxt "empty"
msgid ""
msgstr "x"

msgid "Untranslated"
msgstr ""

#, fuzzy
#~ msgid "Old"
#~ msgstr "Viejo"

msgid "Last"
msgstr "Último"
"""


def opened(folder, content, lang="en", name="a.po"):
    file = folder / name
    file.write_bytes(content.encode())
    return read(file, lang)


def refusal(folder, content):
    with pytest.raises(CorpusError) as caught:
        opened(folder, content)
    return str(caught.value)


def test_a_catalogue_of_gettext_is_read(tmp_path):
    corpus = opened(tmp_path, GETTEXT)
    assert [(s.position, s.text.words, s.reference) for s in corpus] == [
        (0, "Hello, %s!", "¡Hola, %s!"),
        (1, 'Open the file "{name}"\n\tnow \\ later', "Abrir"),
        (2, "%d file", None),
        (3, "%d files", None),
        (4, "One", "Uno"),
        (5, "Many", "Muchos"),
        (7, "Untranslated", None),
        (8, "Last", "Último"),
    ]
    assert corpus.warnings == [
        "1 fuzzy message is kept, without the unsure translation",
        "1 empty line is skipped (37)",
    ]


@pytest.mark.parametrize(
    ("forms", "references"),
    [(["a"], ["a", "a"]), (["a", "b"], ["a", "b"]), (["a", "b", "c"], [None, None]), ([], [None, None])],
)
def test_plural_forms_are_references_where_it_is_clear_which_is_which(tmp_path, forms, references):
    strings = "".join(f'msgstr[{number}] "{form}"\n' for number, form in enumerate(forms))
    corpus = opened(tmp_path, f'msgid "One"\nmsgid_plural "Many"\n{strings}')
    assert [segment.reference for segment in corpus] == references


def test_a_template_is_a_catalogue_without_translations(tmp_path):
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=CHARSET\\n"\n'
    corpus = opened(tmp_path, header + '\nmsgid "Hello"\nmsgstr ""\n', name="a.pot")
    assert [(s.text.words, s.reference) for s in corpus] == [("Hello", None)]


def test_messages_have_their_numbers_as_ids(tmp_path):
    one, two = opened(tmp_path, 'msgctxt "a"\nmsgid "Open"\nmsgstr ""\nmsgctxt "b"\nmsgid "Open"\nmsgstr ""\n')
    assert (one.id, two.id) == ("unit 1", "unit 2")


def test_a_catalogue_read_in_the_language_of_its_translations_is_warned_about(tmp_path):
    (warning, *_) = opened(tmp_path, GETTEXT, "es").warnings
    assert warning.startswith("the header says that the translations are in 'es', but the text is")


def test_escaped_bytes_make_characters(tmp_path):
    (segment,) = opened(tmp_path, r'msgid "caf\303\251 \xe2\x82\xac \a\b\f\v\r" "!"' + '\nmsgstr ""\n')
    assert segment.text.words == "café € \a\b\f\v\r!"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            '\nmsgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n',
            "line 2: the header declares the charset ISO-8859-1, not UTF-8. Convert the file: msgconv -t UTF-8",
        ),
        ('msgid "a"\nmsgstr "b\n', 'line 2: not PO: msgstr "b. Expected msgid'),
        ('msgid "a"\nmsgstr b\n', "line 2: not PO: msgstr b. Expected"),
        ('"a"\n', 'line 1: not PO: "a"'),
        ("Hello\n", "line 1: not PO: Hello"),
        ('msgstr "a"\n', "line 1: msgstr without msgid. Write the msgid before it"),
        ('msgid "a"\n\nmsgid "b"\n', "line 3: a second msgid in one message"),
        ('msgid "a"\nmsgstr "b"\nmsgstr "c"\n', "line 3: a second msgstr in one message"),
        ('msgctxt "a"\n', "line 1: a message without msgid"),
        ('msgid "a\\q"\n', "line 1: \\q means nothing. For a backslash, write two"),
        ('msgid "\\xff"\n', "line 1: \\xff means nothing"),
        ('msgid ""\n' + f'"{"a" * 999}"\n' * 1000, "a message longer than 1,000,000 characters"),
        ("# nothing\n", "has no text"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(tmp_path, content, said):
    message = refusal(tmp_path, content)
    assert str(tmp_path / "a.po") in message
    assert said in message


def quoted(text):
    for raw, escaped in [("\\", "\\\\"), ('"', '\\"'), ("\n", '\\n"\n"'), ("\t", "\\t"), ("\r", "\\r")]:
        text = text.replace(raw, escaped)
    return f'"{text}"'


TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1)


@given(texts=TEXTS, packed=st.booleans())
def test_what_is_written_is_read_back(tmp_path_factory, texts, packed):
    texts = ["", "First", *texts]
    content = "\n".join(f'msgid {quoted(text)}\nmsgstr "x"\n' for text in texts).encode()
    file = tmp_path_factory.mktemp("po") / ("a.po.gz" if packed else "a.po")
    file.write_bytes(gzip.compress(content) if packed else content)
    expected = [(i, text, "x") for i, text in enumerate(texts[1:]) if text.strip()]
    assert [(s.position, s.text.words, s.reference) for s in read(file, "en")] == expected


def test_a_large_catalogue_is_never_whole_in_memory(tmp_path, size_and_peak):
    file = tmp_path / "large.po"
    with file.open("w") as stream:
        stream.writelines(f'msgid "The sentence {i} goes on"\nmsgstr "La frase"\n\n' for i in range(10_000))
    size, peak = size_and_peak(file)
    assert size == 10_000
    assert peak < 150_000

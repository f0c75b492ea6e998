from __future__ import annotations

import asyncio
import itertools
import os
import random
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.errors import BadAnswer, Missing, Refused, ServiceError, UserError
from concord.language.analysis import Word
from concord.language.apertium.chunks import read_chunks, to_chunker
from concord.language.apertium.modes import FOLDER, TOGETHER, find_modes, to_stream
from concord.language.apertium.words import read_words
from concord.language.parse._spans import MOST_CHARACTERS
from concord.language.parse.apertium import EDITION, MOST_UNBROKEN, Parser
from concord.language.trees import Tree, read_brackets, visible
from concord.model import Text
from concord.translators.apertium import Translator

ODD = [*"[]{}^$/\\@<>~*+#'\".,!?\u00ad\u200d\u00a0\u0301\x01\x0b\n\t\r 😀👍🏽日Жé", "\n\n", "[]", "^a/b<n>$", "[w3]"]
KNOWN = ["in front of", "isn't", "John's", "gave up", "Mr.", "a lot of", "Zorblax", "3.5", "known", "e.g.", "the", " "]


@pytest.fixture(scope="module")
def parser() -> Iterator[Parser]:
    made = Parser()
    yield made
    made.close()


def words(parser: Parser, text: str, lang: str = "en") -> list[Word]:
    found = parser.analyse([text], lang)[0]
    assert isinstance(found, list)
    return found


def tree(parser: Parser, text: str, lang: str = "en") -> Tree:
    found = parser.parse([Text(text, lang)])[0]
    assert isinstance(found, Tree)
    return found


def children(name: str) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(os.getpid())], capture_output=True, text=True)
    rows = [line.split() for line in listed.stdout.splitlines()]
    return [int(pid) for pid, command, *_ in rows if name.startswith(command)]


def test_words_come_with_offsets_lemmas_and_tags(parser: Parser) -> None:
    found = words(parser, "The cats slept.")
    assert [(word.start, word.end, word.words) for word in found] == [
        (0, 3, "The"),
        (4, 8, "cats"),
        (9, 14, "slept"),
        (14, 15, "."),
    ]
    assert [word.lemmas for word in found] == [("the",), ("cat",), ("sleep",), (".",)]
    assert [word.upos for word in found] == ["DET", "NOUN", "VERB", "PUNCT"]
    assert found[1].parts[0].tags == ("n", "pl")


@pytest.mark.parametrize(
    ("lang", "text", "lemmas"),
    [
        ("es", "Los gatos duermen", ["el", "gato", "dormir"]),
        ("ca", "Els gats dormen", ["el", "gat", "dormir"]),
        ("gl", "Os gatos comen", ["o", "gato", "comer"]),
        ("fr", "Les chats dorment", ["le", "chat", "dormir"]),
        ("pt", "Os gatos dormem", ["o", "gato", "dormir"]),
        ("eo", "La katoj dormas", ["la", "kato", "dormi"]),
    ],
)
def test_every_installed_language_is_analysed(parser: Parser, lang: str, text: str, lemmas: list[str]) -> None:
    assert lang in parser.languages()
    assert [word.lemmas[0] for word in words(parser, text, lang)] == lemmas


def test_a_contraction_is_one_word_with_two_lemmas(parser: Parser) -> None:
    found = words(parser, "la casa del gato", "es")
    assert [(word.words, word.lemmas) for word in found][2] == ("del", ("de", "el"))
    assert words(parser, "Dáselo", "es")[0].lemmas[0] == "dar"


@pytest.mark.parametrize("blank", [" ", "  ", "\n", " \t\r\n "])
def test_a_multiword_is_one_word_whatever_blanks_it_has(parser: Parser, blank: str) -> None:
    text = f"It is in{blank}front of us"
    found = words(parser, text)[2]
    assert (found.words, found.lemmas, found.upos) == (f"in{blank}front of", ("in front of",), "ADP")


def test_the_rest_of_a_phrasal_verb_belongs_to_its_lemma(parser: Parser) -> None:
    assert words(parser, "She gave up smoking")[1].lemmas == ("give up",)


def test_an_unknown_word_is_its_own_lemma_and_has_no_tag(parser: Parser) -> None:
    found = words(parser, "The Zorblax")[1]
    assert (found.lemmas, found.upos, found.parts[0].tags) == (("Zorblax",), "X", ())


def test_lemmas_have_the_case_of_the_dictionary(parser: Parser) -> None:
    assert [word.lemmas[0] for word in words(parser, "THE CATS OF LONDON", "en")] == ["the", "cat", "of", "London"]


@pytest.mark.parametrize("letter", list("[]{}^$/\\@<>~*+#"))
def test_characters_that_mean_something_to_apertium_keep_their_place(parser: Parser, letter: str) -> None:
    text = f"The {letter}cat{letter} slept"
    assert {word.words: word.start for word in words(parser, text)}["cat"] == text.index("cat")
    assert words(parser, text)[-1].words == "slept"


def test_emoji_and_other_scripts_are_words_outside_of_the_dictionary(parser: Parser) -> None:
    found = words(parser, "the 😀👍🏽 cat 日本語。")
    assert [(word.words, word.upos) for word in found] == [
        ("the", "DET"),
        ("😀👍🏽", "SYM"),
        ("cat", "NOUN"),
        ("日本語", "X"),
        ("。", "PUNCT"),
    ]


def test_the_full_stops_that_are_added_for_apertium_are_no_words(parser: Parser) -> None:
    assert [word.words for word in words(parser, "News\n\nMr")] == ["News", "Mr"]


@given(st.lists(st.sampled_from([*KNOWN, *ODD]), max_size=12).map("".join))
@settings(max_examples=60, deadline=None)
def test_every_visible_character_is_in_exactly_one_word(parser: Parser, text: str) -> None:
    found = words(parser, text)
    bounds = [0, *itertools.chain.from_iterable((word.start, word.end) for word in found), len(text)]
    assert bounds == sorted(bounds)
    assert all(word.words.strip() == word.words != "" for word in found)
    outside = "".join(text[a:b] for a, b in zip(bounds[::2], bounds[1::2], strict=True))
    assert not any(map(visible, outside))


@given(st.lists(st.sampled_from([*KNOWN, *ODD]), max_size=12).map("".join))
@settings(max_examples=60, deadline=None)
def test_a_tree_written_as_brackets_is_read_back_from_the_text(parser: Parser, text: str) -> None:
    found = parser.parse([Text(text, "en")])[0]
    assert isinstance(found, Refused) or read_brackets(found.bracketed(), text) == found


def test_a_tilde_is_a_mark_though_apertium_is_not_shown_it(parser: Parser) -> None:
    found = words(parser, "~ about ~10 cats~")
    assert [(word.words, word.upos) for word in found if "~" in word.words] == [("~", "SYM")] * 3
    assert len(tree(parser, "~ Hello there. ~ Goodbye.").children) == 2


@pytest.mark.parametrize("text", ["", "  \n\t ", "\x01\u200b\ufeff"])
def test_a_text_without_words_has_none_and_no_tree(parser: Parser, text: str) -> None:
    assert parser.analyse([text], "en") == [[]]
    refused = parser.parse([Text(text, "en")])[0]
    assert isinstance(refused, Refused)
    assert "no word" in str(refused)


def test_a_long_text_is_analysed_to_its_end(parser: Parser) -> None:
    text = "the old cat sleeps in front of the house . " * 600
    assert len(words(parser, text)) == 8 * 600
    assert len(tree(parser, text).children) == 600


def test_a_long_sentence_is_one_tree() -> None:
    parser = Parser(target="es")
    text = "the old cat sleeps in front of the house , " * 600
    found = tree(parser, text)
    assert (len(found.children), len(found.leaves()), found.end) == (1, 8 * 600, len(text.rstrip()))
    parser.close()


@pytest.mark.parametrize(
    "text",
    [
        "x" * MOST_UNBROKEN,
        "1" * MOST_UNBROKEN,
        "the cat " * 12_500,
        "word " * 5_000,
        ". " * 5_000,
        "(" * 5_000,
        "~" * 5_000,
        "\n\n" * 5_000 + "cat",
        "THE CAT SAT ON THE MAT. " * 500,
        "👩‍👩‍👧‍👦🏳️‍🌈" * 300,
        "שלום עולם القطة " * 1_000,
        "猫がマットの上に座った。" * 400,
        "e\u0301\u0327 " * 5_000,
        "\x01\x1b[31m\u202e cat\u200b " * 1_000,
    ],
    ids=lambda text: ascii(text[:8]),
)
def test_odd_and_long_texts_are_analysed_like_others(parser: Parser, text: str) -> None:
    found = tree(parser, text)
    assert not any(map(visible, text[: found.start] + text[found.end :]))
    assert read_brackets(found.bracketed(), text) == found


@pytest.mark.parametrize("bad", ["a\0b", "a\uffffb", "a\ud800b", "x " * MOST_CHARACTERS, "x" * (MOST_UNBROKEN + 1)])
def test_a_text_that_cannot_be_sent_is_refused_alone(parser: Parser, bad: str) -> None:
    first, refused, last = parser.parse([Text("one cat", "en"), Text(bad, "en"), Text("two cats", "en")])
    assert isinstance(first, Tree)
    assert isinstance(refused, Refused)
    assert isinstance(last, Tree)


@pytest.mark.parametrize(
    ("lang", "text", "shape"),
    [
        ("es", "Los gatos negros duermen.", "(ROOT (S (SN DET NOUN ADJ) (SV VERB) PUNCT))"),
        (
            "en",
            "The old cat slept in the house.",
            "(ROOT (S (SN DET ADJ NOUN) (SV VERB) (PREP ADP) (SN DET NOUN) PUNCT))",
        ),
        ("fr", "Les chats noirs dorment.", "(ROOT (S (SN DET NOUN ADJ) (SV VERB) PUNCT))"),
        ("pt", "Os gatos pretos dormem.", "(ROOT (S DET NOUN ADJ VERB PUNCT))"),
    ],
)
def test_chunks_are_phrases_of_a_shallow_tree(parser: Parser, lang: str, text: str, shape: str) -> None:
    assert tree(parser, text, lang).shape() == shape
    assert parser.kind == "shallow"


def test_a_phrase_is_cut_from_the_original_text(parser: Parser) -> None:
    found = tree(parser, "I saw  the  [big]\tdogs of Mary's friend.")
    assert [phrase.words for phrase in found.phrases("PREP")] == ["of"]
    assert "friend" in [phrase.words for phrase in found.phrases("SN")]


def test_every_sentence_is_a_child_of_the_root(parser: Parser) -> None:
    found = tree(parser, 'He said: "Stop!" She left... Did she?\n\nA headline\n\nSee zorb.quux now.')
    assert [sentence.words for sentence in found.children] == [
        'He said: "Stop!"',
        "She left...",
        "Did she?",
        "A headline",
        "See zorb.quux now.",
    ]


def test_texts_in_several_languages_come_back_in_order(parser: Parser) -> None:
    texts = [Text("The cat sleeps", "en"), Text("El gato duerme", "es"), Text("A dog barks", "en")]
    found = parser.parse(texts)
    assert [each.words for each in found if isinstance(each, Tree)] == [text.words for text in texts]


def test_a_regional_text_is_analysed_by_the_pair_of_its_language(parser: Parser) -> None:
    assert words(parser, "Os gatos", "pt-BR")[1].lemmas == ("gato",)


def test_an_analysis_depends_on_nothing_but_the_text() -> None:
    texts = [
        "She is a known singer from Zagreb.",
        "I believe that a lot of people will come to Frobnicator.",
        "Mrs Okonkwo-Hale bought three plums for her Quellhurst.",
        "The Zorblax gleams near Llanfair.",
        "A lot of rain fell, said Tamsin Quellhurst.",
    ] * (TOGETHER // 4)
    random.Random(7).shuffle(texts)
    parser = Parser(target="es")
    try:
        together = dict(zip(texts, parser.parse([Text(text, "en") for text in texts]), strict=True))
        for text in sorted(set(texts)):
            fresh = Parser(target="es")
            assert fresh.parse([Text(text, "en")]) == [together[text]]
            fresh.close()
    finally:
        parser.close()


@pytest.mark.parametrize(("lang", "target"), [("en", "es"), ("es", "en"), ("ca", "en"), ("gl", "en"), ("eo", "en")])
def test_the_tags_are_those_that_a_fresh_chain_of_the_translator_gives(lang: str, target: str) -> None:
    text = {
        "en": "The elected mayor is known to a lot of people.",
        "es": "La casa vieja del alcalde está en el río.",
        "ca": "La casa vella de l'alcalde és al riu.",
        "gl": "A casa vella do alcalde está no río.",
        "eo": "La malnova domo de la urbestro staras tie.",
    }[lang]
    commands = find_modes(Path(FOLDER))[lang, target].commands
    end = next(at for at, command in enumerate(commands) if command[0] == "apertium-tagger")
    stream = to_stream(text, 0) + b"\0"
    for name, *rest in commands[: end + 1]:
        extra = ["-p"] if name == "apertium-tagger" else []
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        stream = subprocess.run([name, *extra, *rest], input=stream, capture_output=True, env=environment).stdout
    expected = [[part.tags for part in word.parts] for word in read_words(text, stream.decode().split("[0]")[0]).words]
    parser = Parser(target=target)
    assert [[part.tags for part in word.parts] for word in words(parser, text, lang)] == expected
    parser.close()


def test_the_version_is_the_translators_for_the_pair_and_says_how_words_are_read() -> None:
    parser = Parser(target="es")
    assert parser.version("en") == f"{Translator().version('en', 'es')}+{EDITION}"
    assert parser.version("en") != parser.version("fr")
    assert parser.version() != Parser(target="en").version()


def test_it_can_be_asked_while_an_event_loop_is_running(parser: Parser) -> None:
    async def ask() -> list[Tree | ServiceError]:
        return parser.parse([Text("The cat sleeps", "en")])

    assert asyncio.run(ask()) == parser.parse([Text("The cat sleeps", "en")])


def test_programs_stay_alive_between_calls_and_end_when_closed() -> None:
    others = set(children("lt-proc"))
    parser = Parser(target="gl")
    words(parser, "one", "en")
    own = set(children("lt-proc")) - others
    words(parser, "two", "en")
    assert own
    assert set(children("lt-proc")) - others == own
    parser.close()
    assert set(children("lt-proc")) <= others
    assert words(parser, "three", "en")[0].words == "three"
    parser.close()


def test_a_killed_program_is_started_again() -> None:
    others = set(children("apertium-tagger"))
    parser = Parser(target="gl")
    words(parser, "one", "en")
    killed = set(children("apertium-tagger")) - others
    assert killed
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    assert words(parser, "two", "en")[0].words == "two"
    parser.close()


def test_a_language_that_is_not_installed_is_refused_with_those_that_are(parser: Parser) -> None:
    refused = parser.parse([Text("Katten sover", "sv")])[0]
    assert isinstance(refused, Refused)
    assert "'sv'" in str(refused)
    assert "ca, en, eo" in str(refused)
    with pytest.raises(UserError, match="'sv'"):
        parser.version("sv")


def test_a_pair_without_a_tagger_analyses_nothing(tmp_path: Path) -> None:
    (tmp_path / "eng-spa.mode").write_text("lt-proc /dev/null | lt-proc $1 /dev/null")
    (tmp_path / "fra-spa.mode").write_text("lt-proc /dev/null | apertium-tagger -g /dev/null | lt-proc $1 /dev/null")
    assert Parser(folder=str(tmp_path)).languages() == {"fr"}


def test_it_says_how_to_install_apertium(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Missing, match="apt-get install apertium"):
        Parser().languages()


def test_a_stream_that_does_not_repeat_the_text_is_refused() -> None:
    with pytest.raises(Refused, match="does not repeat"):
        read_words("a cat", "^a/a<det>$ ^dog/dog<n>$^./.<sent>$[]")


def test_words_are_numbered_for_the_chunker() -> None:
    stream = r"^The/the<det>$ \^ ^cat/cat<n>$[  ]^del/de<pr>+el<det>$"
    assert to_chunker(stream, 5) == rb"[w0]^the<det>$ \^ [w1]^cat<n>$[  ][w2]^de<pr>+el<det>$[5]"


def test_a_number_belongs_to_its_chunk_wherever_the_rule_left_it() -> None:
    stream = r"[w0]^det_nom<SN><m>{^el<det>$ [w1]^gato<n>$}$[w2] [w3]^verb<SV>{^a\}b<v>$}$ ^x<adv>{^no<adv>$}$[w4]"
    assert read_chunks(stream) == {0: (0, "SN"), 1: (0, "SN"), 2: (0, "SN"), 3: (1, "SV"), 4: (2, "adv")}


def test_an_answer_out_of_step_is_never_used(parser: Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(answer: bytes, number: int) -> str:
        raise BadAnswer("out of step")

    broken = Parser(target="gl")
    monkeypatch.setattr("concord.language.parse.apertium.answered", wrong)
    found = broken.analyse(["one", "two"], "en")
    assert [type(each) for each in found] == [BadAnswer, BadAnswer]
    broken.close()

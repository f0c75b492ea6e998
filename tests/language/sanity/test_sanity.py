"""Sanity: whether an answer is a translation at all."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.corpus import demo
from concord.language.sanity import failure, run_sanity
from concord.language.sanity.chatter import unlike_a_translation
from concord.language.sanity.encoding import broken_encoding
from concord.language.sanity.loops import loop
from concord.language.sanity.profile import AnswerProfile, profile
from concord.model import Text

pytestmark = pytest.mark.large
LONG = "The council decided on Tuesday that the old bridge over the river will be closed until next spring."


def kind(text: str, answer: str, source: str = "en", target: str = "es", known: AnswerProfile | None = None) -> str:
    found = failure(Text(text, source), Text(answer, target), known)
    return found.kind if found else ""


@pytest.mark.parametrize(
    ("text", "answer", "target"),
    [
        ("The cat is black.", "El gato es negro.", "es"),
        ("The cat is black.", "Le chat est noir.", "fr"),
        ("The cat is black.", "Die Katze ist schwarz.", "de"),
        ("The cat is black.", "猫は黒いです。", "ja"),
        ("The cat is black.", "Кошка чёрная.", "ru"),
        ("The cat is black.", "Kissa on musta.", "fi"),
        ("The cat is black.", "القط أسود.", "ar"),
        ("two rooms in Lisbon", "dues habitacions a Lisboa", "ca"),
        (
            "See http://example.org/info/people/current/thesis/section",
            "Ve http://example.org/info/people/current/thesis/section",
            "es",
        ),
        ("Dankaur area of Bhatta village", "Bhatta村的Dankaur地区", "zh"),
        ("deadlock detected", "deadlock 발생했음", "ko"),
        ("tsquery is too large", "tsquery查询太大", "zh"),
        (LONG, "El consejo decidió el martes que el viejo puente sobre el río se cerrará hasta la primavera.", "es"),
    ],
)
def test_a_translation_passes(text, answer, target):
    assert kind(text, answer, target=target) == ""


@pytest.mark.parametrize(
    ("text", "answer", "target"),
    [
        ("Madrid", "Madrid", "es"),
        ("New York Times", "New York Times", "es"),
        ("Windows 11 Pro", "Windows 11 Pro", "de"),
        ("ISO 9001:2015", "ISO 9001:2015", "fr"),
        ("hotel", "hotel", "es"),
        ("taxi gratis", "taxi gratis", "es"),
        ("https://example.org/a-b", "https://example.org/a-b", "zh"),
        ("John Smith", "John Smith", "zh"),
        ("Vincent van Gogh", "Vincent van Gogh", "ru"),
        ("Bay of Plenty", "Bay of Plenty", "it"),
        ("iPhone", "iPhone", "ru"),
        ("NATO", "NATO", "zh"),
        ("OK", "OK", "ru"),
        ("Use --no-copy", "--no-copyを使用", "ja"),
        ("RIFF container", "RIFF-Container", "de"),
        ("{count} MB", "{count} MB", "ca"),
    ],
)
def test_names_codes_and_words_that_languages_share_are_no_copies(text, answer, target):
    assert kind(text, answer, target=target) == ""


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("The cat is black.", "es"),
        ("the bank", "ca"),
        ("Turn off the power.", "fr"),
        (LONG, "de"),
        (LONG, "zh"),
        ("Two dogs sat there quietly.", "sw"),
    ],
)
def test_a_text_that_comes_back_as_it_was_is_a_copy(text, target):
    assert kind(text, text, target=target) == "copy"
    assert kind(text, text.upper(), target=target) == "copy"


@pytest.mark.parametrize(
    ("text", "source", "target"),
    [
        ("你好吗", "zh", "en"),
        ("请稍候再试一次", "zh", "ja"),
        ("猫は屋根の上で寝ています。", "ja", "ko"),
        ("مرحبا", "ar", "en"),
        ("Сохранить", "ru", "en"),
        ("Settings saved", "en", "ru"),
        ("Good morning", "en", "de"),
        ("Good morning", "en", "ru"),
        ("Log out", "en", "es"),
    ],
)
def test_a_short_text_that_comes_back_is_a_copy_if_it_is_no_name(text, source, target):
    assert kind(text, text, source, target) == "copy"


def test_an_answer_with_the_whole_text_in_it_is_a_copy():
    assert kind("The cat is black.", "The cat is black. → El gato es negro.") == "copy"


def test_a_short_answer_in_another_script_is_in_a_wrong_language():
    assert kind("您好", "你好", "zh", "en") == "language"
    assert kind("Hello there", "Hola amigo", "en", "ru") == "language"


@pytest.mark.parametrize(
    ("answer", "target"),
    [
        ("Mačka je crna i spava na krovu.", "sr"),
        ("Мачка је црна и спава на крову.", "sr"),
        ("Mushuk qora va tomda uxlaydi.", "uz"),
        ("Мушук қора ва томда ухлайди.", "uz"),
    ],
)
def test_a_language_may_be_written_in_both_of_its_scripts(answer, target):
    assert kind("The cat is black and sleeps on the roof.", answer, "en", target) == ""


def test_a_script_that_the_language_names_is_the_only_one():
    assert kind("The cat is black.", "Мачка је црна и спава.", "en", "sr-Latn") == "language"


@pytest.mark.parametrize(
    "answer",
    [
        '{"translation": "El gato es negro."}',
        "▁El ▁gato ▁es ▁negro",
        "El ga@@ to es ne@@ gro",
        '"El gato es negro."',
        "«El gato es negro.»",
        "**El gato es negro.**",
        "Spanish: El gato es negro.",
    ],
)
def test_what_is_put_around_the_translation_or_into_it_fails(answer):
    assert kind("The cat is black.", answer) == "wrapped"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('He said "no".', "«Dijo que no.»"),
        ("Spanish: hello", "Español: hola"),
        ("Press **Start**.", "Pulse **Inicio**."),
        ('{"a": 1}', '{"a": 1}'),
    ],
)
def test_what_the_text_has_around_it_may_stay(text, answer):
    assert kind(text, answer) == ""


@pytest.mark.parametrize(
    "answer",
    [
        *("undefined", "null", "None", "[object Object]", "El <unk> es negro.", "El gato es negro.</s>"),
        *("Error 500: Internal Server Error", "502 Bad Gateway", "<html><body>Sorry</body></html>"),
        *("E l g a t o c i e r r a", "Elgatonegrocierralapuertadespacio."),
    ],
)
def test_what_a_program_leaves_in_place_of_a_translation_fails(answer):
    assert kind("The black cat closes the door slowly.", answer) == "broken"


@pytest.mark.parametrize(
    ("text", "answer", "source", "target"),
    [
        ("Ninguno.", "None.", "es", "en"),
        ("Erreur 500 : erreur interne", "Error 500: internal error", "fr", "en"),
        ("Write <html> first.", "Escriba <html> primero.", "en", "es"),
        ("motor vehicle insurance", "Kraftfahrzeugversicherung", "en", "de"),
        ("The black cat closes the door.", "黒い猫がドアを閉めてから屋根の上でゆっくりと寝ています。", "en", "ja"),
    ],
)
def test_what_a_text_says_itself_is_no_broken_output(text, answer, source, target):
    assert kind(text, answer, source, target) == ""


def test_a_variety_of_the_same_language_may_be_the_same():
    assert kind("The cat is black.", "The cat is black.", "en", "en-GB") == ""


@pytest.mark.parametrize("answer", ["", "  \n", "\u3000"])
def test_an_empty_answer_fails(answer):
    assert kind("The cat is black.", answer) == "empty"


def test_a_text_without_a_letter_or_digit_may_have_any_answer():
    assert kind("…", "") == ""


@pytest.mark.parametrize(
    ("answer", "target", "found"),
    [
        ("Le conseil a décidé mardi que le vieux pont sur la rivière sera fermé.", "es", "it looks like French"),
        ("O conselho decidiu que a velha ponte sobre o rio não será fechada.", "es", "it looks like Portuguese"),
        ("The council decided that the old bridge will be closed soon.", "es", "it looks like English"),
        ("Совет решил во вторник закрыть старый мост через реку.", "es", "is in Cyrillic script"),
        ("The council has decided to close the old bridge.", "zh", "is in Latin script"),
        ("El consejo decidió cerrar el viejo puente.", "ja", "is in Latin script"),
        ("We are sorry, that is not what was asked for.", "fi", "it looks like English"),
        ("Le chat était assis sur le tapis et me regardait.", "es", "it looks like French"),
    ],
)
def test_an_answer_in_another_language_names_it(answer, target, found):
    failed = failure(Text("The council decided on Tuesday to shut the crossing.", "en"), Text(answer, target))
    assert failed is not None
    assert (failed.kind, found in failed.reason) == ("language", True)


@pytest.mark.parametrize("text", ["We saw horses.", "昨日、馬を見ました。", "Es la última de las tres casas viejas."])
@pytest.mark.parametrize("answer", ["--- --- ---", "1234567890 1234567", "🐎🐎🐎🐎", "..."])
def test_an_answer_without_a_letter_is_no_translation_of_words(text, answer):
    assert kind(text, answer, {"W": "en", "E": "es"}.get(text[0], "ja"), "fr") == "wordless"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Half past seven", "7:30"),
        ("Quarter to nine in the morning", "8:45"),
        ("on the 24th of December 2005", "24/12/2005"),
        ("Twenty-five thousand three hundred and two", "25.302"),
        ("Page 5", "5"),
        ("ERROR {code}: 404", "404"),
        ("OK 👍", "👍"),
        ("wow 😀😀", "😀😀"),
        ("3 x 4 = 12", "3 × 4 = 12"),
    ],
)
def test_a_number_a_code_or_an_emoji_may_be_all_that_is_left(text, answer):
    assert kind(text, answer) == ""


@pytest.mark.parametrize(
    "answer",
    [
        "Sure! Here is the translation: El gato es negro.",
        "Here's the Spanish translation:\n\nEl gato es negro.",
        "I'm sorry, but I cannot translate this text.",
        "I’m sorry, but I can’t translate this text.",
        "Here’s the Spanish translation:\n\nEl gato es negro.",
        "Sorry, I can't help with that.",
        "I’m sorry, but I can’t assist with that request.",
        "Lo siento, no puedo ayudar con eso.",
        "Ho sento, però no et puc ajudar amb això.",
        "Désolé, mais je ne peux pas vous aider avec cette demande.",
        "Es tut mir leid, aber dabei kann ich nicht helfen.",
        "Mi dispiace, ma non posso aiutarti.",
        "Desculpe, mas não posso ajudar com isso.",
        "很抱歉,我无法协助您。",
        "```\nEl gato es negro.\n```",
        "Translation: El gato es negro.",
        "Como modelo de lenguaje, no puedo traducir esto.",
        "以下是翻译:猫是黑色的。",
        "<think>The user wants Spanish.</think> El gato es negro.",
        "El gato es negro. (Note: informal)",
        "El gato es negro. Let me know if you need help with another translation.",
    ],
)
def test_an_answer_that_speaks_about_the_translation_is_none(answer):
    assert kind("The cat is black.", answer, target="zh" if "翻译" in answer else "es") == "chatter"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Translation: the cat is black.", "Traducción: el gato es negro."),
        ("I'm sorry, but I cannot come tomorrow.", "Lo siento, pero no puedo venir mañana."),
        ("Run ```make``` first.", "Ejecute ```make``` primero."),
        ("Je suis désolé, je ne vous ai pas entendue.", "I'm sorry, I didn't hear you."),
        ("Je ne peux pas vous aider cette semaine.", "I can't help you this week."),
        ("Unfortunately I can't help you.", "Lo siento, no puedo ayudarte."),
        ("Je ne peux pas vous aider avec ça.", "I can't help you with that."),
        ("Das kann ich nicht; da helfe ich dir nicht.", "Sorry, I can't help with that."),
        ("I'm sorry, I can't see you.", "Lo siento, no puedo verte."),
        ("Sorry, I can't translate this.", "Lo siento, no puedo traducir esto."),
        ("Desculpe, não posso traduzir isto.", "Sorry, I can't translate this."),
        ("Fais-moi savoir si tu as des questions.", "Please let me know if you have any questions."),
    ],
)
def test_a_text_that_speaks_so_itself_may_be_translated_so(text, answer):
    assert unlike_a_translation("chatter", text, answer) == []


@pytest.mark.parametrize(
    ("answer", "times"),
    [
        ("el gato el gato el gato el gato el gato el gato", 6),
        ("El gato es negro y es negro y es negro y es negro y es negro y es negro", 5),
        ("猫是黑色的猫是黑色的猫是黑色的猫是黑色的", 4),
        ("nananananananananananananana", 14),
    ],
)
def test_a_loop_fails_and_says_how_often(answer, times):
    found = loop("The cat is black.", answer)
    assert found is not None
    assert found.times == times


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("No, no, no, no, no, no, no!", "¡No, no, no, no, no, no, no!"),
        ("1, 2, 3, 4, 5, 6, 7, 8", "1, 2, 3, 4, 5, 6, 7, 8"),
        ("-----------", "-----------"),
        ("It is very, very good.", "Es muy, muy bueno."),
    ],
)
def test_what_is_said_often_on_purpose_is_no_loop(text, answer):
    assert loop(text, answer) is None


@pytest.mark.parametrize(
    "answer", ["El ni\ufffdo come.", "El niÃ±o come maÃ±ana.", "Lâ€™Ã©tÃ©", "El ni?o come ma?ana."]
)
def test_a_broken_encoding_fails(answer):
    assert broken_encoding("The boy eats tomorrow.", answer)


@pytest.mark.parametrize(
    "answer", ["INFORMACIÓ— de NOVA", "Él dijo: «¿Qué?»", "¿Qué?¿Cuándo?", "À bientôt…", "São Paulo", "«IRMÃ»"]
)
def test_letters_beside_punctuation_are_no_broken_encoding(answer):
    assert not broken_encoding("What did he say?", answer)


def pairs(count: int, answer: str | None = None) -> list[tuple[Text, Text]]:
    texts = [segment.text for segment in islice(demo(), count)]
    return [(text, Text(answer or f"{text.words[::-1]} x", "es")) for text in texts]


def test_the_same_answer_to_different_texts_fails_in_the_whole_run():
    known = profile(pairs(40, "No lo sé."))
    assert known.repeated("no lo sé") == 40
    assert kind("Something else entirely.", "No lo sé.", known=known) == "repeated"


def test_texts_in_a_language_without_blanks_may_not_have_the_same_answer():
    texts = ("猫在屋顶上睡觉。", "他昨天买了一辆新的自行车。", "会议将于下星期二上午举行。", "请把窗户关上。")
    known = profile([(Text(text, "zh"), Text("I do not know what to say.", "en")) for text in texts])
    assert known.repeated("I do not know what to say.") == 4


def test_texts_that_say_the_same_may_have_the_same_answer():
    oldest = [
        (Text(text, "fr"), Text("You're the oldest.", "en"))
        for text in ("C'est toi la plus vieille.", "Vous êtes le doyen.", "Tu es l'aînée.", "C'est vous le plus âgé.")
    ]
    same = [(Text(text, "en"), Text("Sí.", "es")) for text in ("Yes.", "Yeah!", "Yep.", "Yup.")]
    alike = [
        (Text(text, "en"), Text("Me voy a casa ahora.", "es"))
        for text in ("I am going home now.", "I'm going home now.", "I am now going home.")
    ]
    assert profile([*same, *alike, *oldest]).answers == {}


@pytest.mark.parametrize(("before", "after"), [("[es] ", ""), ("", " (machine translation)"), ("<es> ", " ¶")])
def test_what_nearly_all_answers_begin_or_end_with_fails_in_the_whole_run(before, after):
    around = [(text, Text(f"{before}{text.words.upper()}{after}", "es")) for text, _ in pairs(60)]
    known = profile(around)
    assert (known.prefix, known.suffix) == (before, after)
    assert (
        kind(LONG, f"{before}El consejo decidió el martes que el puente se cerrará.{after}", known=known) == "wrapped"
    )


def test_answers_that_begin_alike_because_their_texts_do_are_not_wrapped():
    users = [(Text(f"El usuario {n} ha entrado", "es"), Text(f"The user {n} has come in", "en")) for n in range(60)]
    ended = [(Text(text.words + "。", "zh"), Text(text.words.upper() + ".", "en")) for text, _ in pairs(60)]
    assert all((found.prefix, found.suffix) == ("", "") for found in (profile(users), profile(ended)))


def test_an_answer_out_of_proportion_to_the_others_fails():
    known = profile(pairs(40))
    assert kind(LONG, "El consejo.", known=known) == "length"
    assert (
        kind("Good day.", "Buenos días " + "y muchas otras cosas que nadie había dicho nunca " * 2, known=known)
        == "length"
    )


def test_a_system_that_cuts_every_answer_does_not_make_that_usual():
    short = [(Text(LONG, "en"), Text("El puente.", "es"))] * 50
    assert kind(LONG, "El puente.", known=profile(short)) == "length"


def test_a_system_that_cuts_answers_anywhere_does_not_make_that_usual():
    cut = [
        (Text(LONG, "en"), Text("El consejo decidió el martes que el viejo puente"[:size], "es")) for size in range(48)
    ]
    assert kind(LONG, "El consejo.", known=profile(cut)) == "length"


def test_the_way_back_has_the_inverse_length():
    known = profile([(text, Text(answer.words[: len(answer.words) // 3], "zh")) for text, answer in pairs(60)])
    sane = run_sanity(known, "en", "zh")
    assert sane(Text("猫是黑色的。", "zh"), Text("The cat is black.", "en")) is None


@pytest.mark.parametrize("end", [" gato", ".", " http://x"])
def test_an_answer_that_is_one_endless_word_takes_no_quadratic_time(end):
    """Looked at from each of its letters on, the word would take half an hour."""
    word = "".join(map(chr, Random(1).choices(range(ord("a"), ord("z")), k=400_000)))
    assert kind("Hello there.", f"El {word}{end}") == "length"


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_text_breaks_it(text, answer):
    found = failure(Text(text, "en"), Text(answer, "es"), profile(pairs(30)))
    assert found is None or all(0 <= start < end <= len(answer) for start, end in found.spans)


@given(st.permutations(pairs(12, "No lo sé.") + pairs(30)))
def test_a_profile_does_not_depend_on_the_order(shuffled):
    assert profile(shuffled) == profile(pairs(12, "No lo sé.") + pairs(30))

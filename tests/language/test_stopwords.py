from __future__ import annotations

import pytest

from concord.language.stopwords import languages, stop_words
from concord.language.tokens import tokens
from concord.model import Text

SENTENCES = {
    "en": "They don't think that it was on the table with us.",
    "es": "No creo que ella estuviera en la mesa con nosotros.",
    "ca": "No crec que l'home fos a la taula amb nosaltres.",
    "gl": "Non creo que ela estivese na mesa con nós.",
    "pt": "Não acho que ela estava na mesa com eles.",
    "fr": "Je ne crois pas qu'il était sur la table avec nous.",
    "it": "Non credo che lei sia stata nell'acqua con noi.",
    "de": "Ich glaube nicht, dass sie mit uns an dem Tisch war.",
    "sv": "Jag tror inte att hon var på bordet med oss.",
    "zh": "他们不是在我的桌子上，而是在那里。",
    "ru": "Я не думаю, что она была на столе с нами.",
}


@pytest.mark.parametrize("lang", SENTENCES)
def test_half_of_a_plain_sentence_is_stop_words_of_its_own_language_more_than_of_any_other(lang):
    words = [each.text.lower() for each in tokens(Text(SENTENCES[lang], lang)) if each.kind == "word"]
    shares = {other: sum(word in stop_words(other) for word in words) / len(words) for other in languages()}
    assert shares.pop(lang) > max(0.5, *shares.values())


@pytest.mark.parametrize("lang", languages())
def test_stop_words_are_tokens_in_lower_case(lang):
    assert len(stop_words(lang)) > 100
    for word in stop_words(lang):
        assert word == word.lower()
        assert word.endswith("'") or word.startswith("'") or [each.text for each in tokens(Text(word, lang))] == [word]


def test_a_region_has_the_words_of_its_language_and_an_unknown_language_has_none():
    assert stop_words("pt-BR") == stop_words("pt")
    assert stop_words("fi") == frozenset()

"""Copies, answers without words and wrong languages: script, stop words, overlap with the text, py3langid last."""

import re
from collections import Counter

from concord.language.codes import base
from concord.language.identification import UNITS, WORDS, can_identify, log_odds, stop_word_counts, words_of
from concord.language.numbers.spelled import months, spelt
from concord.language.scripts import COMMON, case, script, scripts_of
from concord.language.stopwords import stop_words
from concord.model import Text

_CODES = re.compile(r"\S*(?:://|[@\\{}<>%$&_/#=])\S*")
"""Addresses, tags, placeholders and paths, which translations keep."""
SMALL = ("lower", "none")
"""How words are written that are neither names nor codes."""
LEAST_WORDS = 4
"""Fewer words do not tell their language: they may be names, codes or words that two languages share."""
LEAST_LETTERS = 16
MANY_WORDS = 8
"""Words that tell a third language from the target language, which may be its neighbour, as Galician is of Catalan."""
UNDOUBTED = 2
"""Stop words of the target language with which its text needs no other proof, if no language has more."""
LIMIT = 3.0
"""Log odds per root of a byte above which a text is in the other language. Of 6,000 answers of Apertium into Spanish
and Catalan, with English names and unknown words among them, none reaches it; 99 % of English sentences do."""


def is_copy(text: Text, answer: Text) -> bool:
    """Whether an answer is its text as it was, and the text is not just names, codes and words that languages share."""
    if base(text.lang) == base(answer.lang) or words_of(text.words) != words_of(answer.words):
        return False
    written = WORDS.findall(_CODES.sub(" ", text.words))
    small = [word for word in written if case(word) in SMALL]
    if scripts_of(text.lang).isdisjoint(scripts_of(answer.lang)):
        return len(small) > 1 or len(written) >= LEAST_WORDS
    telling = stop_words(text.lang) - stop_words(answer.lang)
    if len(written) > 1 and any(word.casefold() in telling for word in small):
        return True
    if not small or len(written) < 3:
        return False
    if not (can_identify(text.lang) and can_identify(answer.lang)):
        return len(small) >= LEAST_WORDS
    return log_odds(text.words, base(text.lang), base(answer.lang)) > 0


def is_wordless(text: Text, answer: Text) -> bool:
    """Whether an answer has no letter for a text of words; numbers may be spelt in the text alone."""
    if any(map(str.isalpha, answer.words)):
        return False
    words = [word for word in UNITS.findall(_CODES.sub(" ", text.words)) if word.isalpha() and case(word) in SMALL]
    if not any(map(str.isdigit, answer.words)):
        return len(words) > 1
    numbers = spelt(text).total() + len(months(text) or ())
    return sum(word not in stop_words(text.lang) for word in words) > 1 + 2 * numbers


def wrong_language(text: Text, answer: Text) -> str:
    """The language, or the script, that an answer is in and should not be in; empty if it is in its own."""
    if base(text.lang) == base(answer.lang):
        return ""
    if wrong := _wrong_script(text, answer):
        return wrong
    prose = _CODES.sub(" ", answer.words)
    words = words_of(prose)
    if len(words) < LEAST_WORDS or sum(map(len, words)) < LEAST_LETTERS:
        return ""
    source, target = base(text.lang), base(answer.lang)
    counts = stop_word_counts(words)
    own, most = counts.get(target, 0), max(counts, key=lambda lang: (counts[lang], lang == target))
    if own >= UNDOUBTED and own == counts[most]:
        return ""
    others = {most} if counts[most] >= UNDOUBTED and len(words) >= MANY_WORDS else set()
    if counts.get(source, target in counts) or _overlaps(text, words):
        others.add(source)
    if not any(_is_more_likely(prose, other, target) for other in others - {target}):
        return ""
    named = others.union(lang for lang, count in counts.items() if count) - {target}
    return max(filter(can_identify, sorted(named)), key=lambda lang: log_odds(prose, lang, target))


def _wrong_script(text: Text, answer: Text) -> str:
    """The script of an answer with few letters of its language's scripts; what the text has in capitals may stay."""
    expected = scripts_of(answer.lang)
    if not expected or all(script(letter) in expected for letter in filter(str.isalpha, set(answer.words))):
        return ""
    kept = {word.casefold() for word in WORDS.findall(text.words) if case(word) not in SMALL}
    counts: Counter[str] = Counter()
    for unit in UNITS.findall(_CODES.sub(" ", answer.words)):
        if unit.casefold() not in kept:
            counts[script(unit)] += len(unit)
    del counts[COMMON]
    fitting = sum(counts[code] for code in expected)
    if not counts or 2 * fitting >= counts.total() or counts.total() < LEAST_LETTERS / 2:
        return ""
    return f"the script {max(counts, key=lambda code: counts[code])}"


def _overlaps(text: Text, words: list[str]) -> bool:
    """Whether a fourth of the words are words of the text."""
    own = set(words_of(text.words))
    return 4 * sum(word in own for word in words) >= len(words)


def _is_more_likely(words: str, other: str, target: str) -> bool:
    return can_identify(other) and can_identify(target) and log_odds(words, other, target) > LIMIT

"""Copies, answers without words and wrong languages: script, stop words, overlap with the text, py3langid last."""

import re
from collections import Counter

from concord.language import word_set
from concord.language.codes import UNSPACED, base
from concord.language.identification import LONGEST, UNITS, can_identify, log_odds, stop_word_counts, words_of
from concord.language.numbers.spelled import months, spelt
from concord.language.scripts import COMMON, UNSPACED_LETTERS, case, script, scripts_of
from concord.language.stopwords import stop_words
from concord.model import Text

_SOLID = rf"[^\s{UNSPACED_LETTERS}]"
_CODES = re.compile(rf"(?<!{_SOLID}){_SOLID}*(?:://|[@\\{{}}<>%$&_/#=]|(?<!\S)--(?=\w)){_SOLID}*")
"""Addresses, tags, placeholders, paths and options, which translations keep; looked for once in a word."""
_WHOLE_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
"""Words as they are compared: "Check-Constraints" is a translation of "check constraints"."""
SMALL = ("lower", "none")
"""How words are written that are neither names nor codes."""
LEAST_WORDS = 4
"""Fewer words do not tell their language: they may be names, codes or words that two languages share."""
LEAST_LETTERS = 16
LETTERS_OF_A_CHARACTER = 3
"""So many letters say what one character of a script without blanks says, or one of Korean."""
MANY_WORDS = 8
"""Words that tell a third language from the target language, which may be its neighbour, as Galician is of Catalan."""
UNDOUBTED = 2
"""Stop words of the target language with which its text needs no other proof, if no language has more."""
FEW = 3
"""Fewer words may be names or words that two languages share: "taxi gratis"; half a dozen letters where there are no
blanks are as many."""
LEAST_ODDS = 2.0
"""Log odds of so few words above which they are in the language of the text alone: "Good morning", "Log out"."""
_PARTICLES = word_set("of the and de del la le les los las du des da do dos di von van der den und y e et i")
"""Words in lower case that names have inside."""
_CAPITAL_NOUNS = frozenset({"de", "lb"})
LIMIT = 3.0
"""Log odds per root of a byte above which a text is in the other language. Of 6,000 answers of Apertium into Spanish
and Catalan, with English names and unknown words among them, none reaches it; 99 % of English sentences do."""


def is_copy(text: Text, answer: Text) -> bool:
    """Whether an answer is its text as it was, and the text is not just names, codes and words that languages share."""
    own, others = (_WHOLE_WORDS.findall(words[:LONGEST].casefold()) for words in (text.words, answer.words))
    is_whole = own == others
    if base(text.lang) == base(answer.lang) or not (is_whole or _contains(own, others)):
        return False
    return _is_telling(text, answer.lang) or (is_whole and bool(wrong_language(text, answer)))


def _contains(words: list[str], others: list[str]) -> bool:
    """Whether words that are enough for a sentence stand among others, with more around them."""
    is_short = sum(map(len, words)) < LEAST_LETTERS / 2 or len(UNITS.findall(" ".join(words))) < FEW
    return not is_short and f" {' '.join(words)} " in f" {' '.join(others)} "


def _is_telling(text: Text, target: str) -> bool:
    """Whether a text cannot be right in another language as it is."""
    written = _written(text.words)
    small = [word for word in written if case(word) in SMALL]
    foreign = scripts_of(text.lang) - scripts_of(target)
    if scripts_of(target) and foreign:
        return _is_prose([word for word in written if script(word) in foreign])
    if script(text.words) == "Latn" and not _is_prose(written) and base(text.lang) not in _CAPITAL_NOUNS:
        return False
    telling = stop_words(text.lang) - stop_words(target)
    if len(written) > 1 and any(word.casefold() in telling for word in small):
        return True
    if not small or len(written) < 2:
        return False
    if not (can_identify(text.lang) and can_identify(target)):
        return len(small) >= LEAST_WORDS
    is_short = len(written) < (2 * FEW if base(text.lang) in UNSPACED else FEW)
    return log_odds(text.words, base(text.lang), base(target)) > (LEAST_ODDS if is_short else 0)


def _written(text: str) -> list[str]:
    """The words of a text, and its letters that are written without blanks, but for codes."""
    return [unit for unit in UNITS.findall(_CODES.sub(" ", text)) if unit[0].isalpha()]


def _is_prose(words: list[str]) -> bool:
    """Whether words are more than a code or a name, which only in Latin letters stays as it is in other scripts."""
    cases = [case(word) if script(word) == "Latn" else "none" for word in words]
    small = [word for word, written in zip(words, cases, strict=True) if written == "lower"]
    return "none" in cases or (len(words) > 1 and (cases[-1] == "lower" or not _PARTICLES.issuperset(small)))


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
    """The script of an answer with few letters of its own scripts; names may stay, and what is foreign in the text."""
    expected = scripts_of(answer.lang)
    if not expected or all(script(letter) in expected for letter in filter(str.isalpha, set(answer.words))):
        return ""
    own = scripts_of(text.lang)
    written = _written(text.words)
    kept = {word.casefold() for word in written if case(word) not in SMALL or script(word) not in own}
    units = [unit for unit in _written(answer.words) if unit.casefold() not in kept]
    counts: Counter[str] = Counter()
    for unit in units:
        counts[script(unit)] += len(unit)
    del counts[COMMON]
    fitting = sum(counts[code] for code in expected) * (
        LETTERS_OF_A_CHARACTER if base(answer.lang) in UNSPACED | {"ko"} else 1
    )
    if not counts or fitting >= counts.total() / 2:
        return ""
    is_short = counts.total() < LEAST_LETTERS / 2 and (fitting or not _is_prose(units))
    return "" if is_short else max(counts, key=lambda code: counts[code])


def _overlaps(text: Text, words: list[str]) -> bool:
    """Whether a fourth of the words are words of the text."""
    own = set(words_of(text.words))
    return 4 * sum(word in own for word in words) >= len(words)


def _is_more_likely(words: str, other: str, target: str) -> bool:
    return can_identify(other) and can_identify(target) and log_odds(words, other, target) > LIMIT

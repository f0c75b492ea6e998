"""Sentence splitting in one pass over the text.

A full stop ends a sentence if a space follows and then no lower-case letter, unless it belongs to an abbreviation, an
initial, an ordinal or a list number; in Thai it ends none. Where letters have no case, a sentence goes on behind a
quotation, unless a colon introduces that. After an abbreviation that can close a sentence ("etc.", "U.S.") the next
word decides: a capitalised function word begins a sentence.
"""

import re
from collections.abc import Iterator

from concord.language import word_set, word_tables
from concord.language.abbreviations import abbreviations
from concord.language.codes import base
from concord.language.scripts import marks
from concord.language.stopwords import stop_words
from concord.model import Text

Span = tuple[int, int]

_CLOSING = "\"'»«”“’‘›)\\]}」』）】》〉］"
_WIDE_CLOSING = "\"'”’»)」』）】》〉］"
_OPENING = "\"'«»“”„‘‚‹([{¿¡「『（【《〈［*_-–—"
_STOP = re.compile(
    rf"""(?P<wide> [。！？｡．]++ [{_WIDE_CLOSING}]*+ )
       | (?P<stop> [.!?…।॥؟۔‽]++ [{_CLOSING}]*+ (?: [^\S\n]»(?=\s|\Z) )? ) (?=\s|\Z)
       | (?P<line> \n [^\S\n]*+ (?: \n | (?= [-*•·▪–—] [^\S\n] | \d{{1,3}}[.)] [^\S\n] ) ) )""",
    re.VERBOSE,
)
_BEFORE = re.compile(rf"[^\W_](?:[^\W_]|[{marks()}]|[.\-'’](?=[^\W_])){{0,23}}\Z")
_AFTER = re.compile(rf"\s*+[{re.escape(_OPENING)}]{{0,8}}+\s?(?P<word>[^\W_]{{0,40}}+)")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_LIST_NUMBER = re.compile(r"(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})\Z")
_WINDOW = 25
_OPENED = {"”": "“", "’": "‘", "»": "«", "」": "「", "』": "『", ")": "(", "）": "（", "】": "【", "》": "《", '"': '"'}
_BRACKETS = frozenset(")）】")
_LONGEST_QUOTED = 300
"""Characters of the longest quotation whose beginning is looked for."""
_ROMAN = frozenset("IVXLCM")
_AFTER_ORDINAL = word_set(word_tables(__file__)["after_ordinal"])


def sentences(text: Text) -> list[Text]:
    """The sentences of a text, without the blanks around them.

    >>> [each.words for each in sentences(Text("Dr. Lee left at 5 p.m. She was tired… “Why?” he asked.", "en"))]
    ['Dr. Lee left at 5 p.m.', 'She was tired…', '“Why?” he asked.']
    """
    return [Text(text.words[start:end], text.lang) for start, end in spans(text)]


def spans(text: Text) -> list[Span]:
    """The spans of the sentences in the text. Between them are blanks only."""
    words, begin, sentence_spans = text.words, 0, []
    for end in (*_ends(words, text.lang), len(words)):
        sentence = words[begin:end]
        stripped = sentence.strip()
        if stripped:
            start = begin + len(sentence) - len(sentence.lstrip())
            sentence_spans.append((start, start + len(stripped)))
        begin = end
    return sentence_spans


def _ends(words: str, lang: str) -> Iterator[int]:
    for stop in _STOP.finditer(words):
        if stop.lastgroup == "line":
            yield stop.start()
        elif stop.lastgroup == "wide":
            if _ends_wide(words, stop):
                yield stop.end()
        elif _is_end(words, stop, lang):
            yield stop.end()


def _ends_wide(words: str, stop: re.Match[str]) -> bool:
    # 「行く。」と言った: a sentence goes on right after a quotation in it.
    return not words[stop.end() : stop.end() + 1].isalnum() or not _may_go_on(words, stop)


def _may_go_on(words: str, stop: re.Match[str]) -> bool:
    """Whether a quotation or a bracket closes with a stop, so that the sentence around it may go on.

    It does not after a quotation that a colon introduces, nor after brackets around a whole sentence.
    """
    opening = _OPENED.get(stop[0][-1])
    if opening is None:
        return False
    start = words.rfind(opening, max(0, stop.start() - _LONGEST_QUOTED), stop.start())
    before = words[max(0, start - 2) : max(0, start)].rstrip()[-1:]
    return bool(before) and before not in "。！？.!?" if stop[0][-1] in _BRACKETS else before not in (":", "：")


def _is_end(words: str, stop: re.Match[str], lang: str) -> bool:
    following = _AFTER.match(words, stop.end())
    word = following["word"] if following else ""
    uncased = word[:1].isalpha() and word[:1].lower() == word[:1].upper()
    if word[:1].islower() or (uncased and _may_go_on(words, stop)) or (stop[0] == "." and base(lang) == "th"):
        return False
    if stop[0][0] != "." or stop[0].startswith(".."):
        return True
    start = max(0, stop.start() - _WINDOW)
    before = _BEFORE.search(words[start : stop.start()])
    if before is None:
        return True
    return not _leads_on(before[0], word, lang) and not _is_list_number(words, start + before.start(), before[0])


def _leads_on(before: str, after: str, lang: str) -> bool:
    """Whether the full stop after a word belongs to the word and does not end the sentence."""
    short_forms, lower = abbreviations(lang), before.lower()
    if not after:
        return False
    initial = len(before) == 1 and before.isupper() and not (before == "I" and base(lang) == "en")
    if lower in short_forms.leading or initial:
        return True
    if lower in short_forms.numbering:
        return after[0].isdigit() or set(after) <= _ROMAN
    if lower in short_forms.closing or _INITIALS.fullmatch(before):
        return after.lower() not in stop_words(lang) or after.isdigit()
    return base(lang) == "de" and before.isdigit() and len(before) <= 2 and after in _AFTER_ORDINAL


def _is_list_number(words: str, start: int, before: str) -> bool:
    """Whether only a number precedes the full stop on its line, as in "1. Open the door."."""
    line = words[max(0, start - 8) : start].rpartition("\n")
    at_line_start = not line[2].strip() and (bool(line[1]) or start <= 8)
    return at_line_start and _LIST_NUMBER.match(before) is not None

"""Tokens: words, numbers, addresses, emoji and marks with their offsets; between them are blanks only.

A token contains no blank, except for narrow ones inside a number ("1 000"). Elisions and contractions are cut as
grammars cut them: "l'|home", "dell'|acqua", "do|n't". Pronouns at the end of a verb without an apostrophe are not cut
off: "dámelo", "dit-il". A full stop belongs to an abbreviation, a unit to the number that it touches.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from concord.language.abbreviations import abbreviations
from concord.language.codes import base
from concord.language.scripts import HANGUL_LETTERS, UNSPACED_LETTERS, marks
from concord.language.segmenters import boundaries, segmenter, wants_segmenter
from concord.model import Text

Kind = Literal["word", "number", "address", "emoji", "mark", "symbol", "other", "blank"]
_Piece = tuple[int, int, Kind]

RULES = "concord@1"


@dataclass(frozen=True, slots=True)
class Token:
    """The piece of a text at `start:end`. A text of blanks only is one token of the kind `blank`."""

    text: str
    start: int
    end: int
    kind: Kind


def tokens(text: Text) -> list[Token]:
    """The tokens of a text by the rules of its language.

    >>> [token.text for token in tokens(Text("Mr. Fox doesn't pay €3.50.", "en"))]
    ['Mr.', 'Fox', 'does', "n't", 'pay', '€3.50', '.']
    """
    words = text.words
    token_list = [Token(words[start:end], start, end, kind) for start, end, kind in _pieces(words, text.lang)]
    return token_list or ([Token(words, 0, len(words), "blank")] if words else [])


def split(text: Text) -> list[str]:
    """The tokens of a text as strings: quicker than `tokens`, and a text of blanks has none."""
    words = text.words
    return [words[start:end] for start, end, _ in _pieces(words, text.lang)]


def version(lang: str) -> str:
    """The versions that the tokens of a language depend on, for signatures: `concord@1`, `concord@1+jieba@0.42.1`."""
    if not wants_segmenter(lang):
        return RULES
    installed = segmenter(lang)
    return f"{RULES}+{installed.version if installed else 'characters'}"


def _pieces(words: str, lang: str) -> Iterator[_Piece]:
    language = base(lang)
    elision = _ELISIONS.get(language)
    cuts: list[int] | None = None
    for match in _pattern(language).finditer(words):
        group = match.lastgroup
        start, end = match.span()
        if group == "plain":
            yield start, end, "word"
        elif group == "run":
            cuts = _cuts(words, lang) if cuts is None else cuts
            yield from _run(words, start, end, cuts)
        elif group == "word":
            cut = _cut(match[0], elision) if elision else 0
            if cut:
                yield start, start + cut, "word"
            yield start + cut, end, "word"
        else:
            yield start, end, _KINDS.get(group or "") or _SORTS.get(unicodedata.category(words[start])[0], "other")


def _cut(word: str, elision: re.Pattern[str]) -> int:
    """The offset where an elision ends or a contraction begins; 0 if there is neither."""
    match = elision.search(word) if "'" in word or "’" in word else None
    if match is None:
        return 0
    return match.end() if match.start() == 0 else match.start()


def _cuts(words: str, lang: str) -> list[int]:
    installed = segmenter(lang)
    return boundaries(words, installed.spans) if installed else []


def _run(words: str, start: int, end: int, cuts: list[int]) -> Iterator[_Piece]:
    """The pieces of a run of letters without blanks, cut by a segmenter or else into characters."""
    if not cuts:
        for cluster in _clusters().finditer(words, start, end):
            yield *cluster.span(), "word"
        return
    index = bisect_right(cuts, start)
    while index < len(cuts) and cuts[index] < end:
        yield start, cuts[index], "word"
        start = cuts[index]
        index += 1
    yield start, end, "word"


_SORTS: dict[str, Kind] = {"P": "mark", "S": "symbol"}
_KINDS: dict[str, Kind] = {
    "url": "address",
    "email": "address",
    "domain": "address",
    "emoji": "emoji",
    "number": "number",
    "short": "word",
    "repeated": "mark",
}
_ELISIONS = {
    "en": re.compile(r"(?!\A)(?:n['’]t|['’](?:s|m|d|ll|re|ve))\Z", re.IGNORECASE),
    "fr": re.compile(r"\A(?!(?:quelqu['’]une?|presqu['’][iî]les?)\Z)(?:[cdjlmnst]|\w{0,7}qu)['’]", re.IGNORECASE),
    "ca": re.compile(r"\A[dlmnst]['’]", re.IGNORECASE),
    "it": re.compile(r"\A\w{1,10}['’]", re.IGNORECASE),
}

_SUFFIXED = frozenset({"az", "tr"})
"""Languages in which the ending of a number follows an apostrophe: 3'üncü."""
_MONEY = "$¢£¤¥֏؋৲৳฿៛₠-⃀﷼＄￠￡￥￦"
_TRAILING = r".,;:!?'’…"
_PICTURES = "\u2600-\u27bf\U0001f000-\U0001faff"
# These are pictures only if a variation selector follows.
_PICTURES_IF_SELECTED = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe"
    "\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299"
)
_TONES = "\U0001f3fb-\U0001f3ff"

# Every repetition is possessive or short, so that no text makes the pattern backtrack; and at a blank, which
# begins no token, no alternative is tried.
_PATTERN = r"""(?=\S)(?:
  (?P<plain> {letter}++ (?=\s|\Z) )
| (?P<url> (?i:(?:https?|ftp)://|www\.) (?: [^{no_url}{trailing}] | \([^{no_url}]{{0,200}}\)
    | [{trailing}]++ (?=[^{no_url}{trailing}]) )++ )
| (?P<email> [A-Za-z0-9_.+%-]{{1,64}}+ @ (?:[A-Za-z0-9-]{{1,63}}\.){{1,8}} [A-Za-z]{{2,63}} (?!\w) )
| (?P<domain> [A-Za-z0-9] [A-Za-z0-9-]{{0,62}}+ \. (?:[A-Za-z0-9-]{{1,63}}\.){{0,7}}
    (?i:com|org|net|edu|gov|info|io) (?!\w)
    (?: / (?: [^{no_url}{trailing}] | [{trailing}]++ (?=[^{no_url}{trailing}]) )*+ )? )
| (?P<emoji> [\U0001f1e6-\U0001f1ff]{{2}} | [0-9\#*]\ufe0f?\u20e3
    | (?: [{pictures}]\ufe0f? | [{selected}]\ufe0f ) [{tones}]? [\U000e0020-\U000e007f]*+
      (?: \u200d [{pictures}{selected}] \ufe0f? [{tones}]? )*+ )
| (?P<number> (?: (?<![\w)\]}}%.,]) [-+−±] (?=[{money}.]?\d) )? [{money}]? (?: (?<![\w.])\.(?=\d) )?
    (?: \d{{4}}-\d\d-\d\d(?!\d) | \d++ (?: [.,:/'’](?=\d)\d++ | [\u00a0\u2009\u202f](?=\d\d\d(?!\d))\d++ )*+ )
    (?: [%‰{money}] | [°º′″][CFK]?+ | {letter}{{1,12}}+[²³]?(?:/{letter}{{1,3}}+)?+ )?+
    (?: [{joint}]{letter}++ )*+ (?!{any}) )
| (?P<short> (?:{letter}\.){{2,}}+ | {own} | (?i:{titles})\.
    | (?i:{numbering})\.(?=\s{{0,2}}[\dIVXivx]) | {initial} )
| (?P<run> [{run}][{run}{marks}]*+ )
| (?P<word> {any} (?:{any}|[{marks}])*+ (?: [-‐‑'’·‧](?={any}) (?:{any}|[{marks}])++ )*+ )
| (?P<repeated> \.{{2,}}+ | -{{2,}}+ | \*{{2,}}+ | ={{2,}}+ | [!?]{{2,}}+ )
| \S [{marks}]*+
)"""


@cache
def _pattern(language: str) -> re.Pattern[str]:
    short = abbreviations(language)
    run = UNSPACED_LETTERS + HANGUL_LETTERS if wants_segmenter(language) else UNSPACED_LETTERS
    filled = _PATTERN.format(
        letter=rf"[^\W\d_{run}]",
        any=rf"[^\W{run}]",
        run=run,
        joint="-‐‑'’" if language in _SUFFIXED else "-‐‑",
        marks=marks(),
        no_url=rf'\s<>"«»“”()\u3000-\u303f\uff00-\uffef{run}',
        trailing=_TRAILING,
        money=_MONEY,
        pictures=_PICTURES,
        selected=_PICTURES_IF_SELECTED,
        tones=_TONES,
        titles=_either(short.leading | short.closing),
        numbering=_either(short.numbering),
        initial=_INITIAL.get(language, _ANY_INITIAL),
        own=_OWN.get(language, _NOTHING),
    )
    return re.compile(filled, re.VERBOSE)


# "J. Smith", but not "than I. Then": a capital between blanks, a full stop, a blank, another capital.
_ANY_INITIAL = r"(?<![\w.])[A-ZÀ-ÖØ-ÞА-Я]\.(?=\s[A-ZÀ-ÖØ-ÞА-Я])"
_INITIAL = {"en": r"(?<![\w.])[A-HJ-Z]\.(?=\s[A-Z])"}
_OWN = {
    # An ending that is separate, as in text that was cut before: "Babe 's".
    "en": r"(?<!\S)['’](?i:s|m|d|ll|re|ve)(?=\s|\Z)",
    # An abbreviation that goes on after its full stop: "dott.ssa".
    "it": r"(?i:dott|prof|sig|gent|egr|ill|chiar|ecc)\.(?:ssa|ra|na|mo|ma)(?!\w)",
}
_NOTHING = "(?!)"


def _either(words: frozenset[str]) -> str:
    # The longest first: "prof" would hide "prof.ssa".
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word))) or _NOTHING


@cache
def _clusters() -> re.Pattern[str]:
    return re.compile(rf"\S[{marks()}]*+")

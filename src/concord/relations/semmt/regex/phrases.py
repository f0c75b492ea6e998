"""Cut a request into phrases: atoms, counts, joints and governing words; unknown words are set aside."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise, zip_longest
from typing import NamedTuple

from concord.language.numbers.english import ONES, ROUND, SCALES
from concord.relations.semmt.logic.numbers import number
from concord.relations.semmt.logic.words import Words
from concord.relations.semmt.regex.lexicon import MASTER, NAMES, NUMERAL, QUOTE, VALUES


class RequestPhrase(NamedTuple):
    """A phrase of a request: its kind, and the key by which the weights know it.

    An atom has the expression of one occurrence, its name and whether it is a plural; a count has bounds.
    """

    kind: str
    key: str = ""
    atom: str = ""
    name: str = ""
    plural: bool = False
    low: int = 0
    high: int | None = None


class CutRequest(NamedTuple):
    """The phrases of a request, and the words that are none; `lines_counted` if it says how many lines are meant."""

    phrases: list[RequestPhrase]
    unknown: list[str]
    lines_counted: bool


QUOTED = re.compile(
    r"(<[Mm]\d{1,3}>)|(?<!\w)(?:'([^'\n]{1,99})'|\"([^\"\n]{1,99})\"|‘([^’\n]{1,99})’|“([^”\n]{1,99})”|`([^`\n]{1,99})`)(?!\w)"
)
"""A mask, or a text in quotation marks."""
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_APART = re.compile(r"\s*([,;:])\s*|[()\[\]{}!?]|\.(?!\w)|\s+")
WORD = r"\ b ( [ <LET> ] ) + \ b"
"""Any word, as an expression."""
MASK = re.compile(r"<[Mm]\d{1,3}>")
_PIECES = re.compile(r"[^\W_]+|.", re.DOTALL)
_WORD = re.compile(r"\S+ ?")
_ANY_WORD = RequestPhrase("atom", "a", atom=WORD, name="word")
_MARKED = frozenset({"contain", "start", "end", "only", "not"})
_COMPLETE = frozenset({"atom", "count"})
_SPELT = re.compile(rf"\b(?:{'|'.join((*(set(ONES) - set(VALUES)), *ROUND, *SCALES))})\b")
"""Number words beyond those of the lexicon."""
_GOVERNS = _MARKED | {"have"}
_BOUNDS: dict[str, Callable[[list[int]], tuple[int, int | None]]] = {
    "more": lambda n: (n[0], None),
    "less": lambda n: (0, n[0]),
    "over": lambda n: (n[0] + 1, None),
    "under": lambda n: (0, max(n[0] - 1, 0)),
    "range": lambda n: (min(n), max(n)),
    "exact": lambda n: (n[0], n[0]),
    "any": lambda n: (0, None),
}


def cut(sentence: str) -> CutRequest:
    """The phrases of a sentence in order, without its subject."""
    quoted: list[str] = []

    def hide(match: re.Match[str]) -> str:
        quoted.append(next(part for part in match.groups() if part))
        return f" {QUOTE} "

    text = QUOTED.sub(hide, sentence.replace(QUOTE, " ")).lower().replace("’", "'")
    text = in_figures(_THOUSANDS.sub("", text))
    text = _APART.sub(lambda match: " , " if match[1] else " ", text.replace("-terminated", " -terminated"))
    phrases, unknown = _scan(" ".join(text.split()), iter(quoted))
    lines_counted = ("bound", "subject") in pairwise(phrase.kind for phrase in phrases)
    return CutRequest(_tidied(phrases), unknown, lines_counted)


def in_figures(text: str) -> str:
    """The text with figures for number words such as "two hundred"; the smallest stay, since "one of" is no number."""
    if not _SPELT.search(text):
        return text
    sentence = Words(text)
    pieces, last, next_word = [], 0, 0
    for index in range(len(sentence.words)):
        read = number(sentence, index) if index >= next_word else None
        if read is None or not read[1].is_integer() or not _SPELT.search(text, sentence.start(index)):
            continue
        next_word, start, end = read[0], sentence.start(index), sentence.end(read[0] - 1)
        if _SPELT.search(text[start:end]):
            pieces += [text[last:start], str(int(read[1]))]
            last = end
    return "".join((*pieces, text[last:]))


def _scan(text: str, quoted: Iterator[str]) -> tuple[list[RequestPhrase], list[str]]:
    phrases: list[RequestPhrase] = []
    unknown: list[str] = []
    offset = 0
    while offset < len(text):
        match = MASTER.match(text, offset)
        if match is None:
            skipped = _WORD.match(text, offset)
            offset = skipped.end() if skipped else offset + 1
            unknown.append(skipped[0].strip() if skipped else "")
            continue
        offset = match.end()
        name = match.lastgroup or ""
        kind, _, rest = name.partition("_")
        if kind != "skip":
            phrases.append(_phrase(kind, rest.rpartition("_")[0], match[name], quoted))
    return phrases, unknown


def _phrase(kind: str, key: str, words: str, quoted: Iterator[str]) -> RequestPhrase:
    if kind in ("count", "often", "bound"):
        low, high = bounds(key, words)
        return RequestPhrase("bound" if kind == "bound" else "count", "n", low=low, high=high)
    if kind == "class":
        atom = "." if key == "ANY" else f"[ <{key}> ]"
        plural = words.endswith("s") or words.startswith("lettered")
        return RequestPhrase("atom", "a", atom=atom, name=NAMES[key], plural=plural)
    if kind in ("quote", "named"):
        return _quoted(next(quoted), as_word=kind == "named")
    if kind == "least":
        return RequestPhrase("bound", "n", low=1)
    if key in ("not", "word") and kind in ("list", "ended"):
        return RequestPhrase(kind, f"{kind} {key}")
    return RequestPhrase(kind, f"{kind}{',' if words.startswith(',') else ''}", name=key)


def bounds(key: str, words: str) -> tuple[int, int | None]:
    """The least and the most that a phrase of the lexicon such as `at least 3` says."""
    return _BOUNDS[key]([VALUES[word] if word in VALUES else int(word) for word in NUMERAL.findall(words)])


def _quoted(quotation: str, *, as_word: bool) -> RequestPhrase:
    spelled = literal(quotation)
    name = spelled if MASK.fullmatch(quotation) else repr(quotation)
    if as_word:
        return RequestPhrase("atom", "a", atom=rf"\ b {spelled} \ b", name=f"word({name})")
    return RequestPhrase("atom", "a", atom=spelled, name=name)


def literal(quotation: str) -> str:
    """A quoted string in the notation: a mask stays as it is, blanks and signs are escaped."""
    if MASK.fullmatch(quotation):
        return quotation.upper()
    pieces = _PIECES.findall(quotation)
    return " ".join(piece if piece[0].isalnum() else r"\s" if piece.isspace() else f"\\{piece}" for piece in pieces)


def _tidied(phrases: list[RequestPhrase]) -> list[RequestPhrase]:
    """The phrases without subjects and empty verbs; words, bounds and verbs are distinguished by their neighbours."""
    tidied: list[RequestPhrase] = []
    subject = False
    for phrase, follower in zip_longest(phrases, phrases[1:]):
        following = follower.kind if follower else ""
        if phrase.kind == "subject":
            subject = bool(tidied)
        elif not _is_empty(phrase, tidied, following):
            _keep(phrase, tidied, following, "+" if subject else "")
            subject = False
    if tidied and tidied[-1].kind == "word":
        tidied[-1] = _ANY_WORD
    return tidied


def _is_empty(phrase: RequestPhrase, tidied: list[RequestPhrase], following: str) -> bool:
    if phrase.kind == "have":
        return not tidied or tidied[-1].kind in ("not", "word", "but") or following in _GOVERNS
    return phrase.kind == "bound" and following == "subject"


def _keep(phrase: RequestPhrase, tidied: list[RequestPhrase], following: str, mark: str) -> None:
    if phrase.kind in ("onwards", "down"):
        _widen(tidied, up=phrase.kind == "onwards")
    elif phrase.kind == "word" and following not in _GOVERNS:
        tidied.append(_ANY_WORD)
    elif phrase.name in ("any", "either") and phrase.kind == "not" and tidied and tidied[-1].kind == "contain":
        tidied.insert(len(tidied) - 1, phrase)
    elif phrase.kind == "except":
        denied = "but" if tidied and tidied[-1].kind in _COMPLETE else "not"
        tidied.append(
            RequestPhrase(denied, denied + (mark if denied == "not" else ""), name="not" if denied == "but" else "")
        )
    elif phrase.kind == "but" and any(earlier.name == "either" for earlier in tidied):
        tidied.append(RequestPhrase("or", "or"))
    else:
        tidied.append(phrase._replace(key=phrase.key + mark) if phrase.kind in _MARKED else phrase)


def _widen(tidied: list[RequestPhrase], *, up: bool) -> None:
    """`3 words or more`: the bound was read before it was complete."""
    for index, phrase in reversed(list(enumerate(tidied))):
        if phrase.kind in ("bound", "count"):
            tidied[index] = phrase._replace(low=phrase.low if up else 0, high=None if up else phrase.low)
            return

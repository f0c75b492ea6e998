"""Cut a request into phrases: atoms, counts, joints and governing words; what nobody knows is set aside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from concord.language.numbers.english import ONES, ROUND, SCALES
from concord.relations.semmt.logic.numbers import number
from concord.relations.semmt.logic.words import Words
from concord.relations.semmt.regex.lexicon import MASTER, NAMES, NUMERAL, QUOTE, VALUES


class RequestPhrase(NamedTuple):
    """A stretch of the request: the part it plays, what the weights know it as, and what it brings along.

    An atom brings the expression of one occurrence, its name and whether it stood in the plural; a count its bounds.
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
"""A mask, or what stands in quotation marks."""
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_APART = re.compile(r"\s*([,;:])\s*|[()\[\]{}!?]|\.(?!\w)|\s+")
WORD = r"\ b ( [ <LET> ] ) + \ b"
"""Any word, as an expression."""
_MASK = re.compile(r"<[Mm]\d{1,3}>")
_PIECES = re.compile(r"[^\W_]+|.", re.DOTALL)
_WORD = re.compile(r"\S+ ?")
_ANY_WORD = RequestPhrase("atom", "a", atom=WORD, name="word")
_MARKED = frozenset({"contain", "start", "end", "only", "not"})
_COMPLETE = frozenset({"atom", "count"})
_SPELT = re.compile(rf"\b(?:{'|'.join((*(set(ONES) - set(VALUES)), *ROUND, *SCALES))})\b")
"""Words of numbers that are more than the lexicon itself knows."""
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

    def hide(found: re.Match[str]) -> str:
        quoted.append(next(part for part in found.groups() if part))
        return f" {QUOTE} "

    text = QUOTED.sub(hide, sentence.replace(QUOTE, " ")).lower().replace("’", "'")
    text = _in_figures(_THOUSANDS.sub("", text))
    text = _APART.sub(lambda found: " , " if found[1] else " ", text.replace("-terminated", " -terminated"))
    found, unknown = _scan(" ".join(text.split()), iter(quoted))
    counted = any(one.kind == "bound" and other.kind == "subject" for one, other in pairwise(found))
    return CutRequest(_tidied(found), unknown, counted)


def _in_figures(text: str) -> str:
    """Figures for numbers in words such as "two hundred"; the smallest stay, "one of" is no number."""
    if not _SPELT.search(text):
        return text
    sentence = Words(text)
    made, last, done = [], 0, 0
    for place in range(len(sentence.words)):
        read = number(sentence, place) if place >= done else None
        if read is None or not read[1].is_integer() or not _SPELT.search(text, sentence.start(place)):
            continue
        done, start, end = read[0], sentence.start(place), sentence.end(read[0] - 1)
        if _SPELT.search(text[start:end]):
            made += [text[last:start], str(int(read[1]))]
            last = end
    return "".join((*made, text[last:]))


def _scan(text: str, quoted: Iterator[str]) -> tuple[list[RequestPhrase], list[str]]:
    found: list[RequestPhrase] = []
    unknown: list[str] = []
    at = 0
    while at < len(text):
        here = MASTER.match(text, at)
        if here is None:
            skipped = _WORD.match(text, at)
            at = skipped.end() if skipped else at + 1
            unknown.append(skipped[0].strip() if skipped else "")
            continue
        at = here.end()
        name = here.lastgroup or ""
        kind, _, rest = name.partition("_")
        if kind != "skip":
            found.append(_phrase(kind, rest.rpartition("_")[0], here[name], quoted))
    return found, unknown


def _phrase(kind: str, key: str, words: str, quoted: Iterator[str]) -> RequestPhrase:
    if kind in ("count", "often", "bound"):
        numbers = [VALUES[word] if word in VALUES else int(word) for word in NUMERAL.findall(words)]
        low, high = _BOUNDS[key](numbers)
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


def _quoted(said: str, *, as_word: bool) -> RequestPhrase:
    spelled = literal(said)
    name = spelled if _MASK.fullmatch(said) else repr(said)
    if as_word:
        return RequestPhrase("atom", "a", atom=rf"\ b {spelled} \ b", name=f"word({name})")
    return RequestPhrase("atom", "a", atom=spelled, name=name)


def literal(said: str) -> str:
    """A quoted string in the notation: a mask stays as it is, blanks and signs are escaped."""
    if _MASK.fullmatch(said):
        return said.upper()
    pieces = _PIECES.findall(said)
    return " ".join(piece if piece[0].isalnum() else r"\s" if piece.isspace() else f"\\{piece}" for piece in pieces)


def _tidied(found: list[RequestPhrase]) -> list[RequestPhrase]:
    """Without subjects and empty verbs; each word, bound and verb told apart by what stands beside it."""
    kept: list[RequestPhrase] = []
    subject = False
    for at, phrase in enumerate(found):
        following = found[at + 1].kind if at + 1 < len(found) else ""
        if phrase.kind == "subject":
            subject = bool(kept)
        elif not _is_empty(phrase, kept, following):
            _keep(phrase, kept, following, "+" if subject else "")
            subject = False
    if kept and kept[-1].kind == "word":
        kept[-1] = _ANY_WORD
    return kept


def _is_empty(phrase: RequestPhrase, kept: list[RequestPhrase], following: str) -> bool:
    if phrase.kind == "have":
        return not kept or kept[-1].kind in ("not", "word", "but") or following in _GOVERNS
    return phrase.kind == "bound" and following == "subject"


def _keep(phrase: RequestPhrase, kept: list[RequestPhrase], following: str, mark: str) -> None:
    if phrase.kind in ("onwards", "down"):
        _widen(kept, up=phrase.kind == "onwards")
    elif phrase.kind == "word" and following not in _GOVERNS:
        kept.append(_ANY_WORD)
    elif phrase.name in ("any", "either") and phrase.kind == "not" and kept and kept[-1].kind == "contain":
        kept.insert(len(kept) - 1, phrase)
    elif phrase.kind == "except":
        denied = "but" if kept and kept[-1].kind in _COMPLETE else "not"
        kept.append(
            RequestPhrase(denied, denied + (mark if denied == "not" else ""), name="not" if denied == "but" else "")
        )
    elif phrase.kind == "but" and any(earlier.name == "either" for earlier in kept):
        kept.append(RequestPhrase("or", "or"))
    else:
        kept.append(phrase._replace(key=phrase.key + mark) if phrase.kind in _MARKED else phrase)


def _widen(kept: list[RequestPhrase], *, up: bool) -> None:
    """`3 words or more`: the bound was read before it was complete."""
    for at in range(len(kept) - 1, -1, -1):
        if kept[at].kind in ("bound", "count"):
            told = kept[at].low
            kept[at] = kept[at]._replace(low=told if up else 0, high=None if up else told)
            return

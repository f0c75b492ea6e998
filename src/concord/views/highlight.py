"""Highlights: the words to mark in the texts of a case, and excerpts of long texts."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from concord.language.word_diff import differing_runs, joined
from concord.model import ROLES
from concord.store.evidence import Range, evidence_spans, plain_spans, text_of
from concord.views.spans import BESIDE, without_overlap
from concord.views.wording import READING_ORDER

LEAD_IN = 80


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text, marked or not; `kind` and `why` say more about a mark, where known."""

    words: str
    differs: bool
    kind: str = field(default="", repr=False)
    why: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a text, and how many characters are left out before and after it."""

    pieces: list[Piece]
    before: int = 0
    after: int = 0


def diff(a: str, b: str, lang: str = "", within: int | None = None) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces, with the words marked that the other text does not have in that order.

    Joined, the pieces are the texts again; `language.word_diff` says what differs. Of texts longer than `within`
    characters, only that many are compared, from shortly before the first difference. Their last words are not marked
    if the other text goes on, since it may have them further on, unless nothing else would be marked.

    >>> diff("the old bridge", "the bridge")[0]
    [Piece(words='the ', differs=False), Piece(words='old', differs=True), Piece(words=' bridge', differs=False)]
    """
    if a != b and within is not None and max(len(a), len(b)) > within:
        return _in_part(a, b, lang, max(within, 4 * LEAD_IN))
    runs_of_a, runs_of_b = differing_runs(a, b, lang)
    return [Piece(*run) for run in runs_of_a], [Piece(*run) for run in runs_of_b]


def marked(text: str, spans: Sequence[Range]) -> list[Piece]:
    """The text in pieces, marked in these ranges, which must be sorted and must not overlap, as `ranges` gives them.

    >>> marked("the old bridge", [Range(4, 7, "changed", "")])
    [Piece(words='the ', differs=False), Piece(words='old', differs=True), Piece(words=' bridge', differs=False)]
    """
    pieces, end = [], 0
    for span in spans:
        pieces += [*_whole(text[end : span.start]), Piece(text[span.start : span.end], True, span.kind, span.why)]
        end = span.end
    return [*pieces, *_whole(text[end:])]


def ranges(
    row: Mapping[str, Any], *, without: Collection[str] = (), within: int | None = None
) -> dict[str, list[Range]]:
    """The ranges to mark in the four texts of a row, by role: sorted, within the text, not overlapping.

    All evidence locates words by a place: `{"role": "source_output", "start": 4, "end": 7}`, where the role names one
    of the row's texts. These keys of the evidence are read:

    `blamed`   words that the comparator blames: each is a place (kind `blamed`, with the reason as `why`); `of_place`
               is the place of its source word (kind `of`), and `instead_place` that of what the other translation
               has instead (kind `instead`);
    `places`   places with a `kind` and, for people, a `why`: what a relation finds by its own comparison;
    `marked`   `{role: [[start, end], …]}`, spans only: kind `differs` in texts that are compared, `changed` in
               others. It is used for roles without a place of the above keys, as in rows of former versions.

    A row with none of them is marked where the compared texts differ word by word; `within` is as in
    `diff`. The kinds are `KINDS`: a word is `blamed`; `missing` from the other text; `added` to it;
    `changed`; left `untranslated`; `unexplained` by any part; `perhaps` wrong; `differs`; the word that a blamed one is
    a translation `of`, or that the other text has `instead`; ignored (`aside`) by a paper's comparison; the `phrase`
    that was translated by itself. `without` leaves kinds out.

    Rows may come from untrusted files: a place outside the text is ignored, and nothing is raised.
    """
    texts = {role: words for role in ROLES if (words := _words(row.get(role))) is not None}
    evidence = row.get("evidence")
    evidence = evidence if isinstance(evidence, Mapping) else {}
    spans = list(evidence_spans(evidence))
    marked_roles = {role for role, span in spans if span.kind not in BESIDE}
    if isinstance(evidence.get("marked"), Mapping):
        spans += [(role, span) for role, span in plain_spans(row, evidence["marked"]) if role not in marked_roles]
    elif not marked_roles:
        spans += _compared(row, texts, within)
    by_role: dict[str, list[Range]] = {role: [] for role in ROLES}
    for role, span in spans:
        if role in texts and span.kind not in without:
            by_role[role].append(span)
    return {role: without_overlap(spans, texts.get(role, "")) for role, spans in by_role.items()}


def compared_roles(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The roles of the two compared texts; empty if one of them has no role."""
    pair = row.get("compared")
    if not isinstance(pair, (list, tuple)) or len(pair) != 2:
        return ()
    first = [role for role in READING_ORDER if row.get(role) == pair[0]]
    second = [role for role in READING_ORDER if row.get(role) == pair[1] and role != (first or [""])[0]]
    return (first[0], second[-1]) if first and second else ()


def excerpt(pieces: Sequence[Piece], limit: int) -> Excerpt:
    """At most `limit` characters of a text, which include its first difference."""
    total = sum(len(piece.words) for piece in pieces)
    if total <= limit:
        return Excerpt(list(pieces))
    first = _first_difference(pieces)
    lead_in = min(LEAD_IN, limit // 2)
    start = 0 if first + max(lead_in, 1) <= limit else min(first - lead_in, total - limit)
    part, position = [], 0
    for piece in pieces:
        words = piece.words[max(0, start - position) : max(0, start + limit - position)]
        part += [replace(piece, words=words)] if words else []
        position += len(piece.words)
    return Excerpt(part, start, total - start - limit)


def beginning(text: str, limit: int) -> Excerpt:
    """The beginning of a text, without marks."""
    return excerpt(_whole(text), limit)


def _compared(row: Mapping[str, Any], texts: Mapping[str, str], within: int | None) -> Iterator[tuple[str, Range]]:
    pair = compared_roles(row)
    langs = {text_of(row[role].get("lang")) for role in pair}
    if len(langs) != 1 or any(role not in texts for role in pair):
        return
    (lang,) = langs
    for role, pieces in zip(pair, diff(texts[pair[0]], texts[pair[1]], lang, within), strict=True):
        position = 0
        for piece in pieces:
            if piece.differs:
                yield role, Range(position, position + len(piece.words), "differs", "")
            position += len(piece.words)


def _words(text: object) -> str | None:
    words = text.get("words") if isinstance(text, Mapping) else None
    return words if isinstance(words, str) else None


def _whole(text: str) -> list[Piece]:
    return [Piece(text, False)] if text else []


def _in_part(a: str, b: str, lang: str, length: int) -> tuple[list[Piece], list[Piece]]:
    start = _before_difference(a, b)
    cuts = [slice(start, _end_of_word(text, start + length)) for text in (a, b)]
    marked = diff(a[cuts[0]], b[cuts[1]], lang)
    # Extra words in one text push words of the other beyond the part that is compared.
    certain = [
        _without_end(pieces) if cut.stop < len(other_text) else pieces
        for pieces, cut, other_text in zip(marked, reversed(cuts), (b, a), strict=True)
    ]
    first, second = certain if any(piece.differs for pieces in certain for piece in pieces) else marked
    return _inside(a, cuts[0], first), _inside(b, cuts[1], second)


def _end_of_word(text: str, position: int) -> int:
    """A position at or before the given one that cuts no word of usual length."""
    return max(position - LEAD_IN, text.rfind(" ", 0, position + 1)) if position < len(text) else len(text)


def _without_end(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces without the mark of the last one."""
    return [*pieces[:-1], *(replace(piece, differs=False) for piece in pieces[-1:])]


def _inside(text: str, cut: slice, pieces: Sequence[Piece]) -> list[Piece]:
    inner = [(piece.words, piece.differs) for piece in pieces]
    return [Piece(*run) for run in joined([(text[: cut.start], False), *inner, (text[cut.stop :], False)])]


def _before_difference(a: str, b: str) -> int:
    """A position shortly before the first difference that cuts no word of usual length."""
    alike, differ = 0, min(len(a), len(b)) + 1
    while differ - alike > 1:  # a binary search is faster than comparing each character
        middle = (alike + differ) // 2
        if a.startswith(b[:middle]):
            alike = middle
        else:
            differ = middle
    start = max(0, alike - LEAD_IN)
    return max(start - LEAD_IN, a.rfind(" ", 0, start)) + 1 if start > LEAD_IN else 0


def _first_difference(pieces: Sequence[Piece]) -> int:
    position = 0
    for piece in pieces:
        if piece.differs:
            return position
        position += len(piece.words)
    return 0

"""Two texts side by side: the words that differ are marked, the hidden is made visible, the long is cut."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from concord.language.word_diff import differing_runs, joined
from concord.model import ROLES
from concord.views.spans import BESIDE, Range, apart, bare, placed, text_of

LEAD_IN = 80

_READ = ("source", "source_output", "follow_up", "follow_up_output")
"""The roles in the order in which a case is read: a text that plays two is shown as the first."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text that is marked, or is not; if more is known, of what kind it is, and why."""

    words: str
    differs: bool
    kind: str = field(default="", repr=False)
    why: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The part of a text that is shown, and how many characters are left out on either side."""

    pieces: list[Piece]
    before: int = 0
    after: int = 0


def marks(a: str, b: str, lang: str = "", within: int | None = None) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces, with the words marked that the other text does not have in that order.

    Joined, the pieces are the texts again; `language.word_diff` says what differs. Of texts of more than `within`
    characters, so many from shortly before the first difference on are compared, and no others marked; nor are the
    last of these, if the other text goes on, where they may stand too, and something else is known to differ.

    >>> marks("the old bridge", "the bridge")[0]
    [Piece(words='the ', differs=False), Piece(words='old', differs=True), Piece(words=' bridge', differs=False)]
    """
    if a != b and within is not None and max(len(a), len(b)) > within:
        return _in_part(a, b, lang, max(within, 4 * LEAD_IN))
    one, other = differing_runs(a, b, lang)
    return [Piece(*run) for run in one], [Piece(*run) for run in other]


def at(text: str, found: Sequence[Range]) -> list[Piece]:
    """The text in pieces, marked in these ranges, which `ranges` gives: sorted and apart.

    >>> at("the old bridge", [Range(4, 7, "changed", "")])
    [Piece(words='the ', differs=False), Piece(words='old', differs=True), Piece(words=' bridge', differs=False)]
    """
    pieces, place = [], 0
    for each in found:
        pieces += [*_whole(text[place : each.start]), Piece(text[each.start : each.end], True, each.kind, each.why)]
        place = each.end
    return [*pieces, *_whole(text[place:])]


def ranges(
    row: Mapping[str, Any], *, without: Collection[str] = (), within: int | None = None
) -> dict[str, list[Range]]:
    """What is to be marked in the four texts of a row: role → ranges, sorted, within the text, never overlapping.

    All evidence says where words stand in one form, a place: `{"role": "source_output", "start": 4, "end": 7}`, where
    the role names one of the row's texts. Read are, in a row's evidence:

    `blamed`   words that our comparison blames: each is a place itself (kind `blamed`, why in words), and has in
               `of_place` that of its source word (kind `of`), in `instead_place` that of what the other translation
               has instead (kind `instead`);
    `places`   places with a `kind` and, for people, a `why`: what a relation finds by its own comparison;
    `marked`   `{role: [[start, end], …]}`, spans without more: kind `differs` in texts that are compared, `changed` in
               others. It counts for roles in which neither of the above has a place, as in rows of former versions.

    A row with none of them is marked where the compared texts differ word by word, `within` as `marks` has it. The
    kinds are `KINDS`: a word is `blamed`; `missing` from the other text; `added` to it; `changed`; left `untranslated`;
    `unexplained` by any part; `perhaps` wrong; `differs`; the word that a blamed one is a translation `of`, or that
    stands there `instead`; set `aside` by a paper's comparison; the `phrase` that was translated by itself. `without`
    leaves kinds out.

    Rows may come from anywhere: what is no place in the text is passed over, and nothing is raised.
    """
    texts = {role: words for role in ROLES if (words := _words(row.get(role))) is not None}
    evidence = row.get("evidence")
    evidence = evidence if isinstance(evidence, Mapping) else {}
    found = placed(evidence)
    known = {role for role, each in found if each.kind not in BESIDE}
    if isinstance(evidence.get("marked"), Mapping):
        found += [(role, each) for role, each in bare(row, evidence["marked"]) if role not in known]
    elif not known:
        found += _compared(row, texts, within)
    chosen: dict[str, list[Range]] = {role: [] for role in ROLES}
    for role, each in found:
        if role in texts and each.kind not in without:
            chosen[role].append(each)
    return {role: apart(each, len(texts.get(role, ""))) for role, each in chosen.items()}


def compared_roles(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The two of the four texts that were compared, or nothing if others were."""
    both = row.get("compared")
    if not isinstance(both, (list, tuple)) or len(both) != 2:
        return ()
    first = [role for role in _READ if row.get(role) == both[0]]
    second = [role for role in _READ if row.get(role) == both[1] and role != (first or [""])[0]]
    return (first[0], second[-1]) if first and second else ()


def excerpt(pieces: Sequence[Piece], limit: int) -> Excerpt:
    """At most `limit` characters, chosen so that the first difference is among them."""
    total = sum(len(piece.words) for piece in pieces)
    if total <= limit:
        return Excerpt(list(pieces))
    first = _first_difference(pieces)
    lead_in = min(LEAD_IN, limit // 2)
    start = 0 if first + max(lead_in, 1) <= limit else min(first - lead_in, total - limit)
    shown, place = [], 0
    for piece in pieces:
        words = piece.words[max(0, start - place) : max(0, start + limit - place)]
        shown += [replace(piece, words=words)] if words else []
        place += len(piece.words)
    return Excerpt(shown, start, total - start - limit)


def plain(text: str, limit: int) -> Excerpt:
    """The beginning of a text that is compared with nothing."""
    return excerpt(_whole(text), limit)


def _compared(row: Mapping[str, Any], texts: Mapping[str, str], within: int | None) -> Iterator[tuple[str, Range]]:
    pair = compared_roles(row)
    if not pair or any(role not in texts for role in pair):
        return
    lang = text_of(row[pair[0]].get("lang"))
    for role, pieces in zip(pair, marks(texts[pair[0]], texts[pair[1]], lang, within), strict=True):
        place = 0
        for piece in pieces:
            if piece.differs:
                yield role, Range(place, place + len(piece.words), "differs", "")
            place += len(piece.words)


def _words(text: object) -> str | None:
    words = text.get("words") if isinstance(text, Mapping) else None
    return words if isinstance(words, str) else None


def _whole(text: str) -> list[Piece]:
    return [Piece(text, False)] if text else []


def _in_part(a: str, b: str, lang: str, length: int) -> tuple[list[Piece], list[Piece]]:
    start = _before_difference(a, b)
    cuts = [slice(start, _end_of_word(text, start + length)) for text in (a, b)]
    found = marks(a[cuts[0]], b[cuts[1]], lang)
    # Words that one text has more of shift the other's out of the part that is compared.
    known = [
        _without_end(pieces) if cut.stop < len(other) else pieces
        for pieces, cut, other in zip(found, reversed(cuts), (b, a), strict=True)
    ]
    first, second = known if any(piece.differs for pieces in known for piece in pieces) else found
    return _inside(a, cuts[0], first), _inside(b, cuts[1], second)


def _end_of_word(text: str, place: int) -> int:
    """A place up to which no word is cut, as far as words are of a usual length."""
    return max(place - LEAD_IN, text.rfind(" ", 0, place + 1)) if place < len(text) else len(text)


def _without_end(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with no mark that touches their end."""
    return [*pieces[:-1], *(replace(piece, differs=False) for piece in pieces[-1:])]


def _inside(text: str, cut: slice, pieces: Sequence[Piece]) -> list[Piece]:
    inner = [(piece.words, piece.differs) for piece in pieces]
    return [Piece(*run) for run in joined([(text[: cut.start], False), *inner, (text[cut.stop :], False)])]


def _before_difference(a: str, b: str) -> int:
    """A place before which both texts are alike and no word is cut, as far as words are of a usual length."""
    alike, differ = 0, min(len(a), len(b)) + 1
    while differ - alike > 1:  # comparing halves is quicker than looking at each character
        middle = (alike + differ) // 2
        if a.startswith(b[:middle]):
            alike = middle
        else:
            differ = middle
    start = max(0, alike - LEAD_IN)
    return max(start - LEAD_IN, a.rfind(" ", 0, start)) + 1 if start > LEAD_IN else 0


def _first_difference(pieces: Sequence[Piece]) -> int:
    place = 0
    for piece in pieces:
        if piece.differs:
            return place
        place += len(piece.words)
    return 0

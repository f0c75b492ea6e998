"""Where a condition in front ends if no comma says so: "Unless it rains we go"."""

from __future__ import annotations

from concord.relations.semmt.logic.english import ROLES
from concord.relations.semmt.logic.words import Words

_STOPS = frozenset(".!?")
_COMMAS = frozenset(",;:()–—")
_FIRST = 2
"""Words that a condition has at least: "it rains"."""
_WINDOW = 500
"""Characters in which both clauses are looked for, so that time grows with the text alone."""


def clause_break(text: str, start: int) -> int:
    """Where the main clause begins behind a condition at the head of a sentence; -1 if a comma will tell.

    What no rule knows is cut in the middle: most words of either clause are then on their side, and phrases are
    recognised by most of their words.
    """
    found = Words(text[start : start + _WINDOW])
    words = found.words
    end = next((at for at, word in enumerate(words) if word in _STOPS or word in _COMMAS), len(words))
    comma = end < len(words) and words[end] in _COMMAS
    # The comma of "…, and" may as well end the main clause.
    if comma and (ROLES["and"] | ROLES["but"]).isdisjoint(words[end + 1 : end + 2]):
        return -1
    clause = words[:end]
    at = _told(clause) or _subject(clause) or _noun(clause)
    if at is None and len(clause) > _FIRST and not comma:
        at = len(clause) // 2
    return -1 if at is None else start + found.start(at)


def _told(words: list[str]) -> int | None:
    if len(words) > 1 and words[0] in ROLES["alone"]:
        return 1
    return next((at for at in range(_FIRST, len(words)) if words[at] in ROLES["then"]), None)


def _subject(words: list[str]) -> int | None:
    """A pronoun that is a subject by its form, or by the verb behind it."""
    for at in range(_FIRST, len(words)):
        if words[at - 1] in ROLES["goes_on"]:
            continue
        bare, apostrophe, _ = words[at].partition("'")
        if bare in ROLES["subject"]:
            return at - (words[at - 1] in ROLES["auxiliary"])
        follows = words[at + 1] if at + 1 < len(words) else ""
        if bare in ROLES["maybe_subject"] and (apostrophe or follows in ROLES["auxiliary"]):
            return at
    return None


def _noun(words: list[str]) -> int | None:
    """A subject with an article, or of one word behind a condition that has its verb already, before an auxiliary."""
    verb = words[:1] != [] and words[0] in ROLES["subject"] | ROLES["maybe_subject"]
    for at in range(_FIRST, len(words)):
        if words[at] not in ROLES["auxiliary"]:
            continue
        for begin in range(at - 1, _FIRST - 1, -1):
            if words[begin] in ROLES["determiner"]:
                if words[begin - 1] not in ROLES["goes_on"] | ROLES["auxiliary"]:
                    return begin
                break
        else:
            if verb and at > _FIRST and not {words[at - 2], words[at - 1]} & ROLES["goes_on"]:
                return at - 1
        verb = True
    return None

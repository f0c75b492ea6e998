"""Where a condition in front ends if no comma says so: "Unless it rains we go"."""

from __future__ import annotations

from collections.abc import Mapping

from concord.relations.semmt.logic.tables import LanguageTable
from concord.relations.semmt.logic.words import Words

_STOPS = frozenset(".!?")
_COMMAS = frozenset(",;:()–—")
_FIRST = 2
"""Words that a condition has at least: "it rains"."""
_WINDOW = 500
"""Characters in which both clauses are looked for, so that time grows with the text alone."""
Roles = Mapping[str, frozenset[str]]


def clause_break(text: str, start: int, language: LanguageTable) -> int:
    """Where the main clause begins behind a condition at the head of a sentence; -1 if a comma will tell.

    What no rule knows is cut in the middle: most words of either clause are then on their side, and phrases are
    recognised by most of their words.
    """
    found = Words(text[start : start + _WINDOW])
    words, roles = found.words, language.roles
    end = next((at for at, word in enumerate(words) if word in _STOPS or word in _COMMAS), len(words))
    comma = end < len(words) and words[end] in _COMMAS
    # The comma of "…, and" may as well end the main clause.
    if comma and (roles["and"] | roles["but"]).isdisjoint(words[end + 1 : end + 2]):
        return -1
    clause = words[:end]
    at = _told(clause, roles) or _subject(clause, roles) or _noun(clause, roles)
    if at is None and len(clause) > _FIRST and not comma:
        at = len(clause) // 2
    return -1 if at is None else start + found.start(at)


def _told(words: list[str], roles: Roles) -> int | None:
    if len(words) > 1 and words[0] in roles["alone"]:
        return 1
    return next((at for at in range(_FIRST, len(words)) if words[at] in roles["then"]), None)


def _subject(words: list[str], roles: Roles) -> int | None:
    """A pronoun that is a subject by its form, or by the verb behind it."""
    for at in range(_FIRST, len(words)):
        if words[at - 1] in roles["goes_on"]:
            continue
        bare, apostrophe, _ = words[at].partition("'")
        if bare in roles["subject"]:
            return at - (words[at - 1] in roles["auxiliary"])
        follows = words[at + 1] if at + 1 < len(words) else ""
        if bare in roles["maybe_subject"] and (apostrophe or follows in roles["auxiliary"]):
            return at
    return None


def _noun(words: list[str], roles: Roles) -> int | None:
    """A subject with an article, or of one word behind a condition that has its verb already, before an auxiliary."""
    verb = words[:1] != [] and words[0] in roles["subject"] | roles["maybe_subject"]
    for at in range(_FIRST, len(words)):
        if words[at] not in roles["auxiliary"]:
            continue
        for begin in range(at - 1, _FIRST - 1, -1):
            if words[begin] in roles["determiner"]:
                if words[begin - 1] not in roles["goes_on"] | roles["auxiliary"]:
                    return begin
                break
        else:
            if verb and at > _FIRST and not {words[at - 2], words[at - 1]} & roles["goes_on"]:
                return at - 1
        verb = True
    return None

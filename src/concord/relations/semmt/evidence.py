"""What a case of SemMT shows of the claims of a sentence and of its back-translation."""

from __future__ import annotations

from typing import Any

from concord.model import Text
from concord.relations._spans import places
from concord.relations.semmt.automata import Similarities
from concord.relations.semmt.claims import ClaimPair, differing
from concord.relations.semmt.logic import find


def claim_evidence(found: ClaimPair, compared: Similarities, source: Text, back: Text) -> dict[str, Any]:
    """The expression and the reading of either side, and the words of the claims that differ."""
    sides = {"source": found.left, "back": found.right}
    shown: dict[str, Any] = {f"{side} expression": claims.regex for side, claims in sides.items()}
    shown |= {f"{side} reading": claims.reading for side, claims in sides.items()}
    if found.symbols:
        shown["symbols"] = {name: list(words) for name, words in found.symbols.items()}
    if found.left.approximate or found.right.approximate:
        shown["approximate"] = True
    if compared.equal:
        return shown | {"marked": {}}
    extra = differing(find(source.words, lang=source.lang), find(back.words, lang=back.lang))
    for side, text, spans in zip(sides, (source, back), extra, strict=True):
        shown[f"only in {side}"] = [text.words[start:end] for start, end in spans]
    if any(extra):
        both = dict(zip(("source", "follow_up_output"), (list(map(list, spans)) for spans in extra), strict=True))
        said = dict(zip(both, ("only in the source", "only in what came back"), strict=True))
        shown["marked"] = both
        shown["places"] = [
            place for role, spans in both.items() for place in places(role, spans, "differs", said[role])
        ]
    return shown

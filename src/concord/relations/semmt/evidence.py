"""The evidence of a case of SemMT: the claims of a sentence and of its back-translation."""

from typing import Any

from concord.model import Text
from concord.relations._spans import places
from concord.relations.semmt.automata import Similarities
from concord.relations.semmt.claims import ClaimPair, differing
from concord.relations.semmt.logic import find


def claim_evidence(pair: ClaimPair, compared: Similarities, source: Text, back: Text) -> dict[str, Any]:
    """The expression and the reading of each side, and the words of the claims that differ."""
    sides = {"source": pair.left, "back": pair.right}
    evidence: dict[str, Any] = {f"{side} expression": claims.regex for side, claims in sides.items()}
    evidence |= {f"{side} reading": claims.reading for side, claims in sides.items()}
    if pair.symbols:
        evidence["symbols"] = {name: list(words) for name, words in pair.symbols.items()}
    if pair.left.approximate or pair.right.approximate:
        evidence["approximate"] = True
    if compared.equal:
        return evidence | {"marked": {}}
    extra = differing(find(source.words, lang=source.lang), find(back.words, lang=back.lang))
    for side, text, spans in zip(sides, (source, back), extra, strict=True):
        evidence[f"only in {side}"] = [text.words[start:end] for start, end in spans]
    if any(extra):
        source_spans, back_spans = (list(map(list, spans)) for spans in extra)
        evidence["marked"] = {"source": source_spans, "follow_up_output": back_spans}
        evidence["places"] = [
            *places("source", source_spans, "differs", "only in the source"),
            *places("follow_up_output", back_spans, "differs", "only in what came back"),
        ]
    return evidence

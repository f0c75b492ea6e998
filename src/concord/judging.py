"""A relation's verdict on pairs that were translated elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from concord import plugins
from concord.corpus.pairs import Pair, no_column, read_pairs
from concord.errors import CorpusError, UserError
from concord.model import ROLES, Case, Text
from concord.text import matching

ALIASES = {"purity": "rti", "cit": "cat"}
"""Names that published data have for our relations: RTI was first called Purity, and CIT compares as CAT does."""


def judge(path: str | Path, *, relation: str = "", source: str = "", target: str = "") -> Iterator[dict[str, Any]]:
    """A relation's verdict on every pair of a file, in its order; nothing is translated."""
    compares: dict[str, _Compare] = {}
    try:
        for pair in read_pairs(path, source=source, target=target, relation=relation):
            chosen = relation or pair.relation
            if chosen not in compares:
                try:
                    compares[chosen] = _Compare(relation or _ours(pair.relation))
                except UserError as error:
                    raise CorpusError(f"{path}, line {pair.line}: {error}") from None
            if missing := compares[chosen].reads - pair.words.keys():
                raise CorpusError(f"{path}: {chosen} reads more than the file has: {no_column(sorted(missing))}")
            yield {"line": pair.line, "relation": chosen, **compares[chosen].verdict(pair)}
    finally:
        matching.close()


def _ours(name: str) -> str:
    """Our name for a relation that a file's column names, whatever the case of its letters."""
    known = name.strip().lower()
    return ALIASES.get(known, known if known in plugins.names("relations") else name)


class _Compare:
    """A relation's `compare`, with its options set; `reads` are the roles that its verdict depends on."""

    def __init__(self, text: str) -> None:
        spec = plugins.parse("relations", text)
        module = plugins.load("relations", spec.name)
        if not hasattr(module, "compare"):
            raise UserError(f"the relation '{spec.name}' cannot judge a pair by itself: its verdict needs more texts")
        self._compare = module.compare
        self._langs = getattr(module, "LANGS", ("source", "source", "target", "target"))
        reads = set(getattr(module, "READS", ROLES))
        # Where the follow-up is the translation itself, a file need not repeat it.
        self.reads = reads - {"follow_up"} if self._langs[1] == "target" else reads
        accepted = {p.name for p in plugins.parameters(module.compare)}
        self._options = {k: v for k, v in plugins.settings("relations", spec).items() if k in accepted}

    def verdict(self, pair: Pair) -> dict[str, Any]:
        words = dict.fromkeys(ROLES, "") | dict(pair.words)
        if self._langs[1] == "target":
            words["follow_up"] = words["follow_up"] or words["source_output"]
        blank = [role for role in ROLES if role in self.reads and not words[role].strip()]
        if blank:
            return {"error": f"empty: {', '.join(blank)}"}
        langs = [pair.langs[f"{side}_lang"] for side in self._langs]
        texts = [Text(words[role], lang) for role, lang in zip(ROLES, langs, strict=True)]
        try:
            case: Case = self._compare(*texts, **self._options)
        except UserError:
            raise
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"}
        return {
            "suspicion": case.suspicion,
            "threshold": case.threshold,
            "violated": case.violated,
            "scores": case.scores,
            "factors": case.factors,
            "evidence": case.evidence,
        }

"""Serialise what was learnt from a run's first pairs, so that every worker can use it on later pairs."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from concord.comparator.alignment import Aligned, Pair, _sides
from concord.comparator.evidence import Evidence, gather
from concord.comparator.learned import UNREADABLE
from concord.comparator.word_similarity import Likeness
from concord.errors import UserError
from concord.language.align import load as load_model
from concord.model import Direction

FORMAT = 2
_HEAD = 8


def dump(aligned: Aligned) -> bytes:
    """Serialise the alignment and the word frequencies, without the sentence pairs and the dictionaries."""
    facts = {"texts": aligned.texts, "in_order": aligned.in_order, "counts": sorted(aligned.counts.items())}
    head = json.dumps({"format": FORMAT, **facts}).encode()
    return len(head).to_bytes(_HEAD) + head + aligned.model.dump()


def load(data: bytes, evidence: Evidence) -> Aligned:
    """Load what `dump` wrote, with the dictionaries of this machine."""
    size = int.from_bytes(data[:_HEAD])
    try:
        head = json.loads(data[_HEAD : _HEAD + size])
        if head["format"] != FORMAT:
            raise UserError(f"what was learnt has format {head['format']}; this Concord reads {FORMAT}")
        model = load_model(data[_HEAD + size :])
        counts = Counter(dict(head["counts"]))
    except UNREADABLE as error:
        raise UserError(f"what was learnt is damaged ({error}). Repeat the run") from None
    return Aligned(model, evidence, {}, counts, head["texts"], Likeness(evidence), head["in_order"])


def with_pairs(aligned: Aligned, pairs: Iterable[Pair]) -> Aligned:
    """The same alignment with these pairs aligned together, which is faster than one after the other."""
    sides = _sides(aligned.model, list(dict.fromkeys(pairs)))
    aligned.evidence.meet(
        {word for side in sides.values() for word in side.source.words},
        {word for side in sides.values() for word in side.output.words},
    )
    return replace(aligned, sides=sides)


def chosen_evidence(options: Mapping[str, str]) -> tuple[str, str, str]:
    """The glossary, the synonyms and the dictionaries that a user chose, in the order of `evidence_for`."""
    return options.get("glossary", ""), options.get("synonyms", ""), options.get("dictionaries", "all")


def evidence_for(
    langs: Direction, glossary: str = "", synonyms: str = "", dictionaries: str = "all", *, turned: bool = False
) -> Evidence:
    """The dictionary entries between two languages; `turned` if the glossary is written the other way round."""
    if turned:
        return evidence_for((langs[1], langs[0]), glossary, synonyms, dictionaries).turned()
    return gather(langs, glossary=glossary, synonyms=synonyms, dictionaries=dictionaries)

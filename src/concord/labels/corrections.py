"""Corrected translations as a training set: the source text, its wrong translation, and the correction.

JSONL has every text unchanged. TSV has one line for each correction: a tab or a line break inside a text becomes a
blank, and a text that a spreadsheet would take for a formula gets an apostrophe in front, unless raw output is asked
for. TMX 1.4 has one unit for each correction, with the text and its correction; properties hold the wrong translation,
the system and what is wrong. Characters that XML forbids are replaced by U+FFFD.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import IO
from xml.sax.saxutils import escape, quoteattr

from concord import __version__
from concord.corpus.formats.tables import RAW, guarded
from concord.labels.labels import Labels
from concord.store.export import Form, put_pieces, put_rows
from concord.store.workspace import Workspace

_SIDES = {"source output": "source", "follow-up output": "follow_up", "both": "source"}
_LABEL_FACTS = ("categories", "kinds", "severity", "annotator", "created", "case", "comment")
_BREAKS = re.compile(r"[\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Correction:
    """A translation that somebody corrected."""

    source: str
    wrong: str
    corrected: str
    source_lang: str
    target_lang: str
    system: str
    relation: str
    categories: tuple[str, ...]
    kinds: tuple[str, ...]
    severity: str
    annotator: str
    created: str
    case: str
    comment: str


def corrections(workspace: Workspace, runs: Iterable[int]) -> Iterator[Correction]:
    """The corrections in the labels of these runs' cases, each once.

    A correction replaces the output that its label calls wrong, or the source output if the label says both or neither.
    It remains valid if the system now answers differently: the wrong translation is the one that was judged.
    """
    selected = list(dict.fromkeys(runs))
    labels = Labels(workspace)
    by_case, done_cases = labels.of_runs(selected), set[str]()
    for row in labels.rows(selected):
        if row["case"] in done_cases:
            continue
        done_cases.add(row["case"])
        for label in by_case.get(row["case"], ()):
            outputs = json.loads(label.outputs) if label.correction and label.verdict == "error" else {}
            side = _SIDES.get(label.wrong, "source")
            wrong = outputs.get(f"{side}_output")
            source = outputs.get("follow_up") if side == "follow_up" else row["source"]["words"]
            if isinstance(wrong, str) and isinstance(source, str) and wrong != label.correction:
                langs = row[side]["lang"], row[f"{side}_output"]["lang"]
                label_facts = {name: getattr(label, name) for name in _LABEL_FACTS}
                yield Correction(source, wrong, label.correction, *langs, row["system"], row["relation"], **label_facts)


def _tsv(corrections: Iterable[Correction], file: IO[str], raw: bool) -> int:
    names = tuple(Correction.__slots__)
    file.write("\t".join((*names, RAW) if raw else names) + "\n")
    rows = ([getattr(correction, name) for name in names] for correction in corrections)
    lines = ([_BREAKS.sub(" ", "; ".join(cell) if isinstance(cell, tuple) else cell) for cell in row] for row in rows)
    return put_pieces(("\t".join((*line, "") if raw else map(guarded, line)) + "\n" for line in lines), file)


def _tmx(corrections: Iterable[Correction], file: IO[str]) -> int:
    header = (
        f'<header creationtool="Concord" creationtoolversion={quoteattr(__version__)} segtype="sentence"'
        ' o-tmf="Concord" adminlang="en" srclang="*all*" datatype="plaintext"/>'
    )
    file.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n{header}\n<body>\n')
    count = put_pieces(map(_unit, corrections), file)
    file.write("</body>\n</tmx>\n")
    return count


def _unit(correction: Correction) -> str:
    date = re.sub(r"\D", "", correction.created)[:14]
    when = f' creationdate="{date[:8]}T{date[8:]}Z"' if len(date) == 14 else ""
    props = {
        "x-wrong-translation": correction.wrong,
        "x-system": correction.system,
        "x-relation": correction.relation,
        "x-categories": "; ".join(correction.categories),
        "x-kinds": "; ".join(correction.kinds),
        "x-severity": correction.severity,
        "x-case": correction.case,
    }
    note = f"<note>{_xml(correction.comment)}</note>" if correction.comment else ""
    properties = "".join(f"<prop type={quoteattr(name)}>{_xml(value)}</prop>" for name, value in props.items() if value)
    variants = "".join(
        f"<tuv xml:lang={quoteattr(_legal(lang))}><seg>{_xml(words)}</seg></tuv>"
        for lang, words in ((correction.source_lang, correction.source), (correction.target_lang, correction.corrected))
    )
    who = quoteattr(_legal(correction.annotator))
    source = quoteattr(_legal(correction.source_lang))
    return f"<tu srclang={source}{when} creationid={who}>{note}{properties}{variants}</tu>\n"


def _xml(text: str) -> str:
    return escape(_legal(text))


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", text)


def put_corrections(corrections: Iterable[Correction], file: IO[str], form: Form) -> int:
    """Write corrections to an open file as `jsonl`, `tsv` or `tmx`; returns their number."""
    if form.format == "tsv":
        return _tsv(corrections, file, form.raw)
    return _tmx(corrections, file) if form.format == "tmx" else put_rows(map(asdict, corrections), file, form)

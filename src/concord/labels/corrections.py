"""Corrected translations as a training set: what was to be translated, how it was, and how it should have been.

JSONL has every text as it is. TSV has one line each, so that a tab or a line break inside a text becomes a blank; a
text that a spreadsheet would take for a formula has an apostrophe in front, unless it is raw. TMX 1.4 has a unit for
each: the text and its correction, and beside them as properties the wrong translation, the system and what is wrong;
characters that XML forbids are replaced by U+FFFD.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import IO
from xml.sax.saxutils import escape, quoteattr

from concord import __version__
from concord.corpus.formats.tables import RAW, guarded
from concord.labels.labels import Labels
from concord.store.export import Form, put_lines, put_pieces
from concord.store.workspace import Workspace

_OF = {"source output": "source", "follow-up output": "follow_up", "both": "source"}
_SAID = ("categories", "kinds", "severity", "annotator", "created", "case", "comment")
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

    A correction is of the output that its label calls wrong, and of the source output where that is both or not said.
    It holds though the system answers differently by now: the wrong translation is the one that was judged.
    """
    chosen = list(dict.fromkeys(runs))
    labels = Labels(workspace)
    said, seen = labels.of(chosen), set[str]()
    for row in labels.rows(chosen):
        if row["case"] in seen:
            continue
        seen.add(row["case"])
        for label in said.get(row["case"], ()):
            outputs = json.loads(label.outputs) if label.correction and label.verdict == "error" else {}
            side = _OF.get(label.wrong, "source")
            wrong = outputs.get(f"{side}_output")
            source = outputs.get("follow_up") if side == "follow_up" else row["source"]["words"]
            if isinstance(wrong, str) and isinstance(source, str) and wrong != label.correction:
                langs = row[side]["lang"], row[f"{side}_output"]["lang"]
                said_too = {name: getattr(label, name) for name in _SAID}
                yield Correction(source, wrong, label.correction, *langs, row["system"], row["relation"], **said_too)


def _tsv(found: Iterable[Correction], file: IO[str], raw: bool) -> int:
    names = tuple(Correction.__slots__)
    file.write("\t".join((*names, RAW) if raw else names) + "\n")
    rows = ([getattr(each, name) for name in names] for each in found)
    lines = ([_BREAKS.sub(" ", "; ".join(cell) if isinstance(cell, tuple) else cell) for cell in row] for row in rows)
    return put_pieces(("\t".join((*line, "") if raw else map(guarded, line)) + "\n" for line in lines), file)


def _tmx(found: Iterable[Correction], file: IO[str]) -> int:
    header = (
        f'<header creationtool="Concord" creationtoolversion={quoteattr(__version__)} segtype="sentence"'
        ' o-tmf="Concord" adminlang="en" srclang="*all*" datatype="plaintext"/>'
    )
    file.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n{header}\n<body>\n')
    count = put_pieces(map(_unit, found), file)
    file.write("</body>\n</tmx>\n")
    return count


def _unit(each: Correction) -> str:
    date = re.sub(r"\D", "", each.created)[:14]
    when = f' creationdate="{date[:8]}T{date[8:]}Z"' if len(date) == 14 else ""
    props = {
        "x-wrong-translation": each.wrong,
        "x-system": each.system,
        "x-relation": each.relation,
        "x-categories": "; ".join(each.categories),
        "x-kinds": "; ".join(each.kinds),
        "x-severity": each.severity,
        "x-case": each.case,
    }
    note = f"<note>{_xml(each.comment)}</note>" if each.comment else ""
    said = "".join(f"<prop type={quoteattr(name)}>{_xml(value)}</prop>" for name, value in props.items() if value)
    variants = "".join(
        f"<tuv xml:lang={quoteattr(_legal(lang))}><seg>{_xml(words)}</seg></tuv>"
        for lang, words in ((each.source_lang, each.source), (each.target_lang, each.corrected))
    )
    who = quoteattr(_legal(each.annotator))
    return f"<tu srclang={quoteattr(_legal(each.source_lang))}{when} creationid={who}>{note}{said}{variants}</tu>\n"


def _xml(text: str) -> str:
    return escape(_legal(text))


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", text)


def put_corrections(found: Iterable[Correction], file: IO[str], form: Form) -> int:
    """Write corrections into a file that is open, as `jsonl`, `tsv` or `tmx`; gives their number."""
    if form.format == "tsv":
        return _tsv(found, file, form.raw)
    return _tmx(found, file) if form.format == "tmx" else put_lines(map(asdict, found), (), file, form)

"""Findings as a campaign of Pearmut (Kocmi and Zouhar 2026) with error spans filled in, for people to go over.

Pearmut's protocol ESA (Kocmi et al. 2024) marks error spans as minor or major in a translation and then scores it.
A campaign is one JSON object; each of its items has `src`, `tgt` (by the name of the system) and, where spans are known
beforehand, `error_spans`: `start_i` and `end_i` count the characters of the translation, both inclusive, `severity` is
`minor`, `major`, `neutral` or null, and `category` is null but for the protocol MQM. Other keys are kept in its logs.

Pearmut is a program of the browser: it counts UTF-16 units, does not count line breaks, and has a place `[missing]`
after the last one, for what was left out. It takes a text that begins with a tag of a picture, sound or film for that
tag, and would execute it; such a text gets a blank in front here, for translations are not to be trusted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import IO, Any

from concord.labels.labels import SEVERITIES, Label
from concord.labels.majority import verdict
from concord.signature import digest
from concord.store.label_rows import outputs_of
from concord.views.highlight import ranges
from concord.views.spans import Range
from concord.views.wording import judged

SIDES = {"source_output": "source", "follow_up_output": "follow_up"}
WRONG = frozenset(("blamed", "missing", "added", "changed", "untranslated", "unexplained", "perhaps", "differs"))
"""Kinds of marks that say that something may be wrong where they stand."""
_SEVERITIES = {"neutral": "neutral", "minor": "minor", "major": "major", "critical": "major"}
_MEDIA = ("<audio ", "<video ", "<img ", "<iframe ")
_UNSAFE = re.compile(r"[<>\"'&\s]+")
Labelled = Mapping[str, Sequence[Label]]


def items(rows: Iterable[Mapping[str, Any]], labels: Labelled) -> Iterator[dict[str, Any]]:
    """An item for each translation that may be wrong, each once; none of what people call correct or a bad test."""
    seen: set[bytes] = set()  # digests, for there may be a million and texts are long
    for row in rows:
        said = [each for each in labels.get(row["case"], ()) if each.outputs == outputs_of(row)]
        found = verdict(said, outputs_of(row))
        if found.said in ("correct", "bad test"):
            continue
        marked = ranges(row)
        for role, source in SIDES.items():
            if found.wrong and role not in found.wrong:
                continue
            text = row[role]["words"]
            spans = _spans(text, [each for each in marked[role] if each.kind in WRONG], said, role in found.wrong)
            place = digest(row["system"], row[source]["words"], text)
            if spans and place not in seen:
                seen.add(place)
                yield _item(row, role, spans, found.said)


def write_campaign(found: Iterable[Mapping[str, Any]], name: str, file: IO[str]) -> int:
    """Write the campaign, one document for each item; gives their number."""
    head = {"assignment": "single-stream", "protocol": "ESA", "users": 1, "shuffle": False}
    file.write(f'{{"info": {json.dumps(head)}, "campaign_id": {json.dumps(name, ensure_ascii=False)}, "data": [')
    count = 0
    for count, item in enumerate(found, start=1):
        file.write(("\n" if count == 1 else ",\n") + json.dumps([item], ensure_ascii=False))
    file.write("\n]}\n")
    return count


def _item(row: Mapping[str, Any], role: str, spans: list[dict[str, Any]], said: str) -> dict[str, Any]:
    system = _name(row["system"])
    concord = {name: row[name] for name in ("case", "run", "relation", "segment", "domain")}
    source = row[SIDES[role]]
    return {
        "item_id": f"{row['case'][:12]}-{role}-{row['run']}",
        "src": _shown(source["words"]),
        "tgt": {system: _shown(row[role]["words"])},
        "error_spans": {system: spans},
        "concord": {**concord, "role": role, "from": source["lang"], "to": row[role]["lang"]}
        | {"judged": judged(row), "label": said or None},
    }


def _spans(text: str, marked: Sequence[Range], said: Sequence[Label], wrong: bool) -> list[dict[str, Any]]:
    errors = [each for each in said if each.verdict == "error"]
    severity = max((each.severity for each in errors if each.severity), key=SEVERITIES.index, default="")
    kind = {"severity": _SEVERITIES.get(severity), "category": None}
    lead = 1 if _shown(text) != text else 0
    spans = []
    for each in marked:
        start, end = lead + _units(text[: each.start]), lead + _units(text[: each.end]) - 1
        if start <= end:
            spans.append({"start_i": start, "end_i": end, **kind})
    left_out = wrong and any("under-translation" in each.categories for each in errors)
    last = lead + _units(text)
    if wrong and not spans and not left_out and last:
        spans.append({"start_i": 0, "end_i": last - 1, **kind})
    return spans + ([{"start_i": last, "end_i": last, **kind}] if left_out else [])


def _units(text: str) -> int:
    """How many characters Pearmut counts in a text."""
    return len(text.replace("\n", "").encode("utf-16-le", "surrogatepass")) // 2


def _shown(text: str) -> str:
    return f" {text}" if text.startswith(_MEDIA) else text


def _name(system: str) -> str:
    """The name of a system as Pearmut can put it into its page; one of digits alone it would refuse."""
    name = _UNSAFE.sub("_", system)
    return f"system-{name}" if name.isdigit() else name

"""A file of accepted findings: one JSON object a line, to be read, sorted and compared by people and by `diff`.

    {"case": "5f…", "outputs": "o3c…", "relation": "rti", "system": "apertium", "text": "…", "reason": "a known gap"}

A finding is accepted with the outputs that it had (`outputs` is their mark): when the system answers otherwise and the
case is violated still, it counts again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from concord.atomic import write_text
from concord.errors import UserError
from concord.labels.labels import outputs_id
from concord.language.codes import direction
from concord.language.invisible import visible
from concord.store.label_rows import outputs_of

LONGEST_TEXT = 120
LARGEST = 256 * 2**20
_KEY, _MARK = re.compile("[0-9a-f]{32}"), re.compile("o[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Accepted:
    """One accepted finding; what is not the case and its outputs is for people."""

    case: str
    outputs: str
    relation: str = ""
    system: str = ""
    direction: str = ""
    text: str = ""
    reason: str = ""

    @property
    def mark(self) -> tuple[int, int]:
        """Case and outputs as the arrays of a run have them."""
        return int(self.case[:16], 16), int(self.outputs[1:], 16)


def read(path: str | Path) -> list[Accepted]:
    """The findings of a file; a line that is not one is an error that names it."""
    path = Path(path)
    try:
        if path.stat().st_size > LARGEST:
            raise UserError(f"{path} is larger than {LARGEST // 2**20} MB; it is not a file of accepted findings")
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
    except OSError as error:
        cure = "`concord gate --accept --accepted FILE` writes one"
        raise UserError(f"the accepted findings {path} cannot be read: {error.strerror}. {cure}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8: {error.reason} at byte {error.start}") from None
    return [_accepted(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]


def accepted(row: Mapping[str, Any], reason: str) -> Accepted:
    """A finding as an accepted one."""
    return Accepted(
        case=row["case"],
        outputs=outputs_id(outputs_of(row)),
        relation=row["relation"],
        system=row["system"],
        direction=direction(row["source_lang"], row["target_lang"]),
        text=_short(row["source"]["words"]),
        reason=reason,
    )


def write(path: str | Path, known: Iterable[Accepted], more: Iterable[Accepted]) -> int:
    """Write known findings and new ones, in an order that does not change; gives the number of new ones.

    A case that was accepted with other outputs is accepted with the present ones instead, and keeps its reason if
    none is given.
    """
    before = {(each.case, each.outputs): each for each in known}
    reasons = {each.case: each.reason for each in before.values()}
    present = {(each.case, each.outputs): each for each in more}
    cases = {case for case, _ in present}
    found = {mark: each for mark, each in before.items() if mark[0] not in cases}
    for mark, each in present.items():
        found[mark] = replace(each, reason=each.reason or reasons.get(each.case, ""))
    order = sorted(found.values(), key=lambda each: (each.relation, each.system, each.direction, each.text, each.case))
    write_text(Path(path), "".join(_line(each) + "\n" for each in order))
    return len(present.keys() - before.keys())


def _line(found: Accepted) -> str:
    # Lone halves of characters have no UTF-8; JSON can spell them.
    written = json.dumps(asdict(found), ensure_ascii=False)
    return written.encode("utf-8", "backslashreplace").decode()


def _accepted(path: Path, number: int, line: str) -> Accepted:
    try:
        told = json.loads(line)
    except ValueError as error:
        raise UserError(f"{path}, line {number}: not a JSON object ({error})") from None
    known = Accepted.__slots__
    told = told if isinstance(told, dict) else {}
    found = {name: value for name, value in told.items() if name in known}
    if not all(isinstance(value, str) for value in found.values()):
        raise UserError(f"{path}, line {number}: each field is a string: {', '.join(known)}")
    for name, shape in (("case", _KEY), ("outputs", _MARK)):
        if not shape.fullmatch(found.get(name, "")):
            raise UserError(f"{path}, line {number}: '{name}' is not as `concord gate --accept` writes it")
    return Accepted(**found)


def _short(text: str) -> str:
    words = visible(" ".join(text.split()))
    return words if len(words) <= LONGEST_TEXT else words[: LONGEST_TEXT - 1] + "…"

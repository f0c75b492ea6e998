"""A file of accepted findings: one JSON object a line, to be read, sorted and compared by people and by `diff`.

    {"case": "5f…", "outputs": "o3c…", "relation": "rti", "system": "apertium", "text": "…", "reason": "a known gap"}

A finding is accepted with the outputs that it had (`outputs` is their hash): if the system answers differently and the
case is still flagged, it counts again.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from concord.atomic import write_text
from concord.errors import UserError
from concord.language.codes import direction
from concord.language.invisible import visible
from concord.store.case_keys import outputs_id
from concord.store.label_rows import outputs_of

LONGEST_TEXT = 120
LARGEST = 256 * 2**20
_KEY, _MARK = re.compile("[0-9a-f]{32}"), re.compile("o[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Accepted:
    """One accepted finding, identified by its case and outputs; the other fields are for readers."""

    case: str
    outputs: str
    relation: str = ""
    system: str = ""
    direction: str = ""
    text: str = ""
    reason: str = ""

    @property
    def hashes(self) -> tuple[int, int]:
        """Case and outputs as the integers that the arrays of a run have."""
        return int(self.case[:16], 16), int(self.outputs[1:], 16)


def read(path: str | Path) -> list[Accepted]:
    """The findings of a file. UserError, which names the line, if a line is none."""
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
    """The `Accepted` entry of a finding."""
    return Accepted(
        case=row["case"],
        outputs=outputs_id(outputs_of(row)),
        relation=row["relation"],
        system=row["system"],
        direction=direction(row["source_lang"], row["target_lang"]),
        text=_short(row["source"]["words"]),
        reason=reason,
    )


def write(path: str | Path, earlier: Iterable[Accepted], new: Iterable[Accepted]) -> int:
    """Write earlier and new findings in a stable order; returns the number of new ones.

    A case that was accepted with other outputs is accepted with the present ones instead, and keeps its reason unless
    a new one is given.
    """
    before = {(finding.case, finding.outputs): finding for finding in earlier}
    reasons = {finding.case: finding.reason for finding in before.values()}
    present = {(finding.case, finding.outputs): finding for finding in new}
    cases = {case for case, _ in present}
    findings = {key: finding for key, finding in before.items() if key[0] not in cases}
    for key, finding in present.items():
        findings[key] = replace(finding, reason=finding.reason or reasons.get(finding.case, ""))
    order = sorted(findings.values(), key=attrgetter("relation", "system", "direction", "text", "case"))
    write_text(Path(path), "".join(_line(finding) + "\n" for finding in order))
    return len(present.keys() - before.keys())


def _line(finding: Accepted) -> str:
    # Lone surrogates have no UTF-8; JSON can escape them.
    written = json.dumps(asdict(finding), ensure_ascii=False)
    return written.encode("utf-8", "backslashreplace").decode()


def _accepted(path: Path, number: int, line: str) -> Accepted:
    try:
        parsed = json.loads(line)
    except ValueError as error:
        raise UserError(f"{path}, line {number}: not a JSON object ({error})") from None
    names = Accepted.__slots__
    parsed = parsed if isinstance(parsed, dict) else {}
    fields = {name: value for name, value in parsed.items() if name in names}
    if not all(isinstance(value, str) for value in fields.values()):
        raise UserError(f"{path}, line {number}: each field is a string: {', '.join(names)}")
    for name, shape in (("case", _KEY), ("outputs", _MARK)):
        if not shape.fullmatch(fields.get(name, "")):
            raise UserError(f"{path}, line {number}: '{name}' is not as `concord gate --accept` writes it")
    return Accepted(**fields)


def _short(text: str) -> str:
    words = visible(" ".join(text.split()))
    return words if len(words) <= LONGEST_TEXT else words[: LONGEST_TEXT - 1] + "…"

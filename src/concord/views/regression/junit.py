"""A gate as JUnit XML, as Jenkins, GitLab and other CI servers read it.

Each run is a suite with a test for each rule and for each finding: failed if it breaks a rule, skipped if the rules
allow it. A rule on several runs together has a suite of its own. Notes on the comparison with an earlier
run are the suite's output, and part of the failure of each rule that compares the two runs. No name occurs twice in a
file: GitLab takes only the first of equal names.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from concord.analyses.regression.gate import COMPARING, Check, GateFinding, GateResult
from concord.atomic import atomic_write
from concord.language.invisible import visible
from concord.plural import plural
from concord.views.reason import reason_text
from concord.views.wording import READING_ORDER, judged, roles

LONGEST_NAME = 160
LONGEST_TEXT = 2_000
# Characters that XML 1.0 cannot contain, not even as a reference.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(gate: GateResult, path: str | Path) -> None:
    """Write the file atomically."""
    text = xml(gate)
    with atomic_write(Path(path)) as part:
        part.write_bytes(text)


def xml(gate: GateResult) -> bytes:
    """The file's bytes, in UTF-8."""
    root = ET.Element("testsuites", name="concord gate")
    names: set[str] = set()
    tested = [tuple(check.runs) for check in gate.checks]
    for runs in dict.fromkeys([*tested, *((finding.row["run"],) for finding in gate.findings)]):
        checks = [check for check in gate.checks if tuple(check.runs) == runs]
        findings = [finding for finding in gate.findings if (finding.row["run"],) == runs]
        _suite(root, checks, findings, names, [note for run in runs for note in gate.beside.get(run, ())])
    for name in ("tests", "failures", "errors", "skipped"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    root.set("time", "0")
    ET.indent(root)
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _suite(
    root: ET.Element, checks: list[Check], findings: list[GateFinding], names: set[str], notes: Sequence[str]
) -> None:
    where = _where(checks, findings)
    suite = ET.SubElement(root, "testsuite", name=_clean(f"concord.{where}", LONGEST_NAME))
    for check in checks:
        case = _case(suite, f"concord.gate.{where}", f"{check.rule}: {check.name}", names)
        if not check.passed:
            message = f"{check.value}, where the limit is {check.limit} (n = {check.n:,})"
            why = notes if check.rule in COMPARING else ()
            _note(case, "failure", message, "\n".join([message, *why]), check.rule)
    for finding in findings:
        row = finding.row
        case = _case(suite, f"concord.finding.{where}", f"{row['segment']}: {row['text']}", names)
        if finding.breaks:
            _note(case, "failure", judged(row), "\n".join(_texts(finding)), ", ".join(finding.breaks))
        else:
            _note(case, "skipped", f"{judged(row)}; allowed by the rules", "", "")
    tests = suite.findall("testcase")
    suite.set("tests", str(len(tests)))
    suite.set("failures", str(sum(test.find("failure") is not None for test in tests)))
    suite.set("errors", "0")
    suite.set("skipped", str(sum(test.find("skipped") is not None for test in tests)))
    suite.set("time", "0")
    if notes:
        ET.SubElement(suite, "system-out").text = _clean("\n".join(notes), 5 * LONGEST_TEXT)


def _where(checks: Sequence[Check], findings: Sequence[GateFinding]) -> str:
    """The relations, direction and system of a suite."""
    if checks:
        first = checks[0]
        relations, languages, system = first.relations, (first.source_lang, first.target_lang), first.system
    else:
        row = findings[0].row
        relations, languages, system = [row["relation"]], (row["source_lang"], row["target_lang"]), row["system"]
    return f"{','.join(relations)}.{'-'.join(languages)}.{system.replace('.', '_')}"


def _case(suite: ET.Element, group: str, name: str, names: set[str]) -> ET.Element:
    plain = _clean(" ".join(name.split()), LONGEST_NAME)
    unique, number = plain, 1
    while (group + unique) in names:
        number += 1
        unique = f"{plain} ({number})"
    names.add(group + unique)
    return ET.SubElement(suite, "testcase", classname=_clean(group, LONGEST_NAME), name=unique, time="0")


def _note(case: ET.Element, kind: str, message: str, text: str, rule: str) -> None:
    note = ET.SubElement(case, kind, message=_clean(message, LONGEST_TEXT))
    if rule:
        note.set("type", _clean(rule, LONGEST_NAME))
    if text:
        note.text = _clean(text, 5 * LONGEST_TEXT)


def _texts(finding: GateFinding) -> Iterator[str]:
    row = finding.row
    yield reason_text(row)
    names = {(text["lang"], text["words"]): ", ".join(roles(row, text)) for text in map(row.__getitem__, READING_ORDER)}
    for (lang, words), name in names.items():
        yield f"{name} [{lang}]: {_cut(words, LONGEST_TEXT)}"
    yield f"case {row['case']}, run {row['run']}"
    if finding.cases > 1:
        yield f"{plural(finding.cases - 1, 'more case')} of this finding"


def _clean(text: str, longest: int) -> str:
    return _cut(_ILLEGAL.sub("", visible(text, keep="\n\t")), longest)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"

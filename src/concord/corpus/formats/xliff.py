"""XLIFF 1.2 and 2.x: the source side of localisation files, with the target as the reference."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from concord.corpus.files import File
from concord.corpus.formats.inline import Elements, FreshIds, Tally, clean_code, nearness, no_language, reference_text
from concord.corpus.formats.rows import Note, Row

_Segment = tuple[str, Element | None, Element | None]


def read_xliff(file: File, lang: str, note: Note) -> Iterator[Row]:
    """Each segment of each unit whose source language is the corpus's; `translate="no"` is left out."""
    other_codes: set[str] = set()
    matched = False
    files = _Files()
    with Tally(note) as tally, FreshIds(tally) as ids:
        for line, unit, ancestors in Elements(file, "xliff", frozenset({"trans-unit", "unit"})):
            code = _inherited("source-language", ancestors) or _inherited("srcLang", ancestors)
            if nearness(code, lang) is None:
                other_codes.add(clean_code(code))
                tally.add(f"unit not in '{lang}' is skipped", f"units not in '{lang}' are skipped")
                continue
            matched = True
            if _inherited("translate", (*ancestors, unit)) == "no":
                tally.add('unit with translate="no" is skipped', 'units with translate="no" are skipped')
                continue
            files.enter(ancestors)
            for id, source, target in _segments(unit):
                own = ids.first_new(files.number, id, f"{files.name}/{id}", f"{files.number}/{id}")
                yield Row(line, tally.segment_text(source), own, files.original, reference_text(target))
        if not matched:
            raise no_language(file, lang, other_codes)


class _Files:
    """The current `file` element: ids need only be unique inside of it."""

    def __init__(self) -> None:
        self.number = 0
        self.name = self.original = ""
        self._current: Element | None = None

    def enter(self, ancestors: tuple[Element, ...]) -> None:
        current = next((element for element in ancestors if element.tag == "file"), None)
        if current is None or current is self._current:
            return
        self._current = current
        self.number += 1
        self.original = current.get("original", "").strip()
        self.name = self.original or current.get("id", "") or str(self.number)


def _inherited(attribute: str, ancestors: tuple[Element, ...]) -> str:
    return next((element.get(attribute, "") for element in reversed(ancestors) if element.get(attribute)), "")


def _segments(unit: Element) -> Iterator[_Segment]:
    id = unit.get("id", "").strip()
    segments = list(_parts_of_unit(unit) if unit.tag == "unit" else _parts_of_trans_unit(unit))
    for number, (name, source, target) in enumerate(segments, 1):
        part = name or (str(number) if len(segments) > 1 else "")
        yield f"{id}/{part}" if id and part else id, source, target


def _parts_of_unit(unit: Element) -> Iterator[_Segment]:
    for segment in unit.iterfind("segment"):
        yield segment.get("id", ""), segment.find("source"), segment.find("target")


def _parts_of_trans_unit(unit: Element) -> Iterator[_Segment]:
    """The segments that a tool has marked, or the whole unit if there are none."""
    sources, targets = _marked(unit.find("seg-source")), dict(_marked(unit.find("target")))
    if not sources:
        yield "", unit.find("source"), unit.find("target")
    for name, source in sources:
        yield name, source, targets.get(name)


def _marked(element: Element | None) -> list[tuple[str, Element]]:
    if element is None:
        return []
    return [(mark.get("mid", ""), mark) for mark in element.iter("mrk") if mark.get("mtype") == "seg"]

"""TMX: translation memories, one language of which is the corpus."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from concord.corpus.files import File
from concord.corpus.formats.inline import Elements, FreshIds, Tally, clean_code, nearness, no_language, reference_text
from concord.corpus.formats.rows import Note, Row

_DOMAINS = frozenset({"domain", "x-domain"})


def read_tmx(file: File, lang: str, note: Note) -> Iterator[Row]:
    """Each `tu` with a `tuv` in the language is a row; if it has one other language, that is the reference."""
    other_codes: set[str] = set()
    matched = False
    with Tally(note) as tally, FreshIds(tally) as ids:
        references = _References(tally)
        for line, unit, _ in Elements(file, "tmx", frozenset({"tu"})):
            variants = [(_code(variant), variant) for variant in unit.iterfind("tuv")]
            own = _nearest(variants, lang)
            if own is None:
                other_codes.update(clean_code(code) for code, _ in variants)
                tally.add(f"unit without '{lang}' is skipped", f"units without '{lang}' are skipped")
                continue
            matched = True
            translations = {clean_code(code): variant for code, variant in variants if nearness(code, lang) is None}
            yield Row(
                line,
                tally.segment_text(own.find("seg")),
                id=ids.first_new(0, unit.get("tuid", "").strip()),
                domain=_domain(unit),
                reference=references.pick(translations),
            )
        if not matched:
            raise no_language(file, lang, other_codes)


class _References:
    """Picks references in one language, that of the first unit with one translation only."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._lang = ""

    def pick(self, translations: dict[str, Element]) -> str | None:
        if len(translations) != 1:
            return None
        ((code, variant),) = translations.items()
        self._lang = self._lang or code
        if code != self._lang:
            only = f"not in '{self._lang}' like the first, is no reference"
            self._tally.add(f"translation, {only}", f"translations, {only.replace('is no', 'are no')}")
            return None
        return reference_text(variant.find("seg"))


def _code(variant: Element) -> str:
    # TMX 1.1 had `lang` where later versions have `xml:lang`.
    return variant.get("xml:lang") or variant.get("lang") or ""


def _nearest(variants: list[tuple[str, Element]], lang: str) -> Element | None:
    ranked = [(near, variant) for code, variant in variants if (near := nearness(code, lang)) is not None]
    return min(ranked, key=lambda pair: pair[0])[1] if ranked else None


def _domain(unit: Element) -> str:
    domains = (prop.text or "" for prop in unit.iterfind("prop") if prop.get("type", "").lower() in _DOMAINS)
    return next((domain.strip() for domain in domains if domain.strip()), "")

"""Field names: which column or JSON field holds the text, the id, the domain and the reference."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from concord.errors import UserError
from concord.language.codes import base, normalise

# If a row has both "text" and "source", "source" usually says where the text comes from.
_LANGUAGE = "the language code"
_TEXT = ("text", "src", _LANGUAGE, "source", "sentence", "segment")
_ID = ("id", "key", "segment_id")
_DOMAIN = ("domain", "genre", "corpus")
_REFERENCE = ("reference", "ref")
_RESERVED = frozenset({*_TEXT, *_ID, *_DOMAIN, *_REFERENCE, "mt", "hypothesis"})


@dataclass(frozen=True, slots=True)
class FieldIndices:
    """The index of each field in a row; `rivals` are other fields that could hold the text."""

    text: int | None = None
    id: int | None = None
    domain: int | None = None
    reference: int | None = None
    rivals: tuple[int, ...] = ()

    @property
    def any_found(self) -> bool:
        return any(index is not None for index in (self.text, self.id, self.domain, self.reference))


@lru_cache(maxsize=64)
def find_fields(names: tuple[str, ...], lang: str) -> FieldIndices:
    """The fields by their names. Field names come before language codes: `id` is an id, not Indonesian."""
    lowered = [name.strip().lower() for name in names]
    texts = [index for field_name in _TEXT for index in _indices_of(names, lowered, field_name, lang)]
    own_id = _first(lowered, _ID)
    if not texts and own_id is not None and _is_language(names[own_id], lang):
        texts, own_id = [own_id], None
    return FieldIndices(
        text=texts[0] if texts else None,
        id=own_id,
        domain=_first(lowered, _DOMAIN),
        reference=_first(lowered, _REFERENCE),
        rivals=tuple(texts[1:]),
    )


def expected(lang: str) -> str:
    """The names that a text may have, for messages."""
    return ", ".join(lang if name is _LANGUAGE else name for name in _TEXT)


def listed(names: Sequence[str]) -> str:
    shortened = [name if len(name) <= 30 else name[:30] + "…" for name in names[:10]]
    return ", ".join(shortened) + (", …" if len(names) > 10 else "") or "none"


def _indices_of(names: tuple[str, ...], lowered: list[str], field_name: str, lang: str) -> list[int]:
    if field_name is _LANGUAGE:
        return [i for i, name in enumerate(names) if lowered[i] not in _RESERVED and _is_language(name, lang)]
    return [i for i, name in enumerate(lowered) if name == field_name]


def _first(lowered: list[str], candidates: tuple[str, ...]) -> int | None:
    return next((lowered.index(name) for name in candidates if name in lowered), None)


def _is_language(name: str, lang: str) -> bool:
    # A capital begins a sentence: "No" or "It" in the first row of a table is text.
    if not name[:1].islower():
        return False
    try:
        return normalise(name) in {lang, base(lang)}
    except UserError:
        return False

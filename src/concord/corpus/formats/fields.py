"""Field names: which column or JSON field holds the text, the id, the domain and the reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from concord.errors import UserError
from concord.language.codes import base, normalise

# Where "text" and "source" meet in one row, "source" tends to say where the text was found.
_LANGUAGE = "the language code"
_TEXT = ("text", "src", _LANGUAGE, "source", "sentence", "segment")
_ID = ("id", "key", "segment_id")
_DOMAIN = ("domain", "genre", "corpus")
_REFERENCE = ("reference", "ref")
_NAMED = frozenset({*_TEXT, *_ID, *_DOMAIN, *_REFERENCE, "mt", "hypothesis"})


@dataclass(frozen=True, slots=True)
class FieldIndices:
    """Where things stand in a row, as indices; `rivals` could have been the text as well."""

    text: int | None = None
    id: int | None = None
    domain: int | None = None
    reference: int | None = None
    rivals: tuple[int, ...] = ()

    @property
    def any_known(self) -> bool:
        return any(index is not None for index in (self.text, self.id, self.domain, self.reference))


@lru_cache(maxsize=64)
def find_fields(names: tuple[str, ...], lang: str) -> FieldIndices:
    """What each of the names stands for. Names of a role come before language codes: `id` is an id, not Indonesian."""
    plain = [name.strip().lower() for name in names]
    texts = [index for wanted in _TEXT for index in _places(names, plain, wanted, lang)]
    own_id = _first(plain, _ID)
    if not texts and own_id is not None and _is_language(names[own_id], lang):
        texts, own_id = [own_id], None
    return FieldIndices(
        text=texts[0] if texts else None,
        id=own_id,
        domain=_first(plain, _DOMAIN),
        reference=_first(plain, _REFERENCE),
        rivals=tuple(texts[1:]),
    )


def expected(lang: str) -> str:
    """The names that a text may have, for messages."""
    return ", ".join(lang if name is _LANGUAGE else name for name in _TEXT)


def listed(names: Sequence[str]) -> str:
    shown = [name if len(name) <= 30 else name[:30] + "…" for name in names[:10]]
    return ", ".join(shown) + (", …" if len(names) > 10 else "") or "none"


def _places(names: tuple[str, ...], plain: list[str], wanted: str, lang: str) -> list[int]:
    if wanted is _LANGUAGE:
        return [i for i, name in enumerate(names) if plain[i] not in _NAMED and _is_language(name, lang)]
    return [i for i, name in enumerate(plain) if name == wanted]


def _first(plain: list[str], wanted: tuple[str, ...]) -> int | None:
    return next((plain.index(name) for name in wanted if name in plain), None)


def _is_language(name: str, lang: str) -> bool:
    # A capital begins a sentence: "No" or "It" in the first row of a table is text.
    if not name[:1].islower():
        return False
    try:
        return normalise(name) in {lang, base(lang)}
    except UserError:
        return False

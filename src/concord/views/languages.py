"""The table of languages: what each relation needs for texts in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from concord.language.codes import language_name
from concord.runs.languages import KINDS, NEVER, NOTHING, Need, grouped
from concord.views.tables import TextTable

MEANING = dict(
    zip(
        KINDS,
        (
            "it runs as installed",
            "`pip install` with an extra",
            "Debian packages: a pair of Apertium that translates from the language, and its thesaurus",
            "a parser or a masked model that you install and name, such as `--parser de=stanza`",
            "a plug-in that you write (docs/services.md)",
        ),
        strict=True,
    )
)
STARRED = "* without it, only a part is tested: of mgmt, the sentence granularity"


def languages_table(by_language: Mapping[str, Sequence[Need]], *, here: bool = False) -> TextTable:
    """A row for the languages that need the same. `here` marks with `+` what this machine has and does not ship."""
    relations = [need.relation for need in next(iter(by_language.values()))]
    groups = grouped({lang: list(row) for lang, row in by_language.items()})
    rows = [[", ".join(map(_named, langs)), *(_cell(need, here) for need in row)] for langs, row in groups]
    used = {need.needs for row in by_language.values() for need in row}
    lines = [f"{kind}: {meaning}." for kind, meaning in MEANING.items() if kind in used]
    lines += [f"{NEVER}: the relation is not for the language (concatenation: name a sentence, `unrelated=…`)."]
    lines += [f"{STARRED}."] + (["+ it is installed here."] if here else [])
    return TextTable("", ("source language", *relations), rows, "\n".join(lines))


def _named(lang: str) -> str:
    name = language_name(lang)
    return lang if name == lang else f"{name} ({lang})"


def _cell(need: Need, here: bool) -> str:
    return f"{need} +" if here and need.runs and need.needs != NOTHING else str(need)

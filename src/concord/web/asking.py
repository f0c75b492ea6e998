"""What a form asks for, checked: only systems, relations and corpora that the page offers can be named."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request

from concord import api, plugins
from concord.api.trying import LONGEST
from concord.errors import UnknownName, UserError
from concord.signature import digest
from concord.text.languages import normalise
from concord.web.rendering import field
from concord.web.site import Site, site_of

SEED = 12345
LARGEST = 2**53
REPETITIONS = 1_000
SETTINGS: dict[str, tuple[type, ...]] = {
    "seed": (int,),
    "repetitions": (int,),
    "max_characters": (int,),
    "max_cost": (int, float),
    "fresh": (bool,),
}
LONGEST_TEXT = 20 * 2**20
PACKED = b"\x1f\x8b"
_PLAIN = frozenset(":,./\\")


def systems(site: Site) -> list[str]:
    """The systems that may be run: those named when the server started, and those of the workspace without options.

    A workspace may come from somebody else, and an option may name a program to start or a file to read.
    """
    seen = [run.given or run.system for run in api.runs(site.workspace)]
    plain = [name for name in seen if not _PLAIN & set(name) and name in plugins.names("translators")]
    return list(dict.fromkeys([*site.systems, "apertium", *plain]))


def relations() -> list[dict[str, Any]]:
    """Their names and what each is for."""
    return [{"name": each["name"], "purpose": each["purpose"]} for each in api.describe("relations")]


def run_asked(request: Request) -> dict[str, Any]:
    """The run that a form describes; a text or a file that came with it is kept, if all else can be done."""
    form, site = request.state.form, site_of(request)
    asked = checked(
        site,
        {
            "corpus": api.corpora(site.workspace)[0] if _brought(request) else field(request, "corpus", 200),
            "limit": _number(request, "limit"),
            "source": field(request, "source", 40),
            "to": field(request, "to", 400).replace(",", " ").split(),
            "systems": _strings(form.getlist("system")),
            "relations": _strings(form.getlist("relation")),
            "settings": {
                "seed": _number(request, "seed", SEED),
                "repetitions": _number(request, "repetitions", 1),
                "max_characters": _number(request, "max_characters"),
                "max_cost": _amount(request, "max_cost"),
                "fresh": bool(form.get("fresh")),
            },
        },
    )
    return {**asked, "corpus": _kept(request, asked["source"])} if _brought(request) else asked


def checked(site: Site, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked for, if the page offers it, and nothing else that may stand beside it."""
    corpora = api.corpora(site.workspace)
    if asked["corpus"] not in corpora:
        raise UnknownName("corpus", str(asked["corpus"])[:80], corpora)
    _known("system", asked["systems"], systems(site))
    _known("relation", asked["relations"], plugins.names("relations"))
    if not asked["to"]:
        raise UserError("say into which language to translate, such as: es")
    normalise(asked["source"])
    kept = {name: asked[name] for name in ("corpus", "limit", "source", "systems", "relations")}
    settings = {name: asked["settings"].get(name) for name in SETTINGS}
    return {**kept, "to": [normalise(each) for each in asked["to"]], "settings": settings}


def earlier(site: Site) -> list[dict[str, Any]]:
    """What was asked for before; a file beside the workspace may hold anything, and what is no request is left out."""
    return [each for each in api.requests(site.workspace) if _is_request(each)]


def name_of(asked: Mapping[str, Any]) -> str:
    """What tells one request from another."""
    return digest(json.dumps(asked, sort_keys=True)).hex()


def _is_request(found: Mapping[str, Any]) -> bool:
    texts = all(isinstance(found.get(name), str) for name in ("corpus", "source"))
    lists = all(_are_strings(found.get(name)) for name in ("to", "systems", "relations"))
    settings = found.get("settings")
    numbers = isinstance(settings, dict) and all(
        settings.get(name) is None or isinstance(settings[name], kind) for name, kind in SETTINGS.items()
    )
    return texts and lists and numbers and isinstance(found.get("limit"), int | None)


def _are_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def attempt_asked(request: Request) -> dict[str, Any]:
    """The sentence that a form wants to be tried, and how."""
    chosen = _strings(request.state.form.getlist("relation"))
    system = field(request, "system", 1_000)
    _known("system", [system], systems(site_of(request)))
    _known("relation", chosen, plugins.names("relations"))
    source, to = normalise(field(request, "source", 40)), normalise(field(request, "to", 40))
    sentence = field(request, "sentence", LONGEST + 1)
    return {"sentence": sentence, "system": system, "relations": chosen, "source": source, "to": to}


def _brought(request: Request) -> bool:
    """Whether sentences came with the form: a file, or a text, be it blank."""
    upload = request.state.form.get("file")
    return bool(request.state.form.get("text")) or (isinstance(upload, UploadFile) and bool(upload.filename))


def _kept(request: Request, source: str) -> str:
    upload = request.state.form.get("file")
    if isinstance(upload, UploadFile) and upload.filename:
        name, data = upload.filename, upload.file.read(LONGEST_TEXT + 1)
    else:
        text, given = field(request, "text", LONGEST_TEXT + 1), field(request, "name", 80) or "pasted"
        name, data = (given if given.endswith(".txt") else f"{given}.txt"), text.encode("utf-8", "replace")
    if len(data) > LONGEST_TEXT:
        raise UserError(f"a corpus given here can have {LONGEST_TEXT // 2**20} MB; use `concord run` for a larger one")
    if data.startswith(PACKED) or name.lower().endswith(".gz"):
        raise UserError("a file that is sent here must be unpacked: nobody knows how large it will be")
    return api.keep_corpus(site_of(request).workspace, name, data, source)


def _known(kind: str, given: Iterable[str], known: Iterable[str]) -> None:
    choices = list(known)
    given = list(given)
    if not given:
        raise UserError(f"choose at least one {kind}")
    for each in given:
        if each not in choices:
            raise UnknownName(kind, each[:80], choices)


def _strings(values: Iterable[object]) -> list[str]:
    return [value for value in values if isinstance(value, str)]


def _number(request: Request, name: str, default: int | None = None) -> int | None:
    text = field(request, name, 30)
    if not text:
        return default
    least, largest = 1 if name in ("limit", "repetitions") else 0, LARGEST if name != "repetitions" else REPETITIONS
    if not text.isdecimal() or not least <= int(text) <= largest:
        most = f", at most {largest:,}" if text.isdecimal() and int(text) > largest else ""
        raise UserError(f"{_shown(name)} must be a whole number from {least} on{most}, not '{text}'")
    return int(text)


def _amount(request: Request, name: str) -> float | None:
    text = field(request, name, 30)
    try:
        amount = float(text) if text else None
    except ValueError:
        amount = -1.0
    if amount is not None and not 0 <= amount < LARGEST:
        raise UserError(f"{_shown(name)} must be a number from 0 on, not '{text}'")
    return amount


def _shown(name: str) -> str:
    """A field as the page calls it."""
    return "only the first" if name == "limit" else name.replace("_", " ")

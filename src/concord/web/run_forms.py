"""What a form asks for, checked: only systems, relations and corpora that the page offers can be named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from starlette.requests import Request

from concord import api
from concord.api.plugins import names
from concord.api.trial import LONGEST
from concord.errors import UserError
from concord.web.forms import LARGEST, Fields, among, fields
from concord.web.settings import Site, site_of

SEED = 12345
REPETITIONS = 1_000
SETTINGS: dict[str, tuple[type, ...]] = {
    "seed": (int,),
    "repetitions": (int,),
    "max_characters": (int,),
    "max_cost": (int, float),
    "fresh": (bool,),
}
LONGEST_TEXT = 20 * 2**20
LONGEST_SYSTEM, LONGEST_NAME, LONGEST_LANGUAGE = 1_000, 80, 40
PACKED = b"\x1f\x8b"
_PLAIN = frozenset(":,./\\")


def systems(site: Site) -> list[str]:
    """The systems that may be run: those named when the server started, and those of the workspace without options.

    A workspace may come from somebody else, and an option may name a program to start or a file to read.
    """
    seen = [run.given or run.system for run in api.runs(site.workspace)]
    plain = [name for name in seen if not _PLAIN & set(name) and name in names("translators")]
    return list(dict.fromkeys([*site.systems, "apertium", *plain]))


def relations() -> list[dict[str, Any]]:
    """Their names and what each is for."""
    return [{"name": each["name"], "purpose": each["purpose"]} for each in api.describe("relations")]


def run_asked(request: Request) -> dict[str, Any]:
    """The run that a form describes; a text or a file that came with it is kept, if all else can be done."""
    said, site = fields(request), site_of(request)
    asked = checked(
        site,
        {
            "corpus": api.corpora(site.workspace)[0] if _brought(said) else said.text("corpus"),
            "limit": said.whole_or("limit", None, least=1),
            "source": said.text("source", longest=LONGEST_LANGUAGE),
            "to": said.text("to").replace(",", " ").split(),
            "systems": said.texts("system", longest=LONGEST_SYSTEM),
            "relations": said.texts("relation"),
            "settings": {
                "seed": said.whole_or("seed", SEED),
                "repetitions": said.whole_or("repetitions", 1, least=1, most=REPETITIONS),
                "max_characters": said.whole_or("max_characters", None),
                "max_cost": said.number_or("max_cost", None, least=0, most=LARGEST),
                "fresh": said.flag("fresh"),
            },
        },
    )
    return {**asked, "corpus": _kept(said, site, asked["source"])} if _brought(said) else asked


def checked(site: Site, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked for, if the page offers it, and nothing else that may stand beside it."""
    among("corpus", [asked["corpus"]], api.corpora(site.workspace))
    _known("system", asked["systems"], systems(site))
    _known("relation", asked["relations"], names("relations"))
    if not asked["to"]:
        raise UserError("say into which language to translate, such as: es")
    api.normalise(asked["source"])
    kept = {name: asked[name] for name in ("corpus", "limit", "source", "systems", "relations")}
    settings = {name: asked["settings"].get(name) for name in SETTINGS}
    return {**kept, "to": [api.normalise(each) for each in asked["to"]], "settings": settings}


def earlier(site: Site) -> list[dict[str, Any]]:
    """What was asked for before; a file beside the workspace may hold anything, and what is no request is left out."""
    return [request for request in api.requests(site.workspace) if _is_request(request)]


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
    said = fields(request)
    chosen, system = said.texts("relation"), said.text("system", longest=LONGEST_SYSTEM)
    _known("system", [system] if system else [], systems(site_of(request)))
    _known("relation", chosen, names("relations"))
    source, to = (api.normalise(said.text(name, longest=LONGEST_LANGUAGE)) for name in ("source", "to"))
    sentence = said.text("sentence", longest=LONGEST)
    return {"sentence": sentence, "system": system, "relations": chosen, "source": source, "to": to}


def _brought(said: Fields) -> bool:
    """Whether sentences came with the form: a file, or a text, be it blank."""
    return said.file("file") is not None or bool(said.text("text", longest=LONGEST_TEXT, exact=True))


def _kept(said: Fields, site: Site, source: str) -> str:
    upload = said.file("file")
    if upload is not None:
        name, data = str(upload.filename), upload.file.read(LONGEST_TEXT + 1)
    else:
        text, given = said.text("text", longest=LONGEST_TEXT), said.text("name", longest=LONGEST_NAME) or "pasted"
        name, data = (given if given.endswith(".txt") else f"{given}.txt"), text.encode()
    if len(data) > LONGEST_TEXT:
        raise UserError(f"a corpus given here can have {LONGEST_TEXT // 2**20} MB; use `concord run` for a larger one")
    if data.startswith(PACKED) or name.lower().endswith(".gz"):
        raise UserError("a file that is sent here must be unpacked: nobody knows how large it will be")
    return api.keep_corpus(site.workspace, name, data, source)


def _known(kind: str, given: Sequence[str], known: Iterable[str]) -> None:
    if not given:
        raise UserError(f"choose at least one {kind}")
    among(kind, given, known)

"""Validate forms that start runs: only systems, relations and corpora that the page offers are allowed."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from starlette.requests import Request

from concord import api
from concord.api.plugins import listed_services, names
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
SERVICES = {"parse": "parser", "substitutes": "substitutes", "embed": "encoder"}
"""The fields of the form that name plug-ins, by service."""
LONGEST_TEXT = 20 * 2**20
LONGEST_SYSTEM, LONGEST_NAME, LONGEST_LANGUAGE = 1_000, 80, 40
PACKED = b"\x1f\x8b"
_PLAIN = frozenset(":,./\\")


def systems(site: Site) -> list[str]:
    """The systems that may be run: those given to the server, and those of the workspace that have no options.

    A workspace may come from somebody else, and an option could name a program to start or a file to read.
    """
    tested = [run.given or run.system for run in api.runs(site.workspace)]
    plain = [name for name in tested if not _PLAIN & set(name) and name in names("translators")]
    return list(dict.fromkeys([*site.systems, "apertium", *plain]))


def relations() -> list[dict[str, Any]]:
    """The names and purposes of the recommended set and of all relations; `sane` is run in any case."""
    described = [{"name": relation["name"], "purpose": relation["purpose"]} for relation in api.describe("relations")]
    recommended = {"name": api.RECOMMENDED, "purpose": f"They find much at few false alarms: {', '.join(api.SET)}."}
    return [recommended, *(relation for relation in described if relation["name"] != api.SANE)]


def run_request(request: Request) -> dict[str, Any]:
    """The run that a form describes; sentences that came with it are stored if the rest is valid."""
    form, site = fields(request), site_of(request)
    request_data = checked(
        site,
        {
            "corpus": api.corpora(site.workspace)[0] if _has_sentences(form) else form.text("corpus"),
            "limit": form.whole_or("limit", None, least=1),
            "source": form.text("source", longest=LONGEST_LANGUAGE),
            "to": form.text("to").replace(",", " ").split(),
            "systems": form.texts("system", longest=LONGEST_SYSTEM),
            "relations": form.texts("relation"),
            "settings": {
                "seed": form.whole_or("seed", SEED),
                "repetitions": form.whole_or("repetitions", 1, least=1, most=REPETITIONS),
                "max_characters": form.whole_or("max_characters", None),
                "max_cost": form.number_or("max_cost", None, least=0, most=LARGEST),
                "fresh": form.flag("fresh"),
                "services": _services(form),
            },
        },
    )
    return (
        {**request_data, "corpus": _stored_corpus(form, site, request_data["source"])}
        if _has_sentences(form)
        else request_data
    )


def checked(site: Site, request_data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a request, if the page offers what it asks for; other keys are dropped."""
    among("corpus", [request_data["corpus"]], api.corpora(site.workspace))
    _check_choices("system", request_data["systems"], systems(site))
    _check_choices("relation", request_data["relations"], [api.RECOMMENDED, *names("relations")])
    if not request_data["to"]:
        raise UserError("give a target language, such as: es")
    api.normalise(request_data["source"])
    texts = {name: request_data[name] for name in ("corpus", "limit", "source", "systems", "relations")}
    settings = {name: request_data["settings"].get(name) for name in SETTINGS}
    settings["services"] = listed_services(request_data["settings"].get("services", {}))
    return {**texts, "to": [api.normalise(language) for language in request_data["to"]], "settings": settings}


def earlier(site: Site) -> list[dict[str, Any]]:
    """Earlier requests; malformed ones are left out, because the file beside the workspace is untrusted."""
    return [request for request in api.requests(site.workspace) if _is_request(request)]


def _is_request(request: Mapping[str, Any]) -> bool:
    texts = all(isinstance(request.get(name), str) for name in ("corpus", "source"))
    lists = all(_are_strings(request.get(name)) for name in ("to", "systems", "relations"))
    settings = request.get("settings")
    numbers = isinstance(settings, dict) and all(
        settings.get(name) is None or isinstance(settings[name], kind) for name, kind in SETTINGS.items()
    )
    services = settings.get("services", {}) if isinstance(settings, dict) else None
    named = isinstance(services, dict) and _are_strings(list(services.values()))
    return texts and lists and numbers and named and isinstance(request.get("limit"), int | None)


def _are_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def attempt_request(request: Request) -> dict[str, Any]:
    """The attempt that a form describes: a sentence, a system and relations."""
    form = fields(request)
    relation_names, system = form.texts("relation"), form.text("system", longest=LONGEST_SYSTEM)
    _check_choices("system", [system] if system else [], systems(site_of(request)))
    _check_choices("relation", relation_names, [api.RECOMMENDED, *names("relations")])
    source, to = (api.normalise(form.text(name, longest=LONGEST_LANGUAGE)) for name in ("source", "to"))
    sentence = form.text("sentence", longest=LONGEST)
    what = {"sentence": sentence, "system": system, "relations": relation_names, "services": _services(form)}
    return {**what, "source": source, "to": to}


def _services(form: Fields) -> dict[str, str]:
    return listed_services({service: form.text(name) for service, name in SERVICES.items()})


def _has_sentences(form: Fields) -> bool:
    """Whether the form came with sentences: a file or a text, even a blank one."""
    return form.file("file") is not None or bool(form.text("text", longest=LONGEST_TEXT, exact=True))


def _stored_corpus(form: Fields, site: Site, source: str) -> str:
    upload = form.file("file")
    if upload is not None:
        name, data = str(upload.filename), upload.file.read(LONGEST_TEXT + 1)
    else:
        text, title = form.text("text", longest=LONGEST_TEXT), form.text("name", longest=LONGEST_NAME) or "pasted"
        name, data = (title if title.endswith(".txt") else f"{title}.txt"), text.encode()
    if len(data) > LONGEST_TEXT:
        raise UserError(f"a corpus given here can have {LONGEST_TEXT // 2**20} MB; use `concord run` for a larger one")
    if data.startswith(PACKED) or name.lower().endswith(".gz"):
        raise UserError("a file that is sent here must not be compressed, because its size is unknown. Unpack it first")
    return api.keep_corpus(site.workspace, name, data, source)


def _check_choices(kind: str, names: Sequence[str], allowed: Iterable[str]) -> None:
    if not names:
        raise UserError(f"choose at least one {kind}")
    among(kind, names, allowed)

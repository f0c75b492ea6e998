"""Labelling: queues of flagged and unflagged cases, one case at a time, undo, and how far people agree.

What the detector thought of a case is not on its page until its labeller has spoken: whoever knows that a case was
flagged finds an error more easily. Evidence can be asked for.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote, urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from concord import api
from concord.api.queueing import Turn
from concord.errors import UserError
from concord.report.drawn import Drawn, drawn
from concord.store.keys import mark_of
from concord.store.label_sheet import LONGEST_NAME, LONGEST_TEXT
from concord.store.labels import CATEGORIES, KINDS, SEVERITIES, SIDES, VERDICTS, Label, outputs_of
from concord.web.rendering import field, page
from concord.web.site import site_of

COOKIE = "concord-annotator"
A_YEAR = 365 * 24 * 3600
DISPUTED = 50
SAID = {
    "gone": "The queue is gone; its labels stay.",
    **{verdict: f"“{verdict}” is taken back." for verdict in VERDICTS},
    **{f"again {verdict}": f"“{verdict}” is said again." for verdict in VERDICTS},
}
"""What a page says after something was done; an address cannot make it say anything else."""
KEYS = {"error": "e", "correct": "c", "bad test": "b"}


def desk(request: Request) -> Response:
    who = annotator(request)
    found = api.desk(site_of(request).workspace, annotator=who)
    return page(
        request,
        "labelling.html",
        who=who,
        found=found,
        # What others said is for those who have spoken themselves: knowing it biases.
        disputed=[each for each in found.agreed.disputed if who in each.verdicts][:DISPUTED] if found.agreed else (),
        said=SAID.get(request.query_params.get("said", ""), ""),
        longest=LONGEST_NAME,
        seed=secrets.randbelow(10_000),
    )


def name(request: Request) -> Response:
    """Remember who is labelling."""
    who = field(request, "annotator", 1000)
    if not who or len(who) > LONGEST_NAME or not who.isprintable():
        raise UserError(f"say who you are: a name of at most {LONGEST_NAME} characters")
    answer = _to(_inside(field(request, "next")))
    answer.set_cookie(COOKIE, quote(who), max_age=A_YEAR, httponly=True, samesite="strict", path="/")
    return answer


def draw(request: Request) -> Response:
    runs = [each for each in request.state.form.getlist("run") if isinstance(each, str)][:1000]
    how = {"size": _whole(request, "size"), "seed": _whole(request, "seed"), "flagged": _percent(request)}
    made = api.draw_queue(site_of(request).workspace, runs, name=field(request, "name"), **how)  # type: ignore[arg-type]
    return _to(_address(made.name))


def enlarge(request: Request) -> Response:
    made = api.enlarge_queue(site_of(request).workspace, field(request, "name"), _whole(request, "size"))
    return _to(_address(made.name))


def forget(request: Request) -> Response:
    api.forget_queue(site_of(request).workspace, field(request, "name"))
    return _to("/label?said=gone")


def queue(request: Request) -> Response:
    """The next case of a queue, or the one at a place."""
    who, asked = annotator(request), request.query_params
    called = request.path_params["name"]
    if not who:
        return page(request, "label.html", who="", longest=LONGEST_NAME)
    place = _number(asked.get("place", ""))
    turn = api.turn(site_of(request).workspace, called, who, place=place, after=_number(asked.get("after", "")) or 0)
    return _case(request, who, turn)


def case(request: Request) -> Response:
    """One case by itself, as a finding links to it."""
    who, asked = annotator(request), request.query_params
    if not who:
        return page(request, "label.html", who="", longest=LONGEST_NAME)
    where = {name: _number(asked.get(name, "")) for name in ("run", "repetition")}
    try:
        turn = api.case_turn(site_of(request).workspace, request.path_params["case"], who, **where)
    except UserError as error:
        raise HTTPException(404, str(error)) from None
    return _case(request, who, turn)


def save(request: Request) -> Response:
    """Keep a label and go on to the next case."""
    who = annotator(request)
    if not who:
        raise UserError("say who you are first: on the page Label")
    # Browsers send line breaks as CRLF, whatever was typed.
    told: dict[str, Any] = {name: field(request, name, 2 * LONGEST_TEXT + 2).replace("\r\n", "\n") for name in _FIELDS}
    told |= {name: [str(each) for each in request.state.form.getlist(name)][:20] for name in ("categories", "kinds")}
    since = field(request, "since", 40) if "since" in request.state.form else None
    made = api.say(site_of(request).workspace, told, annotator=who, since=since)
    called, place = field(request, "queue"), _number(field(request, "place"))
    if called:
        return _to(_address(called, after=place or 0))
    where = {name: field(request, name) for name in ("run", "repetition")}
    return _to(f"/case/{made.case}" + _query(**where))


def undo(request: Request) -> Response:
    """Take the last word back, and show the case it was about where that is in the queue.

    A sheet is left to the command line: one press of a key should not take back somebody's work of days.
    """
    (undone,) = api.undo_label(site_of(request).workspace, annotator(request), single=True)
    return _back(request, undone.label, undone.label.verdict)


def redo(request: Request) -> Response:
    """Say again what was taken back last, and show the case."""
    (label,) = api.redo_label(site_of(request).workspace, annotator(request), single=True)
    return _back(request, label, f"again {label.verdict}")


def _back(request: Request, label: Label, said: str) -> Response:
    called = field(request, "queue")
    if not called:
        return _to("/label" + _query(said=said))
    return _to(_address(called, place=api.queue_place(site_of(request).workspace, called, label), said=said))


def annotator(request: Request) -> str:
    """Who is labelling, as their browser remembers; nothing if that is no name."""
    who = unquote(request.cookies.get(COOKIE, "")[: 12 * LONGEST_NAME]).strip()
    return who if len(who) <= LONGEST_NAME and who.isprintable() else ""


_FIELDS = ("case", "judged", "verdict", "wrong", "severity", "correction", "comment")


def _case(request: Request, who: str, turn: Turn) -> Response:
    row = turn.row
    evidence = bool(row) and request.query_params.get("evidence") == "1"
    return page(
        request,
        "label.html",
        who=who,
        longest=LONGEST_NAME,
        turn=turn,
        row=row,
        one=_blind(row) if row else None,
        seen=drawn(row) if row and (evidence or turn.label) else None,
        judged=mark_of(outputs_of(row)) if row else "",
        said=SAID.get(request.query_params.get("said", ""), ""),
        words={"verdicts": VERDICTS, "categories": CATEGORIES, "sides": SIDES, "severities": SEVERITIES},
        kinds=[(category, [kind for kind, of in KINDS.items() if of == category]) for category in CATEGORIES],
        keys=KEYS,
        with_evidence=_with_evidence(request),
    )


def _blind(row: Mapping[str, Any]) -> Drawn:
    """The texts of a case and nothing of what was found in them."""
    return drawn({**row, "evidence": {"marked": {}}})


def _with_evidence(request: Request) -> str:
    kept = [(name, value) for name, value in request.query_params.multi_items() if name not in ("evidence", "said")]
    return request.url.path + "?" + urlencode([*kept, ("evidence", "1")])


def _address(called: str, **more: Any) -> str:
    return f"/label/queue/{quote(called, safe='')}" + _query(**more)


def _query(**more: Any) -> str:
    kept = {name: value for name, value in more.items() if value not in ("", None)}
    return f"?{urlencode(kept)}" if kept else ""


def _inside(address: str) -> str:
    """The address if it is one of this page's own, where a form may lead back to."""
    return address if address.startswith("/label") and "\\" not in address and "\n" not in address else "/label"


def _to(address: str) -> RedirectResponse:
    return RedirectResponse(address, 303)


def _number(text: str) -> int | None:
    if not text:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > 15:
        raise UserError(f"'{text[:80]}' is not a whole number")
    return int(text)


def _whole(request: Request, name: str) -> int:
    found = _number(field(request, name))
    if found is None:
        raise UserError(f"'{name}' is missing: write a whole number")
    return found


def _percent(request: Request) -> float:
    return _whole(request, "flagged") / 100


ROUTES = [
    Route("/label", desk),
    Route("/label/who", name, methods=["POST"]),
    Route("/label/draw", draw, methods=["POST"]),
    Route("/label/enlarge", enlarge, methods=["POST"]),
    Route("/label/forget", forget, methods=["POST"]),
    Route("/label/save", save, methods=["POST"]),
    Route("/label/undo", undo, methods=["POST"]),
    Route("/label/redo", redo, methods=["POST"]),
    Route("/label/queue/{name:path}", queue),
    Route("/label/case/{case}", case),
]

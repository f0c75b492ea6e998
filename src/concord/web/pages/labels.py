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
from concord.api.queues import (
    CATEGORIES,
    KINDS,
    LARGEST,
    LONGEST_NAME,
    LONGEST_TEXT,
    SEVERITIES,
    SIDES,
    VERDICTS,
    Label,
    Turn,
)
from concord.errors import UserError
from concord.views.case import Drawn
from concord.web.forms import fields
from concord.web.long_texts import shown
from concord.web.pages.findings import place_of
from concord.web.renderer import page
from concord.web.settings import site_of

COOKIE = "concord-annotator"
A_YEAR = 365 * 24 * 3600
DISPUTED = 50
LONGEST_ADDRESS = 10_000
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
    disputed = found.agreement.disputed if found.agreement else ()
    return page(
        request,
        "labels.html",
        who=who,
        found=found,
        # What others said is for those who have spoken themselves: knowing it biases.
        disputed=[case for case in disputed if who in case.verdicts][:DISPUTED],
        said=SAID.get(fields(request).text("said"), ""),
        longest=LONGEST_NAME,
        seed=secrets.randbelow(10_000),
    )


def name(request: Request) -> Response:
    """Remember who is labelling."""
    said = fields(request)
    who = said.text("annotator", longest=LONGEST_NAME)
    if not who or not who.isprintable():
        raise UserError(f"say who you are: a name of at most {LONGEST_NAME} characters")
    answer = _to(_inside(said.text("next", longest=LONGEST_ADDRESS)))
    answer.set_cookie(COOKIE, quote(who), max_age=A_YEAR, httponly=True, samesite="strict", path="/")
    return answer


def draw(request: Request) -> Response:
    said = fields(request)
    made = api.draw_queue(
        site_of(request).workspace,
        said.wholes("run", least=1),
        name=said.text("name"),
        size=said.whole("size", least=1, most=LARGEST),
        seed=said.whole("seed"),
        flagged=said.whole("flagged", most=100) / 100,
    )
    return _to(_address(made.name))


def enlarge(request: Request) -> Response:
    said = fields(request)
    size = said.whole("size", least=1, most=LARGEST)
    made = api.enlarge_queue(site_of(request).workspace, said.text("name"), size)
    return _to(_address(made.name))


def forget(request: Request) -> Response:
    api.forget_queue(site_of(request).workspace, fields(request).text("name"))
    return _to("/label?said=gone")


def queue(request: Request) -> Response:
    """The next case of a queue, or the one at a place."""
    who, asked = annotator(request), fields(request)
    called = request.path_params["name"]
    if not who:
        return page(request, "label.html", who="", longest=LONGEST_NAME)
    place, after = asked.whole_or("place", None, least=1), asked.whole_or("after", 0)
    turn = api.turn(site_of(request).workspace, called, who, place=place, after=after)
    return _case(request, who, turn)


def case(request: Request) -> Response:
    """One case by itself, as a finding links to it."""
    who = annotator(request)
    if not who:
        return page(request, "label.html", who="", longest=LONGEST_NAME)
    where = place_of(fields(request))
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
    asked = fields(request)
    told: dict[str, Any] = {name: asked.text(name, longest=LONGEST_TEXT) for name in _FIELDS}
    told |= {name: asked.texts(name) for name in ("categories", "kinds")}
    since = asked.text("since") if asked.has("since") else None
    called, place, where = asked.text("queue"), asked.whole_or("place", 0), place_of(asked)
    made = api.say(site_of(request).workspace, told, annotator=who, since=since)
    if called:
        return _to(_address(called, after=place))
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
    called = fields(request).text("queue")
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
    asked = fields(request)
    evidence = asked.flag("evidence")
    return page(
        request,
        "label.html",
        who=who,
        longest=LONGEST_NAME,
        turn=turn,
        row=row,
        one=_blind(row) if row else None,
        seen=shown(row) if row and (evidence or turn.label) else None,
        judged=turn.judged,
        said=SAID.get(asked.text("said"), ""),
        words={"verdicts": VERDICTS, "categories": CATEGORIES, "sides": SIDES, "severities": SEVERITIES},
        kinds=[(category, [kind for kind, of in KINDS.items() if of == category]) for category in CATEGORIES],
        keys=KEYS,
        with_evidence=_with_evidence(request),
    )


def _blind(row: Mapping[str, Any]) -> Drawn:
    """The texts of a case and nothing of what was found in them."""
    return shown({**row, "evidence": {"marked": {}}})


def _with_evidence(request: Request) -> str:
    kept = fields(request).rest(("evidence", "said"))
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

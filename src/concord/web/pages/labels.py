"""The pages of labelling: queues of cases, one case at a time, undo, and inter-annotator agreement.

A case does not show whether it is flagged before the annotator has labelled it, because that would bias the label.
Evidence is shown on request.
"""

import secrets
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
from concord.web.forms import fields
from concord.web.long_texts import drawn_whole
from concord.web.pages.findings import location_of
from concord.web.renderer import page
from concord.web.settings import site_of

COOKIE = "concord-annotator"
A_YEAR = 365 * 24 * 3600
DISPUTED = 50
LONGEST_ADDRESS = 10_000
SAID = {
    "gone": "The queue is removed; its labels are kept.",
    **{verdict: f"The label “{verdict}” is undone." for verdict in VERDICTS},
    **{f"again {verdict}": f"The label “{verdict}” is redone." for verdict in VERDICTS},
}
"""The messages after an action, by the code in the address; the address cannot contain other texts."""
KEYS = {"error": "e", "correct": "c", "bad test": "b"}


def desk(request: Request) -> Response:
    who = annotator(request)
    labelling = api.desk(site_of(request).workspace, annotator=who)
    disputed = labelling.agreement.disputed if labelling.agreement else ()
    return page(
        request,
        "labels.html",
        who=who,
        found=labelling,
        # Labels of others are shown only to those who have labelled the case, because they would bias.
        disputed=[case for case in disputed if who in case.verdicts][:DISPUTED],
        said=SAID.get(fields(request).text("said"), ""),
        longest=LONGEST_NAME,
        seed=secrets.randbelow(10_000),
    )


def name(request: Request) -> Response:
    """Store the name of the annotator in a cookie."""
    form = fields(request)
    who = form.text("annotator", longest=LONGEST_NAME)
    if not who or not who.isprintable():
        raise UserError(f"enter your name: at most {LONGEST_NAME} characters")
    answer = _to(_inside(form.text("next", longest=LONGEST_ADDRESS)))
    answer.set_cookie(COOKIE, quote(who), max_age=A_YEAR, httponly=True, samesite="strict", path="/")
    return answer


def draw(request: Request) -> Response:
    form = fields(request)
    drawn = api.draw_queue(
        site_of(request).workspace,
        form.wholes("run", least=1),
        name=form.text("name"),
        size=form.whole("size", least=1, most=LARGEST),
        seed=form.whole("seed"),
        flagged=form.whole("flagged_share", most=100) / 100,
    )
    return _to(_address(drawn.name))


def enlarge(request: Request) -> Response:
    form = fields(request)
    size = form.whole("size", least=1, most=LARGEST)
    enlarged = api.enlarge_queue(site_of(request).workspace, form.text("name"), size)
    return _to(_address(enlarged.name))


def forget(request: Request) -> Response:
    api.forget_queue(site_of(request).workspace, fields(request).text("name"))
    return _to("/label?said=gone")


def queue(request: Request) -> Response:
    """The next case of a queue, or the one at a position."""
    who, query = annotator(request), fields(request)
    queue_name = request.path_params["name"]
    if not who:
        return page(request, "label.html", who="", longest=LONGEST_NAME)
    place, after = query.whole_or("place", None, least=1), query.whole_or("after", 0)
    turn = api.turn(site_of(request).workspace, queue_name, who, place=place, after=after)
    return _case(request, who, turn)


def case(request: Request) -> Response:
    """One case outside a queue, as a finding links to it."""
    who = annotator(request)
    if not who:
        return page(request, "label.html", who="", longest=LONGEST_NAME)
    location = location_of(fields(request))
    try:
        turn = api.case_turn(site_of(request).workspace, request.path_params["case"], who, **location)
    except UserError as error:
        raise HTTPException(404, str(error)) from None
    return _case(request, who, turn)


def save(request: Request) -> Response:
    """Save a label and redirect to the next case."""
    who = annotator(request)
    if not who:
        raise UserError("enter your name first, on the page Label")
    form = fields(request)
    label: dict[str, Any] = {name: form.text(name, longest=LONGEST_TEXT) for name in _FIELDS}
    label |= {name: form.texts(name) for name in ("categories", "kinds")}
    since = form.text("since") if form.has("since") else None
    queue_name, place, location = form.text("queue"), form.whole_or("place", 0), location_of(form)
    saved = api.say(site_of(request).workspace, label, annotator=who, since=since)
    if queue_name:
        return _to(_address(queue_name, after=place))
    return _to(f"/case/{saved.case}" + _query(**location))


def undo(request: Request) -> Response:
    """Undo the last label, and show its case if the queue has it.

    An imported sheet can be undone only on the command line: one key press should not undo the work of days.
    """
    (undone,) = api.undo_label(site_of(request).workspace, annotator(request), single=True)
    return _back(request, undone.label, undone.label.verdict)


def redo(request: Request) -> Response:
    """Redo the label that was undone last, and show its case."""
    (label,) = api.redo_label(site_of(request).workspace, annotator(request), single=True)
    return _back(request, label, f"again {label.verdict}")


def _back(request: Request, label: Label, message: str) -> Response:
    queue_name = fields(request).text("queue")
    if not queue_name:
        return _to("/label" + _query(said=message))
    return _to(_address(queue_name, place=api.queue_place(site_of(request).workspace, queue_name, label), said=message))


def annotator(request: Request) -> str:
    """Who is labelling, as their browser remembers; nothing if that is no name."""
    who = unquote(request.cookies.get(COOKIE, "")[: 12 * LONGEST_NAME]).strip()
    return who if len(who) <= LONGEST_NAME and who.isprintable() else ""


_FIELDS = ("case", "judged", "verdict", "wrong", "severity", "correction", "comment")


def _case(request: Request, who: str, turn: Turn) -> Response:
    row = turn.row
    query = fields(request)
    evidence = query.flag("evidence")
    return page(
        request,
        "label.html",
        who=who,
        longest=LONGEST_NAME,
        turn=turn,
        row=row,
        one=drawn_whole({**row, "evidence": {"marked": {}}}) if row else None,  # without highlights
        seen=drawn_whole(row) if row and (evidence or turn.label) else None,
        judged=turn.judged,
        said=SAID.get(query.text("said"), ""),
        words={"verdicts": VERDICTS, "categories": CATEGORIES, "sides": SIDES, "severities": SEVERITIES},
        kinds=[(category, [kind for kind, parent in KINDS.items() if parent == category]) for category in CATEGORIES],
        keys=KEYS,
        with_evidence=f"{request.url.path}?{urlencode([*query.rest(('evidence', 'said')), ('evidence', '1')])}",
    )


def _address(queue_name: str, **more: Any) -> str:
    return f"/label/queue/{quote(queue_name, safe='')}" + _query(**more)


def _query(**more: Any) -> str:
    fields = {name: value for name, value in more.items() if value not in ("", None)}
    return f"?{urlencode(fields)}" if fields else ""


def _inside(address: str) -> str:
    """The address if it is on this page, else `/label`: a form must not redirect elsewhere."""
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

"""The page Try: check one sentence, and see each translation as it arrives."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from concord.api import RECOMMENDED
from concord.errors import UnknownName
from concord.web import run_forms
from concord.web.events import jobs_of
from concord.web.jobs import Absent, BackgroundJob
from concord.web.long_texts import drawn_whole
from concord.web.renderer import page
from concord.web.settings import site_of

EXAMPLE = {"sentence": "", "system": "", "source": "en", "to": "es", "relations": [RECOMMENDED], "services": {}}


def form(request: Request) -> Response:
    return _page(request, None)


def ask(request: Request) -> Response:
    site = site_of(request)
    files = {"workspace": str(site.workspace), "config": str(site.config)}
    asked = {"do": "attempt", **files, **run_forms.attempt_request(request)}
    job = jobs_of(request).start(asked)
    return RedirectResponse(f"/try/{job.id}", 303)


def watch(request: Request) -> Response:
    job = _job(request)
    if job.task != "attempt":
        raise UnknownName("attempt", str(job.id), [str(attempt.id) for attempt in jobs_of(request).latest("attempt")])
    return _page(request, job)


def stop(request: Request) -> Response:
    job = _job(request)
    jobs_of(request).stop(job.id, at_once=True)
    return RedirectResponse(f"/try/{job.id}", 303)


def _job(request: Request) -> BackgroundJob:
    number = request.path_params["job"]
    try:
        return jobs_of(request).get(number)
    except Absent:
        again = "The server may have been restarted since; try the sentence again on the page Try"
        raise Absent(f"there is no attempt {str(number)[:20]} here. {again}") from None


def _page(request: Request, job: BackgroundJob | None) -> Response:
    going_on = job is not None and not job.ended  # read first, so that all messages before the end are there
    tried = [
        {**result, "drawn": [drawn_whole(row) for row in result["rows"]]}
        for result in (job.messages_of("tried") if job else [])
    ]
    return page(
        request,
        "trial.html",
        job=job,
        going_on=going_on,
        asked={**EXAMPLE, **(job.request if job else {})},
        systems=run_forms.systems(site_of(request)),
        relations=run_forms.relations(),
        heard=[message for message in job.messages if "answer" in message] if job else [],
        tried=tried,
    )


ROUTES = [
    Route("/try", form),
    Route("/try", ask, methods=["POST"]),
    Route("/try/{job:int}", watch),
    Route("/try/{job:int}/stop", stop, methods=["POST"]),
]

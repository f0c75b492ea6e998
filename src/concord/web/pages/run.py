"""The page Run: choose what to test, see the cost, start, watch, stop, continue."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from concord import api
from concord.api.corpora import request_name
from concord.errors import UserError
from concord.web import run_forms
from concord.web.events import jobs_of
from concord.web.forms import fields
from concord.web.jobs import BackgroundJob
from concord.web.renderer import page
from concord.web.settings import site_of


def form(request: Request) -> Response:
    site = site_of(request)
    return page(
        request,
        "runs.html",
        corpora=api.corpora(site.workspace),
        systems=run_forms.systems(site),
        relations=run_forms.relations(),
        requests=[(request_name(earlier), earlier) for earlier in run_forms.earlier(site)],
        jobs=jobs_of(request).latest("run"),
        unfinished=[run for run in api.runs(site.workspace) if run.finished is None],
    )


def ask(request: Request) -> Response:
    """Estimate the cost of a run, which can be started from there."""
    return _begin(request, "estimate", run_forms.run_request(request))


def again(request: Request) -> Response:
    """Estimate the cost of an earlier request again."""
    name = fields(request).text("request")
    for earlier in run_forms.earlier(site_of(request)):
        if request_name(earlier) == name:
            return _begin(request, "estimate", run_forms.checked(site_of(request), earlier))
    raise UserError("that run is no longer among the latest. Fill in the form again")


def start(request: Request) -> Response:
    """Start an estimated run, or continue a stopped one."""
    earlier = _job(request)
    if earlier.task not in ("estimate", "run"):
        raise UserError("this job is not a run. Start one on the page Run")
    request_data = run_forms.checked(site_of(request), earlier.request)
    answer = _begin(request, "run", request_data)
    api.remember_request(site_of(request).workspace, request_data)
    return answer


def watch(request: Request) -> Response:
    job = _job(request)
    if job.task == "attempt":
        return RedirectResponse(f"/try/{job.id}", 303)
    return page(request, "job.html", job=job)


def stop(request: Request) -> Response:
    jobs_of(request).stop(_job(request).id)
    return RedirectResponse(f"/run/{request.path_params['job']}", 303)


def forget(request: Request) -> Response:
    api.forget_corpus(site_of(request).workspace, fields(request).text("corpus"))
    return RedirectResponse("/run", 303)


def end(request: Request) -> Response:
    jobs_of(request).stop(_job(request).id, at_once=True)
    return RedirectResponse(f"/run/{request.path_params['job']}", 303)


def _job(request: Request) -> BackgroundJob:
    return jobs_of(request).get(request.path_params["job"])


def _begin(request: Request, task: str, run: dict[str, object]) -> Response:
    site = site_of(request)
    request_data = {**run, "do": task, "workspace": str(site.workspace), "config": str(site.config)}
    return RedirectResponse(f"/run/{jobs_of(request).start(request_data).id}", 303)


ROUTES = [
    Route("/run", form),
    Route("/run", ask, methods=["POST"]),
    Route("/run/again", again, methods=["POST"]),
    Route("/run/forget", forget, methods=["POST"]),
    Route("/run/{job:int}", watch),
    Route("/run/{job:int}/start", start, methods=["POST"]),
    Route("/run/{job:int}/stop", stop, methods=["POST"]),
    Route("/run/{job:int}/end", end, methods=["POST"]),
]

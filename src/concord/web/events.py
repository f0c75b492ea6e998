"""Server-sent events: a page is told that something changed, and asks for itself again."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from concord.api.regression import index_of
from concord.database import open_database
from concord.web.background_cache import Lately
from concord.web.jobs import BackgroundJob, Jobs
from concord.web.settings import site_of

TICK = 0.25
HEARTBEAT = 15.0
Look = Callable[[], Any]


def jobs_of(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.jobs
    return jobs


async def of_job(request: Request) -> Response:
    """What changes about one job, until it ends."""
    job = jobs_of(request).get(request.path_params["job"])
    return _stream(request, lambda: job.version, lambda: job.ended, lambda: _said(job))


async def of_workspace(request: Request) -> Response:
    """Whenever another process, or a job of ours, has written to the workspace."""
    # A connection sees by this number alone whether somebody else has written.
    db = await run_in_threadpool(open_database, site_of(request).workspace, "?mode=ro")
    return _stream(
        request, lambda: db.execute("PRAGMA data_version").fetchone()[0], lambda: False, lambda: {}, ended=db.close
    )


async def of_index(request: Request) -> Response:
    """Whenever something was prepared; also at once, since that may have been while the page was on its way."""
    lately: Lately = request.app.state.lately
    try:
        db = await run_in_threadpool(open_database, index_of(site_of(request).workspace), "?mode=ro")
    except sqlite3.Error:
        raise HTTPException(404, "Nothing was prepared yet.") from None
    return _stream(
        request,
        lambda: (db.execute("PRAGMA data_version").fetchone()[0], lately.version),
        lambda: False,
        lambda: {"prepared": True},
        ended=db.close,
    )


def _said(job: BackgroundJob) -> dict[str, Any]:
    return {"state": job.state, "progress": list(job.progress.values())}


def _stream(
    request: Request,
    version: Look,
    over: Callable[[], bool],
    told: Callable[[], dict[str, Any]],
    ended: Callable[[], None] = lambda: None,
) -> Response:
    async def lines() -> AsyncIterator[str]:
        try:
            seen, silent = None, 0.0
            yield ": hello\n\n"
            while not jobs_of(request).closing:
                finished, now = over(), version()
                if now != seen:
                    if seen is not None or finished or told():
                        yield f"event: change\ndata: {json.dumps(told())}\n\n"
                    seen, silent = now, 0.0
                if finished:
                    yield "event: end\ndata: {}\n\n"
                    return
                await asyncio.sleep(TICK)
                silent += TICK
                if silent >= HEARTBEAT:
                    yield ": still here\n\n"
                    silent = 0.0
        finally:
            ended()

    return StreamingResponse(lines(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


ROUTES = [Route("/jobs/{job:int}/events", of_job), Route("/events", of_workspace), Route("/events/index", of_index)]

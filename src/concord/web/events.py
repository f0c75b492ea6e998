"""Server-sent events, which tell a page to reload its contents after a change."""

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
from concord.web.background_cache import BackgroundCache
from concord.web.jobs import Jobs
from concord.web.settings import site_of

TICK = 0.25
HEARTBEAT = 15.0
Look = Callable[[], Any]


def jobs_of(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.jobs
    return jobs


async def of_job(request: Request) -> Response:
    """Events of one job, until it ends."""
    job = jobs_of(request).get(request.path_params["job"])
    return _stream(
        request,
        lambda: job.version,
        lambda: job.ended,
        lambda: {"state": job.state, "progress": list(job.progress.values())},
    )


async def of_workspace(request: Request) -> Response:
    """An event whenever another process or a job has written to the workspace."""
    # PRAGMA data_version changes when another connection has written.
    db = await run_in_threadpool(open_database, site_of(request).workspace, "?mode=ro")
    return _stream(
        request, lambda: db.execute("PRAGMA data_version").fetchone()[0], lambda: False, lambda: {}, close=db.close
    )


async def of_index(request: Request) -> Response:
    """An event whenever the index was updated; also at once, since that may have happened while the page loaded."""
    cache: BackgroundCache = request.app.state.background_cache
    try:
        db = await run_in_threadpool(open_database, index_of(site_of(request).workspace), "?mode=ro")
    except sqlite3.Error:
        raise HTTPException(404, "There is no index yet.") from None
    return _stream(
        request,
        lambda: (db.execute("PRAGMA data_version").fetchone()[0], cache.version),
        lambda: False,
        lambda: {"prepared": True},
        close=db.close,
    )


def _stream(
    request: Request,
    version: Look,
    is_over: Callable[[], bool],
    payload: Callable[[], dict[str, Any]],
    close: Callable[[], None] = lambda: None,
) -> Response:
    async def lines() -> AsyncIterator[str]:
        try:
            last_version, silent = None, 0.0
            yield ": hello\n\n"
            while not jobs_of(request).closing:
                finished, now = is_over(), version()
                if now != last_version:
                    if last_version is not None or finished or payload():
                        yield f"event: change\ndata: {json.dumps(payload())}\n\n"
                    last_version, silent = now, 0.0
                if finished:
                    yield "event: end\ndata: {}\n\n"
                    return
                await asyncio.sleep(TICK)
                silent += TICK
                if silent >= HEARTBEAT:
                    yield ": still here\n\n"
                    silent = 0.0
        finally:
            close()

    return StreamingResponse(lines(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


ROUTES = [Route("/jobs/{job:int}/events", of_job), Route("/events", of_workspace), Route("/events/index", of_index)]

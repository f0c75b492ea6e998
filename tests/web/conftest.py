"""A page to ask, over a small workspace of its own."""

from __future__ import annotations

import re
import shutil
import sqlite3
from html.parser import HTMLParser
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from concord import api
from concord.web.app import create
from concord.web.settings import Site


@pytest.fixture
def workspace(tmp_path, tmp_path_factory) -> Path:
    """Two relations on thirty sentences; the made-up system makes mistakes in half of them."""
    path = tmp_path / "concord.sqlite"
    shutil.copy(_made(tmp_path_factory.getbasetemp() / "page.sqlite"), path)
    return path


def _made(path: Path) -> Path:
    """Made once, and copied for each test."""
    if not path.exists():
        corpus = api.read("demo", "en", limit=30)
        api.run(corpus, relations=["rtt", "rti"], systems=["faulty:fake,rate=0.5"], to=["es"], workspace=path)
        with sqlite3.connect(path) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.close()
    return path


class Browser(TestClient):
    """A client that fills in the hidden field of forms, as a browser does."""

    def proof(self, page: str = "/run") -> str:
        found = re.search(r'name="csrf" value="([0-9a-f]+)"', self.get(page).text)
        assert found, f"no form on {page}"
        return found[1]

    def submit(self, where: str, data: dict[str, object] | None = None, **more: object):
        return self.post(where, data={"csrf": self.proof(), **(data or {})}, **more)


class _Elements(HTMLParser):
    """The elements of a page, as a browser would have them."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


@pytest.fixture
def elements():
    """`elements(page)`: the tags of a page with their attributes."""
    return lambda page: _Elements(page).found


@pytest.fixture
def browse():
    """`browse(path)` is a browser of the page of that workspace."""

    def opened(path: Path, **how: object) -> Browser:
        return Browser(create(Site(path, **how)), base_url="http://127.0.0.1:8765", raise_server_exceptions=False)

    return opened


@pytest.fixture
def page(workspace, browse) -> Browser:
    return browse(workspace)


@pytest.fixture
def named(page):
    """A browser of somebody who has said who they are."""
    page.submit("/label/who", {"annotator": "Ána 好", "next": "/label"})
    return page


@pytest.fixture
def queue(workspace):
    return api.draw_queue(workspace, [], name="first / queue", size=40, seed=3)

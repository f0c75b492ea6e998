"""The page Export takes what the page Findings says, nothing that means nothing, and two at a time."""

from __future__ import annotations

import html
import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from concord import api

PILL = re.compile(r'<span class="pill">(\w+): <bdi>([^<]*)</bdi>')


@pytest.mark.parametrize("asked", ["what=bogus", "format=bogus", "format=parquet"])
def test_what_is_no_export_and_no_format_is_refused_by_name(page, asked):
    answer = page.get(f"/export?run=1&{asked}")
    assert answer.status_code == 400
    name, value = asked.split("=")
    assert f"{name}: &#39;{value}&#39; is not one of" in answer.text


def test_what_filters_nothing_is_not_shown_as_a_filter_and_not_passed_on(page):
    answer = page.get("/export?run=1&what=rows&format=csv&by=case&after=x&bogus=1")
    assert answer.status_code == 200
    assert not PILL.findall(answer.text)
    assert "bogus" not in answer.text


FILTERS = {
    "relation": "rti",
    "system": "faulty",
    "source": "en",
    "to": "es",
    "domain": "news",
    "text": "the",
    "least": "0.1",
    "most": "0.9",
    "label": "none",
    "annotator": "ana",
    "flagged": "all",
    "sort": "suspicion",
    "reverse": "1",
}


def test_every_filter_of_findings_is_shown_and_passed_on(page):
    query = "&".join(f"{name}={value}" for name, value in FILTERS.items())
    text = page.get(f"/export?{query}").text
    assert dict(PILL.findall(text)) == FILTERS
    (link,) = re.findall(r'href="/export/findings/jsonl\?([^"]+)"', text)
    assert link.replace("&amp;", "&") == query


def links(page):
    return re.findall(r'href="(/export/[^"]+)', page.get("/export").text)


def test_every_export_of_the_page_can_be_taken(named, workspace, queue):
    said = {"case": api.cases(workspace).rows[0]["case"], "verdict": "error", "correction": "Así se dice."}
    api.say(workspace, said, annotator="ana")
    found = links(named)
    assert len(found) == 24
    for link in found:
        answer = named.get(link)
        assert answer.status_code == 200, link
        assert answer.headers["content-disposition"].startswith("attachment; filename=")
        assert answer.content, link


def test_the_page_and_the_command_export_the_same(named, workspace, tmp_path):
    api.export(workspace, [1], tmp_path / "rows.csv")
    assert named.get("/export/rows/csv?run=1").content == (tmp_path / "rows.csv").read_bytes()
    api.export(workspace, [1], tmp_path / "raw.csv", raw=True)
    assert named.get("/export/rows/csv?raw=1&run=1").content == (tmp_path / "raw.csv").read_bytes()
    assert named.get("/export/rows/jsonl?raw=1").status_code == 400


@pytest.mark.parametrize(
    "where", ["/export/none/csv", "/export/rows/exe", "/export/rows/parquet", "/export/rows/csv?run=99"]
)
def test_what_cannot_be_exported_says_so(named, where):
    assert named.get(where).status_code == 400


def test_findings_are_exported_as_they_are_filtered(named, workspace):
    listed = named.get("/findings?relation=rti&text=the&sort=suspicion&reverse=1").text
    query = html.unescape(re.search(r'href="/export\?([^"]+)"', listed)[1])
    page = html.unescape(named.get(f"/export?{query}").text)
    links = dict(re.findall(r'href="(/export/(?:cases|findings)/jsonl)(\?[^"]+)"', page))
    cases, found = (list(map(json.loads, named.get("".join(link)).text.splitlines())) for link in links.items())
    wanted = api.Filter(relations=("rti",), text="the", sort="suspicion", reverse=True)
    assert [row["case"] for row in cases] == [row["case"] for row in api.cases(workspace, wanted, limit=1000).rows]
    every = api.findings(workspace, wanted, limit=1000).findings
    assert [(each["rows"][0]["case"], each["cases"]) for each in found] == [
        (each.rows[0]["case"], each.cases) for each in every
    ]
    assert 0 < len(found) < len(named.get("/export/findings/jsonl").text.splitlines())
    assert "/export/rows/sheet?" not in page


def test_what_cannot_be_filtered_is_not_exported_as_if_it_were(named):
    answer = named.get("/export/rows/csv?relation=rti")
    assert answer.status_code == 400
    assert "filters are for cases, findings and problems." in answer.text
    assert named.get("/export?least=x").status_code == 400


def test_all_cases_come_in_the_order_of_rank(workspace, tmp_path):
    rows = api.show(workspace, api.Filter(runs=(1, 2)), limit=10_000).rows
    assert api.export(workspace, [1, 2], tmp_path / "f.jsonl", kind="cases") == len(rows)
    found = [json.loads(line) for line in (tmp_path / "f.jsonl").read_text().splitlines()]
    order = ("run", "case", "rank")
    assert [[row[name] for name in order] for row in found] == [[row[name] for name in order] for row in rows]


def test_a_third_export_at_once_is_told_to_wait(named, monkeypatch):
    begun, go_on = threading.Semaphore(0), threading.Event()

    def slow(*_, **__):
        begun.release()
        go_on.wait(60)
        yield b"done"

    with monkeypatch.context() as patch, ThreadPoolExecutor(2) as pool:
        patch.setattr(api, "exported", slow)
        try:
            under_way = [pool.submit(named.get, "/export/rows/csv") for _ in range(2)]
            for _ in under_way:
                assert begun.acquire(timeout=60)
            answer = named.get("/export/rows/csv")
        finally:
            go_on.set()
        assert [each.result().text for each in under_way] == ["done", "done"]
    assert answer.status_code == 429
    assert "2 exports are in progress already" in answer.text
    for _ in range(3):
        assert named.get("/export/rows/csv").status_code == 200

"""The page Export takes what the page Findings says, and nothing that means nothing."""

from __future__ import annotations

import re

import pytest

PILL = re.compile(r'<span class="pill">(\w+): <bdi>([^<]*)</bdi>')


@pytest.mark.parametrize("asked", ["what=bogus", "format=bogus", "format=parquet"])
def test_what_is_no_export_and_no_format_is_refused_by_name(page, asked):
    answer = page.get(f"/export?run=1&{asked}")
    assert answer.status_code == 400
    name, value = asked.split("=")
    assert f"{name}: &#39;{value}&#39; is not one of" in answer.text


def test_what_filters_nothing_is_not_shown_as_a_filter_and_not_passed_on(page):
    answer = page.get("/export?run=1&what=rows&format=csv&group=sentence&after=x&bogus=1")
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
    "violated": "all",
    "sort": "suspicion",
    "reverse": "1",
}


def test_every_filter_of_findings_is_shown_and_passed_on(page):
    query = "&".join(f"{name}={value}" for name, value in FILTERS.items())
    text = page.get(f"/export?{query}").text
    assert dict(PILL.findall(text)) == FILTERS
    (link,) = re.findall(r'href="/export/findings/jsonl\?([^"]+)"', text)
    assert link.replace("&amp;", "&") == query

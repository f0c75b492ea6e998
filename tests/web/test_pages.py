"""What every page shows of an ordinary workspace, of an empty one, and of one that strangers have written."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import quote

import pytest

from concord import api
from concord.labels.labels import Label, Labels
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace
from concord.store.label_rows import outputs_of

ADDRESSES = ["/", "/findings", "/findings?by=case", "/findings?by=problem", "/findings?flagged=all"]
ADDRESSES += ["/label", "/evaluate", "/compare", "/run", "/try"]
PAYLOADS = [
    "<script>alert(1)</script>",
    '"\' onmouseover=alert(1) x="',
    "<svg/onload=alert(1)>",
    "</title></textarea><img src=x onerror=alert(1)>",
    "*{background:url(javascript:alert(1))}",
    "{{ 12345*6789 }}{% raw %}",
    "&lt;b&gt; &#x3c;i&#x3e;",
    "\u202eevil\u2066\u200b\x00\x1b[31m",
    "javascript:alert(1)//",
]


class Seen(HTMLParser):
    """The elements and attributes of a page, as a browser would read them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.fixture(params=PAYLOADS)
def payload(request):
    return request.param


def hostile(path, words):
    """A workspace that has the same words in every field that others can fill."""
    facts = {"signature": f"rti|{words}", "relation": "rti", "settings": {"metric": words}, "system": words}
    facts |= {"source": "en", "target": "es", "corpus": f"{words}#1", "seed": 1, "notes": [words], "given": words}
    source, output = Text(words, "en"), Text(words + "!", "es")
    with Workspace(path) as store:
        for _ in range(2):
            record = store.begin(facts)
            case = Case(
                source,
                output,
                output,
                source,
                (source, output),
                0.9,
                0.5,
                steps={words: output},
                scores={words: 0.5},
                factors={words: words},
                evidence={words: words, "blamed": [{"word": words, "why": words}], "marked": {"source": words}},
            )
            good = Segment(words, source, 0, words, words)
            bad = Segment(words, source, 1, words)
            store.add(record, [Outcome(good, 0, [case]), Outcome(bad, error=words)])
            store.finish(record)
        row = next(row for row in store.rows([1]) if "case" in row)
        Labels(store).save(
            [Label(row["case"], words[:80].strip("\x00") or "a", "error", outputs_of(row), comment=words)]
        )
    return row["case"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_page_answers(page, address):
    answer = page.get(address)

    assert answer.status_code == 200
    assert Seen(answer.text).tags.count("h1") == 1
    assert 'aria-current="page"' in answer.text


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_workspace_without_runs_is_no_error(tmp_path, browse, address):
    Workspace(tmp_path / "empty.sqlite").close()

    assert browse(tmp_path / "empty.sqlite").get(address).status_code == 200


def test_what_strangers_wrote_stays_text(tmp_path, browse, payload):
    case = hostile(tmp_path / "w.sqlite", payload)
    page = browse(tmp_path / "w.sqlite", systems=(payload,))

    for address in [
        *ADDRESSES,
        f"/case/{case}?run=1",
        f"/case/{case}/structure?run=1",
        f"/findings?text={quote(payload)}",
    ]:
        answer = page.get(address)
        assert answer.status_code in (200, 400), address
        seen = Seen(answer.text)
        scripts = [value for tag, name, value in seen.attributes if tag == "script" and name == "src"]
        assert seen.tags.count("script") == len(scripts), address
        assert all(value.startswith("/static/") for value in scripts)
        assert not {"img", "iframe", "object", "embed", "base", "style"} & set(seen.tags), address
        assert not [name for _, name, _ in seen.attributes if name.startswith("on") or name == "style"], address
        led = [value for _, name, value in seen.attributes if name in ("href", "src", "action", "formaction")]
        assert not [value for value in led if re.match(r"\s*(javascript|data|vbscript):", value.lower())], address
        # The product; a shorter number may stand in the time of day.
        assert "83810205" not in seen.words, address
        assert not set("\u202e\u2066\u200b\x00\x1b") & set(answer.text), address


@pytest.mark.parametrize(
    "query", ["least=x", "run=x", "run=99", "label=nonsense", "sort=nonsense", "by=x", "flagged=maybe"]
)
def test_a_filter_that_means_nothing_is_told_in_words(page, query):
    answer = page.get(f"/findings?{query}")

    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


@pytest.mark.parametrize("after", ["x", "%00", "AAAA", "1.2.3", "'; DROP TABLE cases"])
def test_a_place_that_is_none_is_told_in_words(page, after):
    assert page.get(f"/findings?after={after}").status_code == 400


@pytest.mark.parametrize(
    "address", ["/case/xyz", "/case/00ff", "/case/00ff/structure", "/nothing", "/run/99", "/try/99"]
)
def test_what_is_not_there_is_not_found(page, address):
    assert page.get(address).status_code in (400, 404)


def test_findings_lead_to_their_own_address(page, workspace):
    worst = api.cases(workspace).rows[0]
    listed = page.get("/findings").text
    link = f"/case/{worst['case']}?run={worst['run']}"

    assert link in listed
    alone = page.get(link)
    assert alone.status_code == 200
    assert worst["source"]["words"] in Seen(alone.text).words


def test_pages_of_findings_lead_on_and_back(page, workspace):
    every = api.cases(workspace, api.Filter(flagged=None), limit=1000).rows
    assert len(every) > 20, "the example must have more than a page"
    first = page.get("/findings?flagged=all").text
    onwards = re.search(r'href="([^"]+)" rel="next"', first)[1].replace("&amp;", "&")
    second = page.get(onwards).text
    back = re.search(r'href="([^"]+)" rel="prev"', second)[1].replace("&amp;", "&")

    cases = [re.findall(r'href="/case/([0-9a-f]+)', text) for text in (first, second, page.get(back).text)]
    assert cases[0] + cases[1] == [row["case"] for row in every[:40]]
    assert cases[2] == cases[0]


def test_filters_narrow_what_is_listed(page, workspace):
    relations = {row["relation"] for row in api.cases(workspace, api.Filter(relations=("rti",), flagged=None)).rows}
    text = page.get("/findings?relation=rti&flagged=all").text

    assert relations == {"rti"}
    assert not re.search(r"</a> rtt ", text)
    word = "the"
    assert word in page.get(f"/findings?text={word}&flagged=all").text
    assert "No finding matches" in page.get("/findings?text=zeppelin").text
    assert page.get("/findings?text=+").status_code == 200
    signs = page.get("/findings?text=*")
    assert (signs.status_code, "has no word to look for" in signs.text) == (400, True)


def test_the_structure_of_a_finding_is_drawn_when_asked_for(page, workspace):
    row = next(
        row for row in api.cases(workspace, api.Filter(flagged=None), limit=100).rows if row["relation"] == "rti"
    )
    answer = page.get(f"/case/{row['case']}/structure?run={row['run']}")

    assert answer.status_code == 200
    assert "<svg" in answer.text
    assert "<style" not in answer.text
    assert "Parsed by concord_en" in answer.text


def test_texts_tell_their_language_and_find_their_direction(tmp_path, browse):
    path = tmp_path / "w.sqlite"
    facts = {"signature": "rtt", "relation": "rtt", "settings": {}, "system": "mt", "source": "ar", "target": "zh"}
    source, output = Text("أغلق الجسر القديم", "ar"), Text("老桥已关闭", "zh")
    with Workspace(path) as store:
        record = store.begin(facts | {"corpus": "c#1", "seed": 1})
        case = Case(source, output, output, source, (source, source), 0.9, 0.5)
        store.add(record, [Outcome(Segment("s", source, 0), 0, [case])])
        store.finish(record)
    text = browse(path).get("/findings").text

    assert re.search(r'lang="ar" dir="auto"', text)
    assert re.search(r'lang="zh" dir="auto"', text)
    assert "老桥" in browse(path).get("/findings?text=老桥").text


def test_an_unreadable_workspace_is_told_in_words(workspace, page):
    workspace.write_bytes(b"not a database at all" * 1000)

    assert page.get("/findings").status_code == 503

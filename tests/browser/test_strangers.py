"""Texts of strangers in a real browser: hostile ones do nothing, and every script is set in its own direction."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace
from concord.store.labels import Label, Labels, outputs_of
from concord.store.samples import Samples

PAYLOADS = [
    "<script>alert(1)</script>",
    "\"' autofocus onfocus=alert(1) onmouseover=alert(1) x=\"",
    "<svg/onload=alert(1)>",
    "</title></textarea></select></script><img src=x onerror=alert(1)>",
    "<style>*{background:url(//127.0.0.1:9/x)}</style>",
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe><base href=//127.0.0.1:9/>",
    "<form action=//127.0.0.1:9/><button autofocus>x</button><meta http-equiv=refresh content='0;url=/nothing'>",
    "javascript:alert(1)//",
    "\u202eevil\u2066\u200b\x1b[31m",
]
ADDRESSES = ["/", "/findings?violated=all", "/findings?group=sentence", "/findings?group=translation", "/label"]
ADDRESSES += ["/label/queue/{queue}?place=1&evidence=1", "/evaluate", "/compare?before=1&after=2", "/compare/systems"]
ADDRESSES += ["/run", "/try", "/export", "/case/{case}?run=1", "/label/case/{case}?run=1"]
TEXTS = {
    "ar": ("أغلق الجسر القديم بعد 3 أيام من المطر.", "rtl"),
    "he": ("הגשר הישן נסגר (ב־1998) אחרי הגשם.", "rtl"),
    "fa": ("پل قدیمی پس از باران بسته شد.", "rtl"),
    "zh": ("老桥在暴雨后关闭。", "ltr"),
    "ja": ("古い橋は大雨のあと閉鎖された。", "ltr"),
    "ko": ("오래된 다리가 폭우 뒤에 폐쇄되었다.", "ltr"),
    "th": ("สะพานเก่าปิดหลังฝนตกหนัก", "ltr"),
    "es": ("El puente viejo se cerró.", "ltr"),
}


def hostile(path, words: str) -> str:
    """A workspace that has the same words in every field that others can fill; gives its case."""
    facts = {"signature": f"rti|{words}", "relation": "rti", "settings": {"metric": words}, "system": words}
    facts |= {"source": "en", "target": "es", "corpus": f"{words}#1", "seed": 1, "notes": [words], "given": words}
    source, output = Text(words, "en"), Text(words + "!", "es")
    evidence = {words: words, "blamed": [{"word": words, "why": words}], "marked": {"source": words}}
    case = Case(source, output, output, source, (source, output), 0.9, 0.5, evidence=evidence)
    case.steps, case.scores, case.factors = {words: output}, {words: 0.5}, {words: words}
    with Workspace(path) as store:
        for _ in range(2):
            record = store.begin(facts)
            segments = [Segment(words, source, place, words) for place in (0, 1)]
            store.add(record, [Outcome(segments[0], 0, [case]), Outcome(segments[1], error=words)])
            store.finish(record)
        row = next(row for row in store.rows([1]) if "case" in row)
        said = {"comment": words, "correction": words}
        Labels(store).save([Label(row["case"], who, "error", outputs_of(row), **said) for who in (words[:80], "Ada")])
        Samples(store).draw("queue", [1], size=1)
    return row["case"]


@pytest.mark.parametrize("words", PAYLOADS, ids=range(len(PAYLOADS)))
def test_what_strangers_wrote_does_nothing_on_any_page(tmp_path, serve, visit, words):
    path = tmp_path / "hostile.sqlite"
    case = hostile(path, words)
    page = visit(serve(path), who="Ada")
    asked = []
    page.on("request", lambda request: asked.append(request.url))

    for address in ADDRESSES:
        page.goto(address.format(case=case, queue="queue"))
        assert page.get_by_role("heading", level=1).count() == 1
        page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        page.mouse.move(200, 300)
    here = page.evaluate("() => location.origin + '/'")
    assert [each for each in asked if not each.startswith(here)] == []


def test_a_breach_of_the_policy_is_noticed(served, visit, complaints):
    page = visit(served)
    page.goto("/")
    page.evaluate("() => { const made = document.createElement('script'); made.text = 'alert(1)'; document.body.append(made); }")

    assert any("Content Security Policy" in each for each in complaints)
    complaints.clear()


def test_every_text_is_set_in_the_direction_of_its_script(tmp_path, serve, visit):
    path = tmp_path / "scripts.sqlite"
    facts = {"signature": "rtt", "relation": "rtt", "settings": {}, "system": "mt", "source": "en", "corpus": "c#1"}
    source = Text("The old bridge was closed.", "en")
    with Workspace(path) as store:
        for lang, (words, _) in TEXTS.items():
            record = store.begin(facts | {"target": lang, "seed": 1})
            output = Text(words, lang)
            case = Case(source, output, output, source, (source, source), 0.9, 0.5)
            store.add(record, [Outcome(Segment("s", source, 0), 0, [case])])
            store.finish(record)
    page = visit(serve(path))
    page.goto("/findings")

    for lang, (words, direction) in TEXTS.items():
        text = page.locator(f".words[lang={lang}]").first
        expect(text).to_have_text(words)
        expect(text).to_have_css("direction", direction)
        starts_left = "each => { const range = document.createRange(); range.selectNodeContents(each);" \
            " const [text, box] = [range, each].map((one) => one.getBoundingClientRect());" \
            " return text.left - box.left < box.right - text.right; }"
        assert text.evaluate(starts_left) == (direction == "ltr"), lang
    page.get_by_label("With these words").fill("老桥")
    expect(page.get_by_role("article")).to_have_count(1)
    expect(page.get_by_role("article")).to_contain_text(TEXTS["zh"][0])

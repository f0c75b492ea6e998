"""Texts of strangers in a real browser: hostile ones do nothing, and every script is set in its own direction."""

from __future__ import annotations

from urllib.parse import quote

from playwright.sync_api import expect

from concord.labels.labels import Label, Labels
from concord.labels.queues import Samples
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace
from concord.store.label_rows import outputs_of

PAYLOADS = [
    "<script>alert(1)</script>",
    '"\' autofocus onfocus=alert(1) onmouseover=alert(1) x="',
    "<svg/onload=alert(1)>",
    "</title></textarea></select></script><img src=x onerror=alert(1)>",
    "<style>*{background:url(//127.0.0.1:9/x)}</style>",
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe><base href=//127.0.0.1:9/>",
    "<form action=//127.0.0.1:9/><button autofocus>x</button><meta http-equiv=refresh content='0;url=/nothing'>",
    "javascript:alert(1)//",
    "\u202eevil\u2066\u200b\x1b[31m",
]
QUEUE = "<b>\"queue'"
ADDRESSES = ["/", "/findings", "/findings?flagged=all", "/findings?by=case", "/findings?by=problem", "/label"]
ADDRESSES += ["/evaluate", "/compare/systems", "/run", "/try", "/export", "/findings?text=<svg/onload=alert(1)>"]
OF_EACH = ["/case/{case}?run={before}", "/label/case/{case}?run={before}", "/compare?before={before}&after={after}"]
OF_EACH += [f"/label/queue/{quote(QUEUE)}?place={{place}}&evidence=1"]
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
STARTS_LEFT = """(element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const [text, box] = [range, element].map((each) => each.getBoundingClientRect());
  return text.left - box.left < box.right - text.right;
}"""


def hostile(path) -> list[str]:
    """A workspace that has each of the words in every field that others can fill; gives its cases."""
    with Workspace(path) as store:
        for words in PAYLOADS:
            for _ in range(2):
                store.finish(_run(store, words))
        rows = [row for row in store.rows(range(1, 2 * len(PAYLOADS) + 1)) if "case" in row]
        Labels(store).save([_label(row, who) for row in rows[::2] for who in (row["system"][:80], "Ada")])
        Samples(store).draw(QUEUE, range(1, 2 * len(PAYLOADS), 2), size=len(PAYLOADS), seed=0)
    return [row["case"] for row in rows[::2]]


def _run(store, words):
    facts = {"signature": f"rti|{words}", "relation": "rti", "settings": {"metric": words}, "system": words}
    facts |= {"source": "en", "target": "es", "corpus": f"{words}#1", "seed": 1, "notes": [words], "given": words}
    source, output = Text(words, "en"), Text(words + "!", "es")
    evidence = {words: words, "blamed": [{"word": words, "why": words}], "marked": {"source": words}}
    more = {"steps": {words: output}, "scores": {words: 0.5}, "factors": {words: words}, "evidence": evidence}
    case = Case(source, output, output, source, (source, output), 0.9, 0.5, **more)
    record = store.begin(facts)
    segments = [Segment(words, source, place, words) for place in (0, 1)]
    store.add(record, [Outcome(segments[0], 0, [case]), Outcome(segments[1], error=words)])
    return record


def _label(row, who):
    words = row["system"]
    return Label(row["case"], who, "error", outputs_of(row), comment=words, correction=words)


def test_what_strangers_wrote_does_nothing_on_any_page(tmp_path, serve, visit):
    path = tmp_path / "hostile.sqlite"
    cases = hostile(path)
    page = visit(serve(path), who="Ada")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    each = [
        address.format(case=case, place=place, before=2 * place - 1, after=2 * place)
        for place, case in enumerate(cases, start=1)
        for address in OF_EACH
    ]

    for address in [*ADDRESSES, *each]:
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        page.mouse.move(200, 300)
    assert len(cases) == len(PAYLOADS)
    assert [where for where in asked if not where.startswith(page.evaluate("() => location.origin + '/'"))] == []


def test_a_breach_of_the_policy_is_noticed(served, visit, complaints):
    page = visit(served)
    page.goto("/")
    page.evaluate("() => document.body.append(Object.assign(document.createElement('script'), { text: 'alert(1)' }))")

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
        assert text.evaluate(STARTS_LEFT) == (direction == "ltr"), lang
    page.get_by_label("Search").fill("老桥")
    expect(page.get_by_role("article")).to_have_count(1)
    expect(page.get_by_role("article")).to_contain_text(TEXTS["zh"][0])

"""Take pictures of every page, light and dark: `python docs/screenshots.py` writes `docs/pictures/<page>-<scheme>.png`.

Runs and findings in them are real: Apertium on the bundled corpus, once as it is and once with words dropped. What the
two annotators say is made up, by the suspicion of a case and a little chance.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from concord import api

PICTURES = Path(__file__).with_name("pictures")
SIZE = {"width": 1280, "height": 900}
PATIENCE = 300_000
WORSE = "faulty:apertium,kind=drop_word,rate=0.15"
SENTENCE = "The old stone bridge was closed after heavy rain damaged two of its pillars."
PAGES = {
    "overview": "/",
    "findings": "/findings?relation=rti",
    "finding": "/case/{case}?run={run}",
    "label": "/label/queue/monday",
    "evaluate": "/evaluate",
    "threshold": "/evaluate#threshold",
    "compare": "/compare?before={before}&after={after}",
    "run": "/run",
    "try": "/try",
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder) / "concord.sqlite"
        fill(workspace)
        with served(workspace) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium-headless-shell"), args=["--no-sandbox"]
            )
            for scheme in ("light", "dark"):
                take(browser, address, scheme, facts(workspace))
            browser.close()


def fill(workspace: Path) -> None:
    """Two systems, two languages, three relations, a queue, and two people who have labelled most of it."""
    corpus = api.read("demo", "en", limit=150)
    for relations, systems in ((["rtt", "rti", "pivot"], ["apertium"]), (["rtt", "rti"], [WORSE])):
        api.run(corpus, relations=relations, systems=systems, to=["es", "ca"], workspace=workspace)
    api.draw_queue(workspace, name="monday", size=160, seed=1)
    chance = random.Random(1)
    for place in range(1, 121):
        row = api.turn(workspace, "monday", "Ada", place=place).row
        assert row
        likely = 0.75 if row["flagged"] else 0.12
        truth = chance.random() < likely
        for who in ("Ada", "Grace") if place <= 60 else ("Ada",):
            wrong = truth if chance.random() < 0.9 else not truth
            api.say(workspace, {"case": row["case"], "verdict": "error" if wrong else "correct"}, annotator=who)


def facts(workspace: Path) -> dict[str, object]:
    worst = api.cases(workspace, api.Filter(relations=("rti",), systems=("apertium",))).rows[0]
    before, *_, after = [run.id for run in api.runs(workspace) if (run.relation, run.target) == ("rti", "es")]
    return {"case": worst["case"], "run": worst["run"], "before": before, "after": after}


@contextmanager
def served(workspace: Path) -> Iterator[str]:
    words = ["serve", str(workspace), "--no-browser", "--port", "0", "--system", WORSE]
    process = subprocess.Popen([sys.executable, "-m", "concord.cli", *words], stderr=subprocess.PIPE, text=True)
    assert process.stderr
    found = re.search(r"http://\S+", process.stderr.readline())
    assert found, "the server did not start"
    yield found[0]
    process.terminate()
    process.communicate()


def take(browser: Browser, address: str, scheme: str, told: dict[str, object]) -> None:
    context = browser.new_context(base_url=address, viewport=SIZE, color_scheme=scheme)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    context.add_cookies([{"name": "concord-annotator", "value": "Ada", "url": address}])
    page = context.new_page()
    for name, where in PAGES.items():
        page.goto(where.format(**told))
        if name == "try":
            attempt(page)
        if "evaluate" in where:
            expect(page.get_by_role("slider")).to_be_visible(timeout=PATIENCE)
        page.screenshot(path=PICTURES / f"{name}-{scheme}.png", scale="css", animations="disabled")
    context.close()


def attempt(page: Page) -> None:
    """A sentence that has been tried."""
    page.get_by_label("System").select_option("apertium")
    page.get_by_label("Sentence").fill(SENTENCE)
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("status")).to_have_text("All checks are done.", timeout=PATIENCE)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=PATIENCE)


if __name__ == "__main__":
    main()

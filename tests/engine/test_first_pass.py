"""Word alignment is learnt from a run's own texts before any is judged, and is the same however the run goes."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

import concord.api
from concord.api import Settings
from concord.engine.first_pass import first_pass
from concord.engine.services import Terms, needed, service
from concord.engine.translating import Translating
from concord.errors import Refused, UserError
from concord.model import Segment, System, Text
from concord.plugins import load
from concord.text.aligned import aligned, learnt

SPANISH = {"the": "el", "cat": "gato", "dog": "perro", "bird": "pajaro", "sees": "mira", "hears": "oye", "and": "y"}
ANIMALS, VERBS = ("cat", "dog", "bird"), ("sees", "hears")
TEXTS = [f"the {a} {verb} the {b}" for a in ANIMALS for verb in VERBS for b in ANIMALS if a != b]
RELATION = '''
"""Linked: every word is translated by some word."""
from concord.model import Case
async def check(x, translate, align, parse, *, to, threshold=0.5, trees=False):
    assert (parse is None) is not trees
    y = await translate(x, to)
    linked = await align(x, y)
    words = {linked.source[link.source].text: linked.target[link.target].text for link in linked.links}
    return [Case(x, y, y, y, (x, y), 0.0, threshold, evidence={"words": words})]
def needs(*, threshold, trees):
    return {"align", "parse"} if trees else {"align"}
'''


class Spanish(System):
    """Word for word, with two words in the other order; it counts what it is asked."""

    id = "spanish"

    def __init__(self, refused: str = "") -> None:
        self.asked: list[str] = []
        self._refused = refused

    async def translate(self, texts, source, target):
        self.asked += texts
        return [Refused("no") if text == self._refused else _spanish(text) for text in texts]


def _spanish(text: str) -> str:
    words = [SPANISH.get(word, word) for word in text.split()]
    return " ".join([*words[3:], *words[:3]])


def _segments(texts: list[str]) -> list[Segment]:
    return [Segment(str(at), Text(text, "en"), at) for at, text in enumerate(texts)]


def test_the_first_pass_asks_each_text_once_and_gives_pairs_in_the_order_of_the_corpus() -> None:
    system = Spanish()
    pairs = asyncio.run(first_pass(_segments([*TEXTS, *TEXTS]), Translating(system, None), "es"))
    assert [x.words for x, _ in pairs] == TEXTS
    assert [y.words for _, y in pairs] == [_spanish(text) for text in TEXTS]
    assert sorted(system.asked) == sorted(TEXTS)


def test_what_cannot_be_translated_is_not_learnt_from() -> None:
    pairs = asyncio.run(first_pass(_segments(TEXTS), Translating(Spanish(TEXTS[0]), None), "es"))
    assert [x.words for x, _ in pairs] == TEXTS[1:]


def test_words_are_linked_as_the_texts_tell() -> None:
    model = learnt([(Text(text, "en"), Text(_spanish(text), "es")) for text in TEXTS], langs=("en", "es"))
    (found,) = aligned(model, [(Text("the cat hears the dog", "en"), Text("el perro el gato oye", "es"))])
    assert [token.text for token in found.translating(4, 7)] == ["gato"]
    assert {token.text for token in found.translating(0, 3)} == {"el"}


def test_a_run_links_words_by_its_own_texts_whatever_the_number_of_workers(guest, tmp_path: Path) -> None:
    guest("relations", "linked", RELATION)
    corpus, table = tmp_path / "texts.txt", tmp_path / "table.tsv"
    corpus.write_text("\n".join(TEXTS) + "\n")
    table.write_text("".join(f"en\tes\t{text}\t{_spanish(text)}\n" for text in TEXTS))
    found = []
    for workers in (1, 2):
        workspace = tmp_path / f"{workers}.sqlite"
        (summary,) = concord.api.run(
            corpus,
            relations=["linked"],
            systems=[f"table:{table}"],
            to=["es"],
            workspace=workspace,
            settings=Settings(workers=workers),
        )
        assert "|align:concord@1|" in summary.run.signature
        assert "parse" not in summary.run.signature
        rows = list(concord.api.rows(workspace))
        assert {row["error"] for row in rows} == {None}
        found.append(sorted(json.dumps([row["source"], row["evidence"]]) for row in rows))
    assert found[0] == found[1]
    assert all('"cat": "gato"' in row for row in found[0] if "cat" in row)


def test_a_service_that_the_options_do_not_need_is_not_made(guest) -> None:
    guest("relations", "linked", RELATION)
    relation = load("relations", "linked")
    assert needed(relation, {"threshold": 0.5, "trees": False, "to": "es"}) == ["align"]
    assert needed(relation, {"threshold": 0.5, "trees": True}) == ["align", "parse"]


def test_words_of_another_direction_are_refused() -> None:
    asked = service("align", {}, Terms("en", target="es"))
    with pytest.raises(UserError, match="between en and es, not es-en"):
        asked.verb(Text("hola", "es"), Text("hello", "en"))

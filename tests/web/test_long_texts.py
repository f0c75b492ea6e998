"""Long texts on pages: cut around the first mark, whole for whoever unfolds them, with the marks where they belong."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord import api
from concord.language import word_diff
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace
from concord.views import highlight
from concord.views.case import drawn
from concord.views.highlight import Excerpt, Piece
from concord.web.long_texts import LONG, PAGE, SHORT, WHOLE, WITHIN, TextBudget, drawn_whole, fold, part_of

PIECES = st.lists(st.builds(Piece, st.text("ab <&", min_size=1, max_size=400), st.booleans()), max_size=12)
BEFORE, WORD = "word " * 1_600, "WRONG"


class Words(HTMLParser):
    """The texts of a page: those in sight and those that are folded, each with its marks."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.folded: list[str] = []
        self._fold = self._words = False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        told = dict(attrs).get("class") or ""
        self._fold = self._fold or (tag == "details" and told == "long")
        if tag == "p" and told == "words":
            self._words = True
            (self.folded if self._fold else self.seen).append("")
        if tag == "mark":
            self._add("[")

    def handle_endtag(self, tag):
        if tag == "mark":
            self._add("]")
        self._words = self._words and tag != "p"
        self._fold = self._fold and tag != "details"

    def handle_data(self, data):
        self._add(data)

    def _add(self, words):
        if self._words:
            (self.folded if self._fold else self.seen)[-1] += words


def bare(pieces) -> str:
    return "".join(each.words for each in pieces)


@given(PIECES, st.integers(0, 9), st.integers(0, 9))
def test_what_is_shown_is_a_part_of_the_whole_with_its_first_mark(pieces, before, after):
    part = Excerpt(pieces, before, after)
    found = fold(part)
    length = len(bare(pieces))

    assert (found is None) == (length <= LONG)
    if found is None:
        return
    start, end = found.short.before - before, found.short.after - after
    assert found.all == part
    assert bare(found.short.pieces) == bare(pieces)[start : length - end]
    assert len(bare(found.short.pieces)) == SHORT
    assert any(each.differs for each in found.short.pieces) == any(each.differs for each in pieces)


def test_what_unfolding_brings_is_said():
    two = [Piece("x", True), Piece("y" * 5_000, False), Piece("z", True)]
    assert fold(Excerpt(two)).summary == "Show all 5,002 characters, 1 more marked"
    assert fold(Excerpt([Piece("y" * 1_000, False)])).summary == "Show all 1,000 characters"
    assert fold(part_of([Piece("y" * 100_000, False)])).summary == "Show 20,000 of 100,000 characters"


@pytest.mark.parametrize("draw", [TextBudget(0).drawn, drawn_whole, drawn], ids=["page without room", "page", "report"])
def test_a_text_is_shown_from_where_words_were_inserted_and_not_where_the_other_was_cut(draw):
    tale = " ".join(f"the door of house {number}" for number in range(3_000))
    texts = (
        {"words": f"It begins with {tale}", "lang": "en"},
        {"words": f"It begins with new words and {tale}", "lang": "en"},
    )
    roles = ("source", "follow_up", "source_output", "follow_up_output")
    row = dict(zip(roles, ({"words": "s", "lang": "en"}, {"words": "f", "lang": "en"}, *texts), strict=True))
    row |= {"compared": list(texts), "scores": {}, "factors": {}, "evidence": {}, "steps": {}, "directions": {}}
    row |= {"suspicion": 0.9, "flagged": True, "threshold": 0.5, "text": "s", "reference": None, "position": 0}
    boxes = draw(row | {"source_lang": "en", "target_lang": "en", "operator": ">"}).boxes
    assert [boxes[role].part.before for role in roles] == [0, 0, 0, 0]
    assert not any(piece.differs for piece in boxes["source_output"].part.pieces)
    assert [piece.words for piece in boxes["follow_up_output"].part.pieces if piece.differs] == ["new words and"]


@pytest.fixture
def path(tmp_path):
    """A sentence of ten thousand characters, in two runs; the second run's output has a wrong word far inside."""
    path = tmp_path / "long.sqlite"
    source = Text("source " * 1_430, "en")
    facts = {"signature": "rti", "relation": "rti", "settings": {}, "system": "mt", "source": "en", "target": "es"}
    with Workspace(path) as store:
        for word, suspicion in (("right", 0.1), (WORD, 0.9)):
            output = Text(BEFORE + word + " word" * 400, "es")
            follow_up = Text("short", "en"), Text(BEFORE + "right" + " word" * 400, "es")
            place = {"role": "source_output", "start": len(BEFORE), "end": len(BEFORE) + len(word), "kind": "changed"}
            case = Case(source, follow_up[0], output, follow_up[1], (output, follow_up[1]), suspicion, 0.5)
            case.evidence, case.steps = {"places": [place]}, {"step": Text("s" * 9_999, "es")}
            record = store.begin(facts | {"corpus": "c#1", "seed": 1})
            store.add(record, [Outcome(Segment("s", source, 0, reference="r" * 7_000), 0, [case])])
            store.finish(record)
    return path


def test_a_very_long_sentence_is_a_short_entry_that_can_be_unfolded(path, browse):
    found = Words(browse(path).get("/findings?run=2").text)

    assert all(len(each) <= SHORT + 2 for each in found.seen)
    (output,) = [each for each in found.seen if WORD in each]
    assert f"[{WORD}]" in output
    whole = {each.replace("[", "").replace("]", "") for each in found.folded}
    assert {"source " * 1_430, BEFORE + WORD + " word" * 400, "s" * 9_999, "r" * 7_000} <= whole
    assert f"{BEFORE}[{WORD}]{' word' * 400}" in found.folded
    assert [each for each in found.seen if each == "short"] == ["short"]


@pytest.mark.parametrize("address", ["/findings?run=2&by=case", "/case/{case}?run=2"])
def test_it_is_folded_wherever_a_case_is_drawn(path, browse, address):
    case = api.cases(path, api.Filter(runs=(2,))).rows[0]["case"]
    found = Words(browse(path).get(address.format(case=case)).text)

    assert f"{BEFORE}[{WORD}]{' word' * 400}" in found.folded
    assert all(len(each) <= SHORT + 2 for each in found.seen)


def test_before_somebody_has_spoken_what_is_shown_gives_nothing_away(path, browse):
    page = browse(path)
    page.submit("/label/who", {"annotator": "ana", "next": "/label"})
    case = api.cases(path, api.Filter(runs=(2,))).rows[0]["case"]
    answer = page.get(f"/label/case/{case}?run=2")
    found = Words(answer.text)

    assert "<mark" not in answer.text
    assert "more marked" not in answer.text
    assert BEFORE + WORD + " word" * 400 in found.folded
    assert (BEFORE + WORD)[:SHORT] in found.seen
    assert WORD in "".join(Words(page.get(f"/label/case/{case}?run=2&evidence=1").text).seen)


def test_two_runs_are_compared_by_short_entries(path, browse):
    answer = browse(path).get("/compare?before=1&after=2")
    found = Words(answer.text)

    assert all(len(each) <= SHORT + 2 for each in found.seen)
    assert any(f"[{WORD}]" in each for each in found.seen)
    assert f"{BEFORE}[{WORD}]{' word' * 400}" in found.folded


def test_nobody_is_sent_more_than_a_page_can_bear(tmp_path, browse):
    path = tmp_path / "endless.sqlite"
    source, output = Text("a" * 300_000, "en"), Text("b" * 300_000, "es")
    with Workspace(path) as store:
        facts = {"signature": "rtt", "relation": "rtt", "settings": {}, "system": "mt", "source": "en", "target": "es"}
        record = store.begin(facts | {"corpus": "c#1", "seed": 1})
        case = Case(source, output, output, source, (source, output), 0.9, 0.5)
        store.add(record, [Outcome(Segment("s", source, 0), 0, [case])])
        store.finish(record)
    text = browse(path).get("/findings").text

    assert re.search(r"Show 20,000 of 300,000 characters", text)
    assert len(text) < 8 * WHOLE


def test_texts_that_begin_alike_are_not_taken_for_each_other(path):
    row = api.cases(path, api.Filter(runs=(2,))).rows[0]
    ends = {"first pivot": "15 mg", "second pivot": "51 mg"}
    steps = {name: {"words": BEFORE + end, "lang": "de"} for name, end in ends.items()}
    aside = {each.names[0]: bare(each.part.pieces) for each in drawn_whole({**row, "steps": steps}).aside}

    assert {name: aside[name] for name in ends} == {name: BEFORE + end for name, end in ends.items()}


def test_a_long_text_is_compared_once(path, monkeypatch):
    row = {**api.cases(path, api.Filter(runs=(2,))).rows[0], "evidence": {}}
    asked, compare = [], highlight.diff
    monkeypatch.setattr(highlight, "diff", lambda *texts: (asked.append(texts), compare(*texts))[1])
    drawn_whole(row)

    assert len(asked) == 1


def test_where_there_is_no_room_for_a_long_text_only_its_beginning_is_compared(path, monkeypatch):
    row = {**api.cases(path, api.Filter(runs=(2,))).rows[0], "evidence": {}}
    compared, split = [], word_diff._Split.cut
    monkeypatch.setattr(word_diff._Split, "cut", lambda text, lang: (compared.append(len(text)), split(text, lang))[1])
    one = TextBudget(characters=0).drawn(row)

    assert max(compared) <= WITHIN
    assert f"[{WORD}]" in "".join(f"[{each.words}]" for each in one.boxes["source_output"].part.pieces if each.differs)
    assert TextBudget().drawn(row) == drawn_whole(row)


def test_many_long_cases_share_what_a_page_can_bear(tmp_path, browse):
    path, number = tmp_path / "many.sqlite", 40
    source = Text("a " * 30_000, "en")
    with Workspace(path) as store:
        facts = {"signature": "rti", "relation": "rti", "settings": {}, "system": "mt", "source": "en", "target": "es"}
        record = store.begin(facts | {"corpus": "c#1", "seed": 1})
        output = Text("b " * 30_000, "es")
        pairs = [(Text(f"a{each} " * 10_000, "en"), Text(f"{output.words}{each}", "es")) for each in range(number)]
        cases = [Case(source, text, output, answer, (output, answer), 0.9, 0.5) for text, answer in pairs]
        sentence = Segment("s", Text("s " * 30_000, "en"), 0, reference="r " * 30_000)
        store.add(record, [Outcome(sentence, 0, cases)])
        store.finish(record)
    answer = browse(path).get("/findings?by=case").text
    found = Words(answer)
    listed, boxes = 20, 6

    assert answer.count("<article") == listed
    assert len(found.seen) == boxes * listed
    assert sum(len(each) for each in found.folded) <= PAGE + len(found.folded) * 2
    more = re.findall(r'<a href="(/case/[^"]+)">Open the case</a>', answer)
    assert len(more) == boxes * listed - len(found.folded)
    assert more
    for address in more[:1]:
        assert len(Words(browse(path).get(address.replace("&amp;", "&")).text).folded) == boxes

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import pytest

from concord.model import Case, Outcome, Segment, Text
from concord.store import RunRecord, Spent, Workspace
from concord.views.html import report

HOSTILE = (
    "</style></title></script><script>alert(1)</script><img src=x onerror=alert(1)>\" ' onload=x `"
    "<svg onload=alert(1)></svg>{{7*7}}{% raw %}]]>--><!-- &lt; &#60; }*{color:red} javascript:x url(http://evil.test)"
    "\u202egnp\u2066\x00\x1b[31m\x9b\x7f\u2028"
)
VOID = {"meta", "br"}

Begin = Callable[..., RunRecord]
MakeCase = Callable[..., Case]
MakeOutcome = Callable[..., Outcome]


@dataclass
class Element:
    tag: str
    attributes: dict[str, str | None]
    inside: list[Element | str] = field(default_factory=list)

    def every(self) -> list[Element]:
        return [self, *(found for each in self.inside if isinstance(each, Element) for found in each.every())]

    def find(self, tag: str = "", css: str = "") -> list[Element]:
        classes = set(css.split())
        return [
            each
            for each in self.every()
            if tag in ("", each.tag) and classes <= set((each.attributes.get("class") or "").split())
        ]

    @property
    def text(self) -> str:
        return "".join(each if isinstance(each, str) else each.text for each in self.inside)

    @property
    def line(self) -> str:
        return " ".join(self.text.split())


class Tree(HTMLParser):
    """A page as elements; an end tag that closes another element than the last one opened is an error."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.root = Element("", {})
        self._open = [self.root]
        self.feed(page)
        self.close()
        assert self._open == [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, dict(attrs))
        assert len(made.attributes) == len(attrs)
        self._open[-1].inside.append(made)
        if tag not in VOID:
            self._open.append(made)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].inside.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self._open[-1].inside.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError("the page has no comments")


def tree(page: str) -> Element:
    return Tree(page).root


def skeleton(page: Element) -> list[tuple[str, list[tuple[str, str | None]]]]:
    """Everything but the words: elements, attributes, and all values except languages."""
    return [(each.tag, [(n, "" if n == "lang" else v) for n, v in each.attributes.items()]) for each in page.every()]


@pytest.fixture
def page(workspace: Workspace, begin: Begin, outcome: MakeOutcome) -> Callable[..., Element]:
    """The page of one run with these cases, one per segment."""

    def made(*cases: Case, **facts: Any) -> Element:
        run = begin()
        workspace.add(run, [outcome(each, position=i, **facts) for i, each in enumerate(cases)])
        return tree(report.render(workspace, [run.id]))

    return made


def full_of(workspace: Workspace, words: str) -> str:
    """A page of a run that has these words in every field that can hold any."""
    facts = dict.fromkeys(("signature", "relation", "system", "source", "target", "corpus"), words)
    run = workspace.begin({**facts, "settings": {words: words}, "seed": 1})
    texts = {role: Text(role + words, words) for role in ("source", "follow_up", "source_output", "follow_up_output")}
    more: dict[str, Any] = {
        "steps": {words: Text("step" + words, words)},
        "scores": {words: 0.5},
        "factors": {words: words},
        "evidence": {words: [words, {words: [words]}]},
    }
    pair = (texts["source_output"], texts["follow_up_output"])
    apart = (Text("a" + words, words), Text("b" + words, words))
    cases = [Case(**more | texts, compared=each, suspicion=0.9, threshold=0.5) for each in (pair, apart)]
    segment = Segment(words, Text("text" + words, words), 0, words, "reference" + words)
    failed = Segment(words, Text(words, words), 1, words, words)
    workspace.add(run, [Outcome(segment, cases=cases), Outcome(failed, error=words)])
    return report.render(workspace, [run.id])


def test_hostile_words_in_every_field_change_nothing_but_the_words(workspace: Workspace) -> None:
    hostile, harmless = full_of(workspace, HOSTILE), full_of(workspace, "harmless")
    # Runs and cases are numbered one further in the second page.
    assert skeleton(tree(hostile)) == skeleton(tree(re.sub(r"\b(run|chart)-2", r"\1-1", harmless)))
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u202a-\u202e\u2066-\u2069]", hostile)
    for role in ("source", "follow_up", "source_output", "follow_up_output", "step", "text", "reference"):
        assert f"{role}</style></title></script><script>alert(1)</script>" in tree(hostile).text


def test_the_page_needs_nothing_from_outside_and_runs_no_script(page: Any, case: MakeCase) -> None:
    made = page(case())
    tags = {each.tag for each in made.every()}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "base", "form", "image", "use"}
    for each in made.every():
        assert not {"src", "srcset", "onclick", "onload", "action", "background"} & set(each.attributes)
        assert (each.attributes.get("href") or "#").startswith("#")
    style = made.find("style")[0].text
    assert "url(" not in style
    assert "@import" not in style
    policy = next(each for each in made.find("meta") if "http-equiv" in each.attributes)
    assert "default-src 'none'" in (policy.attributes["content"] or "")


def test_every_link_leads_somewhere(page: Any, case: MakeCase) -> None:
    made = page(case(), case(suspicion=0.1, source=Text("Another.", "en")))
    ids = [each.attributes["id"] for each in made.every() if "id" in each.attributes]
    assert len(ids) == len(set(ids))
    targets = {(each.attributes["href"] or "")[1:] for each in made.find("a")}
    assert targets <= set(ids)
    assert len(targets) == 3


def test_every_text_has_its_language_and_finds_its_own_direction(page: Any, case: MakeCase) -> None:
    made = page(case(source_output=Text("الجسر القديم", "ar"), follow_up_output=Text("橋は古い", "ja")))
    texts = {each.text: each.attributes for each in made.find("p", "words")}
    assert {words: (about["lang"], about["dir"]) for words, about in texts.items()} == {
        "The old bridge is closed.": ("en", "auto"),
        "El pont vell està tancat.": ("ca", "auto"),
        "الجسر القديم": ("ar", "auto"),
        "橋は古い": ("ja", "auto"),
    }


def test_the_runs_have_a_row_with_counts_a_bar_and_a_signature(
    workspace: Workspace, begin: Begin, case: MakeCase, outcome: MakeOutcome
) -> None:
    run = begin(signature="pivot|a copyable signature", notes=["there is only one pivot: ca"])
    cases = [outcome(case(suspicion=0.1 * i), position=i) for i in range(8)]
    spent = Spent(run.id, asked=1200, sent=7, cached=2, seconds=1.26)
    workspace.add(run, [*cases, outcome(position=9, error="no")], spent=spent)
    made = tree(report.render(workspace, [run.id]))
    cells = {each.attributes["data-label"]: each.line for each in made.find("td")}
    assert cells == {
        "run": "1", "system": "fake", "direction": "en→es", "relation": "pivot", "cases": "8",
        "flagged": "2 (25.0%)", "not judged": "0", "errors": "1", "seconds": "1.3",
    }  # fmt: skip
    assert made.find("span", "bar")[0].find("span")[1].attributes["style"] == "width:25.00%"
    assert made.find("code", "signature")[0].text == "pivot|a copyable signature"
    assert "there is only one pivot: ca" in made.find("ul", "notes")[0].text
    assert "Translations: 1,200 asked for, 7 sent, 2 cached." in made.find("section", "run")[0].text


def test_a_case_is_drawn_as_the_textbook_has_it(page: Any, case: MakeCase) -> None:
    one = page(case(evidence={"missing": ["viejo", "antiguo"]})).find("article", "flagged")[0]
    boxes = {role: one.find("div", f"box {role}")[0] for role in ("source", "follow_up", "source_output")}
    assert boxes["source"].find("p", "role")[0].line == "text en"
    assert boxes["follow_up"].find("p", "role")[0].line == "variant · pivot ca"
    assert boxes["source_output"].find("p", "role")[0].line == "translation es compared"
    assert [each.text for each in one.find("mark")] == ["viejo", "antiguo"]
    assert one.find("div", "link bottom")
    assert [each.line for each in one.find("dl", "facts")[0].find("div")] == [
        "comparedtranslation with translation of the variant",
        "suspicion0.59 > threshold 0.5: flagged higher is worse",
        "scoreschrf 0.41 0…1, higher is better",
        "factors pivot: ca",
        "evidence missing: viejo, antiguo",
    ]


def test_a_round_trip_is_compared_across_the_diagram(page: Any, case: MakeCase) -> None:
    source, there, back = Text("Hello world", "en"), Text("Hola mundo", "es"), Text("Hello earth", "en")
    texts = {"source": source, "source_output": there, "follow_up": there, "follow_up_output": back}
    one = page(case(**texts, compared=(source, back), steps={}), text=source).find("article")[0]
    assert one.find("div", "link falling")
    assert one.find("div", "box follow_up")[0].find("p", "same")[0].text == "= translation"
    assert [each.text for each in one.find("mark")] == ["world", "earth"]
    assert "text with back-translation" in one.line


def test_equal_texts_that_were_compared_are_both_written_out(page: Any, case: MakeCase) -> None:
    same = Text("Igual.", "es")
    one = page(case(source_output=same, follow_up_output=same, suspicion=0.0)).find("article")[0]
    assert [each.find("p", "words")[0].text for each in one.find("div", "compared")] == ["Igual.", "Igual."]


def test_compared_texts_that_are_none_of_the_four_stand_apart(page: Any, case: MakeCase) -> None:
    one = page(case(compared=(Text("puente", "es"), Text("pont", "ca")))).find("article")[0]
    assert [each.line for each in one.find("div", "pair")[0].find("div", "box")] == [
        "first es compared puente",
        "second ca compared pont",
    ]
    assert "the two texts below" in one.line


def test_the_sentence_comes_first_and_further_steps_and_the_reference_stand_aside(page: Any, case: MakeCase) -> None:
    steps = {"pivot": Text("El pont vell està tancat.", "ca"), "repaired": Text("Una ponte.", "it")}
    made = page(case(steps=steps), text=Text("A longer segment.", "en"), reference="La referencia.")
    assert [each.line for each in made.find("div", "aside")[0].find("div", "box")] == [
        "repaired it Una ponte.",
        "reference, not used es La referencia.",
    ]
    first, *_ = made.find("article")[0].find("div", "box")
    assert first.line == "sentence en A longer segment."


def test_an_empty_translation_is_called_empty(page: Any, case: MakeCase) -> None:
    assert page(case(follow_up_output=Text("", "es"))).find("span", "nothing")[0].text == "(empty)"


def test_a_blank_that_differs_can_be_seen_on_the_page(page: Any, case: MakeCase) -> None:
    made = page(case(source_output=Text("a b", "es"), follow_up_output=Text("a  b", "es")))
    assert [each.text for each in made.find("mark")] == ["␣", "␣␣"]


def test_long_texts_are_cut_on_the_page_with_a_remark(page: Any, case: MakeCase) -> None:
    made = page(case(source=Text("w" * 6000, "en"), evidence={str(i): i for i in range(60)}))
    remarks = [each.line for each in made.find(css="cut")]
    assert remarks == ["1,000 characters left out after", "and 10 more"]


@pytest.mark.parametrize(
    ("suspicions", "ends", "lines"),
    [
        ([0.0, 0.2, 0.9, 1.0], ["0", "1"], [200.0]),
        ([-3.0, 7.0], ["-3", "7"], [141.8]),
        ([0.5], ["0", "1"], [200.0]),
        ([5.5, float("inf")], ["0.5", "5.5"], [6.0]),
    ],
)
def test_the_chart_draws_every_case_and_the_threshold(
    page: Any, case: MakeCase, suspicions: list[float], ends: list[str], lines: list[float]
) -> None:
    made = page(*(case(suspicion=each, source=Text(f"{each}", "en")) for each in suspicions)).find("figure")[0]
    titles = [re.findall(r"\d+ cases?, \d+ flagged", each.line)[0] for each in made.find("g")]
    finite = [each for each in suspicions if each < 1e300]
    assert sum(int(title.split()[0]) for title in titles) == len(finite)
    assert sum(int(title.split()[2]) for title in titles) == sum(each > 0.5 for each in finite)
    words = [each.line for each in made.find("text")]
    assert words == ["threshold 0.5", ends[0], "suspicion → worse", ends[1]]
    drawn = [each.attributes["d"] or "" for each in made.find("path", "threshold")]
    assert [float(path[1:].split()[0]) for path in drawn] == lines


def test_the_chart_can_be_read_without_seeing_it(page: Any, case: MakeCase) -> None:
    made = page(*(case(suspicion=each, source=Text(f"{each}", "en")) for each in (0.1, 0.3, 0.9)))
    drawing = next(each for each in made.find("svg") if each.attributes.get("role") == "img")
    named = (drawing.attributes["aria-labelledby"] or "").split()
    assert [each.attributes["id"] for each in drawing.find("title")[:1] + drawing.find("desc")] == named
    assert drawing.find("desc")[0].text == (
        "1 of 3 cases beyond the threshold of 0.5. Suspicion: lowest 0.1, median 0.3, highest 0.9; higher is worse."
    )


def test_a_run_of_infinite_suspicion_has_no_chart_but_its_cases(page: Any, case: MakeCase) -> None:
    made = page(case(suspicion=float("inf")))
    assert not made.find("figure")
    assert "inf > threshold 0.5" in made.find("article")[0].line


def test_many_thresholds_draw_no_line(page: Any, case: MakeCase) -> None:
    made = page(*(case(threshold=0.1 * i, source=Text(f"{i}", "en")) for i in range(1, 6)))
    assert not made.find("path", "threshold")
    assert "cases beyond their thresholds" in made.find("desc")[0].text


def test_cases_that_are_not_flagged_are_folded_away(page: Any, case: MakeCase) -> None:
    made = page(case(), case(suspicion=0.2, source=Text("Another.", "en")))
    assert len(made.find("article")) == 2
    folded = made.find("details")[0]
    assert len(folded.find("article")) == 1
    assert folded.find("summary")[0].text == "1 case not flagged"


def test_the_limit_counts_for_each_run(
    workspace: Workspace, begin: Begin, case: MakeCase, outcome: MakeOutcome
) -> None:
    for system in ("one", "other"):
        texts = [(Text(f"{i}", "en"), Text(f"{i}", "ca")) for i in range(5)]
        cases = [outcome(case(source=one, follow_up=two), position=i) for i, (one, two) in enumerate(texts)]
        workspace.add(begin(system=system, signature=system), cases)
    made = tree(report.render(workspace, [1, 2, 1], limit=3))
    assert [len(each.find("article")) for each in made.find("section")] == [3, 3]
    assert made.line.count("3 findings whose example is of this run") == 2


def test_errors_are_listed_by_message_with_counts_and_examples(
    workspace: Workspace, begin: Begin, outcome: MakeOutcome
) -> None:
    run = begin()
    often = [outcome(position=i, error="timed out") for i in range(5)]
    workspace.add(run, [outcome(position=9, error="refused"), *often])
    made = tree(report.render(workspace, [run.id]))
    groups = [each for each in made.find("ul", "failures")[0].inside if isinstance(each, Element)]
    assert [each.line.split(" news")[0] for each in groups] == ["5 × timed out", "1 × refused"]
    examples = [each.line for each in groups[0].find("li")[1:]]
    assert examples == [f"news-{i}: The old bridge is closed." for i in range(3)]
    assert "Every check ended in an error." in made.line


def test_very_many_messages_are_cut_short(workspace: Workspace, begin: Begin, outcome: MakeOutcome) -> None:
    run = begin()
    workspace.add(run, [outcome(position=i, error=f"no {i}") for i in range(25)])
    assert "And 5 other messages." in tree(report.render(workspace, [run.id])).line


def test_a_run_without_cases_and_a_page_without_runs_say_so(
    workspace: Workspace, begin: Begin, outcome: MakeOutcome
) -> None:
    run = begin()
    workspace.add(run, [outcome(position=0), outcome(position=1, error="no")])
    assert "This run has no cases." in tree(report.render(workspace, [run.id])).line
    assert "There is no run to show." in tree(report.render(workspace, [])).line


def test_a_run_without_flagged_cases_says_so(page: Any, case: MakeCase) -> None:
    assert [each.line for each in page(case(suspicion=0.1)).find("h3")] == ["No case is flagged"]

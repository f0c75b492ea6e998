"""The figures of He, Meister and Su (ICSE 2021).

Where a figure gives one translation of a pair, the other is ours, made to say what the figure's "target meaning" says.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from concord.language.parse._choice import shared_parsers
from concord.model import Case, Text
from concord.relations import rti
from concord.testing import AnalysisTable, Table, TreeTable, now

WORD = re.compile(r"\w+|[^\w\s]")


@pytest.fixture(autouse=True)
def parsers_are_made_once() -> Iterator[None]:
    with shared_parsers():
        yield


def case_of(container: str, phrase: str, container_output: str, phrase_output: str) -> Case:
    """The case of a pair by a whole check: the phrase is the one noun phrase of the container's tree."""
    start = container.index(phrase)
    parts = container[:start], phrase, container[start + len(phrase) :]
    before, inside, after = (" ".join(f"(X {word})" for word in WORD.findall(part)) for part in parts)
    brackets = f"(ROOT (S {before} (NP {inside}) {after} (VP (X .))))"
    text = Text(f"{container} .", "en")
    table = Table({text.words: container_output, phrase: phrase_output})
    services = table, TreeTable({text.words: brackets}), AnalysisTable(), random.Random(1)
    (case,) = now(rti.check(text, *services, to="zh", max_words=40, min_content=1))
    assert case.follow_up.words == phrase
    return case


def test_figure_one_unclear_logic() -> None:
    case = case_of(
        "Holmes in a movie based on Bad Blood",
        "a movie based on Bad Blood",
        "福尔摩斯的电影基于坏血",
        "一部根据坏血改编的电影",
    )
    assert case.flagged
    assert case.evidence["missing"] == ["一", "部", "根", "据", "改", "编"]


@pytest.mark.parametrize(
    ("phrase", "translation", "distance"),
    [
        ("chummy bilateral talks", "亲切的双边会谈", 2),
        ("White House officials", "白宫官员", 0),
        ("the Western hemisphere's two largest economies", "西半球的两个最大的经济体", 0),
    ],
)
def test_figure_two_one_pair_of_three_is_flagged(phrase: str, translation: str, distance: int) -> None:
    container = (
        "chummy bilateral talks with Trump that illustrated what White House officials hope is a budding partnership"
        " between the Western hemisphere's two largest economies"
    )
    output = "与特朗普的双边会谈，说明了白宫官员希望西半球两个最大经济体之间正在萌芽的伙伴关系"
    case = case_of(container, phrase, output, translation)
    assert (case.suspicion, case.flagged) == (distance, distance > 0)


def test_figure_three_gives_three_pairs() -> None:
    words = "They watched Holmes in a movie based on Bad Blood."
    movie = "(NP (NP (DT a) (NN movie)) (VP (VBN based) (PP (IN on) (NP (JJ Bad) (NN Blood)))))"
    brackets = f"(ROOT (S (NP (PRP They)) (VP (VBD watched) (NP (NP (NNP Holmes)) (PP (IN in) {movie}))) (. .)))"
    tree = now(TreeTable({words: brackets})(Text(words, "en")))
    pairs = rti.construct(Text(words, "en"), tree, random.Random(1))
    assert [(pair.phrase.words, pair.container.words) for pair in pairs] == [
        ("Holmes in a movie based on Bad Blood", words),
        ("a movie based on Bad Blood", words),
        ("a movie based on Bad Blood", "Holmes in a movie based on Bad Blood"),
    ]
    assert all(pair.container.words[pair.start :].startswith(pair.phrase.words) for pair in pairs)


def test_figure_seven_under_translation() -> None:
    case = case_of(
        "the sorts of problems we work on and the almost anxiety provoking magnitude of data with which we get to work",
        "the almost anxiety provoking magnitude of data",
        "我们正在研究的各种问题以及几乎令人焦虑的数据",
        "几乎令人焦虑的数据量",
    )
    assert case.evidence["missing"] == ["量"]


def test_figure_eight_over_translation_is_found_where_the_container_is_a_phrase_itself() -> None:
    phrase = (
        "Covering a memorial service in the nation's capital and then traveling to Texas for another service as well as"
        " a funeral train was an honor"
    )
    twice = "荣幸地报道了该国首都的追悼会，然后前往得克萨斯州进行另一项服务以及葬礼列车，这是一种荣幸"
    once = "他说，报道该国首都的追悼会，然后前往得克萨斯州参加另一项服务以及葬礼列车是一种荣幸。"
    assert {"荣", "幸"} <= set(case_of(f"{phrase}, he says.", phrase, once, twice).evidence["missing"])


@pytest.mark.parametrize(
    ("container", "phrase", "container_output", "phrase_output"),
    [
        (
            "Advertisers who are not creating housing, employment or credit ads will still be able to target users.",
            "Advertisers who are not creating housing, employment or credit ads",
            "未发布住房、就业或信贷广告的广告商仍将能够定位用户。",
            "未制作住房，就业或信用广告的广告客户",
        ),
        ("the General Motors plant in Ohio", "the General Motors plant", "俄亥俄州的通用汽车工厂", "通用汽车公司"),
        (
            "They have more specific skill sets that are better suited for a lot of business problems.",
            "more specific skill sets that are better suited for a lot of business problems",
            "他们拥有更适合许多业务问题的具体技能。",
            "更具体的技能集，更适合于许多业务问题",
        ),
        (
            "He won approval on two separate occasions.",
            "approval on two separate occasions",
            "他曾两次获得批准。",
            "批准两个不同的场合",
        ),
    ],
    ids=["figure nine, housing", "figure nine, plant", "figure ten", "figure eleven"],
)
def test_the_other_figures_are_flagged(container: str, phrase: str, container_output: str, phrase_output: str) -> None:
    assert case_of(container, phrase, container_output, phrase_output).flagged

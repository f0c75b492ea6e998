from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from concord.errors import BadAnswer, Refused, Unauthorised, Unavailable, UserError
from concord.language.parse.corenlp import Parser
from concord.language.trees import Tree
from concord.model import Text

SENTENCE = "😀 Dogs  chase cats."


def token(index: int, word: str, begin: int, pos: str) -> dict[str, Any]:
    return {
        "index": index,
        "word": word,
        "originalText": word,
        "lemma": word.lower(),
        "characterOffsetBegin": begin,
        "characterOffsetEnd": begin + len(word.encode("utf-16-le")) // 2,
        "pos": pos,
        "before": "",
        "after": " ",
    }


def arc(label: str, governor: int, dependent: int) -> dict[str, Any]:
    return {"dep": label, "governor": governor, "governorGloss": "", "dependent": dependent, "dependentGloss": ""}


# What the server says of SENTENCE: it counts in UTF-16, so that the emoji takes two.
ANSWER = {
    "sentences": [
        {
            "index": 0,
            "parse": "(ROOT\n  (S\n    (NP (NFP 😀) (NNS Dogs))\n    (VP (VBP chase) (NP (NNS cats)))\n    (. .)))",
            "basicDependencies": [
                arc("ROOT", 0, 3),
                arc("dep", 2, 1),
                arc("nsubj", 3, 2),
                arc("obj", 3, 4),
                arc("punct", 3, 5),
            ],
            "tokens": [
                token(1, "😀", 0, "NFP"),
                token(2, "Dogs", 3, "NNS"),
                token(3, "chase", 9, "VBP"),
                token(4, "cats", 15, "NNS"),
                token(5, ".", 19, "."),
            ],
        }
    ]
}


@pytest.fixture
def parser(service: Any) -> Iterator[Parser]:
    made = Parser(url=service.url)
    yield made
    made.close()


def test_a_tree_has_offsets_in_characters_though_the_server_counts_in_utf_16(service: Any, parser: Parser) -> None:
    service.answers(ANSWER)
    found = parser.parse([Text(SENTENCE, "en")])[0]
    assert isinstance(found, Tree)
    assert [leaf.words for leaf in found.leaves()] == ["😀", "Dogs", "chase", "cats", "."]
    assert [phrase.words for phrase in found.phrases("NP")] == ["😀 Dogs", "cats"]
    assert found.children[0].label == "S"


def test_the_request_asks_for_trees_as_json_and_sends_plain_text(service: Any, parser: Parser) -> None:
    service.answers(ANSWER)
    parser.parse([Text(SENTENCE, "en")])
    request = service.requests[0]
    assert (request.method, request.path) == ("POST", "/")
    assert json.loads(request.query["properties"]) == {
        "annotators": "tokenize,ssplit,pos,parse",
        "outputFormat": "json",
    }
    assert request.query["pipelineLanguage"] == "en"
    assert request.headers["content-type"] == "text/plain;charset=utf-8"
    assert request.body.decode() == SENTENCE


def test_relations_are_the_basic_dependencies_in_the_order_of_the_text(service: Any, parser: Parser) -> None:
    service.answers(ANSWER)
    found = parser.depend([Text(SENTENCE, "en")])[0]
    assert isinstance(found, list)
    assert [(each.label, each.head.words if each.head else None, each.dependent.words) for each in found] == [
        ("dep", "Dogs", "😀"),
        ("nsubj", "chase", "Dogs"),
        ("root", None, "chase"),
        ("obj", "chase", "cats"),
        ("punct", "chase", "."),
    ]
    assert "depparse" in service.requests[0].query["properties"]


@pytest.mark.parametrize(
    ("status", "said", "error"),
    [
        (500, "CoreNLP request timed out. Your document may be too large.", Unavailable),
        (400, "Request is too long to be handled by server: 5 characters. Max length is 4 characters.", Refused),
        (503, "", Unavailable),
        (500, "Could not handle incoming annotation", Unavailable),
        (401, "", Unauthorised),
        (0, "", Unavailable),
        (200, "this is not JSON", BadAnswer),
        (200, "[" * 100_000, BadAnswer),
        (200, "{}", BadAnswer),
        (200, '{"sentences": [{"parse": "(ROOT (NN a))", "tokens": []}]}', BadAnswer),
        (200, '{"sentences": [{"parse": "(ROOT (NN a", "tokens": []}]}', BadAnswer),
        (200, '{"sentences": [{"parse": null, "tokens": []}]}', BadAnswer),
        (200, '{"sentences": [{"parse": "(X (NN a))", "tokens": [{"characterOffsetBegin": 900}]}]}', BadAnswer),
        (
            200,
            '{"sentences": [{"parse": "(NN a)", "tokens": [{"characterOffsetBegin": -2, "characterOffsetEnd": 1}]}]}',
            BadAnswer,
        ),
        (200, '{"sentences": []}', Refused),
    ],
)
def test_what_the_server_gets_wrong_is_an_error_in_place_of_the_tree(
    service: Any, parser: Parser, status: int, said: str, error: type[Exception]
) -> None:
    service.answers(said, status)
    assert [type(each) for each in parser.parse([Text("a cat", "en")])] == [error]


def test_a_language_that_the_server_does_not_know_is_for_the_user_to_cure(service: Any) -> None:
    service.answers("Invalid language: 'tlh'", 500)
    parser = Parser(url=service.url, lang="tlh")
    with pytest.raises(UserError, match="Invalid language: 'tlh'"):
        parser.parse([Text("tlhIngan", "tlh")])
    parser.close()


@pytest.mark.parametrize("text", [Text("", "en"), Text("Katze", "de"), Text("x" * 100_001, "en"), Text("\ud800", "en")])
def test_a_text_that_cannot_be_parsed_is_never_sent(service: Any, parser: Parser, text: Text) -> None:
    assert [type(each) for each in parser.parse([text])] == [Refused]
    assert service.requests == []


def test_a_server_that_is_not_there_comes_with_the_command_that_starts_it(service: Any) -> None:
    parser = Parser(url="http://127.0.0.1:9")
    found = parser.parse([Text("a cat", "en")])[0]
    assert isinstance(found, Unavailable)
    assert "StanfordCoreNLPServer" in str(found)
    parser.close()


@pytest.mark.parametrize("url", ["", "localhost", "ftp://host", "http://"])
def test_what_is_no_address_is_named(url: str) -> None:
    with pytest.raises(UserError, match="not the address of a CoreNLP server"):
        Parser(url=url)


def corenlp(page: str) -> Any:
    """A server that parses the word it is probed with, and has this page."""
    words = {"parse": "(ROOT (INTJ (UH OK)))", "tokens": [token(1, "OK", 0, "UH")]}

    def answer(request: Any) -> Any:
        body = page if request.method == "GET" else json.dumps({"sentences": [words]})
        return 200, {}, body.encode()

    return answer


@pytest.mark.parametrize(
    ("page", "release"),
    [
        ('<a class="navbar-brand">Stanford CoreNLP 4.5.7 (updated 2024-04-19)</a>', "4.5.7"),
        ("<h1>Annotate your text</h1>", "untold"),
    ],
)
def test_the_version_is_what_the_servers_page_tells(service: Any, parser: Parser, page: str, release: str) -> None:
    service.answer = corenlp(page)
    assert parser.version() == f"{release}+en+tokenize.ssplit.pos.parse"


def test_what_the_user_says_of_the_release_is_believed(service: Any) -> None:
    service.answer = corenlp("Stanford CoreNLP 4.5.7")
    other = Parser(url=service.url, release="ours-2", lang="fr")
    assert (other.version(), other.languages()) == ("ours-2+fr+tokenize.ssplit.pos.parse", {"fr"})
    other.close()


def test_a_dead_server_is_told_before_a_run_with_the_command_that_starts_one() -> None:
    parser = Parser(url="http://127.0.0.1:9")
    with pytest.raises(UserError, match=r"no CoreNLP server answers at http://127\.0\.0\.1:9.*StanfordCoreNLPServer"):
        parser.version()
    parser.close()


@pytest.mark.parametrize(
    ("status", "said", "complaint"),
    [
        (0, "", "broke off"),
        (500, "java.lang.OutOfMemoryError", "OutOfMemoryError"),
        (404, "nothing here", "status 404"),
        (200, "<html>another server</html>", "not JSON"),
        (200, '{"sentences": [{"tokens": []}]}', "not as expected"),
    ],
)
def test_a_server_that_cannot_parse_is_told_before_a_run(
    service: Any, parser: Parser, status: int, said: str, complaint: str
) -> None:
    service.answers(said, status)
    with pytest.raises(UserError, match=rf"cannot be used: .*{complaint}.*StanfordCoreNLPServer"):
        parser.version()

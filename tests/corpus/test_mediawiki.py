"""The API's answers, in the shapes that Wikipedia sends (formatversion 2, and 1 as older wikis do)."""

from __future__ import annotations

import pytest

from concord.corpus.sampling.mediawiki import MediaWiki, without_headings
from concord.corpus.sampling.pages import LONGEST_TITLE, Page
from concord.errors import BadAnswer, Refused, Throttled, Unavailable, UserError


def extract(id, text):
    return {"pageid": id, "ns": 0, "title": f"Page {id}", "extract": text}


def one(id, more=None):
    """Whole articles come one in each answer: the others of the batch have no text yet."""
    bare = {"pageid": id + 100, "ns": 0, "title": "Later"}
    answer = {"query": {"pages": [extract(id, f"Text {id}.\n\n\n== Life ==\nMore."), bare]}}
    return {**answer, "continue": more} if more else {"batchcomplete": True, **answer}


def wiki(service, **options):
    return MediaWiki(f"{service.url}/w/api.php", **options)


def test_random_articles_come_one_by_one_until_there_are_enough(service):
    asked = []

    def answer(request):
        asked.append(request.query)
        number = len(asked)
        return service.reply(one(number, {"excontinue": number, "continue": "grncontinue||"}))

    service.answer = answer
    found = list(wiki(service, pages=3))
    assert found == [Page(str(number), f"Page {number}", f"Text {number}.\n\nMore.") for number in (1, 2, 3)]
    first, second, _ = asked
    assert first["generator"] == "random"
    assert {name: first[name] for name in ("action", "prop", "explaintext", "maxlag", "grnnamespace")} == {
        "action": "query",
        "prop": "extracts",
        "explaintext": "1",
        "maxlag": "5",
        "grnnamespace": "0",
    }
    assert "excontinue" not in first
    assert (second["excontinue"], second["continue"]) == ("1", "grncontinue||")
    assert service.requests[0].headers["user-agent"] == "concord-mt"


def test_a_title_without_end_is_cut_off(service):
    row = {"pageid": 1, "title": "t" * 100_000, "extract": "Text."}
    service.answer = lambda _: service.reply({"query": {"pages": [row]}})
    assert [page.title for page in wiki(service, pages=1)] == ["t" * LONGEST_TITLE]


def test_a_page_that_comes_again_is_taken_once(service):
    answers = iter([one(1), one(1), one(2)])
    service.answer = lambda _: service.reply(next(answers))
    assert [page.id for page in wiki(service, pages=2)] == ["1", "2"]


def test_a_wiki_that_has_no_more_articles_is_not_asked_for_ever(service):
    service.answers({"batchcomplete": True, "query": {"pages": []}})
    assert list(wiki(service)) == []


def test_a_wiki_smaller_than_the_wish_is_not_asked_for_ever(service):
    service.answers(one(1))
    assert [page.id for page in wiki(service, pages=2)] == ["1"]


def test_the_older_format_has_its_pages_by_id(service):
    service.answers({"batchcomplete": "", "query": {"pages": {"7": extract(7, "Seven.")}}})
    assert list(wiki(service, pages=1)) == [Page("7", "Page 7", "Seven.")]


LAG = {"error": {"code": "maxlag", "info": "Waiting for 10.64.16.7: 5.2 seconds lagged.", "host": "x", "lag": 5.2}}


def test_a_lagging_server_is_asked_again_after_as_long_as_it_says(service):
    waited = []
    answers = iter([service.reply(LAG, retry_after="7"), service.reply("slow down", 429), service.reply(one(1))])
    service.answer = lambda _: next(answers)
    assert [page.id for page in wiki(service, pages=1, sleep=waited.append)] == ["1"]
    assert waited == [7, 5]


def test_a_server_that_stays_busy_is_given_up(service):
    waited = []
    service.answers(LAG, retry_after="9999")
    with pytest.raises(Throttled, match="maxlag"):
        list(wiki(service, sleep=waited.append))
    assert waited == [60] * 4


@pytest.mark.parametrize(
    ("content", "status", "error", "message"),
    [
        ({"error": {"code": "badvalue", "info": "Unrecognized value"}}, 200, Refused, "badvalue: Unrecognized value"),
        ("no", 404, Refused, "status 404"),
        ("<html>", 200, BadAnswer, "did not answer as an api.php does"),
        ("[]", 200, BadAnswer, "did not answer as an api.php does"),
        ("", 0, Unavailable, "broke off"),
        (
            {"warnings": {"query": {"warnings": 'Unrecognized value for parameter "prop": extracts.'}}},
            200,
            UserError,
            "lacks the extension TextExtracts",
        ),
    ],
    ids=["error", "404", "html", "list", "dropped", "extension"],
)
def test_what_goes_wrong_is_told(service, content, status, error, message):
    service.answers(content, status)
    with pytest.raises(error, match=message):
        list(wiki(service))


def test_an_answer_that_is_too_long_is_not_read(service):
    service.answers(b" " * (9 * 2**20), 200)
    with pytest.raises(BadAnswer, match="more than 8 MB"):
        list(wiki(service))


@pytest.mark.parametrize("pages", [None, 5, "x", {"1": None}, [{"pageid": 1, "extract": 5}], [None]])
def test_a_malformed_answer_holds_no_pages(service, pages):
    service.answers({"query": {"pages": pages}})
    assert list(wiki(service)) == []


def test_nobody_listening_is_told():
    with pytest.raises(Unavailable, match="cannot be reached"):
        list(MediaWiki("http://127.0.0.1:1/api.php"))


@pytest.mark.parametrize(
    ("url", "options", "message"),
    [
        ("wikipedia", {}, "'wikipedia' is not the address of an api.php"),
        ("http://a:port", {}, "is not the address"),
        ("ftp://a.org", {}, "is not the address"),
        ("http://a.org", {"pages": 0}, "at least 1, not 0"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_asked(url, options, message):
    with pytest.raises(UserError, match=message.replace(".", r"\.")):
        MediaWiki(url, **options)


def test_headings_of_plain_extracts_are_left_out():
    assert without_headings("A.\n\n\n== Life ==\nB.  C.\n=== Early ===\n") == "A.\n\nB. C."

"""The MediaWiki API: articles of Wikipedia, or of any wiki that has the TextExtracts extension, as plain text."""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import Any

import httpx2

from concord.corpus.sampling.pages import LARGEST_PAGE, LONGEST_TITLE, Page
from concord.errors import BadAnswer, Refused, Throttled, Unavailable, UserError
from concord.response_body import ACCEPTED, Body

_LARGEST_ANSWER = 8 * 2**20
_ATTEMPTS = 5
_MOST_REDIRECTS = 10
_MOST_EMPTY_ANSWERS = 100
_LONGEST_WAIT = 60.0
_USUAL_WAIT = 5.0
_BUSY = frozenset({"maxlag", "ratelimited", "readonly"})
_HEADING = re.compile(r"^=[^\n]*=[^\S\n]*$", re.MULTILINE)
_BLANKS = re.compile(r"[^\S\n]+")
# A server gives no more than one whole article at a time, and says with `continue` how to ask for the next.
_QUERY = {
    "action": "query",
    "format": "json",
    "formatversion": "2",
    "prop": "extracts",
    "explaintext": "1",
    "exsectionformat": "wiki",
    "exlimit": "1",
    "maxlag": "5",
    "generator": "random",
    "grnnamespace": "0",
    "grnfilterredir": "nonredirects",
    "grnlimit": "1",
}


class MediaWiki:
    """Up to `pages` different articles, chosen at random, of the wiki whose `api.php` has the address `url`.

        for page in MediaWiki("https://ca.wikipedia.org/w/api.php", pages=200): ...

    A busy server is asked again, after as long as it says.
    """

    def __init__(self, url: str, *, pages: int = 100, sleep: Callable[[float], None] = time.sleep) -> None:
        if pages < 1:
            raise UserError(f"the number of pages must be at least 1, not {pages}")
        self._url = _address(url)
        self._pages = pages
        self._sleep = sleep

    def __iter__(self) -> Iterator[Page]:
        page_ids: set[str] = set()
        # A proxy is meant for the world outside, not for a server on this machine.
        local = self._url.host in ("localhost", "127.0.0.1", "::1")
        headers = {**ACCEPTED, "User-Agent": "concord-mt"}
        with httpx2.Client(headers=headers, timeout=60.0, trust_env=not local) as client:
            empty_answers = 0
            for answer in self._answers(client):
                new = [page for page in _extracts(answer) if page.id not in page_ids]
                yield from new[: self._pages - len(page_ids)]
                page_ids.update(page.id for page in new)
                empty_answers = 0 if new else empty_answers + 1
                # A wiki with fewer pages than requested would be asked for random ones for ever.
                if len(page_ids) >= self._pages or empty_answers >= _MOST_EMPTY_ANSWERS:
                    return

    def _answers(self, client: httpx2.Client) -> Iterator[dict[str, Any]]:
        continuation: Mapping[str, str] = {}
        while True:  # random pages never end, whatever the server says
            answer = self._answer_with_retries(client, {**_QUERY, **continuation})
            yield answer
            fields = answer.get("continue")
            continuation = {str(name): str(field) for name, field in fields.items()} if isinstance(fields, dict) else {}

    def _answer_with_retries(self, client: httpx2.Client, query: Mapping[str, str]) -> dict[str, Any]:
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return self._answer(client, query)
            except Throttled as busy:
                if attempt == _ATTEMPTS:
                    raise
                self._sleep(min(_USUAL_WAIT if busy.retry_after is None else busy.retry_after, _LONGEST_WAIT))
        raise AssertionError("unreachable")

    def _answer(self, client: httpx2.Client, query: Mapping[str, str]) -> dict[str, Any]:
        try:
            response, body = self._fetched(client, query)
        except httpx2.RequestError as problem:
            failure = "cannot be reached" if isinstance(problem, httpx2.ConnectError) else "broke off the connection"
            raise Unavailable(f"{self._url.host} {failure}. Check the address and try again") from None
        wait = _seconds(response.headers.get("retry-after", ""))
        if response.status_code in (429, 503):
            raise Throttled(f"{self._url.host} asks for patience (status {response.status_code})", wait)
        if not response.is_success:
            raise Refused(f"{self._url.host} refused the request (status {response.status_code})")
        return self._checked(_decoded(body, self._url), wait)

    def _fetched(self, client: httpx2.Client, query: Mapping[str, str]) -> tuple[httpx2.Response, Body]:
        """The answer and its body. Redirects are followed here because httpx2 reads their bodies without a bound."""
        request: httpx2.Request | None = client.build_request("GET", self._url, params=dict(query))
        for _ in range(_MOST_REDIRECTS):
            assert request is not None
            with closing(client.send(request, stream=True)) as response:
                request = response.next_request
                if request is None:
                    return response, _body(response, self._url.host)
        raise Refused(f"{self._url.host} leads from one address to another without an end")

    def _checked(self, answer: dict[str, Any], wait: float | None) -> dict[str, Any]:
        error = answer.get("error")
        if isinstance(error, dict):
            code, info = str(error.get("code", "")), str(error.get("info", ""))[:200]
            if code in _BUSY:
                raise Throttled(f"{self._url.host} is busy ({code}: {info})", wait)
            raise Refused(f"{self._url.host} refused the request ({code}: {info})")
        if "extracts" in json.dumps(_nested(answer, "warnings", "query")):
            raise UserError(
                f"{self._url.host} cannot give articles as plain text: it lacks the extension TextExtracts. "
                "Name another wiki, or a text file"
            )
        return answer


def _extracts(answer: dict[str, Any]) -> list[Page]:
    """The pages that come with their text; formatversion 1 has them by id, 2 in a list."""
    pages = _nested(answer, "query", "pages")
    rows = list(pages.values()) if isinstance(pages, dict) else pages if isinstance(pages, list) else []
    return [
        Page(_short(row, "pageid"), _short(row, "title"), without_headings(row["extract"][:LARGEST_PAGE]))
        for row in rows
        if isinstance(row, dict) and isinstance(row.get("extract"), str) and row["extract"]
    ]


def without_headings(text: str) -> str:
    """The lines that are not headings, as paragraphs with single blanks."""
    lines = (_BLANKS.sub(" ", line).strip() for line in _HEADING.sub("", text).split("\n"))
    return "\n\n".join(line for line in lines if line)


def _short(row: dict[str, Any], field: str) -> str:
    return str(row.get(field, ""))[:LONGEST_TITLE]


def _nested(answer: Any, *path: str) -> Any:
    for step in path:
        answer = answer.get(step) if isinstance(answer, dict) else None
    return answer


def _body(response: httpx2.Response, host: str) -> Body:
    body = Body(host, response, largest=_LARGEST_ANSWER)
    for piece in response.iter_raw():
        if not body.add(piece):
            break
    return body


def _decoded(body: Body, url: httpx2.URL) -> dict[str, Any]:
    complaint = f"{url} did not answer as an api.php does. Write it like https://ca.wikipedia.org/w/api.php"
    answer = body.json(complaint)
    if not isinstance(answer, dict):
        raise BadAnswer(complaint)
    return answer


def _seconds(value: str) -> float | None:
    return float(value) if value.isascii() and value.isdigit() and len(value) < 10 else None


def _address(url: str) -> httpx2.URL:
    try:
        address = httpx2.URL(url)
        usable = address.scheme in ("http", "https") and bool(address.host)
    except httpx2.InvalidURL:
        usable = False
    if not usable:
        raise UserError(
            f"'{url[:80]}' is not the address of an api.php. Write it like https://ca.wikipedia.org/w/api.php"
        )
    return address

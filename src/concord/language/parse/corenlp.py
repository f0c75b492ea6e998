"""corenlp: trees and dependency relations by a Stanford CoreNLP server (Manning et al., ACL 2014)."""

import ipaddress
import json
import re
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import accumulate
from typing import Annotated, Any, Literal, TypeVar

import httpx2

from concord.errors import BadAnswer, Refused, ServiceError, Unauthorised, Unavailable, UserError
from concord.language.parse._spans import Span, answers, placed, rooted
from concord.language.trees import Tree
from concord.language.trees.dependencies import Relation
from concord.model import Text
from concord.options import Within
from concord.response_body import ACCEPTED, Body

T = TypeVar("T")

START = 'java -mx4g -cp "*" edu.stanford.nlp.pipeline.StanfordCoreNLPServer -port 9000 -timeout 60000'
INSTALL = f"Get CoreNLP from https://stanfordnlp.github.io/CoreNLP and start it in its folder: {START}"
TREES = "tokenize,ssplit,pos,parse"
RELATIONS = "tokenize,ssplit,pos,depparse"
LARGEST_ANSWER = 8 * 2**20
MOST_VALUES = 500_000
UNKNOWN_RELEASE = "untold"
PROBE = "OK"

_RELEASE = re.compile(r"CoreNLP (\d+(?:\.\d+)+)")


class Parser:
    """Constituency trees, and dependency relations by `depend`, from the server at `url`.

    `lang` is the language of the texts; languages other than English need their models on the server. Where the
    server's page does not state its release, state it as `release`, so that results can be told apart.
    """

    id = "corenlp"
    kind: Literal["full", "shallow"] = "full"

    def __init__(
        self,
        *,
        url: Annotated[str, "Address of the server."] = "http://127.0.0.1:9000",
        lang: Annotated[str, "Language of the texts."] = "en",
        release: Annotated[str, "CoreNLP's release, where the server's page does not tell it."] = UNKNOWN_RELEASE,
        seconds: Annotated[float, Within(0, above=True), "Seconds that one request may take."] = 120.0,
    ) -> None:
        self._client = _client(url, seconds)
        self._lang = lang
        self._release = release

    def version(self) -> str:
        """The release, the language and the annotators; a word is parsed to make sure that the server works."""
        try:
            self._read(PROBE, TREES, _tree)
            release = self._release if self._release != UNKNOWN_RELEASE else self._server_release()
        except ServiceError as error:
            cure = "" if INSTALL in str(error) else f". {INSTALL}"
            raise UserError(f"the parser corenlp cannot be used: {error}{cure}") from None
        return f"{release}+{self._lang}+{TREES.replace(',', '.')}"

    def languages(self) -> frozenset[str]:
        """The language it was set up for."""
        return frozenset({self._lang})

    def parse(self, texts: Sequence[Text]) -> list[Tree | ServiceError]:
        """One tree for every text, in order, or the reason why there is none."""
        return [self._answer(text, TREES, _tree) for text in texts]

    def depend(self, texts: Sequence[Text]) -> list[list[Relation] | ServiceError]:
        """The basic dependencies between the words of every text, in order."""
        return [self._answer(text, RELATIONS, _relations) for text in texts]

    def close(self) -> None:
        """Close the connection; the parser cannot be used afterwards."""
        self._client.close()

    def _answer(self, text: Text, annotators: str, make: Callable[[Any, str], T]) -> T | ServiceError:
        def ask(words: Sequence[str]) -> list[T]:
            return [self._read(word, annotators, make) for word in words]

        return answers([text], "CoreNLP", self._lang, ask)[0]

    def _read(self, words: str, annotators: str, make: Callable[[Any, str], T]) -> T:
        answer = self._annotate(words, annotators)
        try:
            return make(answer, words)
        except (KeyError, TypeError, IndexError) as error:
            raise BadAnswer(f"the CoreNLP server's answer is not as expected: {type(error).__name__} {error}") from None

    def _annotate(self, words: str, annotators: str) -> Any:
        properties = json.dumps({"annotators": annotators, "outputFormat": "json"})
        try:
            content = words.encode()
        except UnicodeEncodeError:
            raise Refused("the text holds half of a surrogate pair, which UTF-8 cannot carry") from None
        request = self._client.build_request(
            "POST",
            "/",
            params={"properties": properties, "pipelineLanguage": self._lang},
            content=content,
            # Without a type the server takes the text for a form and decodes its escapes; after a blank it
            # ignores the charset.
            headers={"content-type": "text/plain;charset=utf-8"},
        )
        return _decoded(*self._sent(request), self._lang)

    def _server_release(self) -> str:
        """The release in the heading of the server's own page."""
        _, page = self._sent(self._client.build_request("GET", "/"))
        match = _RELEASE.search(page.text())
        return match[1] if match else UNKNOWN_RELEASE

    def _sent(self, request: httpx2.Request) -> tuple[int, Body]:
        """The status and the body of the answer."""
        try:
            response = self._client.send(request, stream=True)
            with closing(response):
                return response.status_code, _read(response)
        except (httpx2.ConnectError, httpx2.ConnectTimeout):
            raise Unavailable(f"no CoreNLP server answers at {self._client.base_url}. {INSTALL}") from None
        except httpx2.TimeoutException:
            raise Unavailable("the CoreNLP server did not answer in time") from None
        except httpx2.RequestError:
            raise Unavailable("the CoreNLP server broke off the connection") from None


def _client(url: str, seconds: float) -> httpx2.Client:
    try:
        address = httpx2.URL(url)
        usable = address.scheme in ("http", "https") and bool(address.host)
    except (httpx2.InvalidURL, ValueError):
        usable = False
    if not usable:
        raise UserError(f"'{url}' is not the address of a CoreNLP server. Write it like http://127.0.0.1:9000")
    # A proxy is meant for the world outside, not for a server on this machine.
    return httpx2.Client(base_url=address, headers=ACCEPTED, timeout=seconds, trust_env=not _is_local(address.host))


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _read(response: httpx2.Response) -> Body:
    body = Body("the CoreNLP server", response, largest=LARGEST_ANSWER, values=MOST_VALUES)
    for piece in response.iter_raw():
        if not body.add(piece):
            break
    return body


def _decoded(status: int, body: Body, lang: str) -> Any:
    start_of_body = " ".join(body.text()[:200].split())
    if status in (401, 403):
        raise Unauthorised(f"the CoreNLP server denies access (status {status})")
    if start_of_body.startswith("Invalid language"):
        raise UserError(f"the CoreNLP server does not know the language '{lang}' ({start_of_body})")
    if status == 408 or status >= 500:
        raise Unavailable(f"the CoreNLP server failed (status {status}): {start_of_body}")
    if status != 200:
        raise Refused(f"the CoreNLP server refused the request (status {status}): {start_of_body}")
    return body.json()


def _tree(answer: Any, text: str) -> Tree:
    indices = _character_indices(text)
    trees = (placed(sentence["parse"], _spans(sentence, indices), text) for sentence in answer["sentences"])
    return rooted(trees, text)


def _relations(answer: Any, text: str) -> list[Relation]:
    indices = _character_indices(text)
    return [relation for sentence in answer["sentences"] for relation in _sentence(sentence, indices, text)]


def _sentence(sentence: Any, indices: list[int], text: str) -> list[Relation]:
    tags = [str(token["pos"]) for token in sentence["tokens"]]
    leaves = [Tree(tag, *span, (), text) for tag, span in zip(tags, _spans(sentence, indices), strict=True)]
    relations = []
    for dependency in sorted(sentence["basicDependencies"], key=lambda dependency: int(dependency["dependent"])):
        head, dependent = int(dependency["governor"]), leaves[int(dependency["dependent"]) - 1]
        label = str(dependency["dep"]) if head else "root"
        relations.append(Relation(label, leaves[head - 1] if head else None, dependent))
    return relations


def _spans(sentence: Any, indices: list[int]) -> list[Span]:
    bounds = [(token["characterOffsetBegin"], token["characterOffsetEnd"]) for token in sentence["tokens"]]
    if any(not 0 <= start < end for start, end in bounds):
        raise BadAnswer("the CoreNLP server's answer has words without a span in the text")
    return [(indices[start], indices[end]) for start, end in bounds]


def _character_indices(text: str) -> list[int]:
    """The index of the character that each UTF-16 unit belongs to, in which Java counts; and the end."""
    if len(text) == len(text.encode("utf-16-le")) // 2:
        return list(range(len(text) + 1))
    units = accumulate((2 if ord(letter) > 0xFFFF else 1 for letter in text), initial=0)
    indices: list[int] = []
    for number, unit in enumerate(units):
        indices += [number] * (unit + 1 - len(indices))
    return indices

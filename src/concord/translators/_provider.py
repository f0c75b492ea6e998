"""What adapters of hosted services share: a client that is closed, spellings of languages, and codes of errors."""

import json
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Annotated, ClassVar, TypedDict

from concord.errors import Exhausted, Refused, ServiceError, Throttled, Unauthorised, Unavailable
from concord.model import Direction, System
from concord.translators._http import Http, Sign, retry_after
from concord.translators._keys import key_of
from concord.translators._names import our_codes, system_id

Url = Annotated[str, "Address to send requests to, in place of the provider's own."]
MILDEST_FIRST = ("busy", "denied", "spent", "failed")
"""What an error code of a service may mean, apart from a refusal."""


class Hosted(System):
    """A system that is reached by a client, which is closed with it."""

    _http: Http

    async def close(self) -> None:
        await self._http.close()

    async def _each(self, texts: Sequence[str], ask: Callable[[str], Awaitable[str]]) -> list[str | Refused]:
        """One request for each text; a refused text has the refusal as its answer."""

        async def answer(text: str) -> str | Refused:
            try:
                return await ask(text)
            except Refused as refusal:
                return refusal

        return [await answer(text) for text in texts]


class Coded(Http):
    """A client of a service that reports errors by codes of its own, whatever the HTTP status says.

    Each code is listed whole or by what precedes its first full stop; where both are listed, the milder meaning counts.
    """

    errors: Mapping[str, Mapping[str, str]]
    """The codes by what they mean; each says why, where the service itself does not."""
    refused = "the text"
    """What any other code refuses."""
    numbered = False
    """Whether its codes are numbers; other codes are not shown."""

    def meaning(self, code: str, message: str = "", wait: float | None = None) -> ServiceError:
        """What a code means in Concord's terms."""
        names = {code, code.partition(".")[0]}
        detail = self._excerpt(f"{code}: {message}" if message else code)
        if self.numbered:
            detail = f"error {code if code.isdecimal() and len(code) <= 8 else 'unknown'}"
        why = next(filter(None, (codes.get(code) for codes in self.errors.values())), "")
        reason = f": {why}" if why else ""
        kind = next((kind for kind in MILDEST_FIRST if not names.isdisjoint(self.errors.get(kind, ()))), "refused")
        if kind == "busy":
            return Throttled(f"{self.name} asks for patience ({detail})", wait)
        if kind == "denied":
            return Unauthorised(f"{self.name} denies access ({detail}){reason}. Check {self._key} in the environment")
        if kind == "spent":
            return Exhausted(f"the account at {self.name} is used up ({detail})")
        if kind == "failed":
            return Unavailable(f"{self.name} failed ({detail})")
        return Refused(f"{self.name} refused {self.refused} ({detail}){reason}")

    def code_in(self, body: str, headers: Mapping[str, str]) -> tuple[str, str]:
        """The code and the message of an error response; empty where only the status counts."""
        return "", ""

    def failure(self, status: int, body: str = "", headers: Mapping[str, str] | None = None) -> ServiceError:
        code, message = self.code_in(body, headers or {})
        if code:
            wait = retry_after((headers or {}).get("retry-after", ""), self._clock())
            error = self.meaning(code, message, wait)
            if not isinstance(error, Refused):
                return error
        return super().failure(status, body, headers)


class ListedProvider(Hosted):
    """A service whose languages are known beforehand: `codes` are its spellings by our codes."""

    codes: ClassVar[Mapping[str, str]]
    client: ClassVar[type[Coded]]
    _http: Coded

    def _connect(
        self,
        name: str,
        url: str,
        official: str,
        environ: Mapping[str, str] | None,
        signer: Callable[[str, str], Sign] | None = None,
    ) -> tuple[str, str]:
        """Make the client and the id of a service with a pair of keys, which it gives: an identity and a secret."""
        address, system = url.rstrip("/"), name.lower()
        identity, secret = (key_of(system, variable, environ) for variable in self.keys)
        self.id = system_id(system, url=(address, official))
        sign = signer(identity, secret) if signer else None
        variables = " and ".join(self.keys)
        self._http = self.client(address, name=name, key=variables, secrets=(identity, secret), sign=sign)
        return identity, secret

    @classmethod
    def translates(cls, source: str, target: str) -> bool:
        """Whether the service lists the direction, given in BCP-47 codes."""
        return source in cls.codes and target in cls.codes and cls.codes[source] != cls.codes[target]

    async def directions(self) -> Collection[Direction]:
        return frozenset(pair for pair in permutations(self.codes, 2) if self.translates(*pair))

    async def translate(self, texts: Sequence[str], source: str, target: str) -> Sequence[str | ServiceError]:
        if not self.translates(source, target):
            return [Refused(f"{self._http.name} does not translate {source}-{target}") for _ in texts]
        # Blank text comes back as it is: these services take it for a missing one.
        sent = [text for text in texts if text.strip()]
        answers = iter(await self._translated(sent, self.codes[source], self.codes[target]) if sent else ())
        return [next(answers) if text.strip() else text for text in texts]

    @abstractmethod
    async def _translated(self, texts: Sequence[str], source: str, target: str) -> Sequence[str | ServiceError]:
        """The answers to texts that are not blank, of a direction that is listed, in the service's own codes."""


class Server(Hosted):
    """A server of the user's own, which lists its pairs; they are asked for once, until it is closed."""

    def __init__(self, http: Http) -> None:
        self._http = http
        self._pairs: dict[Direction, Direction] = {}

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        if not self._pairs:
            await self.directions()
        if (source, target) not in self._pairs:
            return [Refused(f"{self._http.name} has no pair {source}-{target}") for _ in texts]
        return await self._translated(texts, *self._pairs[source, target])

    async def directions(self) -> Collection[Direction]:
        pairs: dict[Direction, Direction] = {}
        for source, target in await self._listed():
            for pair in product(self._meant(source), self._meant(target)):
                pairs.setdefault(pair, (source, target))
        self._pairs = pairs
        return frozenset(pairs)

    async def close(self) -> None:
        self._pairs = {}
        await super().close()

    @abstractmethod
    async def _listed(self) -> Sequence[Direction]:
        """Every pair that it has, in its own codes."""

    @abstractmethod
    async def _translated(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        """The answers to texts of a pair that it has, in its own codes."""

    def _meant(self, theirs: str) -> tuple[str, ...]:
        """The BCP-47 codes that the server's code means."""
        return our_codes(theirs)


class Service(TypedDict):
    """What is known of a service beforehand: its names of languages by our codes, and its error codes by meaning.

    `into` has the targets of each source, in the service's codes, where they differ.
    """

    languages: dict[str, str]
    into: dict[str, str]
    errors: dict[str, dict[str, str]]


SERVICES: dict[str, Service] = json.loads(Path(__file__).with_name("services.json").read_text("utf-8"))


class CodeSpelling:
    """The codes that a service spells differently, by ours; several of ours may share one of its codes."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self.table = table

    def theirs(self, code: str) -> str:
        return self.table.get(code, code)

    def ours(self, theirs: str) -> set[str]:
        """The BCP-47 codes that a code of the service means."""
        codes = {code for code, spelled in self.table.items() if spelled.lower() == theirs.lower()}
        return codes or set(our_codes(theirs))

    def pairs(self, sources: Iterable[str], targets: Iterable[str]) -> set[Direction]:
        """The directions between languages that the service lists in its own codes."""
        into = {code for theirs in targets for code in self.ours(theirs)}
        out_of = {code for theirs in sources for code in self.ours(theirs)}
        return {(a, b) for a in out_of for b in into if self.theirs(a) != self.theirs(b)}

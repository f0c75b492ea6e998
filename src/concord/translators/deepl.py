"""DeepL, through version 2 of its API, free or pro.

`--system deepl` with the key in DEEPL_AUTH_KEY; a key that ends in `:fx` belongs to the free plan, which
has a host of its own. DeepL wants to know which English, Portuguese or Chinese to translate into: a bare
`en` asks for American English, `pt` for Brazilian Portuguese, `zh` for simplified Chinese. As a source
a language has no variants, so DeepL does not translate between two variants of one language.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Literal

from concord.errors import ServiceError
from concord.language.codes import base, normalise
from concord.model import Limits, Price
from concord.translators._http import Http, pick
from concord.translators._keys import key_of
from concord.translators._names import our_codes, system_id
from concord.translators._provider import Hosted, Url

PRO = "https://api.deepl.com"
FREE = "https://api-free.deepl.com"
CHARACTERS_FREE = 500_000  # a month, on the free plan
# As a target; everything else is our code in capitals.
SPELLED = {"en": "EN-US", "pt": "PT-BR", "zh": "ZH-HANS", "ku": "KMR"}


class Translator(Hosted):
    """A client of DeepL. `model` is DeepL's `model_type`, where the account offers a choice."""

    # A request may be 128 KiB long, and JSON may spend six bytes on a character.
    limits = Limits(texts=50, characters=20_000, in_flight=4, seconds=60)
    keys = ("DEEPL_AUTH_KEY",)
    price = Price(20.0, "EUR", "2026-11-15", "DeepL help centre: character count and billing, pro plan (undated copy)")

    def __init__(
        self,
        *,
        model: Annotated[
            Literal["default", "quality_optimized", "prefer_quality_optimized", "latency_optimized"],
            "DeepL's `model_type`, where the account offers a choice.",
        ] = "default",
        url: Url = "",
        environ: Mapping[str, str] | None = None,
    ) -> None:
        key = key_of("deepl", self.keys[0], environ)
        own = url.rstrip("/")
        self.id = system_id("deepl", model=(model, "default"), url=("" if own in (PRO, FREE) else own, ""))
        self._model = {} if model == "default" else {"model_type": model}
        headers = {"Authorization": f"DeepL-Auth-Key {key}"}
        host = own or (FREE if key.endswith(":fx") else PRO)
        if host == FREE:
            self.limits = replace(self.limits, per_month=CHARACTERS_FREE)
            self.price = Price(0.0, "EUR", "2026-11-15", "DeepL API Free")
        self._http = _DeepL(host, name="DeepL", key="DEEPL_AUTH_KEY", headers=headers)

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        languages = {"source_lang": as_source(source), "target_lang": as_target(target)}
        body = {"text": list(texts), **languages, **self._model}
        rows = pick(await self._http.post_json("/v2/translate", json=body), list, "translations")
        return [pick(row, str, "text") for row in self._http.matched(rows, texts)]

    async def directions(self) -> Collection[tuple[str, str]]:
        languages = {base(code) for code in await self._listed("source")}
        targets = await self._listed("target")
        targets |= {code for code, theirs in SPELLED.items() if normalise(theirs) in targets}
        sources = languages | {code for code in targets if base(code) in languages}
        return {(a, b) for a in sources for b in targets if base(a) != base(b)}

    async def _listed(self, kind: str) -> set[str]:
        rows = pick(await self._http.get_json("/v2/languages", params={"type": kind}), list)
        return {code for row in rows for code in our_codes(pick(row, str, "language"))}


class _DeepL(Http):
    def failure(self, status: int, body: str = "", headers: Mapping[str, str] | None = None) -> ServiceError:
        # DeepL says "too many requests" in two ways.
        return super().failure(429 if status == 529 else status, body, headers)


def as_source(code: str) -> str:
    """DeepL's code for a source language, which has no variants."""
    language = base(code)
    return "KMR" if language == "ku" else language.upper()


def as_target(code: str) -> str:
    """DeepL's code for a target language, with the variant that it wants to know."""
    return SPELLED.get(code, code.upper())

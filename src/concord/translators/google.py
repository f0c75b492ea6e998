"""Google Cloud Translation, basic (version 2) or advanced (version 3).

`--system google` with an API key in GOOGLE_API_KEY is the basic edition. With GOOGLE_ACCESS_TOKEN (as
`gcloud auth print-access-token` prints it) and GOOGLE_PROJECT in the environment it is the advanced one;
`--system google,api=v2` or `api=v3` decides where all are set. `model` is `nmt` for version 2, and for
version 3 what follows `models/`, such as `general/nmt` or `general/translation-llm`.
"""

import os
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, Literal

from concord.errors import Exhausted, ServiceError, Unauthorised, UserError
from concord.model import Limits, Price
from concord.translators._http import Http, pick
from concord.translators._names import system_id
from concord.translators._provider import SERVICES, CodeSpelling, Hosted, Url

URL = "https://translation.googleapis.com"
ORDINARY = ("", "nmt", "base", "general/nmt")
SPELLING = CodeSpelling(SERVICES["google"]["languages"])


class Translator(Hosted):
    """A client of Google Cloud Translation; `location` is that of version 3, `global` or a region."""

    # Version 2 takes requests of 100 kB, and JSON may spend six bytes on a character.
    limits = Limits(texts=128, characters=16_000, in_flight=4, seconds=60)
    keys = ("GOOGLE_API_KEY", "GOOGLE_ACCESS_TOKEN", "GOOGLE_PROJECT")
    price: Price | None = Price(20.0, "USD", "2026-11-15", "Cloud Translation pricing page, NMT (undated copy)")

    def __init__(
        self,
        *,
        api: Annotated[
            Literal["auto", "v2", "v3"], "Edition of the service; auto is v3 if its token and project are set."
        ] = "auto",
        model: Annotated[str, "Model to ask for; by default Google's choice."] = "",
        location: Annotated[str, "Location of the model, with v3."] = "global",
        url: Url = URL,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        environ = os.environ if environ is None else environ
        key, token, project = (environ.get(name, "").strip() for name in self.keys)
        self._advanced = api == "v3" or (api == "auto" and bool(token and project))
        needed = self.keys[1:] if self._advanced else self.keys[:1]
        if missing := [name for name in needed if not environ.get(name, "").strip()]:
            raise UserError(f"google needs {' and '.join(missing)} in the environment")
        self._parent = f"/v3/projects/{_plain(project)}/locations/{_plain(location)}" if self._advanced else ""
        self._model = model
        self._path = f"{self._parent.removeprefix('/v3/')}/models/{model}" if self._advanced and model else ""
        address = url.rstrip("/")
        edition = {"api": ("v3" if self._advanced else "", ""), "model": (model, ""), "url": (address, URL)}
        self.id = system_id("google", **edition, location=(location if self._advanced else "global", "global"))
        if model not in ORDINARY:
            self.price = None  # other models have prices of their own
        if self._advanced:
            self.limits = Limits(texts=1_024, characters=30_000, in_flight=4, seconds=60)
        bearer = {"Authorization": f"Bearer {token}", "x-goog-user-project": project}
        variable = "GOOGLE_ACCESS_TOKEN" if self._advanced else "GOOGLE_API_KEY"
        headers = bearer if self._advanced else {"X-goog-api-key": key}
        self._http = _Google(address, name="Google Cloud Translation", key=variable, headers=headers)

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        ask = self._ask_advanced if self._advanced else self._ask_basic
        rows = await ask(list(texts), SPELLING.theirs(source), SPELLING.theirs(target))
        return [pick(row, str, "translatedText") for row in self._http.matched(rows, texts)]

    async def directions(self) -> Collection[tuple[str, str]]:
        if self._advanced:
            # A model may know fewer languages than the usual one.
            params = {"model": self._path} if self._path else None
            answer = await self._http.get_json(f"{self._parent}/supportedLanguages", params=params)
            rows = [pick(row, dict) for row in pick(answer, list, "languages")]
            sources = [pick(row, str, "languageCode") for row in rows if row.get("supportSource")]
            targets = [pick(row, str, "languageCode") for row in rows if row.get("supportTarget")]
        else:
            rows = pick(await self._http.get_json("/language/translate/v2/languages"), list, "data", "languages")
            sources = targets = [pick(row, str, "language") for row in rows]
        return SPELLING.pairs(sources, targets)

    async def _ask_basic(self, texts: list[str], source: str, target: str) -> list[Any]:
        body = {"q": texts, "source": source, "target": target, "format": "text"}
        body |= {"model": self._model} if self._model else {}
        return pick(await self._http.post_json("/language/translate/v2", json=body), list, "data", "translations")

    async def _ask_advanced(self, texts: list[str], source: str, target: str) -> list[Any]:
        languages = {"sourceLanguageCode": source, "targetLanguageCode": target}
        body = {"contents": texts, "mimeType": "text/plain", **languages}
        body |= {"model": self._path} if self._path else {}
        return pick(await self._http.post_json(f"{self._parent}:translateText", json=body), list, "translations")


class _Google(Http):
    def failure(self, status: int, body: str = "", headers: Mapping[str, str] | None = None) -> ServiceError:
        # A status of 403 can be a quota, and a wrong key is a bad request: the reason inside tells.
        if status in (403, 429) and re.search("daily ?limit|per ?day", body, re.IGNORECASE):
            return Exhausted(f"the daily quota of {self.name} is used up (status {status})")
        if status == 403 and re.search("rate ?limit ?exceeded", body, re.IGNORECASE):
            return super().failure(429, body, headers)
        if status == 400 and re.search("API_KEY_INVALID|keyInvalid|API key not valid", body):
            return Unauthorised(f"{self.name} does not know the key (status 400). Set GOOGLE_API_KEY to a valid one")
        if status == 403 and re.search("SERVICE_DISABLED|accessNotConfigured|BILLING_DISABLED", body):
            return Unauthorised(f"{self.name} or its billing is not enabled in the project of this key (status 403)")
        return super().failure(status, body, headers)


def _plain(part: str) -> str:
    if not re.fullmatch(r"[\w.:-]*", part, re.ASCII):
        raise UserError("GOOGLE_PROJECT and location are plain words, such as my-project-123 and europe-west1")
    return part

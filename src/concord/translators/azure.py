"""Microsoft Translator (Azure), through version 3 of its text API.

`--system azure` with the key in AZURE_TRANSLATOR_KEY and the resource's region in
AZURE_TRANSLATOR_REGION; only a resource of the region "global" does without the latter. `category` names
a custom model. A resource with an address of its own is reached with
`--system azure,url=https://NAME.cognitiveservices.azure.com/translator/text/v3.0`.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated
from urllib.parse import urlencode

from concord.errors import Exhausted, ServiceError, Unauthorised
from concord.model import Limits, Price
from concord.translators._http import Http, found_in, pick
from concord.translators._keys import key_of
from concord.translators._names import system_id
from concord.translators._provider import SERVICES, CodeSpelling, Hosted, Url

URL = "https://api.cognitive.microsofttranslator.com"
SPELLING = CodeSpelling(SERVICES["azure"]["languages"])


class Translator(Hosted):
    """A client of Microsoft Translator; `category` is the category id of a custom model."""

    # It counts in UTF-16: a character outside the basic plane is two of its 50,000.
    limits = Limits(texts=1_000, characters=25_000, in_flight=4, seconds=60)
    price: Price | None = Price(
        10.0, "USD", "2026-11-15", "Azure Translator pricing, S1 standard text, as third parties quote it"
    )
    keys = ("AZURE_TRANSLATOR_KEY", "AZURE_TRANSLATOR_REGION")

    def __init__(
        self,
        *,
        category: Annotated[str, "Category of a custom model; by default Microsoft's general model."] = "",
        url: Url = URL,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        key = key_of("azure", self.keys[0], environ)
        region = key_of("azure", self.keys[1], environ, needed=False)
        address = url.rstrip("/")
        self.id = system_id("azure", category=(category, ""), url=(address, URL))
        self._category = {"category": category} if category else {}
        if category:
            self.price = None  # a custom model has a price of its own
        headers = {"Ocp-Apim-Subscription-Key": key}
        if region:
            headers["Ocp-Apim-Subscription-Region"] = region
        self._http = _Azure(address, name="Microsoft Translator", key=self.keys[0], headers=headers)

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        languages = {"from": SPELLING.theirs(source), "to": SPELLING.theirs(target)}
        path = "/translate?" + urlencode({"api-version": "3.0", **languages, "textType": "plain", **self._category})
        rows = pick(await self._http.post_json(path, json=[{"Text": text} for text in texts]), list)
        return [pick(row, str, "translations", 0, "text") for row in self._http.matched(rows, texts)]

    async def directions(self) -> Collection[tuple[str, str]]:
        params = {"api-version": "3.0", "scope": "translation"}
        codes = pick(await self._http.get_json("/languages", params=params), dict, "translation")
        return SPELLING.pairs(codes, codes)


class _Azure(Http):
    def failure(self, status: int, body: str = "", headers: Mapping[str, str] | None = None) -> ServiceError:
        # The first three digits of its own codes repeat the status; 403001 is the free plan's end.
        if found_in(body, int, "error", "code") == 403001:
            return Exhausted(f"the free quota of {self.name} is used up (status {status}, code 403001)")
        if status == 401:
            cure = "Set AZURE_TRANSLATOR_KEY to a valid key and AZURE_TRANSLATOR_REGION to the region it belongs to"
            return Unauthorised(f"{self.name} denies access (status {status}). {cure}")
        return super().failure(status, body, headers)

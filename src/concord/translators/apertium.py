"""Apertium, the rule-based engine, run on this machine from its installed language pairs.

`--system apertium`. Every direction is a chain of small programs that stays alive between texts. An
answer is what `apertium -u` gives for that text alone, whatever was translated before it: see
`docs/apertium.md` for how that is achieved and what it costs.
"""

import re
from collections.abc import Collection, Sequence
from typing import Annotated

from concord.errors import Refused, UserError, apt_install
from concord.language.apertium.modes import FOLDER, MEMBERS, SPECIAL, Line, Mode, Pairs, answered, to_stream, unsendable
from concord.language.codes import base
from concord.model import Limits, System

# The pairs that Debian packages, as in apertium-NAME.
PACKAGES = """
afr-nld arg-cat bel-rus br-fr cat-ita cat-srd dan-nor en-gl eng-cat eng-spa eo-ca eo-en eo-es eo-fr es-gl es-pt es-ro
eu-en eu-es fr-es fra-cat fra-frp hbs-eng hbs-mkd hbs-slv ind-zlm isl-eng isl-swe mkd-bul mkd-eng nno-nob oc-ca oc-es
oci-fra pol-szl por-cat pt-gl rus-ukr spa-arg spa-ast spa-cat spa-ita srd-ita swe-dan swe-nor urd-hin
"""


class Translator(System):
    """The pairs whose modes lie in `folder`."""

    limits = Limits(texts=64, characters=40_000, in_flight=4, seconds=120)
    dictionaries = "apertium"

    def __init__(self, *, folder: Annotated[str, "Folder of the installed modes."] = FOLDER) -> None:
        self._pairs = Pairs(folder)
        self._lines: dict[tuple[str, str], Line[str, str]] = {}

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        line = self._line(source, target)
        refusals = [unsendable(text) for text in texts]
        sent = [text for text, refusal in zip(texts, refusals, strict=True) if refusal is None]
        answers = iter(await line.ask(sent))
        return [refusal or next(answers) for refusal in refusals]

    def version(self, source: str, target: str) -> str:
        """Engine, language data, tools and mechanism, such as `3.8.3-1+b2+eng-spa.0.8.1-2+334a79cc+apart1`."""
        self._mode(source, target)
        return self._pairs.version(source, target)

    async def directions(self) -> Collection[tuple[str, str]]:
        return frozenset(self._pairs.modes())

    def lacks(self, source: str, target: str, directions: Collection[tuple[str, str]]) -> str:
        """Names the Debian package of the pair, if there is one, and what is installed."""
        languages = {base(source), base(target)}
        near = ", ".join(f"{a}-{b}" for a, b in sorted(directions) if {base(a), base(b)} == languages)
        if near:
            hint = f"The installed pair has only: {near}."
        elif package := next((name for name in PACKAGES.split() if languages == _languages(name)), None):
            hint = f"Debian has a package for this pair. To install it: {apt_install(f'apertium-{package}')}."
        else:
            hint = "Debian has no package for this pair."
        installed = ", ".join(f"{a}-{b}" for a, b in sorted(directions)) or "none"
        return f"Apertium cannot translate {source}-{target} here. {hint} Installed: {installed}"

    async def close(self) -> None:
        for line in self._lines.values():
            await line.close()

    def _line(self, source: str, target: str) -> Line[str, str]:
        if (source, target) not in self._lines:
            self._lines[source, target] = Line(self._mode(source, target).commands, to_stream, from_stream)
        return self._lines[source, target]

    def _mode(self, source: str, target: str) -> Mode:
        modes = self._pairs.modes()
        if (source, target) not in modes:
            raise UserError(self.lacks(source, target, modes))
        return modes[source, target]


def from_stream(answer: bytes, number: int) -> str:
    """The running text of an answer, if it is the one to the record of that number."""
    stream = answered(answer, number)
    return re.sub(rf"\.\[\]|\\({SPECIAL})|[\[\]]", lambda match: match.group(1) or "", stream)


def _languages(package: str) -> set[str]:
    return {base(MEMBERS.get(code, code)) for code in package.split("-")}

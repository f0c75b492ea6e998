"""The signature of a run: one line that tells it from all others, and by which it can be repeated.

`rtt|metric:chrf|threshold:0.4|en-es|mt:apertium@3.8.3|corpus:demo#a1b2c3d4|seed:12345|v:0.1.0`
"""

import hashlib
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from concord import __version__

_UNQUOTED = " !\"#$&'()*+,-./:;<=>?@[]^_`{}~"


def signature(
    relation: str,
    settings: Mapping[str, Any],
    direction: tuple[str, str],
    services: Mapping[str, str],
    corpus: str,
    seed: int,
    repetitions: int = 1,
) -> str:
    """The parts of a run in one line; `services` maps a service's name (`mt`, `parser`) to its id and version.

    An option that is None is not set, and left out: the relation's own default of this version holds.
    """
    parts = [relation]
    parts += [f"{name}:{_safe(option_text(value))}" for name, value in settings.items() if value is not None]
    parts.append("-".join(direction))
    parts += [f"{name}:{_safe(value)}" for name, value in services.items()]
    parts += [f"corpus:{_safe(corpus)}", f"seed:{seed}"]
    if repetitions > 1:
        parts.append(f"repetitions:{repetitions}")
    return "|".join([*parts, f"v:{__version__}"])


def option_text(value: Any) -> str:
    """A value as it is written on the command line and in signatures."""
    if isinstance(value, (tuple, list)):
        return ",".join(option_text(element) for element in value)
    if isinstance(value, bool):
        return str(value).lower()
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def digest(*parts: str, size: int = 16) -> bytes:
    """A hash of several texts; each is preceded by its length, so that no two lists have the same hash by accident."""
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=size).digest()


def _safe(value: str) -> str:
    return quote(value, safe=_UNQUOTED)

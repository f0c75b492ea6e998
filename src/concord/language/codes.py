"""Language codes: the many spellings people use, and the one BCP-47 code that Concord uses inside."""

import re
from difflib import get_close_matches
from functools import cache, lru_cache

from concord.errors import UserError
from concord.language import word_tables

_OLD_TAGS = {"zh-chs": "zh-hans", "zh-cht": "zh-hant"}
_CHINESE = {"CN": "Hans", "SG": "Hans", "MY": "Hans", "TW": "Hant", "HK": "Hant", "MO": "Hant"}
_MACRO = frozenset({"ar", "kok", "lv", "ms", "sgn", "sw", "uz", "zh"})

_TAG = re.compile(
    r"""(?P<language>[a-z]{2,3})
        (?:-(?P<member>[a-z]{3}))?
        (?:-(?P<script>[a-z]{4}))?
        (?:-(?P<region>[a-z]{2}|[0-9]{3}))?
        (?P<rest>(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?)
    """,
    re.VERBOSE | re.ASCII,
)


@lru_cache(maxsize=4096)
def normalise(code: str) -> str:
    """The one code for a language, whatever the spelling.

    >>> [normalise(code) for code in ("eng", "spa_Latn", "pt_br", "zh-CN", "zho_Hant", "iw", "ceb")]
    ['en', 'es', 'pt-BR', 'zh-Hans', 'zh-Hant', 'he', 'ceb']

    Bare `zh` stays bare. A string that is no code raises `UserError`.
    """
    tag = code.strip().replace("_", "-").lower()
    match = _TAG.fullmatch(_OLD_TAGS.get(tag, tag))
    if match is None:
        raise _no_code(code)
    language = _language(code, match["language"], match["member"])
    script = (match["script"] or "").title()
    region = (match["region"] or "").upper()
    if language == "zh":
        script, region = _chinese(script, region)
    elif (language, script) in usual_scripts():
        script = ""
    return "-".join(part for part in (language, script, region) if part) + match["rest"]


def base(code: str) -> str:
    """The language alone, without script and region: `zh` of `zh_CN`."""
    return normalise(code).partition("-")[0]


def language_name(code: str) -> str:
    """The English name of a language without its script and region, or its code."""
    names = {short: name.title() for name, short in _pairs(word_tables(__file__)["names"]).items()}
    return names.get(base(code), base(code))


def _language(code: str, language: str, member: str | None) -> str:
    shorter = _shorter_codes()
    short = shorter.get(language, language)
    is_valid = short in shorter.values() or len(short) == 3
    if member is not None:
        macro, short = short, shorter.get(member, member)
        is_valid = macro in _MACRO and (short == macro or len(short) == 3)
    if not is_valid:
        raise _no_code(code)
    return short


def _chinese(script: str, region: str) -> tuple[str, str]:
    script = script or _CHINESE.get(region, "")
    return script, "" if (script, region) in {("Hans", "CN"), ("Hant", "TW")} else region


def _no_code(code: str) -> UserError:
    shortened = code if len(code) <= 40 else code[:40] + "…"
    word = re.split(r"[-_ (]", code.strip().lower())[0]
    meant = _pairs(word_tables(__file__)["names"]) | _pairs(word_tables(__file__)["mistaken"])
    near = [word] if word in meant else get_close_matches(word, meant, n=1, cutoff=0.8)
    hint = f" Did you mean '{meant[near[0]]}'?" if near else ""
    return UserError(
        f"'{shortened}' is not a language code.{hint} Expected a BCP-47 code such as 'en', 'ceb', 'pt-BR' or 'zh-Hans'"
    )


@cache
def _shorter_codes() -> dict[str, str]:
    """For every long or withdrawn code the one that stands for it; all two-letter codes in use are among these."""
    iso = map(str.split, word_tables(__file__)["iso"].split(","))
    codes = {long: two for two, *longs in iso for long in longs} | _pairs(word_tables(__file__)["same"])
    return codes | {code: codes[short] for code, short in codes.items() if short in codes}


@cache
def usual_scripts() -> frozenset[tuple[str, str]]:
    """Languages with a script (ISO 15924) that they are usually written in."""
    scripts = word_tables(__file__)["scripts"].items()
    return frozenset((code, script) for script, codes in scripts for code in codes.split())


def _pairs(table: str) -> dict[str, str]:
    return dict(entry.split() for entry in table.split(","))


# Written without blanks between words; the first subtag tells.
UNSPACED = frozenset({"zh", "yue", "wuu", "ja", "th", "lo", "km", "my", "shn", "bo", "dz", "ii"})


def is_spaced(code: str) -> bool:
    """Whether blanks separate the words of the language."""
    return code.partition("-")[0] not in UNSPACED


def direction(source: str, target: str) -> str:
    """Two languages as people read them: `en→es`."""
    return f"{source}→{target}"

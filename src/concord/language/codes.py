"""Language codes: the many spellings people use, and the one BCP-47 code that Concord uses inside."""

import re
from difflib import get_close_matches
from functools import lru_cache

from concord.errors import UserError

# ISO 639-1, then the three-letter codes: 639-2/T (also 639-3), and 639-2/B where that differs.
_ISO = """
aa aar, ab abk, ae ave, af afr, ak aka, am amh, an arg, ar ara, as asm, av ava, ay aym, az aze, ba bak, be bel,
bg bul, bh bih, bi bis, bm bam, bn ben, bo bod tib, br bre, bs bos, ca cat, ce che, ch cha, co cos, cr cre,
cs ces cze, cu chu, cv chv, cy cym wel, da dan, de deu ger, dv div, dz dzo, ee ewe, el ell gre, en eng, eo epo,
es spa, et est, eu eus baq, fa fas per, ff ful, fi fin, fj fij, fo fao, fr fra fre, fy fry, ga gle, gd gla,
gl glg, gn grn, gu guj, gv glv, ha hau, he heb, hi hin, ho hmo, hr hrv, ht hat, hu hun, hy hye arm, hz her,
ia ina, id ind, ie ile, ig ibo, ii iii, ik ipk, io ido, is isl ice, it ita, iu iku, ja jpn, jv jav, ka kat geo,
kg kon, ki kik, kj kua, kk kaz, kl kal, km khm, kn kan, ko kor, kr kau, ks kas, ku kur, kv kom, kw cor, ky kir,
la lat, lb ltz, lg lug, li lim, ln lin, lo lao, lt lit, lu lub, lv lav, mg mlg, mh mah, mi mri mao, mk mkd mac,
ml mal, mn mon, mr mar, ms msa may, mt mlt, my mya bur, na nau, nb nob, nd nde, ne nep, ng ndo, nl nld dut,
nn nno, no nor, nr nbl, nv nav, ny nya, oc oci, oj oji, om orm, or ori, os oss, pa pan, pi pli, pl pol, ps pus,
pt por, qu que, rm roh, rn run, ro ron rum, ru rus, rw kin, sa san, sc srd, sd snd, se sme, sg sag, sh hbs,
si sin, sk slk slo, sl slv, sm smo, sn sna, so som, sq sqi alb, sr srp, ss ssw, st sot, su sun, sv swe, sw swa,
ta tam, te tel, tg tgk, th tha, ti tir, tk tuk, tl tgl, tn tsn, to ton, tr tur, ts tso, tt tat, tw twi, ty tah,
ug uig, uk ukr, ur urd, uz uzb, ve ven, vi vie, vo vol, wa wln, wo wol, xh xho, yi yid, yo yor, za zha,
zh zho chi, zu zul
"""

# Withdrawn codes, and members that stand for their whole macrolanguage in multilingual test sets.
# "no" covers two written standards; data and systems that say "no" mean Bokmål, while Nynorsk is
# always called "nn", so "no" and "nb" must meet or the same direction would count as two.
_SAME = """
iw he, in id, ji yi, jw jv, mo ro, mol ro, no nb, scc sr, scr hr, als sq, arb ar, azj az, cmn zh, ekk et, gaz om,
khk mn, kmr ku, lvs lv, npi ne, ory or, pbt ps, pbu ps, pes fa, plt mg, swh sw, uzn uz, ydd yi, zsm ms
"""

# The script a language is usually written in adds nothing to its code. Chinese has two, so it is absent.
_SCRIPTS = {
    "Latn": """aa ace af ak an ast ay ayr az ban bem bi bjn bm br bs bug ca ceb ch cjk co crh cs cy da de dik dyu ee
        en eo es et eu ff fi fil fj fo fon fr fur fuv fy ga gd gl gn gv ha ho hr ht hu hz ia id ie ig ik ilo io is it
        jv kab kac kam kbp kea kg ki kj kl kmb knc kr ku kw la lb lg li lij lmo ln lt ltg lu lua luo lus lv mg mh mi
        min mos ms mt na nb nd ng nl nn nr nso nus nv ny oc om pag pap pl pt qu quy rm rn ro rw sc scn se sg sh sk sl
        sm sn so sq ss st su sv sw szl taq tk tl tn to tpi tr ts tum tw ty umb uz ve vec vi vo wa war wo xh yo za
        zu""",
    "Cyrl": "ab av ba be bg ce cu cv kk kv ky mhr mk mn myv os ru sah sr tg tt tyv uk",
    "Arab": "acm acq aeb ajp apc ar ars ary arz azb ckb fa ks prs ps sd skr ug ur",
    "Deva": "awa bh bho doi gom hi hne kok mag mai mr ne sa",
    "Beng": "as bn mni",
    "Cans": "cr iu oj",
    "Ethi": "am ti",
    "Hebr": "he yi",
    "Mymr": "my shn",
    "Tibt": "bo dz",
    "Hant": "yue",
    "Tfng": "tzm zgh",
}
_SCRIPTS_OF_ONE = """
Armn hy, Avst ae, Geor ka, Grek el, Gujr gu, Guru pa, Hang ko, Jpan ja, Khmr km, Knda kn, Kore ko, Laoo lo, Mlym ml,
Olck sat, Orya or, Sinh si, Taml ta, Telu te, Thaa dv, Thai th, Yiii ii
"""

_NAMES = """
afrikaans af, albanian sq, arabic ar, armenian hy, asturian ast, basque eu, belarusian be, bengali bn, bosnian bs,
breton br, bulgarian bg, burmese my, cantonese yue, castilian es, catalan ca, cebuano ceb, chinese zh, croatian hr,
czech cs, danish da, dutch nl, english en, esperanto eo, estonian et, farsi fa, filipino fil, finnish fi, flemish nl,
french fr, galician gl, georgian ka, german de, greek el, gujarati gu, hausa ha, hebrew he, hindi hi, hungarian hu,
icelandic is, igbo ig, indonesian id, irish ga, italian it, japanese ja, javanese jv, kazakh kk, khmer km, korean ko,
kurdish ku, lao lo, latin la, latvian lv, lithuanian lt, macedonian mk, malay ms, malayalam ml, maltese mt,
mandarin zh, marathi mr, mongolian mn, nepali ne, norwegian nb, nynorsk nn, occitan oc, pashto ps, persian fa,
polish pl, portuguese pt, punjabi pa, romanian ro, russian ru, serbian sr, sinhala si, slovak sk, slovene sl,
slovenian sl, somali so, spanish es, swahili sw, swedish sv, tagalog tl, tamil ta, telugu te, thai th, tibetan bo,
turkish tr, ukrainian uk, urdu ur, uzbek uz, vietnamese vi, welsh cy, yiddish yi, yoruba yo, zulu zu
"""

# Countries and abbreviations that are often taken for languages; none of them is a code of its own.
_MISTAKEN = "cn zh, cz cs, dk da, gr el, jp ja, kp ko, sp es, ua uk, us en, vn vi, gb en"


def _pairs(table: str) -> dict[str, str]:
    words = table.replace(",", " ").split()
    return dict(zip(words[::2], words[1::2], strict=True))


_TWO = frozenset(entry.split()[0] for entry in _ISO.split(","))
_CODES = {long: two for two, *longs in map(str.split, _ISO.split(",")) for long in longs} | _pairs(_SAME)
_CODES |= {code: _CODES[short] for code, short in _CODES.items() if short in _CODES}
_SCRIPTS |= _pairs(_SCRIPTS_OF_ONE)
_USUAL = frozenset((code, script) for script, codes in _SCRIPTS.items() for code in codes.split())
# Names for a mixture of scripts, or for one way to write characters that are one script to Unicode.
_DRAWN_FROM = {
    "Hans": ("Hani",),
    "Hant": ("Hani",),
    "Jpan": ("Hani", "Hira", "Kana"),
    "Kore": ("Hang", "Hani"),
}
_MEANT = _pairs(_NAMES) | _pairs(_MISTAKEN)
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
    elif (language, script) in _USUAL:
        script = ""
    return "-".join(part for part in (language, script, region) if part) + match["rest"]


def base(code: str) -> str:
    """The language alone, without script and region: `zh` of `zh_CN`."""
    return normalise(code).partition("-")[0]


def scripts_of(code: str) -> frozenset[str]:
    """The scripts (ISO 15924) that the language is usually written in, as `text.scripts` names them.

    >>> sorted(scripts_of("ru")), sorted(scripts_of("zh-TW"))
    (['Cyrl'], ['Hani'])
    """
    language, *rest = normalise(code).split("-")
    # Bare `zh` leaves open whether characters are simplified or traditional; both are the script Hani.
    explicit = [part for part in rest if len(part) == 4 and part.isalpha()] or ["Hans"] * (language == "zh")
    names = explicit or [script for code_of_script, script in _USUAL if code_of_script == language]
    return frozenset(part for script in names for part in _DRAWN_FROM.get(script, (script,)))


def _language(code: str, language: str, member: str | None) -> str:
    short = _CODES.get(language, language)
    is_valid = short in _TWO or len(short) == 3
    if member is not None:
        macro, short = short, _CODES.get(member, member)
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
    near = [word] if word in _MEANT else get_close_matches(word, _MEANT, n=1, cutoff=0.8)
    hint = f" Did you mean '{_MEANT[near[0]]}'?" if near else ""
    return UserError(
        f"'{shortened}' is not a language code.{hint} Expected a BCP-47 code such as 'en', 'ceb', 'pt-BR' or 'zh-Hans'"
    )


# Written without blanks between words; the first subtag tells.
UNSPACED = frozenset({"zh", "yue", "wuu", "ja", "th", "lo", "km", "my", "shn", "bo", "dz", "ii"})


def is_spaced(code: str) -> bool:
    """Whether blanks separate the words of the language."""
    return code.partition("-")[0] not in UNSPACED


def direction(source: str, target: str) -> str:
    """Two languages as people read them: `en→es`."""
    return f"{source}→{target}"

"""Abbreviations of ten languages, by whether a sentence can end with them.

After a title or "e.g." the sentence goes on; "etc." may end a sentence; "no." or "p." is an
abbreviation only before a number. Single letters with full stops ("U.S.", "т.е.") need no list.
"""

from functools import cache
from typing import NamedTuple

from concord.language.codes import base


class Abbreviations(NamedTuple):
    """The abbreviations of a language, in lower case and without their last full stop."""

    leading: frozenset[str]
    closing: frozenset[str]
    numbering: frozenset[str]


# For each language: those after which a sentence goes on | those that may end one | those that precede a number.
_TABLE = {
    "en": """mr mrs ms mx messrs dr prof rev fr hon gov sen rep pres gen col maj capt cmdr cpl sgt lt adm st mt ft vs
        viz cf ca eg ie approx dept jan feb apr jun jul aug sept sep oct nov dec
        | etc inc ltd co corp bros jr sr ph.d llc plc al est ave blvd rd univ assn
        | no nos p pp fig figs vol vols ch sec art eq op ed eds""",
    "es": """sr sra srta sres dr dra d dª prof profa lic ing gral cap cnel tte sto sta ud uds vd vds p ej vs cf aprox
        avda av atte fdo dpto admón ene feb abr jun jul ago sept oct nov dic
        | etc cía ltda s.a hnos izq dcha ee.uu jj.oo rr.hh a.c d.c p.d
        | núm núms nº pág págs fig figs art arts vol vols cap caps tel km""",
    "ca": """sr sra srta dr dra prof mn fra st sta av avda pl pg ctra vs cf aprox ex p
        | etc cia ltda s.a dta esq ee.uu a.c d.c
        | núm núms pàg pàgs fig figs art arts vol vols cap caps tel""",
    "gl": """sr sra srta dr dra d prof lic sto sta av avda vs cf aprox p ex
        | etc cía ltda s.a ee.uu a.c d.c
        | núm núms páx páxs fig figs art arts vol vols cap caps tel""",
    "pt": """sr sra srta srs dr dra d prof profa eng arq gen cel cap ten sto sta v.ex exmo exma av vs cf aprox p ex
        jan fev abr jun jul ago nov dez
        | etc cia ltda s.a ltd eua a.c d.c
        | núm nº n pág págs fig figs art arts vol vols cap caps tel""",
    "fr": """m mm mme mmes mlle mlles dr pr mgr st ste sts stes gal cap lt cf env av bd boul janv févr avr juil
        sept oct nov déc | etc cie s.a.r.l s.a apr av.j.-c j.-c
        | n no nos p pp fig figs art arts vol vols chap tél éd""",
    "it": """sig sigg sigra dott dr prof ing avv arch geom rag on sen gen col cap ten mons s ss cf vs
        es egr spett v p.es feb apr giu lug ago sett nov dic
        | ecc etc s.p.a s.r.l a.c d.c u.s.a
        | n nn nr num pag pagg fig figg art artt vol voll cap capp tel""",
    "de": """hr hrn fr dr prof dipl ing med jur phil rer nat st frhr bzw ca vgl evtl ggf inkl exkl zzgl sog bes insb
        ehem geb gest allg dt engl frz lat z d.h u.a z.b jan feb mär apr jun jul aug sept okt nov dez mio mrd
        | usw etc u.s.w co ing.-büro jh jhd str
        | nr nrn s bd bde abb abs art aufl kap tab tel""",
    "sv": """hr fr dr prof ca t.ex t.o.m bl.a d.v.s dvs fr.o.m m.fl jfr jmf resp inkl exkl s.k f.d kl st jan feb apr
        aug sept okt nov dec
        | osv etc m.m mm mfl e.kr f.kr o.s.v o.d
        | nr s sid fig kap bd art tel""",
    "ru": """г-н г-жа гг проф акад доц инж ген полк напр ср см ул пр просп пл пер наб д кв корп о т тов св янв февр
        апр авг сент окт нояб дек англ нем фр лат греч рус
        | др пр т.д т.п им гг г в вв н.э руб коп тыс млн млрд км кг чел мин сек
        | с стр рис табл гл ст п пп № т""",
}


@cache
def abbreviations(lang: str) -> Abbreviations:
    """The abbreviations of the language; none for a language without a list."""
    leading, closing, numbering = _TABLE.get(base(lang), "||").split("|")
    return Abbreviations(*(frozenset(part.split()) for part in (leading, closing, numbering)))

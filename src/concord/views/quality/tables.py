"""Quality and correlation as tables, for the terminal and the page alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from concord.analyses.quality.quality import Quality, Rate, Table1
from concord.analyses.quality.results import (
    FISHER,
    SCALES,
    SENTENCE,
    Coefficient,
    Contributed,
    Correlated,
    ScoreAgreement,
)
from concord.language.codes import direction
from concord.stats.bootstrap_correlation import METHODS
from concord.stats.contribution import MeanInterval
from concord.stats.sign_test import p_value_text
from concord.views.tables import NONE, TextTable, between, figure

TIES = "Systems of one domain that share a letter are not told apart (95 %, all pairs together)."
TRANSLATIONS = "translations"
ADDED = (
    "The mean difference that a satisfied relation makes, over all combinations of the others; one that few"
    " translations have weighs as much as any. No interval where a single sentence has one."
)
_P = "p takes pairs for independent; intervals (95 %) draw sentences anew."


# -- quality -----------------------------------------------------------------------------------------


def quality_tables(found: Quality) -> list[TextTable]:
    legends: dict[str, dict[str, str]] = {}
    for each in found.tables:
        legends.setdefault(_direction(each), {}).update(each.legend)
    made = [table for each in found.tables for table in (_standings(each), _numbers(each))]
    return [*made, *(table for where, legend in legends.items() for table in _legend(where, legend))]


def _legend(where: str, legend: Mapping[str, str]) -> list[TextTable]:
    """What short names stand for, if there are any."""
    return (
        [TextTable(f"{where}: relations by their options", ("name", "relation"), list(legend.items()))]
        if legend
        else []
    )


def _standings(found: Table1) -> TextTable:
    """Table 1 of the paper."""
    names, several = found.relations, len(found.relations) > 1
    domains = any(standing.domain for standing in found.standings)
    rows = [
        (
            *((standing.domain or "all",) if domains else ()),
            standing.system,
            f"{standing.sentences:,}",
            *(_rate(standing.rates[name]) for name in names),
            *((_rate(standing.mean),) if several else ()),
            NONE if standing.rank is None else str(standing.rank),
            standing.letters or NONE,
        )
        for standing in found.standings
    ]
    where = ("domain", "system") if domains else ("system",)
    columns = (*where, "sentences", *names, *(("mean",) if several else ()), "rank", "ties")
    ranked = any(standing.letters for standing in found.standings)
    return TextTable(
        f"{_direction(found)}: satisfied, in percent (95 % interval)", columns, rows, TIES if ranked else ""
    )


def _numbers(found: Table1) -> TextTable:
    size, partly = len(found.relations), any(found.partly.values())
    rows = [
        (system, *(figure(100 * share, ".1f") for share in shares), *((f"{found.partly[system]:,}",) if partly else ()))
        for system, shares in found.satisfied.items()
    ]
    numbers = [f"{number} of {size}" for number in range(size + 1)]
    columns = ("system", *numbers, *(("not all tested",) if partly else ()))
    note = "Sentences in which not all relations could be tested are left out." if partly else ""
    of = ", ".join(found.relations)
    return TextTable(f"{_direction(found)}: sentences by number satisfied of {of}, in percent", columns, rows, note)


def _direction(found: Table1) -> str:
    return direction(found.source_lang, found.target_lang)


def _rate(rate: Rate) -> str:
    if rate.rate != rate.rate:
        return NONE
    return f"{100 * rate.rate:.1f} ({100 * rate.lower:.1f} … {100 * rate.upper:.1f})"


# -- correlation -------------------------------------------------------------------------------------


def correlation_tables(found: Sequence[Correlated]) -> list[TextTable]:
    return [table for each in found for table in _tables(each)]


def _tables(found: Correlated) -> Iterator[TextTable]:
    yield _outside(found)
    for scale in SCALES:
        own = [agreement for agreement in found.agreements if agreement.scale == scale]
        if own:
            fisher = scale != SENTENCE and any(each.n >= FISHER for each in own)
            yield _agreements(f"{found.observed.direction}: correlation by {scale}", own, fisher=fisher)
    yield from _by_domain(found)
    if found.between:
        yield _agreements(f"{found.observed.direction}: relations with each other, by sentence", found.between)
    yield from _contributed(found)
    yield from _legend(found.observed.direction, found.observed.legend)


def _outside(found: Correlated) -> TextTable:
    """The outside scores of each system, the metric's own score of the whole in brackets."""
    names = [each.name for each in found.outside]
    cells = {(score.domain, score.system, score.score): score for score in found.system_scores}
    domains = ["", *found.observed.domains]
    rows = []
    for domain in domains:
        for system in found.observed.systems:
            own = [cells[domain, system, name] for name in names]
            where = (domain or "all", system) if len(domains) > 1 else (system,)
            wholes = ["" if each.whole != each.whole else f" ({each.whole:.3f})" for each in own]
            rows.append((*where, *(figure(each.mean) + whole for each, whole in zip(own, wholes, strict=True))))
    whole = any(score.whole == score.whole for score in found.system_scores)
    note = "Means over sentences; in brackets the metric's own score of the whole." if whole else ""
    columns = ("domain", "system", *names) if len(domains) > 1 else ("system", *names)
    return TextTable(f"{found.observed.direction}: scores with references or by people", columns, rows, note)


def _agreements(title: str, found: Sequence[ScoreAgreement], *, fisher: bool = False) -> TextTable:
    shown = [(name.capitalize(), "95%", *(("Fisher",) if fisher else ()), "p") for name in METHODS]
    columns = ("score", "with", "n", *(name for names in shown for name in names))
    rows = [
        (each.score, each.other, f"{each.n:,}", *(cell for c in each.coefficients for cell in _coefficient(c, fisher)))
        for each in found
    ]
    note = _P + (" Fisher: the interval by Fisher's z, as if systems were drawn too." if fisher else "")
    return TextTable(title, columns, rows, note)


def _coefficient(each: Coefficient, fisher: bool) -> tuple[str, ...]:
    ends = [(each.lower, each.upper), *([each.fisher] if fisher else [])]
    return (figure(each.r), *(between(both, ".2f") for both in ends), p_value_text(each.p, 4))


def _by_domain(found: Correlated) -> Iterator[TextTable]:
    """Tables 3 and 4, and the same for Kendall."""
    domains = list(dict.fromkeys(each.domain for each in found.by_domain))
    pairs = list(dict.fromkeys((each.score, each.other) for each in found.by_domain))
    cells = {(each.score, each.other, each.domain): each for each in found.by_domain}
    for method in METHODS if domains else ():
        rows = []
        for pair in pairs:
            values = [cells[(*pair, domain)].of(method).r for domain in domains]
            known = [value for value in values if value == value]
            mean = sum(known) / len(known) if known else float("nan")
            rows.append((*pair, *map(figure, values), figure(mean)))
        systems = len(found.observed.systems)
        title = f"{found.observed.direction}: {method.capitalize()} over {systems} systems, by domain"
        yield TextTable(title, ("score", "with", *(domain or NONE for domain in domains), "mean"), rows)


def _contributed(found: Correlated) -> Iterator[TextTable]:
    """Tables 2 and 6, for all outside scores beside each other."""
    families: dict[tuple[str, ...], list[Contributed]] = {}
    for each in found.contributed:
        families.setdefault(tuple(each.relations), []).append(each)
    for relations, others in families.items():
        size, names = len(relations), [each.other for each in others]
        where = f"{found.observed.direction}: "
        numbers = [[each.found.by_number[number] for each in others] for number in range(size + 1)]
        rows = [(f"{number} of {size}", _weight(row), *map(_mean, row)) for number, row in enumerate(numbers)]
        said = f"mean scores by number of satisfied relations ({', '.join(relations)})"
        yield TextTable(where + said, ("satisfied", TRANSLATIONS, *names), rows, "With 95 % intervals.")
        if size > 1:
            sets = sorted(range(2**size), key=lambda bits: (bits.bit_count(), bits))
            chosen = [(bits, [each.found.combinations[bits] for each in others]) for bits in sets]
            rows = [(_set(bits, relations), _weight(row), *map(_mean, row)) for bits, row in chosen]
            yield TextTable(where + "mean scores by what is satisfied", ("satisfied", TRANSLATIONS, *names), rows)
            rows = [(name, *(_mean(each.found.added[r], "+") for each in others)) for r, name in enumerate(relations)]
            note = ADDED
            yield TextTable(where + "what each relation contributes", ("relation", *names), rows, note)


def _set(bits: int, relations: Sequence[str]) -> str:
    return " + ".join(name for place, name in enumerate(relations) if bits >> place & 1) or "none"


def _weight(row: Sequence[MeanInterval]) -> str:
    """How many translations, of all systems, by all outside scores alike or at most."""
    return f"{max(each.n for each in row):,.0f}"


def _mean(each: MeanInterval, sign: str = "") -> str:
    if each.mean != each.mean:
        return NONE
    interval = "" if each.lower != each.lower else f" ({each.lower:{sign}.3f} … {each.upper:{sign}.3f})"
    return f"{each.mean:{sign}.3f}{interval}"

"""Tables of quality and correlation, for the terminal and the page."""

from collections.abc import Callable, Iterator, Mapping, Sequence

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
from concord.store.insane_answers import InsaneAnswers
from concord.views.tables import NONE, TextTable, between, figure

TIES = "Systems of one domain that share a letter do not differ significantly (95 %, adjusted for all pairs)."
UNRANKED = "Of more than {:g} % of their sentences the answer is not sane (--max-insane), by these runs."
TRANSLATIONS = "translations"
ADDED = (
    "The mean difference that a satisfied relation makes, over all combinations of the other relations, each with equal"
    " weight. There is no interval where only one sentence has a combination."
)
_P = "p assumes independent pairs; confidence intervals (95 %) are by bootstrap over sentences."


# -- quality -----------------------------------------------------------------------------------------


def quality_tables(quality: Quality) -> list[TextTable]:
    legends: dict[str, dict[str, str]] = {}
    for table1 in quality.tables:
        legends.setdefault(_direction(table1), {}).update(table1.legend)
    ranked = [table for table1 in quality.tables for table in (_standings(table1), _numbers(table1))]
    legend_tables = (table for translated, legend in legends.items() for table in _legend(translated, legend))
    return [*ranked, *_unranked(quality), *legend_tables]


def _unranked(quality: Quality) -> Iterator[TextTable]:
    cells: dict[str, Callable[[InsaneAnswers], str]] = {
        "system": lambda answers: answers.system,
        "from→to": lambda answers: direction(answers.source_lang, answers.target_lang),
        "sentences": lambda answers: f"{answers.sentences:,}",
        "not sane": lambda answers: f"{answers.failing:,} ({answers.failing / answers.sentences:.1%})",
        "most often": lambda answers: answers.kind or NONE,
        "runs": lambda answers: ", ".join(map(str, answers.runs)),
    }
    if quality.unranked:
        yield TextTable.of("Not ranked", quality.unranked, cells, UNRANKED.format(100 * quality.terms.max_insane))


def _legend(translated: str, legend: Mapping[str, str]) -> list[TextTable]:
    """A table of short names and the relations that they mean, if there are any."""
    return (
        [TextTable(f"{translated}: relations by their options", ("name", "relation"), list(legend.items()))]
        if legend
        else []
    )


def _standings(table1: Table1) -> TextTable:
    """Table 1 of the paper."""
    names, several = table1.relations, len(table1.relations) > 1
    domains = any(standing.domain for standing in table1.standings)
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
        for standing in table1.standings
    ]
    where = ("domain", "system") if domains else ("system",)
    columns = (*where, "sentences", *names, *(("mean",) if several else ()), "rank", "ties")
    ranked = any(standing.letters for standing in table1.standings)
    return TextTable(
        f"{_direction(table1)}: satisfied, in percent (95 % interval)", columns, rows, TIES if ranked else ""
    )


def _numbers(table1: Table1) -> TextTable:
    size, partly = len(table1.relations), any(table1.partly.values())
    rows = [
        (
            system,
            *(figure(100 * share, ".1f") for share in shares),
            *((f"{table1.partly[system]:,}",) if partly else ()),
        )
        for system, shares in table1.satisfied.items()
    ]
    numbers = [f"{number} of {size}" for number in range(size + 1)]
    columns = ("system", *numbers, *(("not all tested",) if partly else ()))
    note = "Sentences in which not all relations could be tested are left out." if partly else ""
    relations = ", ".join(table1.relations)
    return TextTable(
        f"{_direction(table1)}: sentences by number satisfied of {relations}, in percent", columns, rows, note
    )


def _direction(table1: Table1) -> str:
    return direction(table1.source_lang, table1.target_lang)


def _rate(rate: Rate) -> str:
    if rate.rate != rate.rate:
        return NONE
    return f"{100 * rate.rate:.1f} ({100 * rate.lower:.1f} … {100 * rate.upper:.1f})"


# -- correlation -------------------------------------------------------------------------------------


def correlation_tables(correlations: Sequence[Correlated]) -> list[TextTable]:
    return [table for correlation in correlations for table in _tables(correlation)]


def _tables(correlation: Correlated) -> Iterator[TextTable]:
    yield _outside(correlation)
    for scale in SCALES:
        scale_agreements = [agreement for agreement in correlation.agreements if agreement.scale == scale]
        if scale_agreements:
            fisher = scale != SENTENCE and any(agreement.n >= FISHER for agreement in scale_agreements)
            yield _agreements(
                f"{correlation.observed.direction}: correlation by {scale}", scale_agreements, fisher=fisher
            )
    yield from _by_domain(correlation)
    if correlation.between:
        yield _agreements(
            f"{correlation.observed.direction}: relations with each other, by sentence", correlation.between
        )
    yield from _contributed(correlation)
    yield from _legend(correlation.observed.direction, correlation.observed.legend)


def _outside(correlation: Correlated) -> TextTable:
    """The scores of each system with references or by people, with corpus scores in brackets."""
    names = [score.name for score in correlation.outside]
    cells = {(score.domain, score.system, score.score): score for score in correlation.system_scores}
    domains = ["", *correlation.observed.domains]
    rows = []
    for domain in domains:
        for system in correlation.observed.systems:
            scores = [cells[domain, system, name] for name in names]
            where = (domain or "all", system) if len(domains) > 1 else (system,)
            wholes = ["" if score.whole != score.whole else f" ({score.whole:.3f})" for score in scores]
            rows.append((*where, *(figure(score.mean) + whole for score, whole in zip(scores, wholes, strict=True))))
    whole = any(score.whole == score.whole for score in correlation.system_scores)
    note = "Means over sentences; in brackets the corpus score of the metric." if whole else ""
    columns = ("domain", "system", *names) if len(domains) > 1 else ("system", *names)
    return TextTable(f"{correlation.observed.direction}: scores with references or by people", columns, rows, note)


def _agreements(title: str, agreements: Sequence[ScoreAgreement], *, fisher: bool = False) -> TextTable:
    columns_by_method = [(name.capitalize(), "95%", *(("Fisher",) if fisher else ()), "p") for name in METHODS]
    columns = ("score", "with", "n", *(name for names in columns_by_method for name in names))
    rows = [
        (
            agreement.score,
            agreement.other,
            f"{agreement.n:,}",
            *(cell for coefficient in agreement.coefficients for cell in _coefficient(coefficient, fisher)),
        )
        for agreement in agreements
    ]
    note = _P + (" Fisher: the interval by Fisher's z, which also treats systems as a sample." if fisher else "")
    return TextTable(title, columns, rows, note)


def _coefficient(coefficient: Coefficient, fisher: bool) -> tuple[str, ...]:
    ends = [(coefficient.lower, coefficient.upper), *([coefficient.fisher] if fisher else [])]
    return (figure(coefficient.r), *(between(interval, ".2f") for interval in ends), p_value_text(coefficient.p, 4))


def _by_domain(correlation: Correlated) -> Iterator[TextTable]:
    """Tables 3 and 4 of the paper, and the same for Kendall."""
    domains = list(dict.fromkeys(agreement.domain for agreement in correlation.by_domain))
    pairs = list(dict.fromkeys((agreement.score, agreement.other) for agreement in correlation.by_domain))
    cells = {(agreement.score, agreement.other, agreement.domain): agreement for agreement in correlation.by_domain}
    for method in METHODS if domains else ():
        rows = []
        for pair in pairs:
            values = [cells[(*pair, domain)].of(method).r for domain in domains]
            finite = [value for value in values if value == value]
            mean = sum(finite) / len(finite) if finite else float("nan")
            rows.append((*pair, *map(figure, values), figure(mean)))
        observed = correlation.observed
        title = f"{observed.direction}: {method.capitalize()} over {len(observed.systems)} systems, by domain"
        yield TextTable(title, ("score", "with", *(domain or NONE for domain in domains), "mean"), rows)


def _contributed(correlation: Correlated) -> Iterator[TextTable]:
    """Tables 2 and 6 of the paper, for all outside scores side by side."""
    families: dict[tuple[str, ...], list[Contributed]] = {}
    for contribution in correlation.contributed:
        families.setdefault(tuple(contribution.relations), []).append(contribution)
    for relations, contributions in families.items():
        size, names = len(relations), [contribution.other for contribution in contributions]
        prefix = f"{correlation.observed.direction}: "
        numbers = [
            [contribution.found.by_number[number] for contribution in contributions] for number in range(size + 1)
        ]
        rows = [(f"{number} of {size}", _weight(row), *map(_mean, row)) for number, row in enumerate(numbers)]
        title = f"mean scores by number of satisfied relations ({', '.join(relations)})"
        yield TextTable(prefix + title, ("satisfied", TRANSLATIONS, *names), rows, "With 95 % intervals.")
        if size > 1:
            sets = sorted(range(2**size), key=lambda bits: (bits.bit_count(), bits))
            rows_by_set = [
                (bits, [contribution.found.combinations[bits] for contribution in contributions]) for bits in sets
            ]
            rows = [(_set(bits, relations), _weight(row), *map(_mean, row)) for bits, row in rows_by_set]
            yield TextTable(
                prefix + "mean scores by combination of satisfied relations", ("satisfied", TRANSLATIONS, *names), rows
            )
            rows = [
                (name, *(_mean(contribution.found.added[number], "+") for contribution in contributions))
                for number, name in enumerate(relations)
            ]
            note = ADDED
            yield TextTable(prefix + "what each relation contributes", ("relation", *names), rows, note)


def _set(bits: int, relations: Sequence[str]) -> str:
    return " + ".join(name for number, name in enumerate(relations) if bits >> number & 1) or "none"


def _weight(row: Sequence[MeanInterval]) -> str:
    """The number of translations with an external score; the largest if the scores differ."""
    return f"{max(interval.n for interval in row):,.0f}"


def _mean(mean: MeanInterval, sign: str = "") -> str:
    if mean.mean != mean.mean:
        return NONE
    interval = "" if mean.lower != mean.lower else f" ({mean.lower:{sign}.3f} … {mean.upper:{sign}.3f})"
    return f"{mean.mean:{sign}.3f}{interval}"

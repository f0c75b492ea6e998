"""Parse items as a formula. Conditions bind most loosely, then clauses, order ("before"), "or" and "and".

Claims are quantified, negated, included, excluded or conditional phrases. Phrases without a claim are left out unless
the sentence has nothing else (Cao et al. 2021, section 3.3.2).
"""

from collections.abc import Sequence
from dataclasses import replace

from concord.relations.semmt.automata.expression import Both, Either, Not
from concord.relations.semmt.logic.amounts import denied
from concord.relations.semmt.logic.formula import (
    DEEPEST,
    Atom,
    Ends,
    Formula,
    Inside,
    Only,
    Order,
    Repeat,
    Starts,
    depth,
)
from concord.relations.semmt.logic.negation_scope import duration, is_perfect
from concord.relations.semmt.logic.phrases import SymbolPhrase
from concord.relations.semmt.logic.quantifier_spans import CONDITIONS, Finding
from concord.relations.semmt.logic.stretches import Item

_HOLDERS = frozenset(("inclusion", "starts", "ends"))
_COMMA, _ORDERS, _DENIALS = frozenset(("comma",)), frozenset(("before", "after")), frozenset(("negation", "exclusion"))
_FLAT = frozenset(("phrase", "comma", "negation", "conjunction"))
_JOINTS = frozenset(("conjunction", "disjunction"))
_MOST_DOUBLED = 2
"""The most "if and only if" that are read in both directions."""


class FormulaReading:
    """Builds the formula of the items of one sentence; numbers that count no phrase add symbols to `phrases`."""

    def __init__(self, row: Sequence[Item]) -> None:
        self._whole = row
        self.row = [item for item in row if not item.silent]
        self.phrases = [item.phrase for item in row if item.phrase is not None]
        self._same: dict[int, int] = {}
        self._lone: dict[Finding, int] = {}
        # Both directions double a formula, and one within the other would do so again and again.
        self._both_ways = sum(item.kind == "condition_both" for item in row) <= _MOST_DOUBLED

    def formula(self) -> tuple[Formula | None, bool]:
        """The formula of the sentence, and whether it had to be simplified."""
        formula = self._conditions(self.row)
        if formula is None or depth(formula) <= DEEPEST:
            return formula, False
        self._same, self._lone = {}, {}
        return self._claims([item for item in self.row if item.kind in _FLAT or item.quantity]), True

    def with_symbols(self) -> list[Item]:
        """All items, each with the symbol that the formula has for it; a number that counts no phrase has its own."""
        items = []
        for item in self._whole:
            symbol = item.symbol if item.finding is None else self._lone.get(item.finding, -1)
            items.append(replace(item, symbol=self._same.get(symbol, symbol)))
        return items

    def _conditions(self, row: list[Item]) -> Formula | None:
        """ "If A, B" and "B if A": not A, or B."""
        start = _index(row, CONDITIONS)
        if start == len(row):
            return self._clauses(row)
        comma = _index(row, _COMMA, start + 1)
        condition = self._conditions(row[start + 1 : comma])
        rest = self._conditions(row[:start] + row[comma:])
        if condition is None or rest is None:
            return condition or rest
        kind = row[start].kind
        if kind == "condition_not":
            return _joined(Either, (condition, rest))
        needed, enough = _joined(Either, (Not(rest), condition)), _joined(Either, (Not(condition), rest))
        if kind == "condition_both" and self._both_ways:
            return _joined(Both, (needed, enough))
        return enough if kind == "condition" else needed

    def _clauses(self, row: list[Item]) -> Formula | None:
        """The formula of a row; clauses that each say what something contains are joined before their parts are."""
        joint = next((index for index in range(1, len(row)) if _splits(row, index)), None)
        if joint is None:
            return self._clause(row)
        left, right = self._clause(row[:joint]), self._clauses(row[joint + 1 :])
        return _joined(Either, (left, right)) if row[joint].kind == "disjunction" else _joined(Both, (left, right))

    def _clause(self, row: list[Item]) -> Formula | None:
        holder = _index(row, _HOLDERS)
        if holder == len(row):
            return self._claims(row) if _index(row, _ORDERS) == len(row) else self._ordered(row)
        negated = holder > 0 and row[holder - 1].kind == "negation"
        end = _end_of_scope(row, holder + 1)
        body = self._contained(row[holder].kind, row[holder + 1 : end])
        contained = Not(body) if negated and body is not None else body
        before = self._claims(row[: holder - negated])
        claims = None if isinstance(before, Atom) else before
        return _joined(Both, (claims, contained, self._conditions(row[end:]))) or before

    def _contained(self, kind: str, row: list[Item]) -> Formula | None:
        only = bool(row) and row[0].kind == "only"
        body = self._ordered(row[1:] if only else row)
        if body is None:
            return None
        if kind != "inclusion":
            return Starts(body) if kind == "starts" else Ends(body)
        return Only(body, contained=True) if only else Inside(body)

    def _ordered(self, row: list[Item]) -> Formula | None:
        """ "A before B", repeated as a whole if a number of times follows a comma."""
        repeated = _times(row[-1]) if len(row) > 2 and row[-2].kind == "comma" else None
        if repeated is not None:
            body = self._ordered(row[:-2])
            return None if body is None else _repeat(body, repeated)
        middle = _index(row, _ORDERS)
        if middle == len(row):
            return self._claims(row)
        first, then = self._claims(row[:middle]), self._ordered(row[middle + 1 :])
        if first is None or then is None:
            return first or then
        return Order(first, then) if row[middle].kind == "before" else Order(then, first)

    def _claims(self, row: list[Item]) -> Formula | None:
        """The claims of all segments; without any claim, the longest phrase."""
        formulas = [formula for segment in _segments(row) for formula in self._segment(segment)]
        claims = [formula for formula in formulas if not isinstance(formula, Atom)]
        if claims:
            return _joined(Both, claims)
        return max(formulas, key=self._length, default=None)

    def _length(self, formula: Formula) -> int:
        return len(self.phrases[formula.symbol].text.split()) if isinstance(formula, Atom) else 0

    def _segment(self, row: list[Item]) -> list[Formula]:
        """The formulas of one segment, item by item; a disjunction joins the formulas on its two sides."""
        formulas: list[Formula] = []
        index, joins = 0, False
        while index < len(row):
            if row[index].kind == "disjunction":
                joins, index = bool(formulas), index + 1
                continue
            operands, index = self._operand(row, index, formulas)
            if joins and operands and formulas:
                first = self._of_the_same(formulas[-1], operands.pop(0))
                formulas[-1] = _joined(Either, (formulas[-1], first)) or first
            joins = False
            formulas += operands
        return formulas

    def _operand(self, row: list[Item], index: int, earlier: list[Formula]) -> tuple[list[Formula], int]:
        item = row[index]
        if item.quantity is not None:
            return self._quantity(row, index, earlier)
        if item.kind == "phrase":
            return [Atom(item.symbol)], index + 1
        if item.kind in _DENIALS:
            end = _index(row, _DENIALS, index + 1)
            # The "or" of "not this or not that" joins the denials, that of "not this or that" is denied.
            end -= index + 2 < end < len(row) and row[end - 1].kind == "disjunction"
            if item.kind == "negation":
                return self._denied(row[index + 1 : end], item), end
            body = self._claims(row[index + 1 : end])
            return [] if body is None else [Not(Inside(body))], end
        if item.kind == "only":
            return self._only(row, index, earlier)
        return [], index + 1

    def _denied(self, row: list[Item], negation: Item) -> list[Formula]:
        """The formulas of items after a "not"; of several claims it inverts the first, if that is a bound."""
        start = duration(row, perfect=is_perfect(self._whole, negation))
        body, untouched = self._claims(row[:start]), None if start is None else self._claims(row[start:])
        first = body.parts[0] if isinstance(body, Both) else body
        turned = None if first is None else _not(first)
        formulas: list[Formula | None] = [turned, untouched]
        if isinstance(body, Both):
            formulas = [Not(body), untouched] if isinstance(turned, Not) else [turned, *body.parts[1:], untouched]
        return [formula for formula in formulas if formula is not None]

    def _only(self, row: list[Item], index: int, earlier: list[Formula]) -> tuple[list[Formula], int]:
        if index + 1 < len(row) and row[index + 1].kind != "disjunction":
            formulas, end = self._operand(row, index + 1, earlier)
            return [_only(formulas[0]), *formulas[1:]] if formulas else [], end
        if earlier:
            earlier[-1] = _only(earlier[-1])
        return [], index + 1

    def _quantity(self, row: list[Item], start: int, earlier: list[Formula]) -> tuple[list[Formula], int]:
        """Quantifiers in a row ("none of the eleven") all apply to the phrase after them."""
        end = start
        findings: list[Finding] = []
        while end < len(row) and (finding := row[end].quantity) is not None:
            findings.append(finding)
            end += 1
        if findings[0].unit == "times" and earlier and not isinstance(earlier[-1], Repeat):
            earlier[-1] = _repeated_last(earlier[-1], findings.pop(0))
            return self._alone(findings), end
        phrase = _shared_phrase(row, end) if len(findings) == 1 else None
        if phrase is not None:
            return [_repeat(Atom(phrase.symbol), findings[0])], end
        if end < len(row) and row[end].kind == "phrase":
            return [_repeat(Atom(row[end].symbol), finding) for finding in findings], end + 1
        if len(findings) == 1 and earlier and isinstance(earlier[-1], Atom):
            earlier[-1] = _repeat(earlier[-1], findings[0])
            return [], end
        return self._alone(findings), end

    def _of_the_same(self, first: Formula, second: Formula) -> Formula:
        """The second number of "two cards or ten" and of "two cards or ten cards" counts what the first one does."""
        last = first.parts[-1] if isinstance(first, Either) else first
        if not (isinstance(last, Repeat) and isinstance(second, Repeat)):
            return second
        if not (isinstance(last.part, Atom) and isinstance(second.part, Atom)):
            return second
        ours, theirs = self.phrases[last.part.symbol].text, self.phrases[second.part.symbol].text
        if theirs not in {"", ours}:
            return second
        self._same[second.part.symbol] = last.part.symbol
        return replace(second, part=last.part)

    def _alone(self, findings: Sequence[Finding]) -> list[Formula]:
        """Numbers that count no phrase."""
        formulas = []
        for finding in findings:
            self._lone[finding] = len(self.phrases)
            self.phrases.append(SymbolPhrase(""))
            formulas.append(_repeat(Atom(self._lone[finding]), finding))
        return formulas


def _shared_phrase(row: list[Item], index: int) -> Item | None:
    """The phrase that numbers on both sides of an "or" count: the cards of "2 or 10 cards"."""
    start = index
    while index + 2 < len(row) and row[index].kind == "disjunction" and row[index + 1].quantity:
        index += 2
    return row[index] if index > start and row[index].kind == "phrase" else None


def _not(formula: Formula) -> Formula:
    """ "Not less than 18" are 18 or more, wherever the "not" is."""
    if isinstance(formula, Repeat):
        left = denied(formula.low, formula.high, formula.unit, vague=formula.vague)
        if left is not None:
            return replace(formula, low=left[0], high=left[1])
    return Not(formula)


def _only(formula: Formula) -> Formula:
    """ "Only three dogs" are three dogs."""
    return formula if isinstance(formula, Only | Repeat) else Only(formula)


def _repeat(part: Formula, finding: Finding) -> Formula:
    assert finding.low is not None
    assert finding.high is not None
    assert finding.unit is not None
    return Repeat(part, finding.low, finding.high, finding.unit, vague=finding.kind == "vague", move=finding.move)


def _repeated_last(formula: Formula, finding: Finding) -> Formula:
    """ "A or B twice" repeats B alone."""
    if isinstance(formula, Either):
        return Either((*formula.parts[:-1], _repeat(formula.parts[-1], finding)))
    return _repeat(formula, finding)


def _times(item: Item) -> Finding | None:
    finding = item.finding
    return finding if finding is not None and finding.unit == "times" else None


def _index(row: Sequence[Item], kinds: frozenset[str], start: int = 0) -> int:
    """The index of the first item of one of these kinds; the length of the row if there is none."""
    return next((index for index in range(start, len(row)) if row[index].kind in kinds), len(row))


def _splits(row: Sequence[Item], joint: int) -> bool:
    """Whether an item is a joint with a clause on both sides."""
    if row[joint].kind not in _JOINTS:
        return False
    following = _index(row, _JOINTS, joint + 1)
    return _index(row, _HOLDERS) < joint and _index(row, _HOLDERS, joint + 1) < following


def _end_of_scope(row: Sequence[Item], start: int) -> int:
    """The index at which the contained things end: a comma after which there is a new claim."""
    for index in range(start, len(row)):
        if row[index].kind != "comma":
            continue
        behind = row[index + 1 : _index(row, _COMMA, index + 1)]
        claims = [item for item in behind if item.finding is not None and item.kind not in _JOINTS]
        if claims and not (len(behind) == 1 and _times(behind[0])):
            return index
    return len(row)


def _segments(row: Sequence[Item]) -> list[list[Item]]:
    segments: list[list[Item]] = [[]]
    for item in row:
        if item.kind in {"comma", "conjunction", "either"}:
            segments.append([])
        else:
            segments[-1].append(item)
    return segments


def _joined(kind: type[Either[Formula]] | type[Both[Formula]], several: Sequence[Formula | None]) -> Formula | None:
    flat: list[Formula] = []
    for formula in several:
        flat += formula.parts if isinstance(formula, kind) else [formula] if formula is not None else []
    return kind(tuple(flat)) if len(flat) > 1 else (flat[0] if flat else None)

"""From items to a formula, by rules that bind as the papers' examples do: condition, clause, order, or, and.

Claims are what matters: quantified, negated, included, excluded or conditional phrases. Phrases of which nothing is
said are left out unless the sentence has nothing else (Cao et al. 2021, section 3.3.2).
"""

from __future__ import annotations

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
_FLAT = frozenset(("phrase", "comma", "negation", "conjunction"))
_JOINTS = frozenset(("conjunction", "disjunction"))
_MOST_DOUBLED = 2
"""The most "if and only if" that are read in both directions."""


class FormulaReading:
    """Reads the items of one sentence; new symbols may be added to `phrases` on the way."""

    def __init__(self, row: Sequence[Item]) -> None:
        self._whole = row
        self.row = [item for item in row if not item.silent]
        self.phrases = [item.phrase for item in row if item.phrase is not None]
        self._same: dict[int, int] = {}
        self._lone: dict[Finding, int] = {}
        # Both directions double what is said, and one within the other would do so again and again.
        self._both_ways = sum(item.kind == "condition_both" for item in row) <= _MOST_DOUBLED

    def formula(self) -> tuple[Formula | None, bool]:
        """What the sentence says, and whether that had to be simplified."""
        made = self._conditions(self.row)
        if made is None or depth(made) <= DEEPEST:
            return made, False
        self._same, self._lone = {}, {}
        return self._claims([item for item in self.row if item.kind in _FLAT or _counts(item)]), True

    def named(self) -> list[Item]:
        """All items, each with the symbol that the formula has for it; a number that counts no phrase has its own."""
        made = []
        for item in self._whole:
            symbol = item.symbol if item.finding is None else self._lone.get(item.finding, -1)
            made.append(replace(item, symbol=self._same.get(symbol, symbol)))
        return made

    def _conditions(self, row: list[Item]) -> Formula | None:
        """ "If A, B" and "B if A": not A, or B."""
        at = next((at for at, item in enumerate(row) if item.kind in CONDITIONS), None)
        if at is None:
            return self._clauses(row)
        comma = _first(row, "comma", at + 1)
        condition = self._conditions(row[at + 1 : comma])
        rest = self._conditions(row[:at] + row[comma:])
        if condition is None or rest is None:
            return condition or rest
        kind = row[at].kind
        if kind == "condition_not":
            return _joined(Either, (condition, rest))
        needed, enough = _joined(Either, (Not(rest), condition)), _joined(Either, (Not(condition), rest))
        if kind == "condition_both" and self._both_ways:
            return _joined(Both, (needed, enough))
        return enough if kind == "condition" else needed

    def _clauses(self, row: list[Item]) -> Formula | None:
        """Clauses that each say what something contains are joined before their parts are."""
        at = next((at for at in range(1, len(row)) if row[at].kind in _JOINTS and _splits(row, at)), None)
        if at is None:
            return self._clause(row)
        left, right = self._clause(row[:at]), self._clauses(row[at + 1 :])
        return _joined(Either, (left, right)) if row[at].kind == "disjunction" else _joined(Both, (left, right))

    def _clause(self, row: list[Item]) -> Formula | None:
        at = next((at for at, item in enumerate(row) if item.kind in _HOLDERS), None)
        if at is None:
            return self._claims(row) if _orders(row) is None else self._ordered(row)
        negated = at > 0 and row[at - 1].kind == "negation"
        end = _end_of_scope(row, at + 1)
        body = self._held(row[at].kind, row[at + 1 : end])
        held = Not(body) if negated and body is not None else body
        before = self._claims(row[: at - negated])
        kept = None if isinstance(before, Atom) else before
        return _joined(Both, (kept, held, self._conditions(row[end:]))) or before

    def _held(self, kind: str, row: list[Item]) -> Formula | None:
        only = bool(row) and row[0].kind == "only"
        body = self._ordered(row[1:] if only else row)
        if body is None:
            return None
        if kind != "inclusion":
            return Starts(body) if kind == "starts" else Ends(body)
        return Only(body, held=True) if only else Inside(body)

    def _ordered(self, row: list[Item]) -> Formula | None:
        """ "A before B", repeated as a whole if a number of times stands behind a comma."""
        repeated = _times(row[-1]) if len(row) > 2 and row[-2].kind == "comma" else None
        if repeated is not None:
            body = self._ordered(row[:-2])
            return None if body is None else _repeat(body, repeated)
        at = _orders(row)
        if at is None:
            return self._claims(row)
        first, then = self._claims(row[:at]), self._ordered(row[at + 1 :])
        if first is None or then is None:
            return first or then
        return Order(first, then) if row[at].kind == "before" else Order(then, first)

    def _claims(self, row: list[Item]) -> Formula | None:
        """The claims of all segments; without any claim, the longest phrase."""
        found = [each for segment in _segments(row) for each in self._segment(segment)]
        claims = [each for each in found if not isinstance(each, Atom)]
        if claims:
            return _joined(Both, claims)
        return max(found, key=self._length, default=None)

    def _length(self, formula: Formula) -> int:
        return len(self.phrases[formula.symbol].text.split()) if isinstance(formula, Atom) else 0

    def _segment(self, row: list[Item]) -> list[Formula]:
        """What one segment says, item by item; a disjunction joins what stands on its two sides."""
        made: list[Formula] = []
        at = 0
        joins = False
        while at < len(row):
            if row[at].kind == "disjunction":
                joins, at = bool(made), at + 1
                continue
            formulas, at = self._operand(row, at, made)
            if joins and formulas and made:
                made[-1] = _joined(Either, (made[-1], self._of_the_same(made[-1], formulas[0]))) or formulas[0]
                formulas = formulas[1:]
            joins = False
            made += formulas
        return made

    def _operand(self, row: list[Item], at: int, made: list[Formula]) -> tuple[list[Formula], int]:
        item = row[at]
        if _counts(item):
            return self._quantity(row, at, made)
        if item.kind == "phrase":
            return [Atom(item.symbol)], at + 1
        if item.kind in {"negation", "exclusion"}:
            end = min(_first(row, "negation", at + 1), _first(row, "exclusion", at + 1))
            # The "or" of "not this or not that" joins the denials, that of "not this or that" is denied.
            end -= at + 2 < end < len(row) and row[end - 1].kind == "disjunction"
            if item.kind == "negation":
                return self._denied(row[at + 1 : end], item), end
            body = self._claims(row[at + 1 : end])
            return [] if body is None else [Not(Inside(body))], end
        if item.kind == "only":
            return self._only(row, at, made)
        return [], at + 1

    def _denied(self, row: list[Item], negation: Item) -> list[Formula]:
        """What "not" makes of the items behind it; of several claims it turns the first, if that is a bound."""
        at = duration(row, perfect=is_perfect(self._whole, negation))
        body, kept = self._claims(row[:at]), None if at is None else self._claims(row[at:])
        first = body.parts[0] if isinstance(body, Both) else body
        turned = None if first is None else _not(first)
        made: list[Formula | None] = [turned, kept]
        if isinstance(body, Both):
            made = [Not(body), kept] if isinstance(turned, Not) else [turned, *body.parts[1:], kept]
        return [each for each in made if each is not None]

    def _only(self, row: list[Item], at: int, made: list[Formula]) -> tuple[list[Formula], int]:
        if at + 1 < len(row) and row[at + 1].kind != "disjunction":
            formulas, end = self._operand(row, at + 1, made)
            return [_only(formulas[0]), *formulas[1:]] if formulas else [], end
        if made:
            made[-1] = _only(made[-1])
        return [], at + 1

    def _quantity(self, row: list[Item], at: int, made: list[Formula]) -> tuple[list[Formula], int]:
        """Quantifiers in a row ("none of the eleven") all speak of the phrase behind them."""
        end = at
        found: list[Finding] = []
        while end < len(row) and (finding := row[end].finding) is not None and finding.family == "quantity":
            found.append(finding)
            end += 1
        if found[0].unit == "times" and made and not isinstance(made[-1], Repeat):
            made[-1] = _repeated_last(made[-1], found.pop(0))
            return self._alone(found), end
        chosen = _chosen(row, end) if len(found) == 1 else None
        if chosen is not None:
            return [_repeat(Atom(chosen.symbol), found[0])], end
        if end < len(row) and row[end].kind == "phrase":
            return [_repeat(Atom(row[end].symbol), each) for each in found], end + 1
        if len(found) == 1 and made and isinstance(made[-1], Atom):
            made[-1] = _repeat(made[-1], found[0])
            return [], end
        return self._alone(found), end

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

    def _alone(self, found: Sequence[Finding]) -> list[Formula]:
        """Numbers that count no phrase."""
        made = []
        for each in found:
            self._lone[each] = len(self.phrases)
            self.phrases.append(SymbolPhrase(""))
            made.append(_repeat(Atom(self._lone[each]), each))
        return made


def _chosen(row: list[Item], at: int) -> Item | None:
    """What is counted by a number before an "or" and by the one behind it: the cards of "2 or 10 cards"."""
    begun = at
    while at + 2 < len(row) and row[at].kind == "disjunction" and _counts(row[at + 1]):
        at += 2
    return row[at] if at > begun and row[at].kind == "phrase" else None


def _counts(item: Item) -> bool:
    return item.finding is not None and item.finding.family == "quantity"


def _not(formula: Formula) -> Formula:
    """ "Not less than 18" are 18 or more, wherever the "not" stands."""
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


def _first(row: Sequence[Item], kind: str, start: int) -> int:
    return next((at for at in range(start, len(row)) if row[at].kind == kind), len(row))


def _orders(row: Sequence[Item]) -> int | None:
    return next((at for at, item in enumerate(row) if item.kind in {"before", "after"}), None)


def _splits(row: Sequence[Item], at: int) -> bool:
    """Whether a clause of its own stands on both sides of a joint."""
    following = next((end for end in range(at + 1, len(row)) if row[end].kind in _JOINTS), len(row))
    left = any(item.kind in _HOLDERS for item in row[:at])
    return left and any(item.kind in _HOLDERS for item in row[at + 1 : following])


def _end_of_scope(row: Sequence[Item], start: int) -> int:
    """What is contained ends at a comma behind which something new is claimed."""
    for at in range(start, len(row)):
        if row[at].kind != "comma":
            continue
        behind = row[at + 1 : _first(row, "comma", at + 1)]
        claims = [item for item in behind if item.finding is not None and item.kind not in _JOINTS]
        if claims and not (len(behind) == 1 and _times(behind[0])):
            return at
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
    for each in several:
        flat += each.parts if isinstance(each, kind) else [each] if each is not None else []
    return kind(tuple(flat)) if len(flat) > 1 else (flat[0] if flat else None)

"""The similarity of the claims of two sentences: SemMT's r, d and h (section 3.4), with another d where needed.

Languages are sometimes a poor measure of claims. In ordinary text d compares claim by claim (`logic.claim_similarity`
says why). In requests for lines that differ only in counts, d is at most the overlap of the numbers: nearly every short
word of `X{,30}` is one of `X{,3}`.

In either case d is 1 only if the two languages are equal as well. Equal languages are not enough. In text, "contains
only sugar" and "has sugar" have the same expression, and a sentence with two conditions matches every word, since no
word meets both. In requests, "a number and seven vowels" and "a number and two vowels" both match no line, and "starts
with at most two vowels" and "with at most nine" every line. So the parts are compared where a request joins several
things or its language is trivial: no line, the empty line, or all lines.
"""

from collections.abc import Iterator
from math import inf, prod

from concord.errors import Refused
from concord.relations.semmt.automata import Measure, Similarities, TooComplex, Unreadable, language, read, similarity
from concord.relations.semmt.automata import expression as trees
from concord.relations.semmt.automata.languages import Language
from concord.relations.semmt.automata.similarities import language_similarity
from concord.relations.semmt.claims import TOO_LONG, ClaimPair
from concord.relations.semmt.logic.claim_similarity import agreement
from concord.relations.semmt.logic.overlap import Bounds, overlap

_NEARLY = 1 - 1e-9
_Joined = trees.Both[trees.Tree] | trees.Either[trees.Tree]
_OFTEN = {"+": (1.0, inf), "*": (0.0, inf)}


def claim_similarities(pair: ClaimPair, *, measure: Measure = "geometric", k: float = 0.5) -> Similarities:
    """The similarities of two sentences; raises `Refused` where their claims cannot be compared as a whole.

    >>> from concord.relations.semmt.claims import claim_pair
    >>> claim_similarities(claim_pair("At least 3 dogs barked.", "3 or more dogs barked.")).equal
    True
    """
    if pair.partial:
        raise Refused(TOO_LONG)
    left, right = pair.left.regex, pair.right.regex
    try:
        similarities = similarity(left, right, measure=measure, k=k)
        if measure == "paper":
            return similarities
        d = agreement(*pair.formulas) if pair.read_as == "text" else _of_requests(left, right, similarities)
    except (TooComplex, Unreadable) as error:
        raise Refused(str(error)) from None
    if similarities.equal and d == 1:
        return similarities
    d = min(d, _NEARLY)
    return Similarities(similarities.r, d, k * similarities.r + (1 - k) * d, equal=False)


def _of_requests(left: str, right: str, similarities: Similarities) -> float:
    if left == right:
        return 1.0
    left_tree, right_tree = read(left), read(right)
    if not (similarities.equal or _is_bare(language(left_tree)) or _is_bare(language(right_tree))):
        return min(similarities.d, by_counts(left, right))
    d = by_parts(left_tree.tree, right_tree.tree, otherwise=similarities.r if similarities.equal else similarities.d)
    return 1.0 if d == 1 else min(d, by_counts(left, right))


def by_parts(left: trees.Tree, right: trees.Tree, *, otherwise: float) -> float:
    """The similarity of two expressions by their parts where the languages do not decide; else that of the languages.

    It is `otherwise` for parts that only the empty line fits and that cannot be paired.

    >>> by_parts(read("X & Y{7,}").tree, read("Y{,2} & X").tree, otherwise=0.8)
    0.0
    """
    if left == right:
        return 1.0
    d = language_similarity(_expression(left), _expression(right))
    bare = _is_bare(_language(left)) or _is_bare(_language(right))
    if isinstance(left, trees.Both) and isinstance(right, trees.Both) and (d == 1 or bare):
        return _side_by_side(left, right, d, otherwise)
    if d < 1:
        return min(d, _in_number(left, right))
    if isinstance(left, trees.Either) and isinstance(right, trees.Either):
        return _side_by_side(left, right, d, otherwise)
    if isinstance(left, trees.Not) and isinstance(right, trees.Not):
        return by_parts(left.part, right.part, otherwise=otherwise)
    if not _is_trivial(_language(left)):
        return d
    if isinstance(left, trees.Repetition) and isinstance(right, trees.Repetition):
        return overlap(_times(left), _times(right)) * by_parts(left.part, right.part, otherwise=otherwise)
    if isinstance(left, trees.Sequence) and isinstance(right, trees.Sequence) and len(left.parts) == len(right.parts):
        return prod(by_parts(*pair, otherwise=otherwise) for pair in zip(left.parts, right.parts, strict=True))
    return otherwise if bare else d


def _side_by_side(left: _Joined, right: _Joined, d: float, otherwise: float) -> float:
    """The product of the similarities of parts joined in any order; each has the most similar partner left."""
    left_parts, right_parts = list(_flat(left)), list(_flat(right))
    if len(left_parts) != len(right_parts):
        return otherwise if d < 1 or _is_bare(_language(left)) else d
    similarity = 1.0
    for left_part in left_parts:
        likeness = [by_parts(left_part, right_part, otherwise=otherwise) for right_part in right_parts]
        similarity *= max(likeness)
        del right_parts[likeness.index(max(likeness))]
    return similarity


def _flat(joined: _Joined) -> Iterator[trees.Tree]:
    for part in joined.parts:
        if isinstance(part, trees.Both | trees.Either) and type(part) is type(joined):
            yield from _flat(part)
        else:
            yield part


def _in_number(left: trees.Tree, right: trees.Tree) -> float:
    if isinstance(left, trees.Repetition) and isinstance(right, trees.Repetition) and left.part == right.part:
        return overlap(_times(left), _times(right))
    return 1.0


def _times(repeat: trees.Repetition) -> Bounds:
    return repeat.least, inf if repeat.most is None else repeat.most


def _language(tree: trees.Tree) -> Language:
    return language(_expression(tree))


def _expression(tree: trees.Tree) -> trees.Expression:
    # Languages are remembered by the tokens of their expressions, and a part has none of its own.
    return trees.Expression((repr(tree),), tree)


def _is_trivial(words: Language) -> bool:
    """Whether a language has no word, only the empty word, or all words."""
    return len(words.rows) == 1 and len(set(words.rows[0])) == 1


def _is_bare(words: Language) -> bool:
    """Whether a language has no word, or only the empty word."""
    return _is_trivial(words) and words.rows[0][0] != 0


def by_counts(left: str, right: str) -> float:
    """The overlap of the counts of two expressions that differ in nothing else; 1 for any other two.

    >>> by_counts("X{3,}", "X{30,}") < 0.2, by_counts("X", "Y")
    (True, 1.0)
    """
    (left_rest, left_counts), (right_rest, right_counts) = _counted(left), _counted(right)
    if left_rest != right_rest:
        return 1.0
    positions = left_counts.keys() | right_counts.keys()
    overlaps = (overlap(left_counts.get(each, (1, 1)), right_counts.get(each, (1, 1))) for each in positions)
    return prod(overlaps, start=1.0)


def _counted(expression: str) -> tuple[list[str], dict[int, Bounds]]:
    """The tokens of an expression without its counts, and the counts by their positions."""
    rest: list[str] = []
    counts: dict[int, Bounds] = {}
    for token in read(expression).tokens:
        bounds = _bounds(token, rest)
        if bounds is None:
            rest.append(token)
        else:
            counts[len(rest)] = bounds
    return rest, counts


def _bounds(token: str, rest: list[str]) -> Bounds | None:
    """The bounds of a count; `.*` is a gap and counts nothing."""
    if token in _OFTEN:
        return None if rest[-1] == "." else _OFTEN[token]
    if not token.startswith("{"):
        return None
    low, comma, high = token[1:-1].partition(",")
    least = float(low or 0)
    return least, float(high) if high else inf if comma else least

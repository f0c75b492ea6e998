"""Puts the lexicon together: which words it holds, their forms, senses, frames and vectors."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from concord.language.english import inflection
from concord.language.english.lexicon import TAGS
from concord.language.stopwords import stop_words
from models.lexicon import names
from models.lexicon.wordnet import PERSONS, Lemma, Synset, WordNet

COMMONEST = 60_000
"""Words beyond this rank are too rare to stand in for another unnoticed."""
LEMMAS = 40_000
"""A lemma is taken whose own rank, or that of one of its forms, is within this."""
MISLEADING = frozenset(
    {"Zealand", "Wake", "Recent", "Guinea", "Leone", "Lanka", "Rica", "Salvador"}
    | {"Netherlands", "Philippines", "Bahamas", "Maldives", "Gambia"}
)
"""Names that are mostly parts of longer ones, or that need an article."""
WORD = re.compile(r"[A-Za-z]{3,}|[A-Za-z]{2,}(?:-[a-z]{2,})+")
FORMS = {
    "n": ("NN", "NNS"),
    "v": ("VB", "VBP", "VBZ", "VBG", "VBD", "VBN"),
    "a": ("JJ", "JJR", "JJS"),
    "r": ("RB", "RBR", "RBS"),
}
ENDINGS = {"NNS": "", "VBZ": "s", "VBG": "ing", "JJR": "er", "JJS": "est", "RBR": "er", "RBS": "est"}
USE = {"NNS": 0.35, "VBP": 0.3, "VBZ": 0.15, "VBG": 0.2, "VBD": 0.2, "VBN": 0.2, "VB": 0.5}
"""Roughly how much of a lemma's use a form makes; where none is given, all of it."""
UNFIT = frozenset(
    {"slang", "archaism", "disparagement", "ethnic_slur", "obscenity", "combining_form", "colloquialism", "plural"}
)
"""What WordNet marks a sense with that no careful writer would put in; plurals are made from their singulars."""
BY_RULE = {
    "NNS": inflection.plural,
    "VBZ": inflection.third_person,
    "VBG": inflection.present_participle,
    "VBD": inflection.past,
    "VBN": inflection.participle,
    "JJR": inflection.comparative,
    "JJS": inflection.superlative,
    "RBR": inflection.comparative,
    "RBS": inflection.superlative,
}
PLURALS = frozenset(forms[0] for lemma, forms in inflection.NOUNS.items() if forms[0] != lemma)
RARE_SENSE = 0.1
"""A sense that is used less often than this, as a share of its word's uses, is not what a reader thinks of."""


@dataclass(slots=True)
class Table:
    """The columns of the lexicon as they grow."""

    words: dict[str, int] = field(default_factory=dict)
    lemmas: dict[Lemma, int] = field(default_factory=dict)
    forms: list[tuple[int, int, int]] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    frames: list[int] = field(default_factory=list)
    senses: list[list[tuple[int, int]]] = field(default_factory=list)
    synsets: dict[str, int] = field(default_factory=dict)

    def word(self, spelt: str) -> int:
        return self.words.setdefault(spelt, len(self.words))

    def synset(self, key: str) -> int:
        return self.synsets.setdefault(key, len(self.synsets))


def lexicon(net: WordNet, ranks: dict[str, int], rows: np.ndarray) -> dict[str, np.ndarray]:
    """The arrays of the file, by name."""
    table = Table()
    for lemma, senses in sorted(net.senses.items()):
        if kept := _kept(lemma, senses, net):
            _add(table, net, lemma, kept, ranks)
    _add_names(table, ranks)
    for word in sorted(stop_words("en")):
        if word in ranks:
            table.word(word)
    return {
        **_vocabulary(table, ranks, rows),
        **_relations(table, net),
        "forms": np.array(table.forms, np.int32),
        "shares": np.array(list(_shares(table)), np.uint8),
        "fixed": _packed(sorted(_fixed(net, ranks))),
    }


def _shares(table: Table) -> Iterator[int]:
    """How much of a spelling's use is under the lemma of each form, in percent."""
    words = list(table.words)
    own: dict[tuple[str, int], float] = {}
    for word, lemma, tag in table.forms:
        key = words[word].lower(), lemma
        own[key] = own.get(key, 0.0) + table.weights[lemma] * USE.get(TAGS[tag], 1.0)
    totals: dict[str, float] = defaultdict(float)
    for (word, _), weight in own.items():
        totals[word] += weight
    for word, lemma, _ in table.forms:
        spelt = words[word].lower()
        yield round(100 * own[spelt, lemma] / totals[spelt])


def _weight(senses: list[tuple[str, int]]) -> float:
    return sum(count for _, count in senses) + 0.5 * len(senses)


def _kept(lemma: Lemma, senses: list[tuple[str, int]], net: WordNet) -> dict[str, float]:
    """The senses that a reader would think of, with their shares; a person's name stands for nobody else."""
    word, pos = lemma
    if (
        not WORD.fullmatch(word)
        or word[1:] != word[1:].lower()
        or word in MISLEADING
        or (pos == "n" and _is_plural(word, net))
    ):
        return {}
    # Where nothing was counted, WordNet's order still tells the commoner sense.
    weights = {key: count + 1 / at for at, (key, count) in enumerate(senses, 1)}
    shares = {key: weight / sum(weights.values()) for key, weight in weights.items()}
    if pos == "n" and word[0].isupper():
        shares = {key: share for key, share in shares.items() if net.synsets[key].topic != PERSONS}
    return {key: share for key, share in shares.items() if share >= RARE_SENSE and not _unfit(net.synsets[key], net)}


def _is_plural(word: str, net: WordNet) -> bool:
    """A plural with an entry of its own, such as "authorities", is still a plural."""
    singulars = inflection.lemmas(word) - {word} if word.endswith("s") and not word.endswith("ss") else ()
    return word in PLURALS or any(inflection.plural(each) == word and (each, "n") in net.senses for each in singulars)


def _unfit(synset: Synset, net: WordNet) -> bool:
    return any(word in UNFIT for key in synset.usages for word in net.synsets[key].words)


def _add(table: Table, net: WordNet, lemma: Lemma, kept: dict[str, float], ranks: dict[str, int]) -> None:
    forms = list(_forms(lemma, net, ranks))
    if not forms or min(ranks[form.lower()] for form, _ in forms) >= LEMMAS:
        return
    number = table.lemmas.setdefault(lemma, len(table.lemmas))
    table.word(lemma[0])
    table.forms += [(table.word(form), number, TAGS.index(tag)) for form, tag in forms]
    table.weights.append(_weight(net.senses[lemma]))
    table.senses.append([(table.synset(key), round(100 * part)) for key, part in kept.items()])
    table.frames.append(0)
    for key in kept:
        table.frames[number] |= net.synsets[key].frames


def _forms(lemma: Lemma, net: WordNet, ranks: dict[str, int]) -> Iterator[tuple[str, str]]:
    """The forms that are in use, each with its tag; of two spellings both."""
    word, pos = lemma
    if pos == "n" and word[0].isupper():
        yield from ((word, "NNP") for _ in range(word.lower() in ranks))
        return
    for tag in FORMS[pos]:
        for form in sorted(_spelt(lemma, tag, net)):
            if form.lower() in ranks:
                yield form, tag


def _spelt(lemma: Lemma, tag: str, net: WordNet) -> set[str]:
    word, _ = lemma
    by_rule = BY_RULE[tag](word) if tag in BY_RULE else word
    made = {by_rule} if by_rule else set()
    if tag in ("VBG", "VBD", "VBN") and by_rule and re.search(r"ll(?:ed|ing)\Z", by_rule) and not word.endswith("ll"):
        made.add(re.sub(r"ll(?=ed\Z|ing\Z)", "l", by_rule))
    if word in inflection.VERBS or word in inflection.NOUNS:
        return made
    listed = net.exceptions.get(lemma, ())
    return made | {form for form in listed if tag in ENDINGS and form.endswith(ENDINGS[tag])}


def _add_names(table: Table, ranks: dict[str, int]) -> None:
    """Given names, as two kinds of their own; a name that WordNet knows otherwise is both."""
    for kind, listed in (("given name of a woman", names.WOMEN), ("given name of a man", names.MEN)):
        for name in listed.split():
            if name.lower() not in ranks:
                continue
            number = table.lemmas.setdefault((name, "n"), len(table.lemmas))
            if number == len(table.weights):
                table.forms.append((table.word(name), number, TAGS.index("NNP")))
                table.weights.append(1.0)
                table.frames.append(0)
                table.senses.append([])
            table.senses[number] = [(table.synset(kind), 100)]


def _vocabulary(table: Table, ranks: dict[str, int], rows: np.ndarray) -> dict[str, np.ndarray]:
    lowered = [ranks.get(word.lower(), COMMONEST) for word in table.words]
    rows = np.vstack([rows, np.zeros((1, rows.shape[1]), np.float32)])[np.minimum(lowered, len(rows))]
    peaks = np.maximum(np.abs(rows).max(axis=1, keepdims=True), 1e-9)
    return {
        "words": _packed(table.words),
        "ranks": np.array(lowered, np.uint16),
        "vectors": np.round(rows / peaks * 127).astype(np.int8),
        "lemmas": np.array([table.words[word] for word, _ in table.lemmas], np.int32),
        "frames": np.array(table.frames, np.uint64),
    }


def _relations(table: Table, net: WordNet) -> dict[str, np.ndarray]:
    """Senses of lemmas, with their shares; parents, information and topics of synsets; opposites as pairs of lemmas."""
    senses = [(lemma, *each) for lemma, kept in enumerate(table.senses) for each in kept]
    none = Synset("", 0, [])
    known = list(table.synsets)
    parents, above = [], list(known)
    # The list grows while it is walked: a parent that is new has parents of its own.
    for key in above:
        for parent in net.synsets.get(key, none).parents:
            if parent not in table.synsets:
                above.append(parent)
            parents.append((table.synsets[key], table.synset(parent)))
    return {
        "senses": np.array(senses, np.int32),
        "parents": np.array(parents, np.int32),
        "information": _information(len(table.synsets), senses, parents),
        "topics": np.array([getattr(net.synsets.get(key), "topic", PERSONS) for key in table.synsets], np.uint8),
        "opposites": np.array(sorted(_opposites(table, net, known)), np.int32),
    }


def _information(size: int, senses: list[tuple[int, int, int]], parents: list[tuple[int, int]]) -> np.ndarray:
    """How much a meaning says, from 0 to 255: the fewer words fall under it, the more.

    Seco, Veale and Hayes, "An Intrinsic Information Content Metric for Semantic Similarity in WordNet", ECAI 2004.
    """
    above: dict[int, set[int]] = defaultdict(set)
    for synset, parent in parents:
        above[synset].add(parent)
    counts = np.zeros(size)
    for _, synset, _ in senses:
        reached, edge = {synset}, {synset}
        while edge:
            edge = {parent for each in edge for parent in above[each]} - reached
            reached |= edge
        counts[list(reached)] += 1
    content = -np.log((counts + 1) / (counts.max() + 1))
    return np.round(255 * content / content.max()).astype(np.uint8)


def _opposites(table: Table, net: WordNet, known: Iterable[str]) -> Iterator[tuple[int, int]]:
    for key in known:
        for word, target, place in getattr(net.synsets.get(key), "opposites", ()):
            pair = (word, key[0]), (net.synsets[target].words[place - 1], target[0])
            if pair[0] in table.lemmas and pair[1] in table.lemmas:
                yield table.lemmas[pair[0]], table.lemmas[pair[1]]


def _fixed(net: WordNet, ranks: dict[str, int]) -> Iterator[str]:
    """Expressions of two or three common words that mean more than their parts."""
    for word, _ in net.senses:
        parts = word.lower().split("_")
        if 2 <= len(parts) <= 3 and all(ranks.get(part, COMMONEST) < LEMMAS for part in parts):
            yield " ".join(parts)


def _packed(words: Iterable[str]) -> np.ndarray:
    return np.frombuffer("\n".join(dict.fromkeys(words)).encode(), np.uint8)

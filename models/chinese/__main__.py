"""Builds the table of Chinese words that are used alike: `python -m models.chinese SDIST [OUT]`.

SDIST is the source archive of synonyms 3.8.0. Its word vectors are read; nothing of it is run.
"""

from __future__ import annotations

import argparse
import io
import tarfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from concord.language.chinese.words import tagged_words
from concord.language.stopwords import stop_words

SHIPPED = Path("src/concord/language/substitutes/lexicon_zh.npz")
VECTORS = "synonyms-3.8.0/synonyms/data/words.vector"
COMMONEST = 40_000
LONGEST = 4
NEAREST, KEPT = 10, 5
LEAST = 0.6
TAGS = {"n": "n", "nz": "z", "LOC": "l", "v": "v", "vn": "n", "a": "a", "d": "d", "an": "a", "ad": "a"}
OPPOSITES = Path(__file__).with_name("opposites.txt").read_text("utf-8").split()
"""Pairs of characters; words that differ in them may be opposites."""
_OPPOSITE = frozenset(pair for a, b in OPPOSITES for pair in ((a, b), (b, a)))
Vectors = NDArray[np.float32]


def main() -> None:
    told = argparse.ArgumentParser(prog="python -m models.chinese", description=__doc__)
    told.add_argument("sdist", type=Path, help="synonyms-3.8.0.tar.gz")
    told.add_argument("out", type=Path, nargs="?", default=SHIPPED)
    given = told.parse_args()
    words, vectors = usable(given.sdist)
    links = sorted(alike(words, vectors))
    table = packed([word for word, _ in words], links)
    np.savez_compressed(given.out, **table)
    size = given.out.stat().st_size / 1e6
    print(f"{given.out}: {size:.2f} MB, {len(words)} words read, {len(table['starts']) - 1} with {len(links)} others")


def usable(sdist: Path) -> tuple[list[tuple[str, str]], Vectors]:
    """The common words that LAC takes for one word of an open class, with the class and their vectors."""
    kept, rows = [], []
    for word, vector in vectors_of(sdist):
        group = _group(word)
        if group:
            kept.append((word, group))
            rows.append(vector)
    vectors = np.array(rows)
    return kept, vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def vectors_of(sdist: Path) -> Iterator[tuple[str, Vectors]]:
    """The commonest words with their vectors, in the format of word2vec: a word, a blank, numbers."""
    with tarfile.open(sdist) as archive:
        member = archive.extractfile(VECTORS)
        assert member is not None
        file = io.BytesIO(member.read())
    _, size = map(int, file.readline().split())
    for _ in range(COMMONEST):
        word = bytearray()
        while (byte := file.read(1)) != b" ":
            word += byte
        yield word.decode("utf-8", "replace").strip(), np.frombuffer(file.read(4 * size), np.float32)


def _group(word: str) -> str:
    chinese = 2 <= len(word) <= LONGEST and all("\u4e00" <= character <= "\u9fff" for character in word)
    tagged = tagged_words(word) if chinese and word not in stop_words("zh") else []
    return TAGS.get(tagged[0].tag, "") if len(tagged) == 1 else ""


def alike(words: list[tuple[str, str]], vectors: Vectors) -> Iterator[tuple[int, int, float]]:
    """Pairs of words of one class, each of which is among the nearest of the other, with their cosine."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for number, (_, group) in enumerate(words):
        groups[group].append(number)
    for members in groups.values():
        nearest = _nearest(vectors[members])
        for number, others in enumerate(nearest):
            fitting = [
                (members[number], members[other], cosine)
                for other, cosine in others.items()
                if cosine >= LEAST
                and number in nearest[other]
                and _apart(words[members[number]], words[members[other]])
            ]
            yield from sorted(fitting, key=lambda link: -link[2])[:KEPT]


def _nearest(vectors: Vectors) -> list[dict[int, float]]:
    nearest = []
    for vector in vectors:
        cosines = vectors @ vector
        best = np.argpartition(-cosines, NEAREST)[: NEAREST + 1].tolist()
        nearest.append({number: float(cosines[number]) for number in best if cosines[number] < 0.9999})
    return nearest


def _apart(one: str, other: str) -> bool:
    """Whether two words are neither forms of one another nor opposites."""
    if one in other or other in one:
        return False
    return not any(pair in _OPPOSITE for pair in zip(one, other, strict=False))


def packed(words: list[str], links: list[tuple[int, int, float]]) -> dict[str, NDArray[np.generic]]:
    """The words that have others, with where their others begin; the numbers of the others and their cosines."""
    used = sorted({number for first, second, _ in links for number in (first, second)})
    renumbered = {number: index for index, number in enumerate(used)}
    counts = np.zeros(len(used) + 1, np.uint32)
    for first, _, _ in links:
        counts[renumbered[first] + 1] += 1
    return {
        "words": np.frombuffer("\n".join(words[number] for number in used).encode(), np.uint8),
        "starts": np.cumsum(counts, dtype=np.uint32),
        "others": np.array([renumbered[second] for _, second, _ in links], np.uint16),
        "cosines": np.array([round(cosine * 200) for _, _, cosine in links], np.uint8),
    }


if __name__ == "__main__":
    main()

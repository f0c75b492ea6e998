"""How fast the language services are: trees, substitutes, analysis."""

from __future__ import annotations

import subprocess
import sys
import time

from concord.corpus import demo
from concord.language.substitutes import Slot
from concord.language.trees import Tree
from concord.plugins import entry

START = """
import time; start = time.perf_counter()
from concord.model import Text
from concord.language.parse.concord_en import Parser
Parser().parse([Text("The cat sat on the mat.", "en")])
seconds = time.perf_counter() - start
# Not getrusage, whose peak a child inherits from the process that started it.
print(seconds, int(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))) / 1024)
"""
NEWS = 21


def rows() -> list[tuple[str, str, str]]:
    """What, measured, aim."""
    return [_parsed(), _started(), _substituted(), _analysed()]


def _parsed() -> tuple[str, str, str]:
    parser = entry("parsers", "concord_en")()
    texts = [segment.text for segment in demo() if abs(len(segment.text.words.split()) - NEWS) <= 3]
    parser.parse(texts[:1])
    start = time.process_time()
    parser.parse(texts)
    seconds = time.process_time() - start
    what = f"concord_en on {len(texts)} sentences of about {NEWS} words"
    return what, f"{len(texts) / seconds:,.0f} sentences a second of processor time", "aim ≥ 100"


def _started() -> tuple[str, str, str]:
    printed = subprocess.run([sys.executable, "-c", START], capture_output=True, text=True, check=True).stdout
    seconds, megabytes = map(float, printed.split())
    return "concord_en, first parse of a process", f"{seconds:.2f} s, {megabytes:.0f} MB", "aim ≤ 0.5 s, ≤ 100 MB"


def _substituted() -> tuple[str, str, str]:
    parser = entry("parsers", "concord_en")()
    source = entry("substitutes", "lexicon")(parse=parser.parse)
    trees = [tree for tree in parser.parse([segment.text for segment in demo(limit=100)]) if isinstance(tree, Tree)]
    slots = [
        Slot(tree, leaf.start, leaf.end) for tree in trees for leaf in tree.leaves() if leaf.label in ("NN", "NNS")
    ]
    start = time.process_time()
    found = [each for each in source.substitutes(slots) if isinstance(each, list)]
    seconds = time.process_time() - start
    count = sum(map(len, found))
    what = f"lexicon, each substitute parsed, {len(slots)} nouns"
    return what, f"{count / seconds:,.0f} substitutes/s", f"{len(slots) / seconds:,.0f} places/s"


def _analysed() -> tuple[str, str, str]:
    parser = entry("parsers", "apertium")()
    texts = [segment.text for segment in demo()]
    words = [text.words for text in texts]
    count = sum(len(found) for found in parser.analyse(words, "en") if isinstance(found, list))
    # By the clock: the work is done in other processes.
    start = time.perf_counter()
    parser.analyse(words, "en")
    analysed = time.perf_counter()
    parser.parse(texts)
    chunked = time.perf_counter()
    parser.close()
    what = f"apertium, analysis, words/s, {len(texts)} sentences"
    return what, f"{count / (analysed - start):,.0f}", f"with chunks {count / (chunked - analysed):,.0f}"

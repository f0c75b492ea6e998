"""Build the data folder of the scripts from clones of the repositories in which the papers' authors publish.

    python -m reproduce.get CLONES DATA

CLONES is a folder of clones, each under the name of its repository: TestTranslation, SemMT, TransRepair,
Word-Closure-Based-MT, Metamorphic-Testing-of-Machine-Translation-Software. Nothing is fetched. What can be built is
built; what a clone lacks is named with the address of its repository, and the exit status is 1.

Not among them: pivot/uow_2017_reference_R.json (computed with R), treebank/ and wmt/. The data of TransRepair and of
the 2017 report have no licence and those of Word-Closure-Based-MT are under AGPL-3.0: they are for measuring only.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

Rows = Iterable[dict[str, Any]]
RELATIONS, DIRECTIONS = ("SIT", "CAT", "CIT", "Purity", "PatInv"), (("en", "zh"), ("zh", "en"))
WORKBOOKS = ("local_test_results.xlsx", "testResults.xlsx", "local_test_results_Robin.xlsx")
PHRASES = {
    **{"Service": "system", "Test Phrase": "source", "Source Language": "source_lang"},
    **{"Intermediate Language": "pivot_lang", "Target Language": "target_lang"},
    **{"Direct Translation": "direct", "Alternate Translation": "via_pivot"},
}
SCORES = {"lev": "levenshtein", "bleu": "bleu", "cos": "cosine"}
"""How the headers of the workbooks begin that have the scores."""
SHEET, CELL = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}", re.compile(r"[A-Z]+")
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
NOTHING = ("", "N/A")
DAMAGE = (LookupError, ValueError, zipfile.BadZipFile, ElementTree.ParseError)
"""What readers raise for a file that is cut, or a pointer to one that is stored elsewhere."""


class Missing(Exception):
    """A file that a clone lacks, or one that is not as its repository has it."""


@dataclass(frozen=True)
class Source:
    """A file of the data folder, the repository that it is from, and how it is read from a clone."""

    target: str
    repository: str
    read: Callable[[Path], Rows]


def main(clones: Path, data: Path) -> int:
    failed = 0
    for source in SOURCES:
        try:
            clone = clones / source.repository.partition("/")[2]
            if not clone.is_dir():
                raise Missing(f"there is no folder {clone}")
            print(f"{source.target}: {write(data / source.target, list(source.read(clone))):,} rows")
        except (Missing, *DAMAGE) as fault:
            failed += 1
            why = fault if isinstance(fault, Missing) else f"a file is not as its repository has it ({fault!r})"
            print(f"{source.target}: {why}. Clone https://github.com/{source.repository}", file=sys.stderr)
    return 1 if failed else 0


def write(path: Path, rows: Sequence[dict[str, Any]]) -> int:
    """Write JSONL, or CSV or TSV with a header, by the ending."""
    if not rows:
        raise Missing("its files have no rows")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        if path.suffix == ".jsonl":
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        else:
            tabs = {"delimiter": "\t", "quoting": csv.QUOTE_NONE, "quotechar": None} if path.suffix == ".tsv" else {}
            writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n", **tabs)  # type: ignore[arg-type]
            writer.writeheader()
            writer.writerows(rows)
    return len(rows)


def text(clone: Path, name: str) -> str:
    try:
        return (clone / name).read_text("utf-8-sig")
    except OSError:
        raise Missing(f"there is no file {clone / name}") from None


# -- Purity, SIT and PatInv -----------------------------------------------------------------------


def sentences(clone: Path) -> Rows:
    for corpus in ("business", "politics"):
        for line in text(clone, f"dataset/{corpus}").split("\n"):
            if line.strip():
                yield {"corpus": corpus, "text": line.strip()}


def errors(name: str) -> Callable[[Path], Rows]:
    """Blocks of four table rows below a line of dashes: categories, source, translation, what it means."""

    def read(clone: Path) -> Rows:
        for categories, *texts in blocks(text(clone, name), 4, name):
            named = [each.strip() for each in categories.split("\\|")]
            yield {"categories": named, **dict(zip(("source", "target", "meaning"), texts, strict=True))}

    return read


def invariants(name: str) -> Callable[[Path], Rows]:
    """Blocks of six table rows: a heading, source, mutant, translation, which is wrong, what it means."""
    fields = ("source", "mutant", "translation", "wrong", "meaning")
    return lambda clone: (dict(zip(fields, cells[1:], strict=True)) for cells in blocks(text(clone, name), 6, name))


def blocks(page: str, size: int, name: str) -> Iterator[list[str]]:
    for block in re.split(r"\n\s*\n", page):
        lines = [line.strip() for line in block.splitlines() if line.strip().startswith("|")]
        cells = [line.removeprefix("|").removesuffix("|").strip() for line in lines]
        rows = [cell for cell in cells if not re.fullmatch(r":?-+:?", cell)]
        if rows and len(rows) != size:
            raise Missing(f"a block of {name} has {len(rows)} rows instead of {size}: {rows[0]}")
        if rows:
            yield rows


# -- SemMT ----------------------------------------------------------------------------------------


def table(name: str, *, odd: bool = False) -> Callable[[Path], Rows]:
    """A CSV file; of the labelled round trips perhaps only those with an odd number."""

    def read(clone: Path) -> Rows:
        rows = csv.DictReader(io.StringIO(text(clone, name)))
        return [row for row in rows if not odd or int(row["No."]) % 2]

    return read


def lines(name: str) -> Callable[[Path], Rows]:
    return lambda clone: ({"text": line} for line in text(clone, name).split("\n") if line.strip())


def expressions(clone: Path) -> Rows:
    for line in text(clone, "data/Training-Data/NL-RX-Synth-Augmented.txt").split("\n"):
        sentence, _, regex = line.partition("\t")
        if regex:
            yield {"sentence": sentence, "regex": regex}


# -- TransRepair ----------------------------------------------------------------------------------


def threshold_pairs(clone: Path) -> Rows:
    """Blocks of nine lines: `name: value` five times, then the translations of mutant and source above these."""
    name = "labeled data/RQ2 Inconsistency-revealing/Threshold-Learning-data-GT.txt"
    fields = ("mutant_translation", "mutant", "translation", "source")
    for block in re.split(r"\n\s*\n", text(clone, name).strip()):
        rows = block.split("\n")
        if len(rows) != 9:
            raise Missing(f"a block of {name} has {len(rows)} lines instead of 9: {rows[0]}")
        bug, *scores = (line.partition(":")[2].strip() for line in rows[:5])
        numbers = dict(zip(("lcs", "ed", "tfidf", "bleu"), map(float, scores), strict=True))
        yield {"bug": bug == "True", **numbers, **dict(zip(fields, rows[5:], strict=True))}


# -- Word closure ---------------------------------------------------------------------------------


def labelled_pairs(clone: Path) -> Rows:
    for relation, (source, target) in product(RELATIONS, DIRECTIONS):
        name = f"data/RQ1/{relation}-{source}2{target}-google.csv"
        for row in csv.DictReader(io.StringIO(text(clone, name))):
            facts = {"relation": relation, "source_lang": source, "target_lang": target, "system": "google"}
            texts = {"source": row["S_s"], "follow_up": row["S_f"]}
            answers = {"source_translation": row["T_s"], "follow_up_translation": row["T_f"]}
            yield {**facts, **texts, **answers, "violation": row["Violation"]}


# -- The report of 2017 ---------------------------------------------------------------------------


def observations(clone: Path) -> Rows:
    """The rows of the two sheets of each workbook, side by side; those with an N/A are left out."""
    for name in WORKBOOKS:
        if not (clone / name).is_file():
            raise Missing(f"there is no file {clone / name}")
        phrases, results = (workbook_rows(clone / name, sheet) for sheet in ("Test Phrases", "Test Results"))
        for phrase, result in zip(phrases, results, strict=False):
            facts = {column: phrase.get(header, "") for header, column in PHRASES.items()}
            scores = {
                column: next((cell for header, cell in result.items() if header.lower().startswith(begin)), "")
                for begin, column in SCORES.items()
            }
            if not any(cell.strip() in NOTHING for cell in (*facts.values(), *scores.values())):
                yield {**facts, **scores}


def workbook_rows(path: Path, sheet: str) -> list[dict[str, str]]:
    """The rows of a sheet below its header, by the names in the header."""
    with zipfile.ZipFile(path) as archive:
        book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
        places = {each.get("name"): each.get(RELATION) for each in book.iter(f"{SHEET}sheet")}
        if sheet not in places:
            raise Missing(f"{path} has no sheet {sheet}")
        linked = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
        (file,) = (str(each.get("Target")) for each in linked if each.get("Id") == places[sheet])
        shared = shared_texts(archive)
        page = ElementTree.fromstring(archive.read(f"xl/{file.removeprefix('/xl/')}"))
    rows = [dict(cell(each, shared) for each in row.iter(f"{SHEET}c")) for row in page.iter(f"{SHEET}row")]
    header = rows[0] if rows else {}
    return [
        {header[column]: value for column, value in row.items() if column in header} for row in islice(rows, 1, None)
    ]


def shared_texts(archive: zipfile.ZipFile) -> list[str]:
    if "xl/sharedStrings.xml" not in archive.namelist():
        return []
    listed = ElementTree.fromstring(archive.read("xl/sharedStrings.xml"))
    return ["".join(part.text or "" for part in each.iter(f"{SHEET}t")) for each in listed]


def cell(found: ElementTree.Element, shared: Sequence[str]) -> tuple[str, str]:
    """The letters of a cell's column and its text."""
    column = CELL.match(found.get("r", ""))
    value = found.findtext(f"{SHEET}v") or "".join(part.text or "" for part in found.iter(f"{SHEET}t"))
    return column.group() if column else "", shared[int(value)] if found.get("t") == "s" and value else value


TESTS, SEMMT = "RobustNLP/TestTranslation", "ArabelaTso/SemMT"
LABELLED = "data/RQ1-RQ3-Bug-Detection/bug_detection_label.csv"
SOURCES = (
    Source("rti/sentences.jsonl", TESTS, sentences),
    Source("rti/published_errors_google.jsonl", TESTS, errors("errors/GoogleRTI.md")),
    Source("sit/published_errors_google.jsonl", TESTS, errors("errors/GoogleSIT.md")),
    Source("patinv/published_errors_google_chinese.jsonl", TESTS, invariants("errors/GooglePatInvChinese.md")),
    Source("semmt/labelled_google_en_zh.csv", SEMMT, table(LABELLED)),
    Source("semmt/labelled_google_en_zh_dev.csv", SEMMT, table(LABELLED, odd=True)),
    Source("semmt/labelled_bing_en_zh.csv", SEMMT, table("data/RQ4-Applicability/Bing.csv")),
    Source("semmt/labelled_google_en_ja.csv", SEMMT, table("data/RQ4-Applicability/EN-JP.csv")),
    Source("semmt/labelled_google_kb13.csv", SEMMT, table("data/RQ4-Applicability/KB13.csv")),
    Source("semmt/nl_regex_train.tsv", SEMMT, expressions),
    Source("semmt/wmt_news.jsonl", SEMMT, lines("data/Motivation/WMT-News.en-es.en")),
    Source("transrepair/threshold_learning_data_gt.jsonl", "zysszy/TransRepair", threshold_pairs),
    Source("pairs/labelled_google.csv", "imjinshuo/Word-Closure-Based-MT", labelled_pairs),
    Source(
        "pivot/uow_2017_observations.csv",
        "yanboyang713/Metamorphic-Testing-of-Machine-Translation-Software",
        observations,
    ),
)

if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))

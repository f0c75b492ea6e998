"""Numbers and their words agree in what the program prints: there is no “1 cases”."""

from __future__ import annotations

import csv
import re
import shlex

import pytest

from concord.plural import plural

# Words that are plural, behind a bare 1; a share such as "0 of 1 pairs" is wrong as well.
ONE_OF_MANY = re.compile(
    r"(?<![\d.,:])1 (?:labelled |suspicious |round |wanted |flagged |accepted |more |other |further |clean )*"
    r"(?:cases|sentences|labels|rows|texts|lines|pairs|findings|files|bugs|words|phrases|segments|errors|corrections|"
    r"observations|trips|checks|runs|translations|requests|systems|queues|rules|columns|"
    r"answers|characters|strata|levels|times|draws|combinations|scores)\b"
)


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "0 cases"), (1, "1 case"), (2, "2 cases"), (1_204, "1,204 cases"), (0.6, "1 case"), (1.6, "2 cases")],
)
def test_a_word_agrees_with_its_number(number, said):
    assert plural(number, "case") == said


def test_a_plural_that_no_s_makes_is_said():
    assert [plural(number, "row has", "rows have") for number in (1, 3)] == ["1 row has", "3 rows have"]


def test_what_is_wrong_is_noticed():
    wrong = ["1 cases", "0 of 1 pairs flagged", "in all: 1 labelled rows", "(1 files;"]
    right = ["11 cases", "1 case", "0.1 cases", "1,001 cases", "1 of 2 cases", "run 1: rows", "1 row of errors"]
    assert all(ONE_OF_MANY.search(each) for each in wrong)
    assert not any(ONE_OF_MANY.search(each) for each in right)


@pytest.fixture
def one(concord, tmp_path):
    """A workspace of one flagged case, labelled; what every command prints is kept."""
    (tmp_path / "one.txt").write_text("The old stone bridge was closed after the rain.\n")
    (tmp_path / "pairs.csv").write_text("source,source_output,follow_up_output\nHello,Hola,Bye bye then\n")
    (tmp_path / "two.txt").write_text("El puente.\nOtro puente.\n")
    (tmp_path / "human.csv").write_text("system,sentence,score\nz,1,0.5\n")
    (tmp_path / "both.csv").write_text("label,s\nbug,0.9\ncorrect,0.1\n")
    (tmp_path / "one.csv").write_text("label,s\nbug,0.9\n")
    (tmp_path / "wide.csv").write_text("label,s\nbug\n")
    fake = ("--system", "faulty:fake,kind=drop_word,rate=1", "--to", "es")
    assert concord("run", "one.txt", *fake, "-r", "rtt,threshold=0")[0] == 0
    return concord


def label(concord, tmp_path) -> None:
    concord("label", "export", "2", "l.csv")
    with open(tmp_path / "l.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    with open(tmp_path / "l.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "verdict": "error", "correction": "Así."} for row in rows)
    concord("label", "import", "l.csv", "--annotator", "ana")
    concord("label", "import", "l.csv", "--annotator", "ben")


COMMANDS = """
run one.txt --system fake --to es -r rtt
run one.txt --system command:false --to es -r rtt
run one.txt --system fake --to es -r sane --dry-run
show
show --limit 1
show --text bridge
show --by case
show --by problem
export -o rows.csv
export --what findings -o f.jsonl
export --what labels -o l2.csv
export --what corrections -o c.tsv
label export 2 again.csv
label import l.csv --annotator cat
label draw 2 --name q --size 1
label next --queue q --annotator dora
label agreement
label estimate --queue q
label undo --annotator ben
judge pairs.csv --relation rtt --from en --to es
try 'A house.' --system fake --relation rtt
plan one.txt --system files:x --to es -r sane
sample one.txt -o s.txt --size 1
prevalence one.txt --least-words 1
prevalence one.txt --least-words 99
phrases one.txt
regex one.txt
report -o r.html
thresholds 2
compare 2 4
gate 2 --max 1
gate 2 --max 0 --junit j.xml
gate 4 --no-worse-than 2 --no-new
gate 2 --accept --accepted ok.jsonl
gate 2 --no-new --accepted ok.jsonl
gate 4 --max 1 --accepted ok.jsonl
quality
quality 2
correlate 2 --references one.txt
correlate 2 --references two.txt
correlate 2 --human human.csv
evaluate 2
evaluate 2 --detectors
evaluate both.csv --out page
evaluate one.csv
evaluate wide.csv
calibrate one.txt --system fake --relation rtt --false-alarms 0.1
tune 2 --at 0.5
"""


def test_every_command_counts_one_as_one(one, tmp_path):
    label(one, tmp_path)
    wrong, right = {}, set()
    for line in COMMANDS.strip().splitlines():
        _, out, err = one(*shlex.split(line))
        if found := ONE_OF_MANY.findall(out + err):
            wrong[line] = found
        right |= set(re.findall(r"(?<![\d.,:])1 ([a-z]+)", out + err))

    assert wrong == {}
    assert {"case", "row", "finding", "text", "sentence", "pair", "column", "accepted", "clean"} <= right

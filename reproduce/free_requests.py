"""How often Concord reads requests in free words as the expressions that people wrote beside them.

    python -m reproduce.free_requests REQUESTS.tsv

The table has the columns `request` and `expression`. A request is read rightly if its expression has the same language
as the one beside it, in which a blank is a blank. SemMT (Cao et al. 2021, section 4.1) reports 77.67 % for a model that
it trained on such requests (KB13, Kushman and Barzilay 2013). The share has Wilson's 95 % interval; every miss is
listed with its reading.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from reproduce.nl_regex import said, same

from concord.relations.semmt.claims import claims_of


def main(table: Path) -> int:
    with table.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    misses = []
    for row in rows:
        found = claims_of(row["request"])
        regex = found.regex if found else None
        if not same(regex, row["expression"].replace(" ", r"\s")):
            misses.append(f"{row['request']}\n    wanted  {row['expression']}\n    read    {regex}")
    print(f"read rightly: {said(len(rows) - len(misses), len(rows))}")
    print(*misses, sep="\n")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))

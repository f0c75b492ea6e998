"""Groups of violated cases on a terminal: those of one sentence, or those that one translation explains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from concord.analyses.case_groups import Group, Translation, translations
from concord.language.invisible import visible
from concord.plural import plural
from concord.views.highlight import plain
from concord.views.terminal import place_of, print_case, print_line, print_records, shown, title_of
from concord.views.wording import judged

CASES = 20
LONG, SHORT = 320, 160


def print_groups(groups: Sequence[Group], console: Console) -> None:
    """Each group below its heading, the worst first; of very many cases the worst ones."""
    if not groups:
        print_line(Text("No case is violated."), console)
        return
    print_line(Text("Suspicion: higher is worse. #: rank by suspicion within the run."), console)
    for group in groups:
        _heading(group, console)
        for row in group.rows[:CASES]:
            if group.translation is None:
                print_case(row, console)
            else:
                print_line(_short(row, group), console)
        if len(group.rows) > CASES:
            print_line(Text(f"    and {len(group.rows) - CASES:,} more"), console)
        console.print()


def arrow(one: Translation, limit: int) -> Text:
    """`the old bridge [en] → el puente viejo [es]`"""
    text, made = (shown(plain(words.replace("\n", " "), limit), None) for words in (one.words, one.output))
    return text + Text(visible(f" [{one.lang}] → ")) + made + Text(visible(f" [{one.output_lang}]"))


def _heading(group: Group, console: Console) -> None:
    worst, count = group.rows[0], len(group.rows)
    text = Text(visible(f"{place_of(worst)}  {title_of(worst)}  "), style="bold")
    text.append(plural(count, "violated case"), style="red")
    print_line(text, console)
    if group.translation is None:
        print_records([("segment", shown(plain(worst["text"], LONG), None))], console, indent=2)
        return
    named = [("translation", group.translation), *([("or", group.rival)] if group.rival else [])]
    print_records([(name, arrow(one, LONG)) for name, one in named], console, indent=2)


def _short(row: Mapping[str, Any], group: Group) -> Text:
    """A case in one line: its verdict and, unless it stands above, the translation that does not agree."""
    line = Text(visible(f"    #{row['rank']}  {judged(row).partition(':')[0]}"))
    others = [
        translation for translation in translations(row).values() if translation not in (group.translation, group.rival)
    ]
    return line + Text("  ") + arrow(others[0], SHORT) if others else line

"""Groups of flagged cases on a terminal, by sentence or by the translation that explains them."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from concord.analyses.case_groups import Group, Translation, translations
from concord.language.invisible import visible
from concord.plural import plural
from concord.views.highlight import beginning
from concord.views.terminal import excerpt_text, location_of, print_case, print_line, print_records, title_of
from concord.views.wording import judged

CASES = 20
LONG, SHORT = 320, 160


def print_groups(groups: Sequence[Group], console: Console) -> None:
    """Print each group below its heading, with at most CASES cases, the most suspicious first."""
    if not groups:
        print_line(Text("No case is flagged."), console)
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


def arrow(translation: Translation, limit: int) -> Text:
    """`the old bridge [en] → el puente viejo [es]`"""
    text, output = (
        excerpt_text(beginning(words.replace("\n", " "), limit), None)
        for words in (translation.words, translation.output)
    )
    return text + Text(visible(f" [{translation.lang}] → ")) + output + Text(visible(f" [{translation.output_lang}]"))


def _heading(group: Group, console: Console) -> None:
    worst, count = group.rows[0], len(group.rows)
    text = Text(visible(f"{location_of(worst)}  {title_of(worst)}  "), style="bold")
    text.append(plural(count, "flagged case"), style="red")
    print_line(text, console)
    if group.translation is None:
        print_records([("sentence", excerpt_text(beginning(worst["text"], LONG), None))], console, indent=2)
        return
    named_translations = [("translation", group.translation), *([("or", group.rival)] if group.rival else [])]
    print_records([(name, arrow(translation, LONG)) for name, translation in named_translations], console, indent=2)


def _short(row: Mapping[str, Any], group: Group) -> Text:
    """A case in one line: its verdict and, unless the heading has it, the translation that disagrees."""
    line = Text(visible(f"    #{row['rank']}  {judged(row).partition(':')[0]}"))
    remaining = [
        translation for translation in translations(row).values() if translation not in (group.translation, group.rival)
    ]
    return line + Text("  ") + arrow(remaining[0], SHORT) if remaining else line

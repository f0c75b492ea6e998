"""A progress bar for each run on the terminal."""

from rich.console import Console
from rich.progress import BarColumn, TaskID, TextColumn
from rich.progress import Progress as Bars

from concord.plural import plural
from concord.runs.summary import Progress

LABEL = 32


class Live:
    """The progress bars; a run's bar stays when the next run begins."""

    def __init__(self) -> None:
        self._bars = Bars(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=16),
            TextColumn("{task.completed:g}/{task.total:g}", markup=False),
            TextColumn("{task.fields[remark]}", markup=False),
            console=Console(stderr=True),
        )
        self._tasks: dict[int, TaskID] = {}

    def __enter__(self) -> "Live":
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def update(self, state: Progress) -> None:
        if state.run not in self._tasks:
            self._tasks[state.run] = self._bars.add_task(short(state.label), total=state.total, remark="")
        self._bars.update(self._tasks[state.run], completed=state.done, total=state.total, remark=remark(state))


def short(label: str) -> str:
    """The end of a label that is too long for its column; a command can be longer than the line."""
    return label if len(label) <= LABEL else "…" + label[1 - LABEL :]


def remark(state: Progress) -> str:
    """The counts beside the progress bar."""
    parts = [f"{state.sent} sent", f"{state.cached} cached"]
    if state.errors:
        parts.append(plural(state.errors, "error"))
    if state.stopping:
        parts.append(f"stopping: {plural(state.stopping, 'request')} under way, Ctrl-C again leaves at once")
    elif state.waiting > 0:
        parts.append(f"waiting for provider, {state.waiting:.0f} s")
    return ", ".join(parts)

"""Commands for labelling by a sample: queues, the next case, how far people agree, and what it says of all cases."""

from __future__ import annotations

import shlex
from typing import Annotated

from concord.cli.labels import Who, label
from concord.cli.options import AsJson, Runs, WorkspaceFile, option
from concord.cli.output import WORKSPACE, print_json, print_table, program_name, typed, visible
from concord.errors import UserError
from concord.plural import plural

BANDS = ("flagged", "not flagged, most suspicious", "not flagged, less", "not flagged, least")
QueueName = Annotated[str, option("--queue", help="A queue of `label draw`.")]


@label.command()
def draw(
    runs: Runs = None,
    workspace: WorkspaceFile = WORKSPACE,
    name: Annotated[str, option(help="What to call the queue.")] = "queue",
    size: Annotated[int, option(min=1, help="How many cases.")] = 100,
    seed: Annotated[int, option(min=0, help="Another one draws other cases.")] = 0,
    flagged: Annotated[float, option(min=0, max=1, help="Which part of them are flagged cases.")] = 0.5,
    enlarge: Annotated[bool, option("--enlarge", help="Draw more for a queue that is there, up to --size.")] = False,
    as_json: AsJson = False,
) -> None:
    """Draw a queue of flagged and unflagged cases, so that labels of it speak for all cases of the runs."""
    from concord import api

    if enlarge and runs:
        raise UserError("a queue that is enlarged has its runs already; leave them out")
    if enlarge:
        made = api.enlarge_queue(workspace, name, size)
    else:
        made = api.draw_queue(workspace, runs or [], name=name, size=size, seed=seed, flagged=flagged)
    if as_json:
        (found,) = [queue for queue in api.queues(workspace) if queue.queue.name == made.name]
        print_json(found.plain())
        return
    rows = [(str(s.run), BANDS[s.band], f"{s.population:,}", str(s.drawn)) for s in made.strata]
    print_table(("run", "cases", "there are", "drawn"), rows)
    them = "it" if made.size == 1 else "them"
    print(f"{plural(made.size, 'case')} in the queue {visible(made.name)}. To label {them}, on the page or in a file:")
    print(f"  {program_name()} serve {visible(shlex.quote(str(workspace)))}")
    print(f"  {typed(f'label export labels.csv --queue {shlex.quote(made.name)}', workspace)}")


@label.command()
def queues(
    workspace: WorkspaceFile = WORKSPACE,
    annotator: Annotated[str, option(help="How far this person is.")] = "",
    forget: Annotated[str, option(metavar="NAME", help="Remove a queue; labels stay.")] = "",
    as_json: AsJson = False,
) -> None:
    """List the queues, and how far people are with them."""
    from concord import api

    if forget:
        api.forget_queue(workspace, forget)
    found = api.queues(workspace, annotator=annotator)
    if as_json:
        print_json({"rows": [each.plain() for each in found]})
        return
    who = [f"by {annotator}"] if annotator else []
    rows = []
    for each in found:
        queue, mine = each.queue, [str(each.labelled)] if annotator else []
        runs = ", ".join(map(str, queue.runs))
        rows.append((queue.name, runs, str(queue.size), f"{queue.population:,}", str(each.labelled_by_anybody), *mine))
    print_table(("queue", "runs", "cases", "of", "labelled", *who), rows)


@label.command("next")
def next_(queue: QueueName, annotator: Who, workspace: WorkspaceFile = WORKSPACE, as_json: AsJson = False) -> None:
    """Show the next case of a queue that this person has not judged."""
    from concord import api
    from concord.api.queues import ROLES

    found = api.turn(workspace, queue, annotator)
    place, row, progress = found.place, found.row, found.progress
    assert progress is not None
    done = {"queue": queue, "said": progress.labelled, "size": progress.queue.size}
    if as_json:
        shown = {name: row[name] for name in ("case", "run", "segment", *ROLES)} if row else None
        print_json({**done, "place": place.place if place else None, "case": shown})
        return
    print(f"{done['said']} of {done['size']} labelled")
    if row is None or place is None:
        print("Nothing is left to label." if place is None else "This case is no longer as it was drawn.")
        return
    print(f"case {row['case']}")
    for role in ROLES:
        print(f"  {role.replace('_', ' '):16}  {visible(row[role]['words'])} [{visible(row[role]['lang'])}]")
    words = f"label say {row['case']} error --annotator {shlex.quote(annotator)}"
    print(f"  {typed(words, workspace)}")


@label.command("agreement")
def agreement_(
    runs: Runs = None,
    workspace: WorkspaceFile = WORKSPACE,
    queue: Annotated[str, option(help="Only the cases of this queue.")] = "",
    limit: Annotated[int, option(min=1, help="How many disputed cases.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Say how far people agree: Cohen's kappa for two of them, Krippendorff's alpha for more."""
    from concord import api

    found = api.agreement(workspace, runs or [], queue=queue)
    if as_json:
        print_json(found.plain())
        return
    made = found.agreement
    if not made.units:
        print("No case was judged by two people.")
        return
    beside = "" if made.interval is None else f" ({made.interval[0]:.3f} … {made.interval[1]:.3f})"
    value = "not defined, for only one verdict was given" if made.value is None else f"{made.value:.3f}{beside}"
    print(f"{plural(made.units, 'case')} judged by at least two of {visible(', '.join(made.annotators))}")
    print(f"agreement {made.share:.1%}; {made.coefficient} {value}")
    pairs = [
        (
            pair.first,
            pair.second,
            str(pair.units),
            f"{pair.share:.1%}",
            "–" if pair.kappa is None else f"{pair.kappa:.3f}",
        )
        for pair in made.pairs
    ]
    print_table(("annotator", "annotator", "cases", "agreement", "Cohen's kappa"), pairs)
    if found.disputed:
        print(f"Disputed: {len(found.disputed):,}")
        rows = [
            (each.case[:12], "; ".join(f"{who}: {said}" for who, said in each.verdicts.items()))
            for each in found.disputed[:limit]
        ]
        print_table(("case", "who says what"), rows)


@label.command()
def estimate(
    queue: QueueName,
    workspace: WorkspaceFile = WORKSPACE,
    annotator: Annotated[str, option(help="By this person's word alone. [default: what most say]")] = "",
    as_json: AsJson = False,
) -> None:
    """Estimate precision, recall, base rate and F for all cases of a queue's runs, from what of it is labelled."""
    from concord import api

    found, notes = api.estimate(workspace, queue, annotator=annotator)
    if as_json:
        print_json({**found.plain(), "notes": notes})
        return
    rows = []
    for name in ("precision", "recall", "base_rate", "f"):
        each = getattr(found, name)
        cells = (f"{each.value:.3f}", f"{each.low:.3f} … {each.high:.3f}", each.method) if each else ("–", "", "")
        rows.append((name.replace("_", " "), *cells))
    print_table(("measure", "estimate", "95% interval", "by"), rows)
    print(
        f"{plural(found.labelled, 'labelled case speaks', 'labelled cases speak')} for {found.cases:,.0f}:"
        f" {found.flagged:,.0f} flagged, about {plural(found.bugs, 'bug')}"
    )
    for note in notes:
        print(f"note: {visible(note)}")

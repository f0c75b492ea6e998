"""Commands for queues, samples of cases to label: draw, queues, next, agreement, estimate."""

import shlex
from typing import Annotated

from concord import api
from concord.cli.labels import Annotator, label
from concord.cli.options import AsJson, Runs, WorkspaceFile, option
from concord.cli.output import WORKSPACE, print_json, print_table, program_name, typed, visible
from concord.errors import UserError
from concord.plural import plural

BANDS = ("flagged", "not flagged, high suspicion", "not flagged, medium suspicion", "not flagged, low suspicion")
QueueName = Annotated[str, option("--queue", help="A queue of `label draw`.")]


@label.command()
def draw(
    runs: Runs = None,
    workspace: WorkspaceFile = WORKSPACE,
    name: Annotated[str, option(help="The name of the queue.")] = "queue",
    size: Annotated[int, option(min=1, help="The number of cases.")] = 100,
    seed: Annotated[int, option(min=0, help="Random seed of the draw.")] = 0,
    flagged: Annotated[float, option(min=0, max=1, help="The share of flagged cases in the queue.")] = 0.5,
    enlarge: Annotated[bool, option("--enlarge", help="Draw more cases for an existing queue, up to --size.")] = False,
    as_json: AsJson = False,
) -> None:
    """Draw a queue of flagged and unflagged cases, a stratified sample of all cases of the runs."""
    if enlarge and runs:
        raise UserError("--enlarge keeps the runs of the queue; leave the runs out")
    if enlarge:
        drawn = api.enlarge_queue(workspace, name, size)
    else:
        drawn = api.draw_queue(workspace, runs or [], name=name, size=size, seed=seed, flagged=flagged)
    if as_json:
        (progress,) = [queue for queue in api.queues(workspace) if queue.queue.name == drawn.name]
        print_json(progress.plain())
        return
    rows = [(str(s.run), BANDS[s.band], f"{s.population:,}", str(s.drawn)) for s in drawn.strata]
    print_table(("run", "stratum", "cases", "drawn"), rows)
    them = "it" if drawn.size == 1 else "them"
    print(
        f"{plural(drawn.size, 'case')} in the queue {visible(drawn.name)}. To label {them}, on the page or in a file:"
    )
    print(f"  {program_name()} serve {visible(shlex.quote(str(workspace)))}")
    print(f"  {typed(f'label export labels.csv --queue {shlex.quote(drawn.name)}', workspace)}")


@label.command()
def queues(
    workspace: WorkspaceFile = WORKSPACE,
    annotator: Annotated[str, option(help="Also count the labels of this annotator.")] = "",
    forget: Annotated[str, option(metavar="NAME", help="Remove a queue; its labels are kept.")] = "",
    as_json: AsJson = False,
) -> None:
    """List the queues with the number of labelled cases."""
    if forget:
        api.forget_queue(workspace, forget)
    every = api.queues(workspace, annotator=annotator)
    if as_json:
        print_json({"rows": [progress.plain() for progress in every]})
        return
    own_column = [f"by {annotator}"] if annotator else []
    rows = []
    for progress in every:
        queue, own = progress.queue, [str(progress.labelled)] if annotator else []
        runs = ", ".join(map(str, queue.runs))
        rows.append(
            (queue.name, runs, str(queue.size), f"{queue.population:,}", str(progress.labelled_by_anybody), *own)
        )
    print_table(("queue", "runs", "cases", "drawn from", "labelled", *own_column), rows)


@label.command("next")
def next_(
    queue: QueueName, annotator: Annotator, workspace: WorkspaceFile = WORKSPACE, as_json: AsJson = False
) -> None:
    """Show the next case of a queue that this annotator has not labelled."""
    from concord.api.queues import ROLES
    from concord.views.wording import role_name

    turn = api.turn(workspace, queue, annotator)
    place, row, reached = turn.place, turn.row, turn.progress
    assert reached is not None
    progress = {"queue": queue, "said": reached.labelled, "size": reached.queue.size}
    if as_json:
        case = {name: row[name] for name in ("case", "run", "segment", *ROLES)} if row else None
        print_json({**progress, "place": place.place if place else None, "case": case})
        return
    print(f"{progress['said']} of {progress['size']} labelled")
    if row is None or place is None:
        print("Nothing is left to label." if place is None else "The case has changed since the queue was drawn.")
        return
    print(f"case {row['case']}")
    for role in ROLES:
        print(f"  {role_name(row, role):26}  {visible(row[role]['words'])} [{visible(row[role]['lang'])}]")
    words = f"label say {row['case']} error --annotator {shlex.quote(annotator)}"
    print(f"  {typed(words, workspace)}")


@label.command("agreement")
def agreement_(
    runs: Runs = None,
    workspace: WorkspaceFile = WORKSPACE,
    queue: Annotated[str, option(help="Only the cases of this queue.")] = "",
    limit: Annotated[int, option(min=1, help="How many disputed cases to print.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Measure inter-annotator agreement: Cohen's kappa for two annotators, Krippendorff's alpha for more."""
    result = api.agreement(workspace, runs or [], queue=queue)
    if as_json:
        print_json(result.plain())
        return
    agreement = result.agreement
    if not agreement.units:
        print("No case was labelled by two annotators.")
        return
    beside = "" if agreement.interval is None else f" ({agreement.interval[0]:.3f} … {agreement.interval[1]:.3f})"
    value = (
        "not defined, because only one verdict was given"
        if agreement.value is None
        else f"{agreement.value:.3f}{beside}"
    )
    print(f"{plural(agreement.units, 'case')} labelled by at least two of {visible(', '.join(agreement.annotators))}")
    print(f"agreement {agreement.share:.1%}; {agreement.coefficient} {value}")
    pairs = [
        (
            pair.first,
            pair.second,
            str(pair.units),
            f"{pair.share:.1%}",
            "–" if pair.kappa is None else f"{pair.kappa:.3f}",
        )
        for pair in agreement.pairs
    ]
    print_table(("annotator", "annotator", "cases", "agreement", "Cohen's kappa"), pairs)
    if result.disputed:
        print(f"Disputed: {len(result.disputed):,}")
        rows = [
            (dispute.case[:12], "; ".join(f"{annotator}: {verdict}" for annotator, verdict in dispute.verdicts.items()))
            for dispute in result.disputed[:limit]
        ]
        print_table(("case", "verdicts"), rows)


@label.command()
def estimate(
    queue: QueueName,
    workspace: WorkspaceFile = WORKSPACE,
    annotator: Annotated[str, option(help="Use only the labels of this annotator. [default: the majority]")] = "",
    as_json: AsJson = False,
) -> None:
    """Estimate precision, recall, base rate and F over all cases of a queue's runs, from its labelled cases."""
    estimates, notes = api.estimate(workspace, queue, annotator=annotator)
    if as_json:
        print_json({**estimates.plain(), "notes": notes})
        return
    rows = []
    for name in ("precision", "recall", "base_rate", "f"):
        measure = getattr(estimates, name)
        cells = (
            (f"{measure.value:.3f}", f"{measure.low:.3f} … {measure.high:.3f}", measure.method)
            if measure
            else ("–", "", "")
        )
        rows.append((name.replace("_", " "), *cells))
    print_table(("measure", "estimate", "95% interval", "method"), rows)
    print(
        f"{plural(estimates.labelled, 'labelled case represents', 'labelled cases represent')} {estimates.cases:,.0f}:"
        f" {estimates.flagged:,.0f} flagged, about {plural(estimates.bugs, 'bug')}"
    )
    for note in notes:
        print(f"note: {visible(note)}")

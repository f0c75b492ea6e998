"""The options that several commands take, each declared once."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from concord import errors

Command = Callable[..., Any]


def option(*names: str, help: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, **more)


def named_file(text: str) -> Path:
    """The path of a file; an empty name would be the current folder."""
    if not str(text):
        raise errors.UserError("the name of the workspace is empty")
    return Path(text)


AsJson = Annotated[bool, option("--json", help="Print one JSON object instead of tables.")]
WorkspaceFile = Annotated[
    Path,
    option(
        "--workspace",
        "-w",
        envvar="CONCORD_WORKSPACE",
        metavar="<path>",
        parser=named_file,
        help="The file that keeps runs and translations.",
    ),
]
Runs = Annotated[
    list[str] | None,
    typer.Argument(metavar="RUN", help="Run numbers (3, or 3,4), or `last`; by default the latest of each kind."),
]
CONFIGURATION = Path(errors.CONFIGURATION)
Config = Annotated[
    Path, option("--config", help="Options of relations that are not given, as `concord tune` writes them.")
]
Seed = Annotated[int, option(min=0, help="Fixes every random choice.")]

# -- what is tested, as `run` says it ----------------------------------------------------------------

CorpusName = Annotated[str, typer.Argument(help="A file, `-` for stdin, or `demo`, as for `run`.")]
From = Annotated[str, option("--from", metavar="LANG", help="The language of the corpus (BCP-47).")]
Into = Annotated[str, option("--to", "-t", metavar="LANG", help="The language to translate into.")]
SystemName = Annotated[str, option("--system", "-s", metavar="SYSTEM", help="As for `run`.")]
Format = Annotated[
    str | None,
    option(help="lines, tsv, csv, jsonl, tmx, xliff or po, if the file's ending does not tell."),
]
Limit = Annotated[int | None, option(min=1, help="As for `run`.")]

# -- how much it may take ----------------------------------------------------------------------------

Workers = Annotated[int, option(min=1, help="Processes that run the checks.")]
MaxChars = Annotated[
    int | None,
    option(
        min=0,
        help="Have no more characters billed than this, with this command. What a provider throttles or never receives"
        " is not billed: it is sent again and does not count.",
    ),
]
MaxCost = Annotated[float | None, option(min=0, help="Spend no more than this; see --price.")]
PricePerMillion = Annotated[
    float | None, option(min=0, help="What a million characters cost. [default: the system's list price]")
]
DryRun = Annotated[bool, option("--dry-run", help="Say what would be sent and cost, and send nothing.")]
Fresh = Annotated[bool, option("--fresh", help="Ask again, even what the workspace already knows.")]

# -- what stands behind services ---------------------------------------------------------------------

Glossary = Annotated[
    Path | None,
    option(metavar="FILE", help="Expressions and their translations, a tab between: they explain differences."),
]
Synonyms = Annotated[
    Path | None,
    option(metavar="FILE", help="Words that can stand for each other, a group in a line, tabs between them."),
]
Dictionaries = Annotated[
    str | None,
    option(
        metavar="NAMES",
        help="Installed dictionaries that explain differences: auto, all, none, or some of cedict, freedict, apertium."
        " [default: auto, which is all, but not Apertium's own where Apertium is under test]",
    ),
]
Services = dict[str, str]


def chosen_services(
    parser: Annotated[
        str | None, option(metavar="PARSER", help="For relations that parse: NAME of `concord parsers`.")
    ] = None,
    substitutes: Annotated[
        str | None,
        option(metavar="SOURCE", help="For relations that replace words: NAME of `concord substitutes`."),
    ] = None,
    encoder: Annotated[
        str | None,
        option(metavar="ENCODER", help="For relations that compare meanings: NAME of `concord encoders`."),
    ] = None,
    glossary: Glossary = None,
    synonyms: Synonyms = None,
    dictionaries: Dictionaries = None,
) -> Services:
    """What stands behind the services that were named, and the evidence that they are given."""
    services = {"parse": parser, "substitutes": substitutes, "embed": encoder}
    evidence = {"glossary": glossary, "synonyms": synonyms, "dictionaries": dictionaries}
    return {name: str(each) for name, each in {**services, **evidence}.items() if each}


# -- options that go together ------------------------------------------------------------------------


def gathered(**makers: Command) -> Callable[[Command], Command]:
    """Have a command take the options of other functions, and give it what they make of them.

    With `@gathered(services=chosen_services)` a command that has a parameter `services` has the options of
    `chosen_services` in its place. Its parameters are keyword-only, since this one has no default.
    """

    def decorate(command: Command) -> Command:
        own = inspect.signature(command, eval_str=True)
        theirs = {name: inspect.signature(maker, eval_str=True).parameters for name, maker in makers.items()}

        def parameters() -> Iterator[inspect.Parameter]:
            for name, each in own.parameters.items():
                yield from theirs[name].values() if name in theirs else [each]

        @functools.wraps(command)
        def run(**given: Any) -> Any:
            made = {name: makers[name](**{each: given.pop(each) for each in theirs[name]}) for name in makers}
            return command(**given, **made)

        told = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters()]
        run.__signature__ = own.replace(parameters=told)  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in told}
        return run

    return decorate

"""Options that several commands share."""

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


def relation_option(default: str) -> Any:
    choices = "NAME[,option=value] of `concord relations`"
    return option(
        "--relation", "-r", metavar="RELATION", help=f"A relation: {choices}; may be repeated. [default: {default}]"
    )


Verbose = Annotated[
    bool,
    option(
        "--verbose",
        "-v",
        help="Also print how many texts each run asked for, sent, and had cached. --json always has them.",
    ),
]
AsJson = Annotated[bool, option("--json", help="Print one JSON object instead of tables.")]
WorkspaceFile = Annotated[
    Path,
    option(
        "--workspace",
        "-w",
        envvar="CONCORD_WORKSPACE",
        metavar="<path>",
        parser=named_file,
        help="The file with runs, cases, answers and labels.",
    ),
]
Runs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="RUN",
        help="Run numbers (3, or 3,4-7), or `last`. [default: the latest run of each kind: relation with options other"
        " than thresholds, system, direction and corpus]",
    ),
]
CONFIGURATION = Path(errors.CONFIGURATION)
Config = Annotated[
    Path, option("--config", help="A file with default options of relations, as `concord tune` writes it.")
]
Seed = Annotated[int, option(min=0, help="Random seed.")]

# -- what is tested ----------------------------------------------------------------------------------

CorpusName = Annotated[
    str,
    typer.Argument(help="A file (lines, TSV, CSV, JSONL, TMX, XLIFF, PO; also .gz), `-` for stdin, or `demo`."),
]
From = Annotated[str, option("--from", metavar="LANG", help="The source language, that of the corpus (BCP-47).")]
Relations = Annotated[
    list[str] | None,
    relation_option("recommended: what `concord relations` marks so; `sane` is always one of them"),
]
Targets = Annotated[
    list[str] | None,
    option("--to", "-t", metavar="LANG", help="A target language; may be repeated. [default: es]"),
]
Into = Annotated[str, option("--to", "-t", metavar="LANG", help="The target language.")]
SystemName = Annotated[str, option("--system", "-s", metavar="SYSTEM", help="The system under test, as for `run`.")]
Format = Annotated[
    str | None,
    option(help="lines, tsv, csv, jsonl, tmx, xliff or po. [default: by the file's ending]"),
]
Limit = Annotated[int | None, option(min=1, help="Read only the first N sentences.")]

# -- limits and cost ---------------------------------------------------------------------------------

Workers = Annotated[int, option(min=1, help="The number of worker processes.")]
MaxChars = Annotated[
    int | None,
    option(
        min=0,
        help="The most characters that may be billed for this command. A request that a provider throttles or never"
        " receives is not billed: it is sent again and does not count.",
    ),
]
MaxCost = Annotated[float | None, option(min=0, help="The most that this command may cost; see --price.")]
PricePerMillion = Annotated[
    float | None, option(min=0, help="The price of a million characters. [default: the system's list price]")
]
DryRun = Annotated[bool, option("--dry-run", help="Print what would be sent and what it would cost, and send nothing.")]
Fresh = Annotated[bool, option("--fresh", help="Ignore cached answers: ask for every translation again.")]

# -- the plug-ins and evidence of services -----------------------------------------------------------

Glossary = Annotated[
    Path | None,
    option(
        metavar="FILE",
        help="A glossary that explains differences: an expression, a tab and its translation on each line.",
    ),
]
Synonyms = Annotated[
    Path | None,
    option(metavar="FILE", help="Synonyms that explain differences: a group of words on each line, separated by tabs."),
]
Dictionaries = Annotated[
    str | None,
    option(
        metavar="NAMES",
        help="Installed dictionaries that explain differences: auto, all, none, or some of cedict, freedict, apertium."
        " [default: auto: all, but not Apertium's own if Apertium is under test]",
    ),
]
Services = dict[str, str]


ParserNames = Annotated[
    list[str] | None,
    option(
        "--parser",
        metavar="[LANG=]PARSER",
        help="A parser, for a language or for all that it knows: see `concord parsers`; may be repeated. Other"
        " languages have the embedded ones.",
    ),
]
EncoderNames = Annotated[
    list[str] | None,
    option(
        "--encoder",
        metavar="[LANG=]ENCODER",
        help="An encoder of sentences, named like a parser: see `concord encoders`.",
    ),
]


def chosen_plugins(parser: ParserNames = None, encoder: EncoderNames = None) -> Services:
    """The chosen parsers and encoders, by service."""
    return {name: ";".join(texts) for name, texts in (("parse", parser), ("embed", encoder)) if texts}


def chosen_services(
    parser: ParserNames = None,
    substitutes: Annotated[
        list[str] | None,
        option(
            metavar="[LANG=]SOURCE",
            help="A source of substitutes for words, named like a parser: see `concord substitutes`.",
        ),
    ] = None,
    encoder: EncoderNames = None,
    glossary: Glossary = None,
    synonyms: Synonyms = None,
    dictionaries: Dictionaries = None,
) -> Services:
    """The chosen plug-ins and evidence files of services, by name."""
    services = {**chosen_plugins(parser, encoder), "substitutes": ";".join(substitutes or ())}
    evidence = {"glossary": glossary, "synonyms": synonyms, "dictionaries": dictionaries}
    return {name: str(choice) for name, choice in {**services, **evidence}.items() if choice}


# -- groups of options -------------------------------------------------------------------------------


def gathered(**makers: Command) -> Callable[[Command], Command]:
    """Replace parameters of a command by groups of options, each made by a function.

    With `@gathered(services=chosen_services)`, a command that has a parameter `services` takes the options of
    `chosen_services` in its place, and is called with what that function returns. All its parameters are keyword-only,
    because this one has no default.
    """

    def decorate(command: Command) -> Command:
        own_signature = inspect.signature(command, eval_str=True)
        grouped = {name: inspect.signature(maker, eval_str=True).parameters for name, maker in makers.items()}

        def parameters() -> Iterator[inspect.Parameter]:
            for name, parameter in own_signature.parameters.items():
                yield from grouped[name].values() if name in grouped else [parameter]

        @functools.wraps(command)
        def run(**arguments: Any) -> Any:
            made_arguments = {
                name: makers[name](**{parameter: arguments.pop(parameter) for parameter in grouped[name]})
                for name in makers
            }
            return command(**arguments, **made_arguments)

        signature_parameters = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters()]
        run.__signature__ = own_signature.replace(parameters=signature_parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in signature_parameters}
        return run

    return decorate

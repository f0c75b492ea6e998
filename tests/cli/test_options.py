"""Options that several commands take are declared once, and are the same wherever they stand."""

from __future__ import annotations

from typing import Annotated

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from concord.cli.commands import app
from concord.cli.options import chosen_services, gathered, option

SERVICES = ["parser", "substitutes", "encoder", "glossary", "synonyms", "dictionaries"]


def size(width: Annotated[int, option(help="How wide.")] = 1, height: Annotated[int, option(help="How high.")] = 2):
    return width, height


@pytest.fixture
def program():
    """A command that takes two options as one, between two of its own."""
    made = typer.Typer()

    @made.command()
    @gathered(size=size)
    def draw(*, name: str = "box", size: tuple[int, int], dark: bool = False) -> None:
        """Draw something."""
        print(name, size, dark)

    return made


def test_a_command_is_given_what_is_made_of_options_that_go_together(program):
    asked = CliRunner().invoke(program, ["--height", "5", "--dark"])
    assert asked.stdout.strip() == "box (1, 5) True"


def test_they_stand_where_the_command_has_them(program):
    command = get_command(program)
    assert [each.name for each in command.params][:4] == ["name", "width", "height", "dark"]
    assert command.help == "Draw something."


def test_what_is_not_named_stands_behind_no_service():
    assert chosen_services() == {}
    assert chosen_services(parser=["zh=corenlp", "stanza"], encoder=["x"], dictionaries="none") == {
        "parse": "zh=corenlp;stanza",
        "embed": "x",
        "dictionaries": "none",
    }


@pytest.mark.parametrize("name", ["run", "plan", "calibrate"])
def test_commands_that_check_relations_take_the_same_services(name):
    taken = {each.name: each.help for each in get_command(app).commands[name].params if each.name in SERVICES}
    wanted = {each.name: each.help for each in get_command(app).commands["run"].params if each.name in SERVICES}
    assert list(taken) == SERVICES
    assert taken == wanted

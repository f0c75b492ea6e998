"""Commands that list plug-ins, and `doctor`, which checks the installation."""

from __future__ import annotations

from collections.abc import Callable

from concord.cli.app import app
from concord.cli.options import AsJson
from concord.cli.output import options_of, print_json, print_table


def _listing(family: str) -> Callable[[bool], None]:
    def command(as_json: AsJson = False) -> None:
        from concord import api
        from concord.api.plugins import FAMILIES

        rows = api.describe(family)
        if as_json:
            print_json({"rows": rows})
            return
        head = FAMILIES[family].singular
        print_table((head, "what it is", "options"), [(r["usage"], r["purpose"], options_of(r)) for r in rows])
        if any(r.get("keys") for r in rows):
            print("Keys are read from the environment only:")
            print_table(("translator", "variables"), [(r["name"], " ".join(r["keys"])) for r in rows if r.get("keys")])

    return command


for _family, _help in (
    ("relations", "List the relations with their options."),
    ("translators", "List the systems that can be tested, with their options."),
    ("metrics", "List the similarity metrics with their options."),
    ("parsers", "List the parsers that relations can use, with their options."),
    ("substitutes", "List the sources of substitutes for words, with their options."),
    ("encoders", "List the encoders of sentences, with their options."),
):
    app.command(_family, help=_help)(_listing(_family))


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Check the installation, and print the command that fixes what does not work."""
    from concord import api

    rows = api.doctor()
    if as_json:
        print_json({"rows": rows})
    else:
        print_table(
            ("", "component", "found", "to fix"),
            [("ok" if r["ok"] else "--", r["what"], r["found"], r["fix"]) for r in rows],
        )

"""Trees as `docs/parser.md` draws them: `python -m models.parser.draw < sentences`, one sentence a line."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from concord.language.parse.concord_en import Parser
from concord.language.trees import Tree
from concord.model import Text


def drawn(tree: Tree, indent: str = "") -> Iterator[str]:
    """One line for every phrase; those that hold only words have them on the same line."""
    if all(not child.children for child in tree.children):
        yield f"{indent}{tree.label}  {' '.join(_leaf(child) for child in tree.children)}"
        return
    yield f"{indent}{tree.label}"
    for child in tree.children:
        if child.children:
            yield from drawn(child, f"{indent}  ")
        else:
            yield f"{indent}  {_leaf(child)}"


def _leaf(leaf: Tree) -> str:
    return f"{leaf.words}/{leaf.label}"


def main() -> None:
    lines = [line.strip() for line in sys.stdin if line.strip()]
    for line, tree in zip(lines, Parser().parse([Text(line, "en") for line in lines]), strict=True):
        print(f"> {line}\n\n```")
        print("\n".join(text for child in tree.children for text in drawn(child)) if isinstance(tree, Tree) else tree)
        print("```\n")


if __name__ == "__main__":
    main()

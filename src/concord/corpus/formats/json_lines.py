"""JSON lines: an object with a text among its fields, or just a string, on each line."""

import json
from collections.abc import Iterator
from typing import Any

from concord.corpus.files import File
from concord.corpus.formats.fields import expected, find_fields, listed
from concord.corpus.formats.rows import Note, Row, make_row, note_rivals
from concord.plain_data import json_kind


def read_jsonl(file: File, lang: str, note: Note) -> Iterator[Row]:
    for number, line in file:
        if not line.strip():
            yield Row(number)
            continue
        value = parsed(file, number, line)
        if isinstance(value, str):
            yield Row(number, _whole(file, number, "text", value))
        elif isinstance(value, dict):
            yield _from_object(file, number, value, lang, note)
        else:
            raise file.error(number, f"expected a JSON object or a string, found {json_kind(type(value))}")


def _from_object(file: File, number: int, value: dict[str, Any], lang: str, note: Note) -> Row:
    names = tuple(value)
    fields = find_fields(names, lang)
    if fields.text is None:
        raise file.error(number, f"no field holds the text (expected {expected(lang)}). Found: {listed(names)}")
    note_rivals(names, fields, note)

    def string(index: int) -> str:
        content = value[names[index]]
        # Numbers are common as ids and harmless as domains, but a number is no text to translate.
        if index != fields.text and type(content) in (int, type(None)):
            return "" if content is None else str(content)
        if not isinstance(content, str):
            raise file.error(number, f"the field '{names[index]}' must be a string, not {json_kind(type(content))}")
        return _whole(file, number, names[index], content)

    return make_row(number, fields, string)


def parsed(file: File, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as problem:
        array = number == 1 and line.lstrip().startswith("[")
        cure = "Write an array as one object per line: jq -c '.[]'" if array else "Each line must be one JSON value"
        raise file.error(number, f"not JSON ({_reason(problem)}). {cure}") from None


def _reason(problem: Exception) -> str:
    if isinstance(problem, json.JSONDecodeError):
        return f"{problem.msg} at column {problem.colno}"
    return "nested too deeply" if isinstance(problem, RecursionError) else "a number has thousands of digits"


def _whole(file: File, number: int, name: str, value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError as problem:
        half = f"\\u{ord(value[problem.start]):04x}"
        cure = "Write both halves of the pair, or none"
        raise file.error(number, f"the field '{name}' has {half}, which is half a character. {cure}") from None
    return value


def objects(file: File) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a table with one JSON object on each line, with their line numbers."""
    for number, line in file:
        if line.strip():
            value = parsed(file, number, line)
            if not isinstance(value, dict):
                raise file.error(
                    number, f"expected a JSON object whose fields are the columns, found {json_kind(type(value))}"
                )
            yield number, value

"""The files of Apertium's pairs as they are read: modes, versions and taggers' models."""

from __future__ import annotations

import re
import subprocess

import pytest

from concord.language.apertium.modes import find_modes, read_mode
from concord.language.apertium.tagger import read_model
from concord.translators.apertium import Translator

Direction = tuple[str, str]


def mode(folder, name, line="lt-proc $1 data.bin"):
    path = folder / f"{name}.mode"
    path.write_text(line)
    return path


@pytest.mark.parametrize(
    ("name", "direction"),
    [
        ("eng-spa", ("en", "es")),
        ("eo-en", ("eo", "en")),
        ("es-pt_BR", ("es", "pt-BR")),
        ("cat-eng_US", ("ca", "en-US")),
        ("eng-cat_valencia", ("en", "ca-valencia")),
        ("oc_aran-ca", ("oc-aranes", "ca")),
        ("ind-zlm", ("id", "ms")),
        ("spa-ast", ("es", "ast")),
        ("eng-cat_iec2017", None),
        ("eng-cat_valencia_uni", None),
        ("en-eo-bytecode", None),
        ("eco-es-fr", None),
        ("es-eo-no_cg", None),
        ("eng-spa-tagger", None),
    ],
)
def test_plain_pairs_and_registered_variants_are_directions(name, direction, tmp_path):
    mode(tmp_path, name)
    assert list(find_modes(tmp_path)) == ([direction] if direction else [])


def test_of_two_spellings_of_a_pair_the_newer_is_taken(tmp_path):
    mode(tmp_path, "en-es")
    newer = mode(tmp_path, "eng-spa")
    assert {direction: found.path for direction, found in find_modes(tmp_path).items()} == {("en", "es"): newer}


def test_a_mode_becomes_commands_that_answer_at_every_nul(tmp_path):
    data = tmp_path / "some data.bin"
    data.touch()
    read = read_mode(mode(tmp_path, "a", f"\n  lt-proc '{data}'| apertium-tagger -g $2 x | lt-proc $1 -z y \n"))
    assert read is not None
    assert read.commands == (
        ("lt-proc", "-z", str(data)),
        ("apertium-tagger", "-z", "-g", "x"),
        ("lt-proc", "-z", "-n", "y"),
    )


@pytest.mark.parametrize("line", ["lt-proc-j x", "lt-proc /no/such/file.bin", "lt-proc 'x", ""])
def test_a_mode_that_cannot_run_is_left_out(line, tmp_path):
    assert read_mode(mode(tmp_path, "eng-spa", line)) is None


def test_files_are_found_in_a_folder_named_the_other_way_round(tmp_path):
    (tmp_path / "apertium-es-eo").mkdir()
    data = tmp_path / "apertium-es-eo" / "es-eo.bin"
    data.touch()
    read = read_mode(mode(tmp_path, "es-eo", f"lt-proc '{tmp_path}/apertium-eo-es/es-eo.bin'"))
    assert read is not None
    assert read.commands == (("lt-proc", "-z", str(data)),)


def test_the_version_tells_engine_data_and_mechanism():
    system = Translator()
    told = system.version("en", "es")
    packages = ["apertium", "apertium-eng-spa"]
    shown = subprocess.run(["dpkg-query", "-W", "-f", "${Version} ", *packages], capture_output=True, check=True)
    engine, pair = shown.stdout.decode().split()
    assert re.fullmatch(rf"{re.escape(engine)}\+eng-spa\.{re.escape(pair)}\+[0-9a-f]{{8}}\+apart1", told)
    assert told != system.version("en", "ca")


def test_without_packages_the_version_follows_the_files(tmp_path):
    data = tmp_path / "data.bin"
    told = []
    for content in ("one", "two", "one"):
        data.write_text(content)
        mode(tmp_path, "eng-spa", f"lt-proc {data}")
        told.append(Translator(folder=str(tmp_path)).version("en", "es"))
    assert told[0] == told[2] != told[1]
    assert all(re.fullmatch(r"files\.[0-9a-f]{8}\+apart1", each) for each in told)


def packed(*items):
    """Numbers as Apertium's data files hold them; a list begins with its length, a text is a list."""
    data = b""
    for item in items:
        if isinstance(item, int):
            data += bytes([item]) if item < 0x40 else bytes([0x40 | item >> 8, item & 0xFF])
        elif isinstance(item, str):
            data += packed(len(item), *map(ord, item))
        elif isinstance(item, list):
            data += packed(len(item), *item)
        elif isinstance(item, tuple):
            data += packed(*item)
    return data


def test_only_new_sets_of_tags_inside_a_smaller_seen_one_are_harmful(tmp_path):
    tags = ["ADJ", "NOUN", "VERB", "ADV", "NUM"]
    seen = [[number] for number in range(5)] + [[0, 1, 3], [0, 1, 2, 3]]
    index = [(name, number) for number, name in enumerate(tags)]
    file = tmp_path / "model.prob"
    head = packed([0, 1, 1, 1], [(1, 2)], tags, index, [(0, [1, 2])], ["<adj>"], [("kDOLLAR", 200)], seen)
    file.write_bytes(head + b"\x05\x07 and so on")
    model = read_model(str(file))
    assert model.overwrites_unknown(b"ADJ,NOUN")
    assert not model.overwrites_unknown(b"ADJ,VERB")
    assert not model.overwrites_unknown(b"NUM,NOUN")


@pytest.mark.parametrize("content", [b"", b"\xff" * 3, b"\x01\x02\x03", bytes(range(256)) * 40])
def test_of_a_model_that_cannot_be_read_every_new_set_is_harmful(content, tmp_path):
    file = tmp_path / "model.prob"
    file.write_bytes(content)
    assert read_model(str(file)).overwrites_unknown(b"ADJ,NOUN")

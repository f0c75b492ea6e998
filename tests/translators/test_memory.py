"""What servers and programs may say in bad faith, and how much memory it takes: the program's own, as a process."""

from __future__ import annotations

import json
import socketserver
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterable
from contextlib import contextmanager

import pytest

MB = 2**20
MOST = 300 * MB
Pieces = Callable[[], Iterable[bytes]]


def gzipped(block, times):
    """A block many times over as gzip; only the block is really compressed, so a gigabyte takes no time."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    head = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
    return head + (packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)) * times + b"\x03\0"


def answer(body, *headers, status="200 OK"):
    def pieces():
        made = body()
        head = "\r\n".join([f"HTTP/1.1 {status}", f"content-length: {len(made)}", *headers, "", ""])
        return head.encode(), made

    return pieces


def endless():
    yield b"HTTP/1.1 200 OK\r\n\r\n"
    while True:
        yield b" " * MB


BOMB = gzipped(b" " * MB, 1024)
HOSTILE: dict[str, Pieces] = {
    "compressed twice": answer(lambda: gzipped(BOMB, 1), "content-encoding: gzip, gzip"),
    "compressed once": answer(lambda: BOMB, "content-encoding: gzip"),
    "empty objects, as many as fit": answer(lambda: b"[" + b"{}," * (4 * MB // 3 - 10) + b"{}]"),
    "nested lists": answer(lambda: b"[" + b",".join([b"[" * 400 + b"]" * 400] * 240) + b"]"),
    "wide characters, as many as fit": answer(
        lambda: json.dumps({"": "😀" + "a" * (4 * MB - 100)}, ensure_ascii=False).encode()
    ),
    "without an end": endless,
}


class _Handler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        head = [line for line in iter(self.rfile.readline, b"\r\n") if line]
        length = next((int(line.split(b":")[1]) for line in head if line.lower().startswith(b"content-length")), 0)
        self.rfile.read(length)
        try:
            for piece in self.server.pieces():  # type: ignore[attr-defined]
                self.wfile.write(piece)
        except OSError:
            pass


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces
        super().__init__(("127.0.0.1", 0), _Handler)


@contextmanager
def serving(pieces):
    """A server that says the same whatever it is asked."""
    with _Server(pieces) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


# The peak of a process begins with what its parent had when it was forked, so a small parent stands in between.
MEASURED = """
import resource, subprocess, sys
subprocess.call([sys.executable, "-m", "concord.cli", *sys.argv[1:]])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def run(folder, system, sentences):
    return measured(
        folder, "run", "demo", "-r", "sane", "-t", "es", "-s", system, "--top", "0", "--limit", str(sentences)
    )


def measured(folder, *words):
    """The most memory that the program takes, in bytes, and what it prints."""
    command = [sys.executable, "-c", MEASURED, *words]
    out = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True, text=True)
    told, _, used = out.stdout.rstrip().rpartition("\n")
    return int(used) * 1024, told


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_answer_of_a_server_takes_more_than_300_mb(tmp_path, kind):
    with serving(HOSTILE[kind]) as url:
        used, told = run(tmp_path, f"openai,model=m,url={url}", 8)
    assert "8 rows have an error" in told
    assert used < MOST, told


@pytest.mark.parametrize(
    "headers", [("200 OK",), ("302 Found", "location: /elsewhere")], ids=["an answer", "a redirect"]
)
def test_no_answer_of_a_wiki_takes_more_than_300_mb(tmp_path, headers):
    status, *more = headers
    with serving(answer(lambda: BOMB, "content-encoding: gzip", *more, status=status)) as url:
        used, told = measured(tmp_path, "sample", f"{url}/w/api.php")
    assert ("without an end" if more else "more than 8 MB") in told
    assert used < MOST, told


TOML = """
translator = "command"
argument = '{}'
processes = 8
batch = 1
"""
PROGRAMS = {
    "a line without an end": "while True: sys.stdout.write('x' * 2**20)",
    "lines without an end": "while True: sys.stdout.write('ab\\n' * 2**18)",
    "wide lines, as many as fit": "sys.stdout.write('\U0001f600' + 'a' * 7_500_000 + '\\nb\\n')",
}


@pytest.mark.parametrize("kind", PROGRAMS)
def test_no_output_of_programs_takes_more_than_300_mb(tmp_path, kind):
    (tmp_path / "mt.py").write_text(f"import sys\n{PROGRAMS[kind]}\n")
    (tmp_path / "system.toml").write_text(TOML.format(f"{sys.executable} mt.py"))
    used, told = run(tmp_path, "system.toml", 16)
    assert "16 rows have an error" in told
    assert used < MOST, told

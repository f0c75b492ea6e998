"""The real server, as a process of its own, asked over real connections."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import pytest


@pytest.fixture
def serve(workspace):
    """Start `concord serve`; gives the address that it prints. Whatever is left ends with the test."""
    started = []

    def begun(*options: str) -> tuple[subprocess.Popen, str]:
        words = [sys.executable, "-m", "concord.cli", "serve", str(workspace), "--no-browser", *options]
        process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
        started.append(process)
        line = process.stderr.readline()
        found = re.search(r"(http://\S+)", line)
        assert found, line + process.stderr.read()
        return process, found[1]

    yield begun
    for process in started:
        process.kill()
        process.wait()
        process.stderr.close()


def test_it_answers_where_it_says_and_ends_with_ctrl_c(serve):
    process, address = serve("--port", "0")

    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
    with httpx2.Client(trust_env=False) as client:
        answer = client.get(address, timeout=60)
        assert answer.status_code == 200
        assert "Flagged cases by relation and system" in answer.text
        assert "server" not in answer.headers
    process.send_signal(signal.SIGINT)
    assert process.wait() == 0


def test_sigterm_ends_it_too_and_the_exit_code_says_so(serve):
    process, _ = serve("--port", "0")
    process.terminate()
    assert process.wait() == 143
    assert process.stderr.read() == "SIGTERM: the server has stopped\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_second_signal_ends_it_at_once_with_the_runs_that_it_has_started(serve, tmp_path, number):
    (tmp_path / "mt.sh").write_text('cd "${0%/*}"; echo $$ > pid.part; mv pid.part pid; sleep 600\n')
    process, address = serve("--port", "0", "--system", f"command:sh {tmp_path / 'mt.sh'}")
    with httpx2.Client(trust_env=False, base_url=address, timeout=60) as client:
        token = re.search(r'name="csrf" value="([^"]+)"', client.get("/try").text)[1]
        form = {"csrf": token, "sentence": "A house.", "system": f"command:sh {tmp_path / 'mt.sh'}", "relation": "rtt"}
        answer = client.post("/try", data={**form, "source": "en", "to": "es"})
        assert answer.is_redirect, answer.text
    while not (tmp_path / "pid").exists():
        time.sleep(0.01)
    while process.poll() is None:  # until it has heard the first, a second one is the same
        process.send_signal(number)
        time.sleep(0.05)
    assert process.returncode == (130 if number == signal.SIGINT else 143)
    while Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists():  # it is being taken down
        time.sleep(0.01)


def test_it_ends_while_a_page_listens(serve):
    process, address = serve("--port", "0")
    with httpx2.Client(trust_env=False) as client, client.stream("GET", f"{address}events", timeout=60) as events:
        assert events.status_code == 200
        next(events.iter_text())
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0


def test_elsewhere_than_here_it_asks_for_the_token(serve):
    _, address = serve("--port", "0", "--host", "0.0.0.0")
    bare, token = address.replace("0.0.0.0", "127.0.0.1").split("?token=")

    with httpx2.Client(trust_env=False, follow_redirects=True) as client:
        assert client.get(bare, timeout=60).status_code == 403
        assert client.get(f"{bare}?token={token}", timeout=60).status_code == 200
        assert client.get(bare, timeout=60).status_code == 200
    assert len(token) >= 32


def test_a_port_that_is_taken_is_told(workspace):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        words = [sys.executable, "-m", "concord.cli", "serve", str(workspace), "--no-browser", "--port", port]
        ended = subprocess.run(words, capture_output=True, text=True)

    assert ended.returncode == 2
    assert port in ended.stderr
    assert "Choose another with --port, or --port 0 for any" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid"])
def test_an_address_of_another_machine_is_told_with_those_to_choose(concord, workspace, host):
    code, _, said = concord("serve", str(workspace), "--no-browser", "--port", "0", "--host", host)

    assert (code, f"{host}:0 cannot be listened at" in said) == (2, True)
    assert "Choose an address of this machine with --host: 127.0.0.1" in said
    assert "--port" not in said


def test_who_has_no_workspace_is_told_how_to_make_one(concord):
    code, _, said = concord("serve", "none.sqlite", "--no-browser")

    assert (code, "`serve --new` an empty one" in said) == (2, True)


@pytest.mark.parametrize("words", [["none.sqlite"], ["."], ["five.txt"]])
def test_what_is_no_workspace_is_told(concord, tmp_path, words):
    (tmp_path / "five.txt").write_text("not a database\n" * 500)

    code, _, said = concord("serve", *words, "--no-browser")

    assert code in (1, 2)
    assert words[0] in said
    assert not (tmp_path / "none.sqlite").exists()


def said(address: str, head: bytes, body: bytes = b"") -> bytes:
    """The first line of the answer to what is sent by hand; no more is sent, though more may be announced."""
    url = httpx2.URL(address)
    with socket.create_connection((url.host, url.port), timeout=60) as connection:
        connection.sendall(head + b"\r\n\r\n" + body)
        return connection.makefile("rb").readline().rstrip()


def test_an_upload_without_the_proof_is_refused_before_it_is_read(serve):
    _, address = serve("--port", "0")
    head = b"POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Length: 33000000\r\nContent-Type: "

    for kind in (b"multipart/form-data; boundary=b", b"application/x-www-form-urlencoded"):
        assert said(address, head + kind, b"x" * 2**17).startswith(b"HTTP/1.1 403")


def test_an_odd_spelling_of_the_host_is_refused(serve):
    _, address = serve("--port", "0")
    head = b"GET / HTTP/1.1\r\nHost: "

    for host in (b"localhost:1@evil.example", b"127.0.0.1:8765, evil.example"):
        assert said(address, head + host).startswith(b"HTTP/1.1 421")
    assert said(address, head + b"LocalHost:1").startswith(b"HTTP/1.1 200")

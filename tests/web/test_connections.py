"""Requests that are not complete, sent by hand over real connections."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading

import pytest
import uvicorn

from concord.web.connections import Connection

WHOLE = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF = WHOLE[:-2]


async def prompt(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


async def slow(scope, receive, send):
    await asyncio.sleep(1)
    await prompt(scope, receive, send)


@pytest.fixture
def connect():
    """`connect(app, seconds, data)`: a connection to a server with that patience.

    The data are there when the server begins, so that none of its patience is spent on us.
    """
    ends = []

    def started(app, patience, data):
        class Limited(Connection):
            seconds = patience

        listening = socket.create_server(("127.0.0.1", 0))
        connection = socket.create_connection(listening.getsockname(), timeout=60)
        connection.sendall(data)
        server = uvicorn.Server(uvicorn.Config(app, http=Limited, lifespan="off", log_level="critical"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        ends.append((connection, server, thread))
        return connection

    yield started
    for connection, server, thread in ends:
        connection.close()
        server.should_exit = True
        thread.join()


def closed(connection: socket.socket) -> bool:
    """Wait for the end of the connection; False if anything else comes first."""
    try:
        return connection.recv(100) == b""
    except ConnectionResetError:
        return True


def answered(connection: socket.socket) -> bool:
    """Wait for an answer, or for the end of the connection."""
    answer = b""
    while not answer.endswith(b"ok") and (piece := connection.recv(1000)):
        answer += piece
    return answer.endswith(b"ok")


@pytest.mark.parametrize("data", [b"", b"G", HALF, HALF + b"X-More: "])
def test_a_request_that_does_not_become_complete_is_not_waited_for(connect, data):
    assert closed(connect(prompt, 0.1, data))


def test_neither_is_the_next_one_on_the_same_connection(connect):
    connection = connect(prompt, 0.1, WHOLE)
    assert answered(connection)
    with contextlib.suppress(ConnectionError):
        connection.sendall(HALF)
    assert closed(connection)


def test_a_request_that_comes_in_byte_by_byte_has_no_more_time(connect):
    connection = connect(prompt, 0.1, HALF)
    connection.settimeout(0.01)
    with contextlib.suppress(ConnectionError):
        while not closes_within_a_moment(connection):
            connection.sendall(b"x")


def closes_within_a_moment(connection: socket.socket) -> bool:
    try:
        return closed(connection)
    except TimeoutError:
        return False


def test_an_answer_may_take_longer(connect):
    assert answered(connect(slow, 0.1, WHOLE))

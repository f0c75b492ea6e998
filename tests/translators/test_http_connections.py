"""Real connections: nobody listens, they break off, they never end, they are shared and cancelled."""

from __future__ import annotations

import asyncio
import gzip
import json
import zlib
from contextlib import asynccontextmanager

import pytest

from concord.errors import BadAnswer, Unavailable
from concord.response_body import LARGEST, MOST_VALUES
from concord.translators._http import Http


@asynccontextmanager
async def serving(handler):
    """A server on this machine that reads each request's head and then does as the handler does."""

    async def handle(reader, writer):
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                await handler(reader, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        await server.wait_closed()


def reply(body, status="200 OK", headers=""):
    return f"HTTP/1.1 {status}\r\ncontent-length: {len(body)}\r\n{headers}\r\n".encode() + body


def saying(data, *, then_close=False):
    async def handler(reader, writer):
        writer.write(data)
        if then_close:
            await writer.drain()
            writer.close()

    return handler


def fetched(handler, **options):
    async def fetch():
        async with serving(handler) as address:
            http = Http(address, name="the server", **options)
            try:
                return await http.get_json("/", params={"q": "pairs"})
            finally:
                await http.close()

    return asyncio.run(fetch())


def test_nobody_listening_is_unavailable_and_gives_the_hint():
    async def ask():
        async with serving(saying(b"")) as address:
            pass
        await Http(address, name="the server", hint="To start it: mt-server").get_json("/")

    with pytest.raises(Unavailable, match=r"the server cannot be reached\. To start it: mt-server"):
        asyncio.run(ask())


@pytest.mark.parametrize("data", [b"", b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{", b"SSH-2.0-hello\r\n"])
def test_a_broken_connection_is_unavailable(data):
    with pytest.raises(Unavailable, match="the server broke off"):
        fetched(saying(data, then_close=True))


@pytest.mark.parametrize("data", [b"SSH-2.0-hello\r\n\r\n", b"HTTP/1.1 200 OK\r\nx: " + b"a" * 5_000_000])
def test_what_is_not_http_is_not_called_a_broken_connection(data):
    with pytest.raises(Unavailable, match="the server answered with headers that are too long or not HTTP"):
        fetched(saying(data, then_close=True))


def test_silence_is_unavailable():
    async def handler(reader, writer):
        await reader.read()

    with pytest.raises(Unavailable, match="in time"):
        fetched(handler, seconds=1)


def test_an_answer_that_cannot_be_decompressed_is_a_bad_answer():
    with pytest.raises(BadAnswer):
        fetched(saying(reply(b"this is not gzip", headers="content-encoding: gzip\r\n")))


@pytest.mark.parametrize("coding", ["gzip, gzip", "gzip\r\ncontent-encoding: gzip", "br", "gzip, identity"])
def test_more_than_one_layer_or_another_compression_is_refused_unread(coding):
    with pytest.raises(BadAnswer, match="in a way that was not asked for"):
        fetched(saying(reply(b"", headers=f"content-encoding: {coding}\r\n")))


@pytest.mark.parametrize("coding", ["gzip", "gzip, gzip"])
def test_a_status_counts_though_its_body_cannot_be_decompressed(coding):
    with pytest.raises(Unavailable, match="status 500"):
        fetched(saying(reply(b"this is not gzip", "500 Oops", f"content-encoding: {coding}\r\n")))


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "GZIP", "deflate", "identity", ""])
def test_one_layer_is_unpacked(coding):
    text = b'{"ok": "' + b"yes " * 50_000 + b'"}'
    packed = zlib.compress(text) if coding == "deflate" else gzip.compress(text) if "z" in coding.lower() else text
    assert len(fetched(saying(reply(packed, headers=f"content-encoding: {coding}\r\n")))["ok"]) == 200_000


def test_a_long_answer_can_be_read():
    text = "1, [-] {:} " * 280_000
    assert fetched(saying(reply(json.dumps({"translation": text}).encode()))) == {"translation": text}


@pytest.mark.parametrize("value", ["{}", "[]", '""', "0", '{"":0}', r'"\\"', r'"\""'])
def test_an_answer_with_too_many_values_is_not_decoded(value):
    few, many = (("[" + ",".join([value] * count) + "]").encode() for count in (1_000, MOST_VALUES + 1))
    assert len(fetched(saying(reply(few)))) == 1_000
    with pytest.raises(BadAnswer, match="more than 100,000 values"):
        fetched(saying(reply(many)))


def endless(status, head=b"\r\n", piece=b" " * 2**20):
    written: list[int] = []

    async def handler(reader, writer):
        writer.write(f"HTTP/1.1 {status}\r\n".encode() + head)
        while not writer.transport.is_closing():
            writer.write(piece)
            written.append(len(piece))
            await writer.drain()

    return handler, written


def test_an_endless_answer_is_not_read_to_the_end():
    handler, written = endless("200 OK")
    with pytest.raises(BadAnswer, match="more than 4 MB"):
        fetched(handler)
    assert sum(written) < 16 * 2**20 + 3 * LARGEST


def test_an_endless_complaint_still_counts_by_its_status():
    handler, written = endless("500 Oops")
    with pytest.raises(Unavailable, match="500"):
        fetched(handler)
    assert sum(written) < 16 * 2**20


def test_endless_headers_are_not_read_to_the_end():
    handler, written = endless("200 OK", b"", b"x-more: of the same\r\n" * 50_000)
    with pytest.raises(Unavailable, match="headers that are too long"):
        fetched(handler)
    assert sum(written) < 16 * 2**20


def test_a_proxy_is_not_asked_for_a_server_on_this_machine(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert fetched(saying(reply(b'{"ok": 1}'))) == {"ok": 1}


def test_requests_share_a_connection_until_it_is_closed():
    async def ask():
        peers = set()

        async def handler(reader, writer):
            peers.add(writer.get_extra_info("peername"))
            writer.write(reply(b"{}"))

        async with serving(handler) as address:
            http = Http(address, name="the server")
            for connections in (1, 2):
                await http.get_json("/")
                await http.get_json("/")
                assert len(peers) == connections
                await http.close()

    asyncio.run(ask())


def test_a_cancelled_request_leaves_the_next_one_unharmed():
    async def ask():
        served = 0
        arrived = asyncio.Event()

        async def handler(reader, writer):
            nonlocal served
            served += 1
            if served == 1:
                arrived.set()
                await reader.read()
            writer.write(reply(f'{{"served": {served}}}'.encode()))

        async with serving(handler) as address:
            http = Http(address, name="the server")
            task = asyncio.ensure_future(http.get_json("/"))
            await arrived.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await http.get_json("/") == {"served": 2}
            await http.close()

    asyncio.run(ask())

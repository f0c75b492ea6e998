from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import time
import urllib.request
from contextlib import asynccontextmanager
from urllib.parse import parse_qs

import pytest

from concord.errors import BadAnswer, Refused, Throttled, Unauthorised, Unavailable, UserError
from concord.testing import check_translator
from concord.translators.apy import LONGEST_TEXT, START, Translator

READY_WITHIN = 180.0
STARTS = 5
PAIRS = {"responseData": [{"sourceLanguage": "eng", "targetLanguage": "spa"}], "responseStatus": 200}


@pytest.fixture(scope="module")
def server():
    """A real APy server, with the pairs that are installed."""
    for _ in range(STARTS):
        port = _free_port()
        process = subprocess.Popen(
            ["apertium-apy", "-p", str(port), "/usr/share/apertium/modes"],
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        address = f"http://127.0.0.1:{port}"
        try:
            if _answers(address, process):
                yield address
                return
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    pytest.fail("the APy server ended")


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(address, process):
    """Wait until the server answers; False if it ended, as it does where another program has taken its port."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + READY_WITHIN
    while process.poll() is None:
        try:
            with direct.open(f"{address}/listPairs", timeout=READY_WITHIN):
                return True
        except OSError:
            assert time.monotonic() < deadline, "the APy server does not answer"
            time.sleep(0.05)
    return False


def translated(address, texts, source="en", target="es"):
    async def ask():
        system = Translator(argument=address)
        try:
            return list(await system.translate(texts, source, target))
        finally:
            await system.close()

    return asyncio.run(ask())


# -- a real server ------------------------------------------------------------------------------


def test_it_translates(server):
    assert translated(server, ["The house is big.", "The 3 dogs."]) == ["La casa es grande.", "Los 3 perros."]


def test_unknown_words_carry_no_mark(server):
    assert translated(server, ["The xyzzyq is big."]) == ["El xyzzyq es grande."]


def test_plain_text_is_not_taken_for_markup(server):
    assert translated(server, ["The <house> & the dog."]) == ["La <casa> & el perro."]


def test_a_region_and_a_variant_are_spelled_as_the_server_does(server):
    assert translated(server, ["Hola amigo"], "es", "pt-BR") == ["Olá amigo"]
    assert translated(server, ["Hello friend"], "en", "ca-valencia") == ["Hola amic"]


def test_blank_text_comes_back_blank(server):
    assert translated(server, ["", " "]) == ["", ""]


def test_a_pair_that_the_server_lacks_is_refused(server):
    (answer,) = translated(server, ["Hello"], "en", "zh")
    assert isinstance(answer, Refused)
    assert "en-zh" in str(answer)


def test_one_impossible_text_does_not_spoil_the_others(server):
    too_long = "word " * LONGEST_TEXT
    good, surrogate, long, also_good = translated(server, ["The house.", "\ud800", too_long, "The dog."])
    assert (good, also_good) == ("La casa.", "El perro.")
    assert isinstance(surrogate, Refused)
    assert isinstance(long, Refused)


def test_a_text_of_the_greatest_length_comes_back_whole_also_beside_another(server):
    sentence = "The house is near the river. "
    text = (sentence * (LONGEST_TEXT // len(sentence))).strip()

    async def ask():
        system = Translator(argument=server)
        both = await asyncio.gather(*(system.translate([text], "en", "es") for _ in range(system.limits.in_flight)))
        await system.close()
        for (answer,) in both:
            assert isinstance(answer, str)
            assert answer.count("río") == text.count("river")

    asyncio.run(ask())


def test_directions_are_the_pairs_of_the_server_in_our_codes(server):
    async def ask():
        system = Translator(argument=server + "/")
        try:
            return await system.directions()
        finally:
            await system.close()

    found = asyncio.run(ask())
    assert {("en", "es"), ("es", "en"), ("en", "ca"), ("es", "pt-BR"), ("en", "ca-valencia")} <= found
    assert not any(code in ("eng", "spa") for pair in found for code in pair)


def test_it_works_again_after_close_and_in_another_loop(server):
    system = Translator(argument=server)

    async def ask():
        first = await system.translate(["The dog."], "en", "es")
        await system.close()
        second = await system.translate(["The dog."], "en", "es")
        await system.close()
        return first, second

    assert asyncio.run(ask()) == asyncio.run(ask()) == (["El perro."], ["El perro."])


def test_a_cancelled_batch_leaves_the_system_usable(server):
    async def ask():
        system = Translator(argument=server)
        task = asyncio.ensure_future(system.translate(["The dog."] * 500, "en", "es"))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await system.translate(["The house."], "en", "es") == ["La casa."]
        await system.close()

    asyncio.run(ask())


# -- a server that misbehaves -------------------------------------------------------------------


def reply(body, status="200 OK", headers=""):
    content = json.dumps(body).encode() if isinstance(body, dict) else body.encode() if isinstance(body, str) else body
    return f"HTTP/1.1 {status}\r\ncontent-length: {len(content)}\r\n{headers}\r\n".encode() + content


def wrapped(text):
    return {"responseData": {"translatedText": text}, "responseDetails": None, "responseStatus": 200}


@asynccontextmanager
async def misbehaving(translate, pairs=lambda _: reply(PAIRS)):
    """A system whose server lists one pair and answers as told; an empty reply drops the connection."""

    async def handle(reader, writer):
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode().lower():
                length = head.partition("content-length:")[2].partition("\r\n")[0].strip() or "0"
                form = parse_qs((await reader.readexactly(int(length))).decode(), keep_blank_values=True)
                fields = {name: values[0] for name, values in form.items()}
                answer = (translate if "/translate" in head else pairs)(fields)
                if not answer:
                    break
                writer.write(answer)
                await writer.drain()
                if b"connection: close" in answer:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    system = Translator(argument=f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    try:
        yield system
    finally:
        await system.close()
        server.close()
        await server.wait_closed()


def answered(answer, texts=None):
    async def ask():
        async with misbehaving(answer if callable(answer) else lambda _: answer) as system:
            return list(await system.translate(texts or ["hello"], "en", "es"))

    return asyncio.run(ask())


def test_every_text_is_a_request_of_its_own():
    seen: list[dict[str, str]] = []

    def translate(fields: dict[str, str]) -> bytes:
        seen.append(fields)
        return reply(wrapped(fields["q"].upper()))

    assert answered(translate, ["one & two", "three"]) == ["ONE & TWO", "THREE"]
    expected = {"langpair": "eng|spa", "markUnknown": "no", "format": "txt"}
    assert seen == [{"q": "one & two", **expected}, {"q": "three", **expected}]


def test_a_busy_server_is_given_time():
    with pytest.raises(Throttled) as caught:
        answered(reply("busy", "429 Too Many Requests", "retry-after: 7\r\n"))
    assert caught.value.retry_after == 7


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (reply("oops", "500 Internal Server Error"), Unavailable),
        (reply("no", "403 Forbidden"), Unauthorised),
        (b"", Unavailable),
        (b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 10\r\n\r\n{", Unavailable),
        (reply("{"), BadAnswer),
        (reply("<html>welcome</html>"), BadAnswer),
        (reply("[]"), BadAnswer),
        (reply({"responseStatus": 200}), BadAnswer),
        (reply({"responseStatus": 200, "responseData": {}}), BadAnswer),
        (reply({"responseStatus": 200, "responseData": {"translatedText": None}}), BadAnswer),
        (reply({"responseStatus": "fine", "responseData": {"translatedText": "x"}}), BadAnswer),
        (reply({"responseStatus": 42, "responseData": {"translatedText": "x"}}), BadAnswer),
        (reply({"responseStatus": 500, "responseData": None}), Unavailable),
        (reply({"responseStatus": 429, "responseData": None}), Throttled),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else repr(value[:16] + value[-40:]),
)
def test_a_misbehaving_server_fails_the_batch(answer, kind):
    with pytest.raises(kind) as caught:
        answered(answer)
    assert type(caught.value) is kind


def test_an_answer_that_is_too_long_fails_the_batch():
    with pytest.raises(BadAnswer, match="more than 4 MB"):
        answered(reply(b" " * (5 * 2**20)))


@pytest.mark.parametrize(
    "answer",
    [
        reply({"status": "error", "code": 400, "explanation": "That pair is not installed"}, "400 Bad Request"),
        reply({"responseStatus": 400, "responseDetails": "That pair is not installed", "responseData": None}),
    ],
    ids=["outside", "inside"],
)
def test_a_refusal_stands_in_the_place_of_its_text(answer):
    good, bad = answered(lambda fields: answer if fields["q"] == "bad" else reply(wrapped("hola")), ["good", "bad"])
    assert good == "hola"
    assert isinstance(bad, Refused)
    assert "not installed" in str(bad)


def test_a_pair_with_a_code_that_is_none_is_passed_over():
    rows = [*PAIRS["responseData"], {"sourceLanguage": "zz", "targetLanguage": "spa"}]  # type: ignore[misc]

    async def ask():
        pairs = reply({"responseData": rows, "responseStatus": 200})
        async with misbehaving(lambda _: b"", lambda _: pairs) as system:
            return await system.directions()

    assert asyncio.run(ask()) == {("en", "es")}


def test_after_close_the_pairs_are_asked_for_again():
    other = {"responseData": [{"sourceLanguage": "eng", "targetLanguage": "cat"}], "responseStatus": 200}
    lists = iter([reply(other), reply(PAIRS)])

    async def ask():
        async with misbehaving(lambda _: reply(wrapped("hola")), lambda _: next(lists)) as system:
            assert isinstance((await system.translate(["hello"], "en", "es"))[0], Refused)
            await system.close()
            assert await system.translate(["hello"], "en", "es") == ["hola"]

    asyncio.run(ask())


def test_no_server_is_told_with_how_to_start_one():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(Unavailable) as caught:
            translated(f"http://127.0.0.1:{port}", ["hello"])
    assert START.format(port=port) in str(caught.value)
    assert "apt-get install apertium-apy" in str(caught.value)


def test_what_is_no_address_is_the_users_to_cure():
    with pytest.raises(UserError, match="'localhost' is not the address"):
        Translator(argument="localhost")


def test_the_address_stands_in_the_id_and_no_version_is_told():
    assert Translator().id == "apy:http://127.0.0.1:2737"
    assert Translator().version("en", "es") is None


def test_the_real_server_conforms(server):
    check_translator(lambda: Translator(argument=server))

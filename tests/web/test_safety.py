"""Who may ask, what may be sent, and what a browser may do with the answer."""

from __future__ import annotations

import asyncio

import pytest

from concord.web.safety import LARGEST, POLICY

ADDRESSES = ["/", "/findings", "/run", "/try", "/static/page.css", "/nothing-here", "/findings?least=x"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_answer_carries_the_policy(page, address):
    answer = page.get(address)

    assert answer.headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"
    assert float(answer.headers["server-timing"].partition("dur=")[2]) >= 0


@pytest.mark.parametrize("address", ["/", "/findings", "/run", "/try"])
def test_no_page_has_script_or_style_of_its_own(page, address):
    text = page.get(address).text.lower()

    assert "<style" not in text
    assert " style=" not in text
    assert "<script>" not in text
    assert " onclick" not in text
    assert "javascript:" not in text
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "https://" not in text


STRANGERS = ["evil.example", "127.0.0.1.evil.example", "evil.example:8765", "", "[::2]:80", "0.0.0.0"]
ODD = ["localhost:1@evil.example", "127.0.0.1:8765, evil.example", "localhost:", "localhost:80:80", "localhost:x"]
ODD += ["[::1]evil.example", "[::1", "::1", "user@localhost", "localhost/", "localhost\t", "localhost:123456"]


@pytest.mark.parametrize("host", [*STRANGERS, *ODD])
def test_a_strangers_name_for_this_machine_is_turned_away(page, host):
    assert page.get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1:9", "localhost", "LOCALHOST:8765", "[::1]:8765"])
def test_its_own_names_are_known(page, host):
    assert page.get("/", headers={"host": host}).status_code == 200


def test_nothing_changes_without_the_proof(page):
    assert page.post("/try", data={"sentence": "x"}).status_code == 403
    assert page.post("/try", data={"sentence": "x", "csrf": "0" * 64}).status_code == 403
    assert page.post("/try", data={"sentence": "x", "csrf": "é"}).status_code == 403
    assert page.post("/try", headers={"x-csrf": "wrong"}).status_code == 403


@pytest.mark.parametrize("files", [None, {"file": ("a.txt", b"A sentence.")}], ids=["as text", "as parts"])
def test_the_proof_must_stand_at_the_beginning(page, files):
    first, last = {"csrf": page.proof()}, {"sentence": "x" * 2**17}

    assert page.post("/try", data=first | last, files=files).status_code == 400  # not 403: the sentence is too long
    assert page.post("/try", data=last | first, files=files).status_code == 403


def test_the_proof_of_another_browser_is_none(workspace, browse):
    mine, theirs = browse(workspace), browse(workspace)

    assert mine.post("/try", data={"csrf": theirs.proof()}).status_code == 403


def test_a_page_elsewhere_changes_nothing_even_with_the_proof(page):
    proof = page.proof()

    for headers in ({"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        assert page.post("/try", data={"csrf": proof}, headers=headers).status_code == 403
    own = {"origin": "http://127.0.0.1:8765", "sec-fetch-site": "same-origin"}
    assert page.post("/try", data={"csrf": proof}, headers=own).status_code == 400  # allowed, but it asks for nothing


@pytest.mark.parametrize("method", ["put", "delete", "patch", "options"])
def test_other_methods_need_the_proof_too(page, method):
    assert page.request(method, "/run").status_code == 403


def test_too_much_is_not_read(page):
    told = page.post("/run", content=b"x", headers={"content-length": str(LARGEST + 1)})
    assert told.status_code == 413

    def endless():
        piece = b"x" * 2**20
        for _ in range(LARGEST // len(piece) + 2):
            yield piece

    assert page.post("/run", content=endless(), headers={"x-csrf": page.proof()}).status_code == 413


def test_an_endless_address_is_refused(page):
    assert page.get("/findings?text=" + "x" * 9_000).status_code == 414


def test_a_broken_form_is_an_error_of_the_sender(page):
    proof = {"x-csrf": page.proof()}
    broken = {"content-type": "multipart/form-data; boundary=x"}
    urlencoded = {"content-type": "application/x-www-form-urlencoded"}
    many = "&".join(f"f{i}=1" for i in range(5_000))

    assert page.post("/run", content=b"--y\r\nnonsense", headers=broken | proof).status_code == 400
    assert page.post("/run", content=many, headers=urlencoded | proof).status_code == 400


def test_what_a_lost_connection_cut_off_counts_for_nothing(workspace, page):
    app = page.app
    proof, cookie = page.proof(), page.cookies
    body = f"csrf={proof}&sentence=half+of+what+was".encode()
    sent = [{"type": "http.request", "body": body, "more_body": True}, {"type": "http.disconnect"}]
    answers = []

    async def receive():
        return sent.pop(0)

    async def send(message):
        answers.append(message)

    held = "; ".join(f"{name}={value}" for name, value in cookie.items())
    headers = {"host": "127.0.0.1:8765", "cookie": held, "content-type": "application/x-www-form-urlencoded"}
    scope = {"type": "http", "method": "POST", "path": "/try", "query_string": b"", "server": ("127.0.0.1", 8765)}
    scope["headers"] = [(name.encode(), value.encode()) for name, value in headers.items()]
    asyncio.run(app(scope, receive, send))

    assert answers[0]["status"] == 400


@pytest.mark.parametrize("kind", [{}, {"sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}])
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_site_may_lead_here_but_not_use_the_page(page, kind, site):
    led = {"sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}

    assert page.get("/", headers=led).status_code == 200
    assert page.get("/", headers={"sec-fetch-site": site, **kind}).status_code == 403
    assert page.get("/", headers=led | {"sec-fetch-dest": "iframe"}).status_code == 403


def test_cookies_of_other_servers_on_this_machine_do_no_harm(page):
    page.get("/run")
    page.cookies.set("prefs", '{"a":1, "b": [2]}')

    assert page.submit("/try", {"sentence": ""}).status_code == 400  # not 403: the form is ours


@pytest.mark.parametrize("address", ["/run/" + "9" * 5_000, "/jobs/" + "9" * 400 + "/events", "/run/" + "9" * 400])
def test_endless_numbers_are_no_trouble(page, address):
    assert page.get(address).status_code in (400, 404, 414)


def test_a_token_is_asked_for_and_then_leaves_the_address(workspace, browse):
    page = browse(workspace, token="s3cret", hosts=frozenset())

    assert page.get("/").status_code == 403
    assert page.get("/?token=wrong").status_code == 403
    shown = page.get("/findings?token=s3cret&text=a%20b", follow_redirects=False)
    assert shown.status_code == 303
    assert shown.headers["location"] == "/findings?text=a+b"
    away = page.get("http://127.0.0.1:8765//evil.example/?token=s3cret", follow_redirects=False)
    assert away.headers["location"] == "/evil.example/"
    assert "HttpOnly" in shown.headers["set-cookie"]
    assert page.get("/").status_code == 200
    assert page.get("/", headers={"host": "a-name-of-ours.example"}).status_code == 200


def test_what_nobody_foresaw_is_not_told_to_the_browser(page, monkeypatch, capsys):
    from concord.web.pages import overview

    def broken(*_: object) -> None:
        raise ZeroDivisionError("a secret of the house")

    monkeypatch.setattr(overview.api, "overview", broken)
    answer = page.get("/")

    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert answer.headers["content-security-policy"] == POLICY
    assert "a secret of the house" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name", ["../app.py", "..%2fapp.py", "%2e%2e/app.py", "page.py", ".hidden.css", "none.css", "a/b.css"]
)
def test_only_our_own_files_are_served(page, name):
    assert page.get(f"/static/{name}").status_code == 404


def test_files_may_be_kept_by_the_browser_and_pages_may_not(page):
    assert "immutable" in page.get("/static/page.js").headers["cache-control"]
    assert page.get("/").headers["cache-control"] == "no-store"

"""Each rule that keeps others out of the debugger, tried to be broken over real HTTP."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from minrepro.browser.debugger.access_guard import LARGEST
from minrepro.browser.debugger.debug_server import DebugServer, names_of
from minrepro.browser.debugger.debug_session import Debugger

RECORDING = json.dumps(
    {
        "title": "<img src=x onerror=alert(1)>",
        "steps": [
            {"type": "navigate", "url": "http://127.0.0.1:9/"},
            {"type": "click", "selectors": [["</script><script>alert(1)</script>"]], "offsetX": 1, "offsetY": 1},
        ],
    }
)


@dataclass(frozen=True)
class Client:
    """Sends requests to a debugger."""

    port: int
    token: str
    workspace: Path

    def ask(
        self, method: str, path: str, body: str | bytes = b"", headers: dict[str, str] | None = None, token: bool = True
    ) -> tuple[int, str, dict[str, str]]:
        """Return status, body and headers of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        own = {"X-Minrepro-Token": self.token} if token else {}
        connection.request(method, path, body, {**own, **(headers or {})})
        answer = connection.getresponse()
        text = answer.read().decode()
        found = {name.lower(): value for name, value in answer.getheaders()}
        connection.close()
        return answer.status, text, found


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    workspace = tmp_path_factory.mktemp("workspace")
    debugger = Debugger(workspace)
    site = DebugServer(debugger)
    thread = threading.Thread(target=site.run, daemon=True)
    thread.start()
    yield Client(site.port, parse_qs(urlsplit(site.url).query)["token"][0], workspace)
    site.stop()
    debugger.close()
    thread.join()


def test_the_user_with_the_token_is_let_in(client: Client) -> None:
    assert client.ask("GET", f"/?token={client.token}", token=False)[0] == 200
    assert client.ask("GET", "/api/view")[0] == 200


def test_it_listens_on_this_machine_only(client: Client) -> None:
    with socket.socket() as other:
        other.settimeout(10)
        with pytest.raises(OSError):
            other.connect(("127.0.0.2", client.port))  # served at 127.0.0.1, not at every address


@pytest.mark.parametrize(
    "path",
    ["/", "/api/view", "/api/news", "/api/export?to=text", "/api/picture/original/1/after", "/api/dom/original/1"],
)
def test_nobody_without_the_token_reads_anything(client: Client, path: str) -> None:
    assert client.ask("GET", path, token=False)[0] == 403
    wrong = {"X-Minrepro-Token": client.token[:-1]}
    assert client.ask("GET", path, headers=wrong, token=False)[0] == 403


@pytest.mark.parametrize(
    "path",
    ["open", "observe", "reduce", "pause", "go", "stop", "pick", "log", "edit", "run", "login", "settle", "compare"],
)
def test_the_token_in_the_address_is_not_enough_to_change_anything(client: Client, path: str) -> None:
    assert client.ask("POST", f"/api/{path}?token={client.token}", RECORDING, token=False)[0] == 403


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "localhost:1", ""])
def test_a_name_that_was_rebound_to_this_machine_is_refused(client: Client, host: str) -> None:
    assert client.ask("GET", "/api/view", headers={"Host": host})[0] == 421


def test_requests_of_other_sites_are_refused_even_with_the_token(client: Client) -> None:
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{client.port}", "http://127.0.0.1:1"):
        assert client.ask("POST", "/api/stop", headers={"Origin": origin})[0] == 403
    assert client.ask("GET", "/api/view", headers={"Sec-Fetch-Site": "cross-site"})[0] == 403
    assert client.ask("POST", "/api/stop", headers={"Origin": f"http://127.0.0.1:{client.port}"})[0] == 200


def test_uploads_are_bounded_whether_they_say_their_size_or_not(client: Client) -> None:
    assert client.ask("POST", "/api/open", headers={"Content-Length": str(LARGEST + 1)})[0] == 413
    piece = b"x" * 2**20
    with socket.create_connection(("127.0.0.1", client.port), timeout=60) as line:
        head = f"POST /api/open HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\nX-Minrepro-Token: {client.token}\r\n"
        line.sendall(head.encode() + b"Transfer-Encoding: chunked\r\n\r\n")
        answer = b""
        with contextlib.suppress(OSError):  # it may hang up on us, which is as good
            for _ in range(LARGEST // len(piece) + 1):
                line.sendall(b"%x\r\n" % len(piece) + piece + b"\r\n")
            answer = line.recv(100)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    "path", ["/static/../server.py", "/static/..%2fserver.py", "/static/%2e%2e/guard.py", "/static//etc/passwd"]
)
def test_only_the_files_of_the_front_end_are_served(client: Client, path: str) -> None:
    status, text, _ = client.ask("GET", path)
    assert status == 404
    assert "import" not in text


def test_no_file_and_no_command_is_taken_from_a_request(client: Client, tmp_path: Path) -> None:
    secret = tmp_path / "secret.html"
    secret.write_text("secret", encoding="utf-8")
    steps = [{"type": "navigate", "url": secret.as_uri()}, {"type": "click", "selectors": ["b"]}]
    status, text, _ = client.ask("POST", "/api/open", json.dumps({"steps": steps}))
    assert (status, "http" in text) == (400, True)
    mark = tmp_path / "mark"
    given = {"failure": "x", "reset": f"touch {mark}", "workspace": str(tmp_path), "browser": "/bin/sh"}
    assert client.ask("POST", "/api/reduce", json.dumps(given))[0] == 400
    assert client.ask("GET", "/api/export?to=../../etc/passwd")[0] == 400
    assert not mark.exists()
    assert {path.name for path in client.workspace.iterdir()} <= {"recording.json"}


@pytest.mark.parametrize("scheme", ["file", "FILE", "chrome", "view-source:http", "javascript", "data"])
def test_no_later_step_of_a_session_leads_to_a_file_either(client: Client, scheme: str) -> None:
    steps = [{"type": "navigate", "url": "http://127.0.0.1:9/"}, {"type": "navigate", "url": f"{scheme}:///etc/passwd"}]
    status, text, _ = client.ask("POST", "/api/open", json.dumps({"steps": steps}))
    assert (status, "only http:// and https://" in text) == (400, True)


def test_nobody_opens_a_socket_to_it_without_the_token(client: Client) -> None:
    asked = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    asked["Sec-WebSocket-Key"] = "AAAAAAAAAAAAAAAAAAAAAA=="
    assert client.ask("GET", f"/api/news?token={client.token[:-1]}", headers=asked, token=False)[0] >= 400


def test_logs_are_bounded_in_their_number_too(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minrepro.browser.debugger.debug_session.MOST_LOGS", 1)
    assert client.ask("POST", "/api/open", RECORDING)[0] == 200
    log = '{"event": "a", "state": {"n": 0}}\n'
    assert client.ask("POST", "/api/log", log)[0] == 200
    assert client.ask("POST", "/api/log", log)[0] == 400


def test_what_a_recording_says_is_shown_as_text_and_no_other_script_runs(client: Client) -> None:
    status, text, headers = client.ask("POST", "/api/open", RECORDING)
    assert status == 200
    assert headers["content-type"] == "application/json"
    assert json.loads(text)["title"] == "<img src=x onerror=alert(1)>"
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy and "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    exported = client.ask("GET", "/api/export?to=text")
    assert exported[2]["content-type"].startswith("text/plain")


@pytest.mark.parametrize("body", ["", "no JSON", "[]", '{"steps": [{"type": "fly"}]}', '{"steps": []}', "[" * 100_000])
def test_a_bad_recording_is_refused_with_a_sentence(client: Client, body: str) -> None:
    status, text, _ = client.ask("POST", "/api/open", body)
    assert status == 400
    assert json.loads(text)["error"]


def test_a_server_at_any_address_goes_by_the_names_of_its_machine() -> None:
    assert names_of("127.0.0.1")[0] == "127.0.0.1"
    assert names_of("::1")[0] == "[::1]"
    assert names_of("0.0.0.0")[0] == socket.gethostname()
    assert "0.0.0.0" not in names_of("0.0.0.0")

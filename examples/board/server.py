"""A board of notes for people who log in: python examples/board/server.py [PORT] [--fixed]

The notes are kept in memory. `python examples/board/server.py PORT ... --reset` brings them back to the start in
running servers, and logs everybody out. The board saves a note by itself, a second and a half after it was edited; with
the bug, also one that was deleted since.
"""

from __future__ import annotations

import json
import secrets
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs
from urllib.request import Request, urlopen

HERE = Path(__file__).parent
KINDS = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
USERS = {"ann": "tulip"}


class Board:
    """What the server knows."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.sessions: set[str] = set()
        self.notes = {1: "water the plants", 2: "call Bob"}
        self.last = 2


class Handler(BaseHTTPRequestHandler):
    """Answers the page and its requests."""

    board = Board()
    fixed = False

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/api/notes":
            self.answer_known(lambda: [{"id": key, "text": text} for key, text in self.board.notes.items()])
        elif path == "/":
            self.send_file("board.html" if self.is_known() else "login.html")
        elif path == "/board.js":
            self.send_file("board.js")
        else:
            self.send(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        if self.path == "/reset":
            self.board.reset()
            self.send(HTTPStatus.NO_CONTENT)
        elif self.path == "/login":
            given = {name: values[0] for name, values in parse_qs(body).items()}
            cookie = {}
            if given.get("password") and USERS.get(given.get("user", "")) == given["password"]:
                session = secrets.token_hex(8)
                self.board.sessions.add(session)
                cookie = {"Set-Cookie": f"session={session}; HttpOnly; SameSite=Lax"}
            self.send(HTTPStatus.SEE_OTHER, headers={"Location": "/", **cookie})
        else:
            self.answer_known(lambda: self.added(json.loads(body)["text"]))

    def do_PUT(self) -> None:
        text = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))["text"]
        self.answer_known(lambda: self.board.notes.update({self.note(): text}))

    def do_DELETE(self) -> None:
        self.answer_known(lambda: self.board.notes.pop(self.note(), None))

    def note(self) -> int:
        return int(self.path.rpartition("/")[2])

    def added(self, text: str) -> int:
        self.board.last += 1
        self.board.notes[self.board.last] = text
        return self.board.last

    def is_known(self) -> bool:
        return any(f"session={session}" in self.headers.get("Cookie", "") for session in self.board.sessions)

    def answer_known(self, answer) -> None:  # type: ignore[no-untyped-def]
        if not self.is_known():
            self.send(HTTPStatus.UNAUTHORIZED)
        else:
            self.send(HTTPStatus.OK, json.dumps(answer()).encode(), {"Content-Type": "application/json"})

    def send_file(self, name: str) -> None:
        text = (HERE / name).read_text(encoding="utf-8").replace("FIXED", str(self.fixed).lower())
        self.send(HTTPStatus.OK, text.encode(), {"Content-Type": KINDS[Path(name).suffix]})

    def send(self, status: HTTPStatus, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), "Cache-Control": "no-store", **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def main() -> None:
    numbers = [word for word in sys.argv[1:] if word.isdigit()]
    if "--reset" in sys.argv:
        for number in numbers:
            urlopen(Request(f"http://127.0.0.1:{number}/reset", method="POST")).close()
        return
    Handler.fixed = "--fixed" in sys.argv
    with ThreadingHTTPServer(("127.0.0.1", int(numbers[0]) if numbers else 8001), Handler) as server:
        print(f"the board: http://127.0.0.1:{server.server_port}/ (ann, tulip)", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()

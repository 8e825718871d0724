"""The debugger over HTTP: Starlette and Uvicorn. The only file that imports them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import queue
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib.resources import files
from typing import Any

from minrepro.browser.debugger.access_guard import AccessGuard
from minrepro.browser.debugger.debug_session import Debugger
from minrepro.errors import InputError, MinreproError, MissingExtra

try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.requests import Request
    from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
    from starlette.routing import Route
except ModuleNotFoundError:
    raise MissingExtra("the debugger requires a web server\nhint: pip install 'minrepro[web]'") from None

_TYPES = {"index.html": "text/html", "style.css": "text/css"}
_SCRIPTS = ("app.js", "ask.js", "dom.js", "edit.js", "keys.js", "list.js", "panels.js", "strip.js", "viewer.js")
_TYPES |= dict.fromkeys(_SCRIPTS, "text/javascript")
"""The files of the front end: no others are ever opened."""

_READ: tuple[str, ...] = ("view", "events", "export", "news")
_DONE: tuple[str, ...] = ("open", "choose", "discard", "log", "login", "record", "mark", "edit", "settle", "rules")
_DONE += ("observe", "reduce", "compare", "resume", "pause", "stop", "pick", "run")
"""What can be asked, and what can be done, by the names of the methods that answer."""

Handler = Callable[[Request], Awaitable[Response]]


def application(debugger: Debugger, hosts: list[str], token: str) -> AccessGuard:
    """Return the guarded application."""
    return AccessGuard(Starlette(routes=_routes(debugger)), hosts, token)


def _static(name: str) -> Response:
    if name not in _TYPES:
        return PlainTextResponse("no such file", 404)
    text = files("minrepro.browser.debugger").joinpath("static", name).read_text(encoding="utf-8")
    return Response(text, media_type=_TYPES[name])


class _Answers:
    """What the page asks for, one method each."""

    def __init__(self, debugger: Debugger) -> None:
        self._debugger = debugger

    async def page(self, request: Request) -> Response:
        return _static("index.html")

    async def static(self, request: Request) -> Response:
        return _static(request.path_params["name"])

    async def view(self, request: Request) -> Response:
        return JSONResponse(self._debugger.view())

    async def events(self, request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(self._debugger.events))

    async def open(self, request: Request) -> Response:
        text = _text(await request.body())
        await run_in_threadpool(self._debugger.open, text, request.query_params.get("name", "the recording")[:100])
        return JSONResponse(self._debugger.view())

    async def choose(self, request: Request) -> Response:
        number = _number(_object(await request.body()), "id")
        await run_in_threadpool(self._debugger.choose, number)
        return JSONResponse(self._debugger.view())

    async def discard(self, request: Request) -> Response:
        number = _number(_object(await request.body()), "id")
        await run_in_threadpool(self._debugger.discard, number)
        return JSONResponse(self._debugger.view())

    async def log(self, request: Request) -> Response:
        count = await run_in_threadpool(self._debugger.add_log, _text(await request.body()))
        return JSONResponse({"logs": count})

    async def login(self, request: Request) -> Response:
        await run_in_threadpool(self._debugger.add_login, _text(await request.body()))
        return JSONResponse(self._debugger.view())

    async def record(self, request: Request) -> Response:
        self._debugger.record(_word(_object(await request.body()), "url"))
        return JSONResponse({})

    async def mark(self, request: Request) -> Response:
        given = _object(await request.body())
        numbers = given.get("numbers", [])
        if not isinstance(numbers, list) or not all(isinstance(number, int) for number in numbers):
            raise InputError("numbers must be a list of numbers")
        await run_in_threadpool(self._debugger.mark, numbers, _word(given, "mark"))
        return JSONResponse(self._debugger.view())

    async def edit(self, request: Request) -> Response:
        await run_in_threadpool(self._debugger.edit, _object(await request.body()))
        return JSONResponse(self._debugger.view())

    async def settle(self, request: Request) -> Response:
        given = _object(await request.body())
        limits = _number(given, "replays"), _number(given, "seconds")
        await run_in_threadpool(self._debugger.settle, _word(given, "base"), *limits)
        return JSONResponse(self._debugger.view())

    async def rules(self, request: Request) -> Response:
        given = _object(await request.body())
        without = given.get("without", [])
        if not isinstance(without, list) or not all(isinstance(rule, str) for rule in without):
            raise InputError("without must be a list of rules")
        confidence = _confidence(given.get("confidence", 0.9))
        return JSONResponse(await run_in_threadpool(self._debugger.rules, confidence, without))

    async def observe(self, request: Request) -> Response:
        given = _object(await request.body())
        around = _number(given, "around") if "around" in given else None
        self._debugger.observe(_word(given, "predicate"), _number(given, "times", 1), around)
        return JSONResponse({})

    async def reduce(self, request: Request) -> Response:
        given = _object(await request.body())
        algorithm = _word(given, "algorithm") or "default"
        self._debugger.reduce(_word(given, "failure"), _word(given, "part"), algorithm)
        return JSONResponse({})

    async def compare(self, request: Request) -> Response:
        given = _object(await request.body())
        self._debugger.compare(_word(given, "failure"), _word(given, "part"))
        return JSONResponse({})

    async def resume(self, request: Request) -> Response:
        self._debugger.resume()
        return JSONResponse({})

    async def pause(self, request: Request) -> Response:
        self._debugger.pause(request.url.path == "/api/pause")
        return JSONResponse({})

    async def stop(self, request: Request) -> Response:
        self._debugger.stop()
        return JSONResponse({})

    async def pick(self, request: Request) -> Response:
        given = _object(await request.body())
        place = _number(given, "number"), _number(given, "x"), _number(given, "y")
        return JSONResponse(await run_in_threadpool(self._debugger.pick, *place))

    async def step(self, request: Request) -> Response:
        return JSONResponse(self._debugger.step(**request.path_params))

    async def dom(self, request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(lambda: self._debugger.dom(**request.path_params)))

    async def picture(self, request: Request) -> Response:
        image = self._debugger.picture(**request.path_params)
        return Response(image, media_type="image/jpeg") if image else PlainTextResponse("no picture", 404)

    async def export(self, request: Request) -> Response:
        return PlainTextResponse(self._debugger.export(request.query_params.get("to", "")))

    async def run(self, request: Request) -> Response:
        given = _object(await request.body())
        await run_in_threadpool(self._debugger.run_test, _word(given, "to"), _word(given, "fixed"))
        return JSONResponse({})

    async def news(self, request: Request) -> Response:
        return StreamingResponse(_events(self._debugger, request), media_type="text/event-stream")


def _routes(debugger: Debugger) -> list[Route]:
    answers = _Answers(debugger)
    return [
        Route("/", answers.page),
        Route("/static/{name}", answers.static),
        *(Route(f"/api/{name}", _safely(getattr(answers, name))) for name in _READ),
        *(Route(f"/api/{name}", _safely(getattr(answers, name)), methods=["POST"]) for name in _DONE),
        Route("/api/go", _safely(answers.pause), methods=["POST"]),
        Route("/api/step/{which}/{number:int}", _safely(answers.step)),
        Route("/api/dom/{which}/{number:int}", _safely(answers.dom)),
        Route("/api/picture/{which}/{number:int}/{when}", _safely(answers.picture)),
    ]


def _safely(answer: Handler) -> Handler:
    """Turn what is wrong with a request into a sentence."""

    async def safe(request: Request) -> Response:
        try:
            return await answer(request)
        except MinreproError as error:
            return JSONResponse({"error": str(error)}, 400)

    return safe


def _text(body: bytes) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8 text") from None


def _object(body: bytes) -> dict[str, Any]:
    try:
        given = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise InputError("the request is not JSON") from None
    if not isinstance(given, dict):
        raise InputError("the request is not a JSON object")
    return given


def _word(given: dict[str, Any], name: str) -> str:
    word = given.get(name, "")
    if not isinstance(word, str):
        raise InputError(f"{name} must be a string")
    return word


def _number(given: dict[str, Any], name: str, default: int = 0) -> int:
    number = given.get(name, default)
    if not isinstance(number, int) or abs(number) > 10**9:
        raise InputError(f"{name} must be a whole number")
    return number


def _confidence(given: object) -> float:
    try:
        number = float(str(given))
    except ValueError:
        number = -1.0
    if not 0 <= number < 1:
        raise InputError("confidence must be at least 0 and below 1")
    return number


async def _events(debugger: Debugger, request: Request) -> AsyncIterator[str]:
    with debugger.news.listening() as mine:
        yield "retry: 1000\n\n"
        while not await request.is_disconnected():
            try:
                item = mine.get_nowait()
            except queue.Empty:
                await asyncio.sleep(0.05)
                continue
            if item is None:
                return
            yield f"data: {json.dumps(item)}\n\n"


def names_of(host: str) -> list[str]:
    """Return the names by which a server at an address may be called, the one to show first."""
    shown = [f"[{host}]" if ":" in host else host]
    if host in ("0.0.0.0", "::"):  # any address of this machine
        own = socket.gethostname()
        shown = [own, socket.getfqdn()]
        with contextlib.suppress(OSError):
            shown += socket.gethostbyname_ex(own)[2]
    return list(dict.fromkeys((*shown, "127.0.0.1", "localhost", "[::1]")))


class DebugServer:
    """A server that is about to run, and its address with the token of the run."""

    def __init__(self, debugger: Debugger, host: str = "127.0.0.1", port: int = 0) -> None:
        self._socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((host, port))
            self._socket.listen(64)
        except OSError as error:
            self._socket.close()
            raise InputError(f"cannot listen on {host}:{port}: {error.strerror}") from None
        self.port = int(self._socket.getsockname()[1])
        self.token = secrets.token_urlsafe(24)
        names = names_of(host)
        self.url = f"http://{names[0]}:{self.port}/?token={self.token}"
        hosts = [f"{name}:{self.port}" for name in names]
        guarded = application(debugger, hosts, self.token)
        config = uvicorn.Config(guarded, log_level="error", access_log=False, timeout_graceful_shutdown=2)
        self._server = uvicorn.Server(config)

    def run(self) -> None:
        """Serve until stopped."""
        self._server.run(sockets=[self._socket])

    def stop(self) -> None:
        """End the server, from another thread."""
        self._server.should_exit = True

"""Stands before the application and lets in only who was given the address: the user's own page, on this machine.

`Host` is checked against DNS rebinding, `Origin` against other sites, a token of the run against everybody else; a
request that changes something must carry the token in a header, which no form and no image can. Bodies are bounded.
"""

from __future__ import annotations

import contextlib
import hmac
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST = 16 * 2**20
"""The bytes that a request may have."""
_HEADERS = (
    (b"content-security-policy", b"default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class TooLarge(Exception):
    """A body that goes on beyond what is allowed."""


class AccessGuard:
    """Refuses requests that are not from the user's page."""

    def __init__(self, application: ASGIApp, hosts: Iterable[str], token: str) -> None:
        """`hosts` are the values of `Host` that may be, with the port."""
        self._application = application
        self._hosts = frozenset(hosts)
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] == "lifespan":
            await self._application(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        refused = self._why_refused(scope)
        if refused is not None:
            await _answer(send, *refused)
            return
        bounded = _Bounded(receive)

        async def guarded_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                # The application knows of no bound: what it answers then is that it failed.
                status = 413 if bounded.exceeded else message["status"]
                message = {**message, "status": status, "headers": [*message.get("headers", ()), *_HEADERS]}
            await send(message)

        with contextlib.suppress(TooLarge):
            await self._application(scope, bounded, guarded_send)

    def _why_refused(self, scope: Scope) -> tuple[int, str] | None:
        headers = [(name.lower(), value) for name, value in scope["headers"]]
        hosts = [value.decode("latin-1") for name, value in headers if name == b"host"]
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return 421, "unknown host"
        for name, value in headers:
            if name == b"origin" and value.decode("latin-1") not in {f"http://{host}" for host in self._hosts}:
                return 403, "requests from other sites are rejected"
            if name == b"sec-fetch-site" and value not in (b"same-origin", b"none"):
                return 403, "requests from other sites are rejected"
            if name == b"content-length" and (not value.isdigit() or int(value) > LARGEST):
                return 413, "the request is too large"
        if scope["path"].startswith("/static/") and scope["method"] in ("GET", "HEAD"):
            return None
        given = [value for name, value in headers if name == b"x-minrepro-token"]
        if scope["method"] in ("GET", "HEAD"):
            query = parse_qs(scope["query_string"].decode("latin-1"))
            given += [value.encode() for value in query.get("token", [])]
        if not any(hmac.compare_digest(value, self._token) for value in given):
            return 403, "missing token: open the address that minrepro printed"
        return None


class _Bounded:
    """Receives a body up to the bound."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._taken = 0

    @property
    def exceeded(self) -> bool:
        return self._taken > LARGEST

    async def __call__(self) -> Message:
        message = await self._receive()
        self._taken += len(message.get("body", b""))
        if self.exceeded:
            raise TooLarge
        return message


async def _answer(send: Send, status: int, text: str) -> None:
    body = text.encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode()), *_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

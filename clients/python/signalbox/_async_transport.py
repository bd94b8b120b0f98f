"""Sends calls of the asynchronous client, again when that is safe and may help."""

from __future__ import annotations

from typing import Any, AsyncIterator, Awaitable, Callable, Optional, TypeVar

import anyio
import anyio.to_thread
import httpx

from ._errors import ApiError, ConnectionFailed, RequestTimeout, SignalboxError
from ._transport import Call, Settings, encoded, is_running, parsed_reply, refused, require_whole

_CHUNK = 65_536

T = TypeVar("T")


class AsyncTransport:
    """The connections to one platform under one key; tasks may share it."""

    def __init__(self, settings: Settings, http_client: Optional[httpx.AsyncClient]) -> None:
        self._settings = settings
        self._is_own = http_client is None
        # Streams stay open: they must not use up the connections of calls.
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=20, keepalive_expiry=30.0)
        self._http = http_client or httpx.AsyncClient(limits=limits)
        self._is_closed = False

    async def open(self, call: Call, timeout: Optional[float] = None) -> httpx.Response:
        """Sends a call until it has a reply with a status of 2xx, which the caller closes."""
        return await self._send(call, timeout, _unread)

    async def json(self, call: Call) -> Any:
        """The JSON of a reply."""
        return parsed_reply(await self._send(call, None, _content))

    async def close(self) -> None:
        self._is_closed = True
        if self._is_own:
            await self._http.aclose()

    async def _send(self, call: Call, timeout: Optional[float], read: Callable[[httpx.Response], Awaitable[T]]) -> T:
        """Reads the reply within the try: one that breaks off is a lost connection."""
        lost: Optional[Exception] = None
        attempt = 0
        while True:
            try:
                return await read(await self._attempt(call, timeout or self._settings.timeout_of(call)))
            except (ApiError, ConnectionFailed) as error:
                lost = lost or (None if is_running(error) else error)
                pause = self._settings.pause_before(attempt, error, call)
                if pause is None:
                    # That an earlier try still runs does not say how that one failed.
                    raise lost if lost is not None and is_running(error) else error
                # Waiting for the first try of the call uses up no retry.
                attempt += 0 if is_running(error) else 1
                await anyio.sleep(pause)

    async def _attempt(self, call: Call, timeout: float) -> httpx.Response:
        if self._is_closed:
            raise SignalboxError("the client is closed")
        content = call.body if call.is_repeatable else _chunks(call.body)
        headers = {"Accept-Encoding": "identity", **self._settings.headers_of(call)}
        url = self._settings.base_url + call.url
        request = self._http.build_request(call.method, url, headers=headers, content=content, timeout=timeout)
        try:
            # A redirect would take the key to wherever the reply says, whatever the client of the caller allows.
            reply = await self._http.send(request, stream=True, follow_redirects=False)
        except httpx.TransportError as error:
            raise connection_failed("the platform cannot be reached", error) from error
        if reply.is_success:
            return reply
        raise refused(reply.status_code, reply.headers, await read(reply, "the reply broke off"))


async def _unread(reply: httpx.Response) -> httpx.Response:
    return reply


async def _content(reply: httpx.Response) -> bytes:
    try:
        require_whole(reply.headers)
    except SignalboxError:
        await reply.aclose()
        raise
    return await read(reply, "the reply broke off")


async def read(reply: httpx.Response, what: str) -> bytes:
    """All bytes of a reply, which is closed."""
    try:
        return await reply.aread()
    except httpx.TransportError as error:
        raise connection_failed(what, error) from error
    finally:
        await reply.aclose()


def connection_failed(what: str, error: Exception) -> ConnectionFailed:
    """The error of a connection that broke off or was silent for too long."""
    kind = RequestTimeout if isinstance(error, httpx.TimeoutException) else ConnectionFailed
    return kind(f"{what}: {error or type(error).__name__}")


async def _chunks(file: Any) -> AsyncIterator[bytes]:
    """A file, sent while it is read, and therefore once."""
    while True:
        chunk = await anyio.to_thread.run_sync(file.read, _CHUNK)
        if not chunk:
            return
        yield encoded(chunk)

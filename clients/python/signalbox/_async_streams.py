"""Streams of events, chunks of chat completions, and files of the asynchronous client."""

from __future__ import annotations

from typing import Any, AsyncGenerator, AsyncIterator, Generic, List, Optional, TypeVar
from weakref import WeakSet

import anyio
import httpx

from ._async_transport import AsyncTransport, connection_failed, read
from ._errors import ApiError, ConnectionFailed
from ._streams import SILENCE, Frame, FrameParser, Position, broken_completion, chunk_of, file_name_of
from ._transport import Call

E = TypeVar("E")


async def _frames(reply: httpx.Response) -> AsyncGenerator[Frame, None]:
    """The frames of a reply."""
    parser = FrameParser()
    try:
        async for chunk in reply.aiter_bytes():
            for frame in parser.push(chunk):
                yield frame
    except httpx.TransportError as error:
        raise connection_failed("the stream broke off", error) from error


async def _closed(reply: httpx.Response) -> None:
    """Closes a connection also for a task that is cancelled."""
    with anyio.CancelScope(shield=True):
        await reply.aclose()


class _Closable(Generic[E]):
    """A stream whose connection is closed when its `async with` block is left."""

    def __init__(self, transport: AsyncTransport, call: Call) -> None:
        self._transport = transport
        self._call = call
        # Weak: the event loop closes a loop that is left once nothing refers to it.
        self._loops: WeakSet[AsyncGenerator[E, None]] = WeakSet()
        #: Those of the `async with` block, which waits until they are closed.
        self._kept: Optional[List[AsyncGenerator[E, None]]] = None

    async def __aenter__(self: "_C") -> "_C":
        self._kept = []
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    def __aiter__(self) -> AsyncIterator[E]:
        loop = self._items()
        self._loops.add(loop)
        if self._kept is not None:
            self._kept.append(loop)
        return loop

    async def close(self) -> None:
        """Closes the connection; the task that reads the stream calls it. A task that is cancelled needs no call."""
        for loop in list(self._loops):
            await loop.aclose()
        self._kept = None

    def _items(self) -> AsyncGenerator[E, None]:
        raise NotImplementedError


_C = TypeVar("_C", bound="_Closable[Any]")


class AsyncEventStream(_Closable[E]):
    """
    The events of a task, a run or a company. A connection that is lost is opened again and continues after the last
    event received; the stream of a task or run ends after its terminal event, that of a company never. A stream that
    the platform ends because the key is no longer valid, or what it belongs to was deleted, raises the error of its
    status. Leaving the `async with` block of the stream closes the connection; who leaves only the loop leaves that to
    the event loop.
    """

    async def _items(self) -> AsyncGenerator[E, None]:
        position = Position(self._call)
        while True:
            failure: Optional[Exception] = None
            try:
                reply = await self._transport.open(position.connect(), timeout=SILENCE)
                try:
                    position.opened()
                    async for frame in _frames(reply):
                        for event in position.events(frame, reply.headers):
                            yield event
                        if position.is_over:
                            return
                finally:
                    await _closed(reply)
            except (ConnectionFailed, ApiError) as error:
                failure = error
            await anyio.sleep(position.pause(failure))


class AsyncChunkStream(_Closable[E]):
    """The chunks of a chat completion. A stream that breaks off is an error: its answer would otherwise be made twice."""

    async def _items(self) -> AsyncGenerator[E, None]:
        reply = await self._transport.open(self._call)
        try:
            async for frame in _frames(reply):
                if frame.data is None:
                    continue
                chunk = chunk_of(frame, reply.headers)
                if chunk is None:
                    return
                yield chunk
        finally:
            await _closed(reply)
        raise broken_completion()


class AsyncDownload:
    """A file that the platform sends; closing it, or leaving its `async with` block, closes the connection."""

    def __init__(self, reply: httpx.Response) -> None:
        self._reply = reply
        self.content_type = reply.headers.get("Content-Type", "application/octet-stream")
        #: The name that the platform proposes.
        self.file_name = file_name_of(reply.headers)

    async def __aenter__(self) -> "AsyncDownload":
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The content as it arrives."""
        try:
            async for chunk in self._reply.aiter_bytes():
                yield chunk
        except httpx.TransportError as error:
            raise connection_failed("the download broke off", error) from error
        finally:
            await _closed(self._reply)

    async def read(self) -> bytes:
        """The whole content."""
        return await read(self._reply, "the download broke off")

    async def text(self) -> str:
        """The whole content as UTF-8 text."""
        return (await self.read()).decode()

    async def close(self) -> None:
        await _closed(self._reply)

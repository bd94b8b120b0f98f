"""Streams of events, chunks of chat completions, and files."""

from __future__ import annotations

import http.client
import json
import re
import time
from dataclasses import replace
from typing import Any, Generator, Generic, Iterator, List, NamedTuple, Optional, TypeVar
from weakref import WeakSet

from ._connections import Reply
from ._errors import ApiError, ConnectionFailed, SignalboxError, api_error, connection_failed
from ._transport import Call, Transport, backoff, is_transient

E = TypeVar("E")

#: Pings come every 15 s; a connection that is silent for longer is lost.
SILENCE = 45.0
_RECONNECTS = 5
#: A stream that was open once is opened again for as long, however often that fails: a platform may start slowly.
_OUTAGE = 120.0
_QUIET_FAILURES = 2
#: A connection that was open for so long was a good one.
_GOOD = 30.0
_CHUNK = 65_536
_TERMINAL = re.compile(r"^(task|run)\.(completed|failed|cancelled|timed_out)$")
_REASONS = {
    401: "the key was revoked or has expired",
    403: "the key has lost the scope of the stream",
    404: "what the stream belongs to was deleted",
}


class Frame(NamedTuple):
    """One frame of a stream of server-sent events; one without data is no event."""

    id: Optional[str]
    event: Optional[str]
    data: Optional[str]


class FrameParser:
    """The frames of a stream, for any cut of its bytes and any line ends; pings are left out."""

    def __init__(self) -> None:
        self._rest: List[bytes] = []
        self._ends_with_cr = False
        self._id: Optional[str] = None
        self._event: Optional[str] = None
        self._data: List[str] = []

    def push(self, chunk: bytes) -> Iterator[Frame]:
        """The frames that end in this chunk."""
        # A CR at the end of the chunk before may be the first half of a CRLF.
        if self._ends_with_cr and chunk:
            chunk = chunk[1:] if chunk.startswith(b"\n") else chunk
            self._ends_with_cr = False
        if chunk:
            self._ends_with_cr = chunk.endswith(b"\r")
        lines = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for end in lines[:-1]:
            self._rest.append(end)
            line, self._rest = b"".join(self._rest), []
            yield from self._line(line.decode())
        self._rest.append(lines[-1])

    def _line(self, line: str) -> Iterator[Frame]:
        if line == "":
            if self._data or self._id is not None or self._event is not None:
                yield Frame(self._id, self._event, "\n".join(self._data) if self._data else None)
            self._id, self._event, self._data = None, None, []
            return
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data":
            self._data.append(value)
        elif name == "id":
            self._id = value
        elif name == "event":
            self._event = value


def _frames(reply: Reply) -> Iterator[Frame]:
    """The frames of a reply."""
    parser = FrameParser()
    while True:
        try:
            chunk = reply.read1(_CHUNK)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise connection_failed("the stream broke off", error) from error
        if not chunk:
            return
        yield from parser.push(chunk)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise SignalboxError("the stream contains a frame that is not JSON") from error


def _stream_error(frame: Frame, headers: Any) -> ApiError:
    """The error of a stream that the platform has ended."""
    status = (_parsed(frame.data or "null") or {}).get("status", 500)
    message = _REASONS.get(status, f"the platform ended the stream with status {status}")
    return api_error(status, json.dumps({"error": {"message": message}}).encode(), headers)


class Position:
    """A position in a stream of events, across connections: what to send, what is an event, and when to end."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._last = call.options.get("last_event_id")
        #: The position at which the connection was opened.
        self._first: Optional[str] = None
        #: Connections one after the other that were lost or ended, without an event and after a short time.
        self._failures = 0
        #: When the first of these was lost.
        self._lost = 0.0
        self._opened = 0.0
        #: A stream without a terminal event: only such a stream has positions without events.
        self._is_endless = False
        self._was_open = False
        #: Nothing is left of the stream.
        self.is_over = False

    def connect(self) -> Call:
        """The call that opens the next connection."""
        self._first, self._opened = self._last, time.monotonic()
        if self._failures == 0:
            self._lost = self._opened
        self._failures += 1
        headers = self._call.headers if self._last is None else {**self._call.headers, "Last-Event-ID": self._last}
        return replace(self._call, headers=headers, started=self._opened)

    def opened(self) -> None:
        self._was_open = True

    def events(self, frame: Frame, headers: Any) -> List[Any]:
        """The event of a frame, none when it has none."""
        if frame.event == "error" and frame.id is None:
            raise _stream_error(frame, headers)
        if frame.event == "end" and frame.data is None:
            self.is_over = True
        # The stream of a repeated POST starts from its first event.
        if frame.id is not None and self._first is not None and int(frame.id) <= int(self._first):
            return []
        self._last = frame.id or self._last
        if frame.data is None:
            self._is_endless = self._is_endless or frame.id is not None
            return []
        event = _parsed(frame.data)
        self._failures = 0
        self.is_over = bool(_TERMINAL.match(str(event.get("type"))))
        return [event]

    def pause(self, error: Optional[Exception]) -> float:
        """Seconds until the next connection; raises when there is none."""
        if error is not None and not self._may_pass(error):
            raise error
        if time.monotonic() - self._opened > _GOOD:
            self._failures = 0
        # Quiet connections of an endless stream may end one after the other for ever.
        if self._is_endless and error is None:
            self._failures = min(self._failures, _QUIET_FAILURES)
        if error is None and self._failures > _RECONNECTS:
            raise ConnectionFailed("the stream ended before its last event")
        if error is None and self._failures == 0:
            return 0.0
        return backoff(max(self._failures, 1) - 1)

    def _may_pass(self, error: Exception) -> bool:
        outage = _OUTAGE if self._was_open else 0.0
        if self._failures > _RECONNECTS and time.monotonic() - self._lost > outage:
            return False
        return isinstance(error, ConnectionFailed) or (self._was_open and is_transient(error, self._call.method))


class _Closable(Generic[E]):
    """A stream whose connection is closed when its loop or its `with` block is left."""

    def __init__(self, transport: Transport, call: Call) -> None:
        self._transport = transport
        self._call = call
        # Weak: a loop that is left ends at once, and not when a circle of references is collected.
        self._loops: WeakSet[Generator[E, None, None]] = WeakSet()

    def __enter__(self: "_C") -> "_C":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __iter__(self) -> Iterator[E]:
        loop = self._items()
        self._loops.add(loop)
        return loop

    def close(self) -> None:
        """Closes the connection; the thread that reads the stream calls it."""
        for loop in list(self._loops):
            loop.close()

    def _items(self) -> Generator[E, None, None]:
        raise NotImplementedError


_C = TypeVar("_C", bound="_Closable[Any]")


class EventStream(_Closable[E]):
    """
    The events of a task, a run or a company. A connection that is lost is opened again and continues after the last
    event received; the stream of a task or run ends after its terminal event, that of a company never. A stream that
    the platform ends because the key is no longer valid, or what it belongs to was deleted, raises the error of its
    status. Leaving the loop, or the `with` block of the stream, closes the connection.
    """

    def _items(self) -> Generator[E, None, None]:
        position = Position(self._call)
        while True:
            failure: Optional[Exception] = None
            try:
                with self._transport.open(position.connect(), timeout=SILENCE) as reply:
                    position.opened()
                    for frame in _frames(reply):
                        yield from position.events(frame, reply.headers)
                        if position.is_over:
                            return
            except (ConnectionFailed, ApiError) as error:
                failure = error
            time.sleep(position.pause(failure))


def chunk_of(frame: Frame, headers: Any) -> Any:
    """The chunk of a completion in a frame, None after the last one."""
    if frame.data is None or frame.data == "[DONE]":
        return None
    chunk = _parsed(frame.data)
    if "error" in chunk:
        raise api_error(chunk["error"].get("status", 500), frame.data.encode(), headers)
    return chunk


def broken_completion() -> ConnectionFailed:
    return ConnectionFailed("the stream of the completion ended before its last chunk")


class ChunkStream(_Closable[E]):
    """The chunks of a chat completion. A stream that breaks off is an error: its answer would otherwise be made twice."""

    def _items(self) -> Generator[E, None, None]:
        with self._transport.open(self._call) as reply:
            for frame in _frames(reply):
                if frame.data is None:
                    continue
                chunk = chunk_of(frame, reply.headers)
                if chunk is None:
                    return
                yield chunk
        raise broken_completion()


def file_name_of(headers: Any) -> Optional[str]:
    """The name of a file in its headers."""
    name = re.search(r'filename="([^"]*)"', headers.get("Content-Disposition", ""))
    return name.group(1) if name else None


class Download:
    """A file that the platform sends; closing it, or leaving its `with` block, closes the connection."""

    def __init__(self, reply: Reply) -> None:
        self._response = reply
        self.content_type = reply.headers.get("Content-Type", "application/octet-stream")
        #: The name that the platform proposes.
        self.file_name = file_name_of(reply.headers)

    def __enter__(self) -> "Download":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __iter__(self) -> Iterator[bytes]:
        """The content as it arrives."""
        with self._response:
            while chunk := self._read(65_536):
                yield chunk

    def read(self) -> bytes:
        """The whole content."""
        with self._response:
            return self._read()

    def text(self) -> str:
        """The whole content as UTF-8 text."""
        return self.read().decode()

    def close(self) -> None:
        self._response.close()

    def _read(self, *size: int) -> bytes:
        try:
            return self._response.read(*size)
        except (OSError, http.client.HTTPException) as error:
            raise connection_failed("the download broke off", error) from error

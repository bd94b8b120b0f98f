"""Streams of events, chunks of chat completions, and files."""

from __future__ import annotations

import http.client
import json
import re
import time
from contextlib import closing
from dataclasses import replace
from typing import Any, Generator, Generic, Iterator, List, NamedTuple, Optional, TypeVar

from ._errors import ApiError, ConnectionFailed, SignalboxError, api_error
from ._transport import Call, Transport, backoff, is_transient

E = TypeVar("E")

#: Pings come every 15 s; a connection that is silent for longer is lost.
_SILENCE = 45.0
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


def _frames(response: http.client.HTTPResponse) -> Iterator[Frame]:
    """The frames of a reply."""
    parser = FrameParser()
    while True:
        try:
            chunk = response.read1(_CHUNK)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ConnectionFailed(f"the stream broke off: {error}") from error
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


class _Position:
    """A position in a stream, across connections."""

    def __init__(self, last: Optional[str]) -> None:
        self.last = last
        #: Connections one after the other that were lost or ended, without an event and after a short time.
        self.failures = 0
        #: When the first of these was lost.
        self.lost = 0.0
        #: A stream without a terminal event: only such a stream has positions without events.
        self.is_endless = False
        self.was_open = False
        self.is_complete = False


class EventStream(Generic[E]):
    """
    The events of a task, a run or a company. A connection that is lost is opened again and continues after the last
    event received; the stream of a task or run ends after its terminal event, that of a company never. A stream that
    the platform ends because the key is no longer valid, or what it belongs to was deleted, raises the error of its
    status. Leaving the loop closes the connection.
    """

    def __init__(self, transport: Transport, call: Call) -> None:
        self._transport = transport
        self._call = call
        self._last = call.options.get("last_event_id")

    def __iter__(self) -> Iterator[E]:
        position = _Position(self._last)
        while True:
            opened, lost = time.monotonic(), False
            try:
                with closing(self._connection(position)) as events:
                    for event in events:
                        position.failures = 0
                        yield event
                        if _TERMINAL.match(str(event.get("type"))):
                            return
                if position.is_complete:
                    return
            except (ConnectionFailed, ApiError) as error:
                passing = isinstance(error, ConnectionFailed) or (position.was_open and is_transient(error, self._call.method))
                outage = _OUTAGE if position.was_open else 0.0
                if position.failures > _RECONNECTS and time.monotonic() - position.lost > outage or not passing:
                    raise
                lost = True
            if time.monotonic() - opened > _GOOD:
                position.failures = 0
            self._pause(position, lost)

    def _pause(self, position: _Position, lost: bool) -> None:
        # Quiet connections of an endless stream may end one after the other for ever.
        if position.is_endless and not lost:
            position.failures = min(position.failures, _QUIET_FAILURES)
        if not lost and position.failures > _RECONNECTS:
            raise ConnectionFailed("the stream ended before its last event")
        if lost or position.failures > 0:
            time.sleep(backoff(max(position.failures, 1) - 1))

    def _connection(self, position: _Position) -> Generator[Any, None, None]:
        last = position.last
        headers = self._call.headers if last is None else {**self._call.headers, "Last-Event-ID": last}
        call = replace(self._call, headers=headers, started=time.monotonic())
        if position.failures == 0:
            position.lost = time.monotonic()
        position.failures += 1
        with self._transport.open(call, timeout=_SILENCE) as response:
            position.was_open = True
            for frame in _frames(response):
                if frame.event == "error" and frame.id is None:
                    raise _stream_error(frame, response.headers)
                if frame.event == "end" and frame.data is None:
                    position.is_complete = True
                # The stream of a repeated POST starts from its first event.
                if frame.id is not None and last is not None and int(frame.id) <= int(last):
                    continue
                position.last = frame.id or position.last
                if frame.data is not None:
                    yield _parsed(frame.data)
                elif frame.id is not None:
                    position.is_endless = True


class ChunkStream(Generic[E]):
    """The chunks of a chat completion. A stream that breaks off is an error: its answer would otherwise be made twice."""

    def __init__(self, transport: Transport, call: Call) -> None:
        self._transport = transport
        self._call = call

    def __iter__(self) -> Iterator[E]:
        with self._transport.open(self._call) as response:
            for frame in _frames(response):
                if frame.data is None:
                    continue
                if frame.data == "[DONE]":
                    return
                chunk = _parsed(frame.data)
                if "error" in chunk:
                    raise api_error(chunk["error"].get("status", 500), frame.data.encode(), response.headers)
                yield chunk
        raise ConnectionFailed("the stream of the completion ended before its last chunk")


class Download:
    """A file that the platform sends; closing it, or leaving its `with` block, closes the connection."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self._response = response
        self.content_type = response.headers.get("Content-Type", "application/octet-stream")
        name = re.search(r'filename="([^"]*)"', response.headers.get("Content-Disposition", ""))
        #: The name that the platform proposes.
        self.file_name = name.group(1) if name else None

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
            raise ConnectionFailed(f"the download broke off: {error}") from error

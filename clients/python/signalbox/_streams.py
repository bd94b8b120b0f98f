"""Streams of events, chunks of chat completions, and files."""

from __future__ import annotations

import http.client
import json
import re
import time
from contextlib import closing
from dataclasses import replace
from typing import Any, Generator, Generic, Iterator, List, NamedTuple, Optional, Tuple, TypeVar

from ._errors import ConnectionFailed, SignalboxError, api_error
from ._transport import Call, Transport, backoff

E = TypeVar("E")

#: Pings come every 15 s; a connection that is silent for longer is lost.
_SILENCE = 45.0
_RECONNECTS = 5
_TERMINAL = re.compile(r"^(task|run)\.(completed|failed|cancelled|timed_out)$")


class _Frame(NamedTuple):
    id: Optional[str]
    data: str


def _frames(response: http.client.HTTPResponse) -> Iterator[_Frame]:
    """The frames of a reply; pings are left out."""
    frame_id: Optional[str] = None
    data: List[str] = []
    while True:
        try:
            line = response.readline()
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ConnectionFailed(f"the stream broke off: {error}") from error
        if not line:
            return
        text = line.decode().rstrip("\r\n")
        if text == "":
            if data:
                yield _Frame(frame_id, "\n".join(data))
            frame_id, data = None, []
        name, _, value = text.partition(":")
        if name == "data":
            data.append(value[1:] if value.startswith(" ") else value)
        elif name == "id":
            frame_id = value.strip()


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise SignalboxError("the stream contains a frame that is not JSON") from error


class EventStream(Generic[E]):
    """
    The events of a task, a run or a company. A connection that is lost is opened again and continues after the last
    event received; it ends after the terminal event. Leaving the loop closes the connection.
    """

    def __init__(self, transport: Transport, call: Call) -> None:
        self._transport = transport
        self._call = call
        self._last = call.options.get("last_event_id")

    def __iter__(self) -> Iterator[E]:
        last, failures = self._last, 0
        while True:
            received = 0
            try:
                with closing(self._connection(last)) as events:
                    for event_id, event in events:
                        received, failures, last = received + 1, 0, event_id or last
                        yield event
                        if _TERMINAL.match(str(event.get("type"))):
                            return
                # An end without events is that of a task or run whose last event was received before.
                if received == 0 and last is not None:
                    return
            except ConnectionFailed:
                failures += 1
                if failures > _RECONNECTS:
                    raise
                time.sleep(backoff(failures - 1))

    def _connection(self, last: Optional[str]) -> Generator[Tuple[Optional[str], Any], None, None]:
        headers = self._call.headers if last is None else {**self._call.headers, "Last-Event-ID": last}
        call = replace(self._call, headers=headers, started=time.monotonic())
        with self._transport.open(call, timeout=_SILENCE) as response:
            for event_id, data in _frames(response):
                # The stream of a repeated POST starts from its first event.
                if event_id is None or last is None or int(event_id) > int(last):
                    yield event_id, _parsed(data)


class ChunkStream(Generic[E]):
    """The chunks of a chat completion. A stream that breaks off is an error: its answer would otherwise be made twice."""

    def __init__(self, transport: Transport, call: Call) -> None:
        self._transport = transport
        self._call = call

    def __iter__(self) -> Iterator[E]:
        with self._transport.open(self._call) as response:
            for frame in _frames(response):
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

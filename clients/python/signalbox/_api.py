"""What the methods of every family call."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Optional

from ._errors import SignalboxError
from ._pages import PagedList
from ._streams import ChunkStream, Download, EventStream
from ._transport import CallOptions, Transport, encoded, form, prepare

#: The value of a field that is not sent; None is sent as null.
OMIT: Any = object()


def find_key(key: Optional[str]) -> str:
    """The given key, else that of the environment."""
    found = key or os.environ.get("SIGNALBOX_API_KEY")
    if not found:
        raise SignalboxError("no API key: pass one or set SIGNALBOX_API_KEY")
    return found


def find_url(url: Optional[str]) -> str:
    """The given address, else that of the environment, else that of a platform on this machine."""
    found = (url or os.environ.get("SIGNALBOX_URL") or "http://127.0.0.1:3000").rstrip("/")
    return found if found.endswith("/api/v1") else f"{found}/api/v1"


def given(fields: Dict[str, Any]) -> Dict[str, Any]:
    """The fields that are sent."""
    return {name: value for name, value in fields.items() if value is not OMIT}


class _Utf8File:
    """A file whose text is sent as UTF-8; http.client would send it as Latin-1."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def read(self, size: int) -> bytes:
        return encoded(self._file.read(size))


class Api:
    """The methods of one family."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _data(self, route: str, fields: Dict[str, Any], options: Optional[CallOptions], whole: Optional[str] = None) -> Any:
        return self._transport.json(prepare(route, given(fields), options, whole))["data"]

    def _plain(self, route: str, fields: Dict[str, Any], options: Optional[CallOptions]) -> Any:
        return self._transport.json(prepare(route, given(fields), options))

    def _list(self, route: str, fields: Dict[str, Any], options: Optional[CallOptions]) -> PagedList[Any]:
        asked = given(fields)

        def load(part: Dict[str, int]) -> Dict[str, Any]:
            return self._transport.json(prepare(route, {**asked, **part}, options))

        return PagedList(load)

    def _events(self, route: str, fields: Dict[str, Any], options: Optional[CallOptions]) -> EventStream[Any]:
        return EventStream(self._transport, prepare(route, given(fields), options))

    def _chunks(self, route: str, fields: Dict[str, Any], options: Optional[CallOptions]) -> ChunkStream[Any]:
        return ChunkStream(self._transport, prepare(route, given(fields), options))

    def _download(self, route: str, fields: Dict[str, Any], options: Optional[CallOptions]) -> Download:
        return Download(self._transport.open(prepare(route, given(fields), options)))

    def _form(self, route: str, fields: Dict[str, Any], file: Any, options: Optional[CallOptions]) -> Any:
        if file is OMIT:
            return self._data(route, fields, options)
        content = file if isinstance(file, (str, bytes)) else file.read()
        call = prepare(route, given(fields), options)
        call.headers["Content-Type"], call.body = form(json.loads(call.body), content)
        return self._transport.json(call)["data"]

    def _upload(
        self, route: str, fields: Dict[str, Any], file: Any, media_type: str, options: Optional[CallOptions]
    ) -> Any:
        call = prepare(route, given(fields), options)
        call.headers["Content-Type"] = media_type
        # A file object is sent while it is read, and therefore once.
        call.body = file.encode() if isinstance(file, str) else _Utf8File(file) if hasattr(file, "read") else file
        return self._transport.json(call)["data"]

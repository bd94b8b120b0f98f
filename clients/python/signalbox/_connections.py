"""Connections to the platform, each used for one call after the other."""

from __future__ import annotations

import base64
import http.client
import os
import selectors
import threading
import time
import urllib.request
from typing import Any, Dict, List, Optional, Tuple
from urllib.parse import unquote, urlsplit

from ._errors import SignalboxError

#: Servers close connections that are idle for longer; a call on such a connection would be lost.
_MAX_IDLE = 30.0
_MOST_IDLE = 20


class Reply:
    """A reply. Its connection takes the next call once the reply is read to its end, and is closed otherwise."""

    def __init__(self, response: http.client.HTTPResponse, connection: http.client.HTTPConnection, owner: "Connections"):
        self._response = response
        self._connection: Optional[http.client.HTTPConnection] = connection
        self._owner = owner
        self.status = response.status
        self.headers = response.headers

    def __enter__(self) -> "Reply":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def read(self, *size: int) -> bytes:
        content = self._response.read(*size)
        # http.client takes an early end for the end when it reads in parts.
        if not content and self._response.length:
            raise http.client.IncompleteRead(content, self._response.length)
        return content

    def read1(self, size: int) -> bytes:
        return self._response.read1(size)

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        is_reusable = self._response.isclosed() and connection.sock is not None
        self._response.close()
        if is_reusable:
            self._owner.put(connection)
        else:
            connection.close()


class Connections:
    """The connections to one address, for any number of threads."""

    def __init__(self, base_url: str) -> None:
        self._lock = threading.Lock()
        self._idle: List[Tuple[float, http.client.HTTPConnection]] = []
        self._process = os.getpid()
        self._is_closed = False
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SignalboxError(f"{base_url} is not the address of a platform")
        self._parts = parts
        self._is_secure = parts.scheme == "https"
        self._proxy = _proxy_of(parts.scheme, parts.hostname)

    def __del__(self) -> None:
        # A client that nobody has closed.
        self.close()

    def request(self, method: str, url: str, body: Any, headers: Dict[str, str], timeout: float) -> Reply:
        """Sends one request; `url` is below the base address. Raises OSError or HTTPException when it has no reply."""
        if self._is_closed:
            raise SignalboxError("the client is closed")
        connection = self._take() or self._new()
        try:
            connection.timeout = timeout
            if connection.sock is not None:
                connection.sock.settimeout(timeout)
            target, more = self._target(url)
            connection.request(method, target, body, {**headers, **more})
            return Reply(connection.getresponse(), connection, self)
        except BaseException:
            connection.close()
            raise

    def put(self, connection: http.client.HTTPConnection) -> None:
        """Takes back a connection whose reply was read to its end."""
        with self._lock:
            if not self._is_closed and self._process == os.getpid() and len(self._idle) < _MOST_IDLE:
                self._idle.append((time.monotonic(), connection))
                return
        connection.close()

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()

    def _take(self) -> Optional[http.client.HTTPConnection]:
        while True:
            with self._lock:
                if self._process != os.getpid():
                    # The connections of the process that forked this one are not ours.
                    self._process, self._idle = os.getpid(), []
                if not self._idle:
                    return None
                since, connection = self._idle.pop()
            if time.monotonic() - since < _MAX_IDLE and not _is_readable(connection):
                return connection
            connection.close()

    def _new(self) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self._is_secure else http.client.HTTPConnection
        host, port = self._parts.hostname or "", self._parts.port
        if self._proxy is None:
            return kind(host, port)
        connection = kind(self._proxy[0], self._proxy[1])
        if self._is_secure:
            connection.set_tunnel(host, port, self._proxy[2])
        return connection

    def _target(self, url: str) -> Tuple[str, Dict[str, str]]:
        path = self._parts.path + url
        if self._proxy is None or self._is_secure:
            return path, {}
        return f"http://{self._parts.netloc}{path}", self._proxy[2]


def _is_readable(connection: http.client.HTTPConnection) -> bool:
    """Whether the other end has closed an idle connection, or has sent what nobody asked for."""
    with selectors.DefaultSelector() as selector:
        selector.register(connection.sock, selectors.EVENT_READ)
        return bool(selector.select(0))


def _proxy_of(scheme: str, host: str) -> Optional[Tuple[str, int, Dict[str, str]]]:
    """The proxy of the environment, with its headers."""
    url = urllib.request.getproxies().get(scheme)
    if not url or urllib.request.proxy_bypass(host):
        return None
    parts = urlsplit(url if "://" in url else f"http://{url}")
    headers = {}
    if parts.username is not None:
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Proxy-Authorization"] = f"Basic {base64.b64encode(login.encode()).decode()}"
    return parts.hostname or "", parts.port or 80, headers

"""Sends calls, again when that is safe and may help."""

from __future__ import annotations

import http.client
import json
import random
import re
import time
import uuid
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, List, Optional, Tuple, TypedDict, TypeVar, Union
from urllib.parse import quote, urlencode

from ._connections import Connections, Reply
from ._errors import ApiError, ConnectionFailed, SignalboxError, api_error, connection_failed

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
_LONGEST_RETRY_AFTER = 60.0
_MAY_PASS = (408, 429, 503, 504)

T = TypeVar("T")


class CallOptions(TypedDict, total=False):
    """What one call overrides."""

    #: Seconds.
    timeout: float
    max_retries: int
    #: Of a POST; default a new UUID, so that a call that is sent again takes effect once.
    idempotency_key: str
    headers: Dict[str, str]
    #: The event after which a stream starts.
    last_event_id: str


@dataclass
class Call:
    """One call, ready to be sent any number of times."""

    method: str
    url: str
    headers: Dict[str, str]
    options: CallOptions
    body: Any = None
    started: float = field(default_factory=time.monotonic)

    @property
    def is_repeatable(self) -> bool:
        return self.body is None or isinstance(self.body, bytes)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _query(fields: Dict[str, Any]) -> str:
    """A query has no null: None is left out, as OMIT is."""
    pairs: List[Any] = []
    for name, value in fields.items():
        values = value if isinstance(value, (list, tuple)) else [] if value is None else [value]
        pairs.extend((name, _text(each)) for each in values)
    return urlencode(pairs)


def _identified(answer: Any) -> Any:
    call = answer.get("chat_completion_request") if isinstance(answer, dict) else None
    if not isinstance(call, dict) or call.get("request_id") is not None:
        return answer
    return {**answer, "chat_completion_request": {**call, "request_id": str(uuid.uuid4())}}


def _with_request_ids(pattern: str, fields: Dict[str, Any]) -> Dict[str, Any]:
    """
    Answers made elsewhere are stored once per `request_id`. Those without one get it here: the call is a PUT, which has
    no idempotency key, and each try would store them anew.
    """
    items = fields.get("items")
    if pattern == "/chat/completions/responses" and isinstance(items, (list, tuple)):
        return {**fields, "items": [_identified(each) for each in items]}
    return _identified(fields) if pattern == "/chat/completions/response" else fields


def prepare(route: str, fields: Dict[str, Any], options: Optional[CallOptions], whole: Optional[str] = None) -> Call:
    """Divides the fields of a call into path, query and body; `whole` is the field that is the whole body."""
    method, pattern = route.split(" ")
    rest = dict(fields)

    def parameter(match: "re.Match[str]") -> str:
        value = _text(rest.pop(match.group(1)))
        if value == "":
            raise ValueError(f"{route} needs {match.group(1)}")
        return quote(value, safe="")

    path = re.sub(r"\{(\w+)\}", parameter, pattern)
    call = Call(method, path, {}, options or {})
    if method == "POST":
        call.headers["Idempotency-Key"] = call.options.get("idempotency_key") or str(uuid.uuid4())
    if method in ("GET", "DELETE"):
        query = _query(rest)
        if query:
            call.url = f"{path}?{query}"
    elif whole is not None or rest:
        call.headers["Content-Type"] = "application/json"
        call.body = json.dumps(_with_request_ids(pattern, rest) if whole is None else rest[whole]).encode()
    return call


def encoded(content: Union[str, bytes]) -> bytes:
    """What a file was read as: text is sent as UTF-8."""
    return content.encode() if isinstance(content, str) else content


def form(fields: Dict[str, Any], content: Union[str, bytes]) -> Tuple[str, bytes]:
    """Fields and a file as a form: its media type and its bytes, which are the same for each try of a call."""
    boundary = f"signalbox-{uuid.uuid4()}"

    def head(name: str, more: str = "") -> str:
        return f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'

    texts = "".join(f"{head(name)}{_text(value)}\r\n" for name, value in fields.items())
    start = texts + head("file", '; filename="file"\r\nContent-Type: application/octet-stream')
    return f"multipart/form-data; boundary={boundary}", start.encode() + encoded(content) + f"\r\n--{boundary}--\r\n".encode()


def _retry_after(headers: Any) -> Optional[float]:
    value = headers.get("Retry-After")
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    # Python 3.9 raises a TypeError for a text that is no date.
    except (TypeError, ValueError):
        return None


def backoff(attempt: int) -> float:
    """Grows from try to try; at random, so that clients that failed together do not return together."""
    return min(_LONGEST_PAUSE, _FIRST_PAUSE * 2**attempt) * (0.5 + random.random() / 2)


class Settings:
    """How calls to one platform under one key are made, and when they are made again."""

    def __init__(self, api_key: str, base_url: str, timeout: float, max_retries: int, headers: Dict[str, str]) -> None:
        self.base_url = base_url.rstrip("/")
        self._key = api_key
        self._timeout = timeout
        self._retries = max_retries
        self._headers = headers

    def timeout_of(self, call: Call) -> float:
        """Seconds that each single wait for the platform may take."""
        return call.options.get("timeout", self._timeout)

    def headers_of(self, call: Call) -> Dict[str, str]:
        """The headers of a call with the key. Of a name in several spellings the last: the platform would join them."""
        sets = ({"X-Service-Api-Key": self._key}, call.headers, self._headers, call.options.get("headers", {}))
        named = {name.lower(): (name, value) for headers in sets for name, value in headers.items()}
        return dict(named.values())

    def pause_before(self, attempt: int, error: Exception, call: Call) -> Optional[float]:
        """Seconds until the next try, None when there is none."""
        retries = call.options.get("max_retries", self._retries)
        if not call.is_repeatable:
            return None
        if not isinstance(error, ApiError):
            return backoff(attempt) if attempt < retries and call.method != "DELETE" else None
        asked = _retry_after(error.headers)
        if is_running(error):
            in_time = time.monotonic() - call.started < self.timeout_of(call)
            return max(asked or 0.0, _FIRST_PAUSE) if in_time else None
        if attempt >= retries or not _may_pass(error, call.method) or (asked or 0) > _LONGEST_RETRY_AFTER:
            return None
        return backoff(attempt) if asked is None else asked


class Transport:
    """The connections to one platform under one key; threads may share it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._connections = Connections(settings.base_url)

    def open(self, call: Call, timeout: Optional[float] = None) -> Reply:
        """Sends a call until it has a reply with a status of 2xx."""
        return self._send(call, timeout, lambda reply: reply)

    def json(self, call: Call) -> Any:
        """The JSON of a reply."""
        return parsed_reply(self._send(call, None, _content))

    def close(self) -> None:
        """Closes the connections that are not in use, and the others after their replies."""
        self._connections.close()

    def _send(self, call: Call, timeout: Optional[float], read: Callable[[Reply], T]) -> T:
        """Reads the reply within the try: one that breaks off is a lost connection."""
        lost: Optional[Exception] = None
        attempt = 0
        while True:
            try:
                return read(self._attempt(call, timeout or self._settings.timeout_of(call)))
            except (ApiError, ConnectionFailed) as error:
                lost = lost or (None if is_running(error) else error)
                pause = self._settings.pause_before(attempt, error, call)
                if pause is None:
                    # That an earlier try still runs does not say how that one failed.
                    raise lost if lost is not None and is_running(error) else error
                # Waiting for the first try of the call uses up no retry.
                attempt += 0 if is_running(error) else 1
                time.sleep(pause)

    def _attempt(self, call: Call, timeout: float) -> Reply:
        try:
            reply = self._connections.request(call.method, call.url, call.body, self._settings.headers_of(call), timeout)
            if 200 <= reply.status < 300:
                return reply
            with reply:
                raise refused(reply.status, reply.headers, reply.read())
        except (OSError, http.client.HTTPException) as error:
            raise connection_failed("the platform cannot be reached", error) from error


def _content(reply: Reply) -> bytes:
    with reply:
        require_whole(reply.headers)
        try:
            return reply.read()
        except (OSError, http.client.HTTPException) as error:
            raise connection_failed("the reply broke off", error) from error


def require_whole(headers: Any) -> None:
    """Refuses a stream, which would be read until its end: a workflow may be configured to stream by default."""
    if headers.get("Content-Type", "").startswith("text/event-stream"):
        raise SignalboxError("the reply is a stream of events: call with mode set to read it, or to another value")


def parsed_reply(content: bytes) -> Any:
    """The JSON of a reply."""
    try:
        return json.loads(content)
    except ValueError as error:
        raise SignalboxError("the reply is not JSON: the address is not that of a platform") from error


def refused(status: int, headers: Any, content: bytes) -> SignalboxError:
    """The error of a reply whose status is not 2xx; to follow a redirect would send the key to wherever it says."""
    if 300 <= status < 400:
        return SignalboxError(f"the platform redirects to {headers.get('Location', 'elsewhere')}: use that address")
    return api_error(status, content, headers)


def is_running(error: Exception) -> bool:
    """Whether an earlier try of the call still runs on the platform: its reply is worth waiting for."""
    return isinstance(error, ApiError) and error.status == 409 and error.headers.get("Retry-After") is not None


def _is_lost(error: ApiError, method: str) -> bool:
    """A proxy returns 502 while it has no server, or when it has lost the one that it had sent the call to.

    The 502 of a provider that failed comes from the platform, which names each call.
    """
    return error.status == 502 and (method == "GET" or error.headers.get("X-Request-Id") is None)


def is_transient(error: Exception, method: str) -> bool:
    """A refusal of an open stream that may pass."""
    return isinstance(error, ApiError) and (error.status in _MAY_PASS or _is_lost(error, method))


def _may_pass(error: ApiError, method: str) -> bool:
    """A stored reply that is replayed would be replayed again; a DELETE that had its effect would be a 404."""
    if error.headers.get("Idempotent-Replayed") == "true":
        return False
    if method == "DELETE":
        return error.status == 429
    return error.status in _MAY_PASS or _is_lost(error, method)

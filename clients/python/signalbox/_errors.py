"""The errors of the client."""

from __future__ import annotations

import json
import socket
from typing import Any, Dict, List, Optional, Type


class SignalboxError(Exception):
    """What every error of this client is."""


class ConnectionFailed(SignalboxError):
    """No reply arrived: the connection failed, ended too early or was silent for too long."""


class RequestTimeout(ConnectionFailed):
    """The platform was silent for longer than the time-out."""


class ApiError(SignalboxError):
    """An error reply of the platform."""

    def __init__(self, status: int, body: Dict[str, Any], headers: Any) -> None:
        super().__init__(body.get("message") or f"the platform returned status {status}")
        self.status = status
        #: Fields that were refused, each `{"field": …, "message": …}`.
        self.details: List[Dict[str, str]] = body.get("details") or []
        #: Type and code of errors of chat completions.
        self.type: Optional[str] = body.get("type")
        self.code: Optional[str] = body.get("code")
        self.headers = headers
        #: The id under which the platform logged the call.
        self.request_id: Optional[str] = headers.get("X-Request-Id")


class BadRequestError(ApiError):
    """400: the input is not valid; `details` names the fields."""


class AuthenticationError(ApiError):
    """401: the key is missing, unknown, revoked or expired."""


class PermissionDenied(ApiError):
    """403: the key lacks the scope."""


class NotFoundError(ApiError):
    """404: there is no such resource in this company."""


class ConflictError(ApiError):
    """409: the state of the resource does not allow the call."""


class RefusedError(ApiError):
    """422: the input is well-formed and refused."""


class RateLimitError(ApiError):
    """429: a rate or concurrency limit."""


class ServerError(ApiError):
    """500 and above: the platform or what it depends on failed."""


_BY_STATUS: Dict[int, Type[ApiError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDenied,
    404: NotFoundError,
    409: ConflictError,
    422: RefusedError,
    429: RateLimitError,
}


def api_error(status: int, content: bytes, headers: Any) -> ApiError:
    """Creates the error of a reply whose status is not 2xx."""
    try:
        body = json.loads(content).get("error") or {}
    except (ValueError, AttributeError):
        body = {}
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else ApiError)
    return kind(status, body, headers)


def connection_failed(what: str, error: Exception) -> ConnectionFailed:
    """The error of a connection that broke off or was silent for too long."""
    kind = RequestTimeout if isinstance(error, socket.timeout) else ConnectionFailed
    return kind(f"{what}: {error or type(error).__name__}")

"""Typed clients of the Signalbox API: `Client` needs nothing but the standard library, `AsyncClient` needs httpx."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import types
from ._errors import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    ConnectionFailed,
    NotFoundError,
    PermissionDenied,
    RateLimitError,
    RefusedError,
    RequestTimeout,
    ServerError,
    SignalboxError,
)
from ._pages import Page, PagedList
from ._streams import Download, EventStream
from ._transport import CallOptions
from ._webhooks import WebhookEvent, WebhookSignatureError, sign_webhook, verify_webhook
from .client import Client

if TYPE_CHECKING:
    from ._async_api import AsyncPagedList
    from ._async_streams import AsyncChunkStream, AsyncDownload, AsyncEventStream
    from .async_client import AsyncClient

__all__ = [
    "ApiError",
    "AsyncChunkStream",
    "AsyncClient",
    "AsyncDownload",
    "AsyncEventStream",
    "AsyncPagedList",
    "AuthenticationError",
    "BadRequestError",
    "CallOptions",
    "Client",
    "ConflictError",
    "ConnectionFailed",
    "Download",
    "EventStream",
    "NotFoundError",
    "Page",
    "PagedList",
    "PermissionDenied",
    "RateLimitError",
    "RefusedError",
    "RequestTimeout",
    "ServerError",
    "SignalboxError",
    "WebhookEvent",
    "WebhookSignatureError",
    "sign_webhook",
    "types",
    "verify_webhook",
]

_ASYNC = {
    "AsyncChunkStream": "_async_streams",
    "AsyncClient": "async_client",
    "AsyncDownload": "_async_streams",
    "AsyncEventStream": "_async_streams",
    "AsyncPagedList": "_async_api",
}


def __getattr__(name: str) -> Any:
    """Loads the asynchronous client when it is asked for: httpx may be absent."""
    if name not in _ASYNC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    try:
        return getattr(import_module(f".{_ASYNC[name]}", __name__), name)
    except ModuleNotFoundError as error:
        if error.name not in ("anyio", "httpx"):
            raise
        raise ImportError(f"{name} needs httpx: pip install 'signalbox[async]'") from error

"""Typed client of the Signalbox API; needs nothing but the standard library."""

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
    ServerError,
    SignalboxError,
)
from ._pages import Page, PagedList
from ._streams import Download, EventStream
from ._transport import CallOptions
from ._webhooks import WebhookEvent, WebhookSignatureError, sign_webhook, verify_webhook
from .client import Client

__all__ = [
    "ApiError",
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
    "ServerError",
    "SignalboxError",
    "WebhookEvent",
    "WebhookSignatureError",
    "sign_webhook",
    "types",
    "verify_webhook",
]

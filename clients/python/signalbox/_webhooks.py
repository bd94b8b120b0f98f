"""Signatures of webhooks."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import Any, Iterable, List, Optional, Tuple, TypedDict, Union

from ._errors import SignalboxError
from .types import EventResource


class WebhookEvent(TypedDict):
    """An event as a webhook delivers it."""

    event_id: str
    event: str
    company_id: int
    #: Epoch milliseconds.
    occurred_at: int
    resource: EventResource
    data: Any


class WebhookSignatureError(SignalboxError):
    """A delivery that none of the secrets has signed, or whose signature is too old."""


def _signature(secret: str, seconds: str, body: bytes) -> str:
    if not secret:
        raise SignalboxError("the secret of the webhook is empty")
    return hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()


def _parts(header: str) -> Tuple[str, List[str]]:
    parts = [part.strip().partition("=") for part in header.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    signatures = [value for name, _, value in parts if name == "v1" and re.fullmatch("[0-9a-f]{64}", value)]
    if len(times) != 1 or not re.fullmatch("[0-9]{1,12}", times[0]) or not signatures:
        raise WebhookSignatureError("the signature of the webhook is missing or malformed")
    return times[0], signatures


def verify_webhook(
    body: Union[bytes, str],
    signature: Optional[str],
    secret: Union[str, Iterable[str]],
    *,
    tolerance: float = 300.0,
    now: Optional[float] = None,
) -> WebhookEvent:
    """
    Checks that the platform has signed a delivery, and returns its event.

    `body` is the bytes as they arrived, before any parser; `signature` the header `X-Service-Signature`; `secret` the
    secret of the webhook, `whs_…`, or several: while a secret is being rotated either of the two is enough. `tolerance`
    is how far the time of the signature may be from now, in seconds; `now` is in epoch seconds, default that of the
    clock. Raises a WebhookSignatureError else.
    """
    raw = body.encode() if isinstance(body, str) else bytes(body)
    seconds, signatures = _parts(signature or "")
    secrets = [secret] if isinstance(secret, str) else list(secret)
    expected = [_signature(each, seconds, raw) for each in secrets]
    if not any([hmac.compare_digest(one, other) for one in expected for other in signatures]):
        raise WebhookSignatureError("the signature of the webhook is not that of its secret")
    # Compared last: who does not know the secret learns nothing about the clock.
    if abs((time.time() if now is None else now) - int(seconds)) > tolerance:
        raise WebhookSignatureError(f"the webhook was signed more than {tolerance:g} s from now")
    event: WebhookEvent = json.loads(raw)
    return event


def sign_webhook(body: Union[bytes, str], secret: str, seconds: Optional[int] = None) -> str:
    """The header `X-Service-Signature` of a delivery as the platform makes it: for tests of receivers."""
    at = str(int(time.time()) if seconds is None else seconds)
    return f"t={at},v1={_signature(secret, at, body.encode() if isinstance(body, str) else bytes(body))}"

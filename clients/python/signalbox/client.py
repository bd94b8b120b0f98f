"""The client: one attribute per family, one method per endpoint.

Generated from the contracts by tools/openapi.mjs; changes belong there.
"""

from __future__ import annotations

from typing import Any, BinaryIO, Dict, List, Literal, Optional, Union, overload

from . import types
from ._api import OMIT, Api, find_key, find_url
from ._pages import PagedList
from ._streams import ChunkStream, Download, EventStream
from ._transport import CallOptions, Settings, Transport


class CompanyApi(Api):
    """The family company."""

    def get(self, *, options: Optional[CallOptions] = None) -> types.Company:
        """Get the company of the key. Scope: read."""
        return self._data("GET /company", {}, options)

    def update(self, *, name: str = OMIT, settings: types.SettingsChange = OMIT, options: Optional[CallOptions] = None) -> types.Company:
        """Change name or settings of the company. Scope: admin."""
        return self._data("PUT /company", {"name": name, "settings": settings}, options)


class ApiKeysApi(Api):
    """The family api keys."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, revoked: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ApiKey]:
        """List the API keys. Scope: admin."""
        return self._list("GET /api-keys", {"offset": offset, "limit": limit, "search": search, "sort": sort, "revoked": revoked}, options)

    def create(self, *, name: str, scopes: List[Literal["read", "write", "invoke", "admin", "ingest"]] = OMIT, expires_at: Union[int, None] = OMIT, options: Optional[CallOptions] = None) -> types.NewApiKey:
        """Create an API key. Scope: admin."""
        return self._data("POST /api-keys", {"name": name, "scopes": scopes, "expires_at": expires_at}, options)

    def get_current(self, *, options: Optional[CallOptions] = None) -> types.CurrentApiKey:
        """Get the key that authenticates this call."""
        return self._data("GET /api-keys/current", {}, options)

    def get(self, api_key_id: int, *, options: Optional[CallOptions] = None) -> types.ApiKey:
        """Get an API key. Scope: admin."""
        return self._data("GET /api-keys/{api_key_id}", {"api_key_id": api_key_id}, options)

    def update(self, api_key_id: int, *, name: str = OMIT, scopes: List[Literal["read", "write", "invoke", "admin", "ingest"]] = OMIT, expires_at: Union[int, None] = OMIT, options: Optional[CallOptions] = None) -> types.ApiKey:
        """Change name, scopes or expiry of an API key. Scope: admin."""
        return self._data("PUT /api-keys/{api_key_id}", {"api_key_id": api_key_id, "name": name, "scopes": scopes, "expires_at": expires_at}, options)

    def delete(self, api_key_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete an API key. Scope: admin."""
        return self._data("DELETE /api-keys/{api_key_id}", {"api_key_id": api_key_id}, options)

    def revoke(self, api_key_id: int, *, options: Optional[CallOptions] = None) -> types.ApiKey:
        """Revoke an API key. Scope: admin."""
        return self._data("POST /api-keys/{api_key_id}/revoke", {"api_key_id": api_key_id}, options)

    def rotate(self, api_key_id: int, *, grace_seconds: int = OMIT, options: Optional[CallOptions] = None) -> types.NewApiKey:
        """Replace an API key; the old one stays valid for a grace period. Scope: admin."""
        return self._data("POST /api-keys/{api_key_id}/rotate", {"api_key_id": api_key_id, "grace_seconds": grace_seconds}, options)


class AuditLogApi(Api):
    """The family audit log."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, action: List[Literal["create", "update", "delete", "publish", "release_move", "gate_override", "enable", "disable", "revoke", "rotate", "secret_rotate", "import", "reset", "score", "mcp_call"]] = OMIT, resource_type: List[Literal["application", "intent", "intent_group", "agent", "agent_action", "agent_release", "workflow", "workflow_release", "monitor", "monitor_alert", "monitor_check", "monitor_target", "monitor_release", "sentinel", "session", "request", "dataset", "composition", "finetune_run", "test_set", "test_set_item", "test_run", "evaluation_criteria", "evaluation_run", "model", "model_provider", "tag", "tag_rule", "tag_run", "api_key", "mcp_server", "portal_session", "webhook", "company"]] = OMIT, resource_id: str = OMIT, actor_key_id: int = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.AuditEntry]:
        """List the successful writes of the company and the calls of tools, newest first. Scope: admin."""
        return self._list("GET /audit-log", {"offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "action": action, "resource_type": resource_type, "resource_id": resource_id, "actor_key_id": actor_key_id}, options)


class WebhooksApi(Api):
    """The family webhooks."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, enabled: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Webhook]:
        """List the webhooks. Scope: read."""
        return self._list("GET /webhooks", {"offset": offset, "limit": limit, "search": search, "sort": sort, "enabled": enabled}, options)

    def create(self, *, url: str, events: List[str], description: Union[str, None] = OMIT, enabled: bool = OMIT, options: Optional[CallOptions] = None) -> types.NewWebhook:
        """Create a webhook. Scope: admin."""
        return self._data("POST /webhooks", {"url": url, "events": events, "description": description, "enabled": enabled}, options)

    def list_event_types(self, *, options: Optional[CallOptions] = None) -> List[types.EventType]:
        """List the kinds of events. Scope: read."""
        return self._data("GET /webhooks/event-types", {}, options)

    def get(self, webhook_id: int, *, options: Optional[CallOptions] = None) -> types.Webhook:
        """Get a webhook. Scope: read."""
        return self._data("GET /webhooks/{webhook_id}", {"webhook_id": webhook_id}, options)

    def update(self, webhook_id: int, *, url: str = OMIT, events: List[str] = OMIT, description: Union[str, None] = OMIT, enabled: bool = OMIT, options: Optional[CallOptions] = None) -> types.Webhook:
        """Change a webhook; enabling it clears the reason for which it was disabled. Scope: admin."""
        return self._data("PUT /webhooks/{webhook_id}", {"webhook_id": webhook_id, "url": url, "events": events, "description": description, "enabled": enabled}, options)

    def delete(self, webhook_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a webhook. Scope: admin."""
        return self._data("DELETE /webhooks/{webhook_id}", {"webhook_id": webhook_id}, options)

    def rotate_secret(self, webhook_id: int, *, options: Optional[CallOptions] = None) -> types.NewWebhook:
        """Replace the secret; for 24 hours both secrets sign. Scope: admin."""
        return self._data("POST /webhooks/{webhook_id}/rotate-secret", {"webhook_id": webhook_id}, options)

    def test(self, webhook_id: int, *, options: Optional[CallOptions] = None) -> types.WebhookDelivery:
        """Send the event webhook.test, whether the webhook is enabled or not. Scope: admin."""
        return self._data("POST /webhooks/{webhook_id}/test", {"webhook_id": webhook_id}, options)

    def list_deliveries(self, webhook_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, status: List[Literal["PENDING", "SUCCEEDED", "FAILED"]] = OMIT, event: List[str] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.WebhookDelivery]:
        """List the deliveries of a webhook. Scope: read."""
        return self._list("GET /webhooks/{webhook_id}/deliveries", {"webhook_id": webhook_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "status": status, "event": event}, options)

    def get_delivery(self, webhook_id: int, delivery_id: int, *, options: Optional[CallOptions] = None) -> types.WebhookDelivery:
        """Get a delivery. Scope: read."""
        return self._data("GET /webhooks/{webhook_id}/deliveries/{delivery_id}", {"webhook_id": webhook_id, "delivery_id": delivery_id}, options)

    def replay_delivery(self, webhook_id: int, delivery_id: int, *, options: Optional[CallOptions] = None) -> types.WebhookDelivery:
        """Deliver an event again, as a separate delivery. Scope: admin."""
        return self._data("POST /webhooks/{webhook_id}/deliveries/{delivery_id}/replay", {"webhook_id": webhook_id, "delivery_id": delivery_id}, options)

    def stream_events(self, *, events: List[str] = OMIT, options: Optional[CallOptions] = None) -> EventStream[types.StreamedEvent]:
        """Follow the events of the company as server-sent events; the last 24 hours can be replayed. Scope: read."""
        return self._events("GET /events", {"events": events}, options)


class PortalSessionsApi(Api):
    """The family portal sessions."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.PortalSession]:
        """List the browsers that are signed in to the portal. Scope: admin."""
        return self._list("GET /portal-sessions", {"offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def end(self, portal_session_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Sign a browser out of the portal. Scope: admin."""
        return self._data("DELETE /portal-sessions/{portal_session_id}", {"portal_session_id": portal_session_id}, options)


class ApplicationsApi(Api):
    """The family applications."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, state: Literal["ENABLED", "DISABLED"] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Application]:
        """List the applications. Scope: read."""
        return self._list("GET /applications", {"offset": offset, "limit": limit, "search": search, "sort": sort, "state": state}, options)

    def create(self, *, application_name: str, application_ref_name: str = OMIT, description: Union[str, None] = OMIT, state: Literal["ENABLED", "DISABLED"] = OMIT, config: types.Config = OMIT, meta: Dict[str, Any] = OMIT, fault_notifications: bool = OMIT, session_summaries: bool = OMIT, options: Optional[CallOptions] = None) -> types.Application:
        """Create an application. Scope: write."""
        return self._data("POST /applications", {"application_name": application_name, "application_ref_name": application_ref_name, "description": description, "state": state, "config": config, "meta": meta, "fault_notifications": fault_notifications, "session_summaries": session_summaries}, options)

    def get(self, application_id: int, *, options: Optional[CallOptions] = None) -> types.Application:
        """Get an application. Scope: read."""
        return self._data("GET /applications/{application_id}", {"application_id": application_id}, options)

    def update(self, application_id: int, *, application_name: str = OMIT, description: Union[str, None] = OMIT, state: Literal["ENABLED", "DISABLED"] = OMIT, meta: Dict[str, Any] = OMIT, fault_notifications: bool = OMIT, session_summaries: bool = OMIT, options: Optional[CallOptions] = None) -> types.Application:
        """Change an application. Scope: write."""
        return self._data("PUT /applications/{application_id}", {"application_id": application_id, "application_name": application_name, "description": description, "state": state, "meta": meta, "fault_notifications": fault_notifications, "session_summaries": session_summaries}, options)

    def delete(self, application_id: int, *, force: bool = OMIT, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete an application with its intents. Scope: write."""
        return self._data("DELETE /applications/{application_id}", {"application_id": application_id, "force": force}, options)

    def get_config(self, application_id: int, *, options: Optional[CallOptions] = None) -> types.ConfigView:
        """Get the configuration of an application. Scope: read."""
        return self._data("GET /applications/{application_id}/config", {"application_id": application_id}, options)

    def update_config(self, application_id: int, *, model: Union[str, None] = OMIT, temperature: Union[float, None] = OMIT, top_p: Union[float, None] = OMIT, max_tokens: Union[int, None] = OMIT, n: Union[int, None] = OMIT, stop: Union[List[str], None] = OMIT, presence_penalty: Union[float, None] = OMIT, frequency_penalty: Union[float, None] = OMIT, logprobs: Union[bool, None] = OMIT, response_format: Union[types.ResponseFormat, None] = OMIT, system_prompt: Union[str, None] = OMIT, reasoning_effort: Union[Literal["low", "medium", "high"], None] = OMIT, timeout_ms: Union[int, None] = OMIT, evaluation_enabled: Union[bool, None] = OMIT, apply_corrections: Union[bool, None] = OMIT, safe_mode: Union[bool, None] = OMIT, fallback_config: Union[types.CallFallback, None] = OMIT, metadata: Union[Dict[str, Any], None] = OMIT, options: Optional[CallOptions] = None) -> types.ConfigView:
        """Change fields of the configuration of an application. Scope: write."""
        return self._data("PUT /applications/{application_id}/config", {"application_id": application_id, "model": model, "temperature": temperature, "top_p": top_p, "max_tokens": max_tokens, "n": n, "stop": stop, "presence_penalty": presence_penalty, "frequency_penalty": frequency_penalty, "logprobs": logprobs, "response_format": response_format, "system_prompt": system_prompt, "reasoning_effort": reasoning_effort, "timeout_ms": timeout_ms, "evaluation_enabled": evaluation_enabled, "apply_corrections": apply_corrections, "safe_mode": safe_mode, "fallback_config": fallback_config, "metadata": metadata}, options)

    def reset_config(self, application_id: int, *, options: Optional[CallOptions] = None) -> types.ConfigView:
        """Remove every field that the configuration of an application sets. Scope: write."""
        return self._data("POST /applications/{application_id}/config/reset", {"application_id": application_id}, options)

    def list_models(self, application_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Model]:
        """List the models that the traffic or the configuration of an application uses. Scope: read."""
        return self._list("GET /applications/{application_id}/models", {"application_id": application_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def list_sessions(self, application_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ChatSession]:
        """List the sessions of an application. Scope: read."""
        return self._list("GET /applications/{application_id}/sessions", {"application_id": application_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date}, options)

    def list_agents(self, application_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.AgentSummary]:
        """List the agents of an application. Scope: read."""
        return self._list("GET /applications/{application_id}/agents", {"application_id": application_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def list_workflows(self, application_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.WorkflowSummary]:
        """List the workflows of an application. Scope: read."""
        return self._list("GET /applications/{application_id}/workflows", {"application_id": application_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def list_workflow_runs(self, application_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, status: List[Literal["QUEUED", "RUNNING", "COMPLETED", "FAILED", "TIMED_OUT", "CANCELLED"]] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ListedWorkflowRun]:
        """List the runs of the workflows of an application, without their bodies. Scope: read."""
        return self._list("GET /applications/{application_id}/workflow-runs", {"application_id": application_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "status": status}, options)


class IntentsApi(Api):
    """The family intents."""

    def list(self, application_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Intent]:
        """List the intents of an application. Scope: read."""
        return self._list("GET /applications/{application_id}/intents", {"application_id": application_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def create(self, application_id: int, *, action_type: str, description: Union[str, None] = OMIT, prompt: Union[str, None] = OMIT, config: types.Config = OMIT, meta: Dict[str, Any] = OMIT, agent_id: Union[int, None] = OMIT, options: Optional[CallOptions] = None) -> types.Intent:
        """Create an intent. Scope: write."""
        return self._data("POST /applications/{application_id}/intents", {"application_id": application_id, "action_type": action_type, "description": description, "prompt": prompt, "config": config, "meta": meta, "agent_id": agent_id}, options)

    def get(self, application_id: int, intent_id: int, *, options: Optional[CallOptions] = None) -> types.Intent:
        """Get an intent. Scope: read."""
        return self._data("GET /applications/{application_id}/intents/{intent_id}", {"application_id": application_id, "intent_id": intent_id}, options)

    def update(self, application_id: int, intent_id: int, *, description: Union[str, None] = OMIT, prompt: Union[str, None] = OMIT, meta: Dict[str, Any] = OMIT, agent_id: Union[int, None] = OMIT, notifications_enabled: bool = OMIT, options: Optional[CallOptions] = None) -> types.Intent:
        """Change an intent. Scope: write."""
        return self._data("PUT /applications/{application_id}/intents/{intent_id}", {"application_id": application_id, "intent_id": intent_id, "description": description, "prompt": prompt, "meta": meta, "agent_id": agent_id, "notifications_enabled": notifications_enabled}, options)

    def delete(self, application_id: int, intent_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete an intent. Scope: write."""
        return self._data("DELETE /applications/{application_id}/intents/{intent_id}", {"application_id": application_id, "intent_id": intent_id}, options)

    def get_config(self, application_id: int, intent_id: int, *, options: Optional[CallOptions] = None) -> types.ConfigView:
        """Get the configuration of an intent. Scope: read."""
        return self._data("GET /applications/{application_id}/intents/{intent_id}/config", {"application_id": application_id, "intent_id": intent_id}, options)

    def update_config(self, application_id: int, intent_id: int, *, model: Union[str, None] = OMIT, temperature: Union[float, None] = OMIT, top_p: Union[float, None] = OMIT, max_tokens: Union[int, None] = OMIT, n: Union[int, None] = OMIT, stop: Union[List[str], None] = OMIT, presence_penalty: Union[float, None] = OMIT, frequency_penalty: Union[float, None] = OMIT, logprobs: Union[bool, None] = OMIT, response_format: Union[types.ResponseFormat, None] = OMIT, system_prompt: Union[str, None] = OMIT, reasoning_effort: Union[Literal["low", "medium", "high"], None] = OMIT, timeout_ms: Union[int, None] = OMIT, evaluation_enabled: Union[bool, None] = OMIT, apply_corrections: Union[bool, None] = OMIT, safe_mode: Union[bool, None] = OMIT, fallback_config: Union[types.CallFallback, None] = OMIT, metadata: Union[Dict[str, Any], None] = OMIT, options: Optional[CallOptions] = None) -> types.ConfigView:
        """Change fields of the configuration of an intent. Scope: write."""
        return self._data("PUT /applications/{application_id}/intents/{intent_id}/config", {"application_id": application_id, "intent_id": intent_id, "model": model, "temperature": temperature, "top_p": top_p, "max_tokens": max_tokens, "n": n, "stop": stop, "presence_penalty": presence_penalty, "frequency_penalty": frequency_penalty, "logprobs": logprobs, "response_format": response_format, "system_prompt": system_prompt, "reasoning_effort": reasoning_effort, "timeout_ms": timeout_ms, "evaluation_enabled": evaluation_enabled, "apply_corrections": apply_corrections, "safe_mode": safe_mode, "fallback_config": fallback_config, "metadata": metadata}, options)

    def reset_config(self, application_id: int, intent_id: int, *, options: Optional[CallOptions] = None) -> types.ConfigView:
        """Remove every field that the configuration of an intent sets. Scope: write."""
        return self._data("POST /applications/{application_id}/intents/{intent_id}/config/reset", {"application_id": application_id, "intent_id": intent_id}, options)

    def list_requests(self, application_id: int, intent_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.RecordedRequest]:
        """List the requests of an intent. Scope: read."""
        return self._list("GET /applications/{application_id}/intents/{intent_id}/requests", {"application_id": application_id, "intent_id": intent_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date}, options)

    def list_models(self, application_id: int, intent_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Model]:
        """List the models that the traffic or the configuration of an intent uses. Scope: read."""
        return self._list("GET /applications/{application_id}/intents/{intent_id}/models", {"application_id": application_id, "intent_id": intent_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date}, options)

    def list_sessions(self, application_id: int, intent_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ChatSession]:
        """List the sessions in which an intent occurs. Scope: read."""
        return self._list("GET /applications/{application_id}/intents/{intent_id}/sessions", {"application_id": application_id, "intent_id": intent_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date}, options)

    def list_datasets(self, application_id: int, intent_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Dataset]:
        """List the datasets of an intent. Scope: read."""
        return self._list("GET /applications/{application_id}/intents/{intent_id}/datasets", {"application_id": application_id, "intent_id": intent_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date}, options)


class IntentGroupsApi(Api):
    """The family intent groups."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.IntentGroup]:
        """List the intent groups. Scope: read."""
        return self._list("GET /intent-groups", {"offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def create(self, *, intent_group_name: str, description: Union[str, None] = OMIT, meta: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.IntentGroup:
        """Create an intent group for future intents of its name. Scope: write."""
        return self._data("POST /intent-groups", {"intent_group_name": intent_group_name, "description": description, "meta": meta}, options)

    def get(self, intent_group_id: int, *, options: Optional[CallOptions] = None) -> types.IntentGroup:
        """Get an intent group. Scope: read."""
        return self._data("GET /intent-groups/{intent_group_id}", {"intent_group_id": intent_group_id}, options)

    def update(self, intent_group_id: int, *, description: Union[str, None] = OMIT, meta: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.IntentGroup:
        """Change an intent group. Scope: write."""
        return self._data("PUT /intent-groups/{intent_group_id}", {"intent_group_id": intent_group_id, "description": description, "meta": meta}, options)

    def delete(self, intent_group_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete an intent group without intents. Scope: write."""
        return self._data("DELETE /intent-groups/{intent_group_id}", {"intent_group_id": intent_group_id}, options)

    def get_config(self, intent_group_id: int, *, options: Optional[CallOptions] = None) -> types.ConfigView:
        """Get the configuration of an intent group. Scope: read."""
        return self._data("GET /intent-groups/{intent_group_id}/config", {"intent_group_id": intent_group_id}, options)

    def update_config(self, intent_group_id: int, *, model: Union[str, None] = OMIT, temperature: Union[float, None] = OMIT, top_p: Union[float, None] = OMIT, max_tokens: Union[int, None] = OMIT, n: Union[int, None] = OMIT, stop: Union[List[str], None] = OMIT, presence_penalty: Union[float, None] = OMIT, frequency_penalty: Union[float, None] = OMIT, logprobs: Union[bool, None] = OMIT, response_format: Union[types.ResponseFormat, None] = OMIT, system_prompt: Union[str, None] = OMIT, reasoning_effort: Union[Literal["low", "medium", "high"], None] = OMIT, timeout_ms: Union[int, None] = OMIT, evaluation_enabled: Union[bool, None] = OMIT, apply_corrections: Union[bool, None] = OMIT, safe_mode: Union[bool, None] = OMIT, fallback_config: Union[types.CallFallback, None] = OMIT, metadata: Union[Dict[str, Any], None] = OMIT, options: Optional[CallOptions] = None) -> types.ConfigView:
        """Change fields of the configuration of an intent group. Scope: write."""
        return self._data("PUT /intent-groups/{intent_group_id}/config", {"intent_group_id": intent_group_id, "model": model, "temperature": temperature, "top_p": top_p, "max_tokens": max_tokens, "n": n, "stop": stop, "presence_penalty": presence_penalty, "frequency_penalty": frequency_penalty, "logprobs": logprobs, "response_format": response_format, "system_prompt": system_prompt, "reasoning_effort": reasoning_effort, "timeout_ms": timeout_ms, "evaluation_enabled": evaluation_enabled, "apply_corrections": apply_corrections, "safe_mode": safe_mode, "fallback_config": fallback_config, "metadata": metadata}, options)

    def list_intents(self, intent_group_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Intent]:
        """List the intents of an intent group. Scope: read."""
        return self._list("GET /intent-groups/{intent_group_id}/intents", {"intent_group_id": intent_group_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def list_requests(self, intent_group_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.RecordedRequest]:
        """List the requests of an intent group. Scope: read."""
        return self._list("GET /intent-groups/{intent_group_id}/requests", {"intent_group_id": intent_group_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def list_models(self, intent_group_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Model]:
        """List the models that the traffic or the configuration of an intent group uses. Scope: read."""
        return self._list("GET /intent-groups/{intent_group_id}/models", {"intent_group_id": intent_group_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def list_test_sets(self, intent_group_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.TestSet]:
        """List the test sets whose items or tags come from an intent group. Scope: read."""
        return self._list("GET /intent-groups/{intent_group_id}/test-sets", {"intent_group_id": intent_group_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def list_datasets(self, intent_group_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Dataset]:
        """List the datasets of an intent group. Scope: read."""
        return self._list("GET /intent-groups/{intent_group_id}/datasets", {"intent_group_id": intent_group_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def list_compositions(self, intent_group_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Composition]:
        """List the compositions of an intent group. Scope: read."""
        return self._list("GET /intent-groups/{intent_group_id}/compositions", {"intent_group_id": intent_group_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def list_finetune_runs(self, intent_group_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.FinetuneRun]:
        """List the finetune runs of an intent group. Scope: read."""
        return self._list("GET /intent-groups/{intent_group_id}/finetune-runs", {"intent_group_id": intent_group_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)


class ModelsApi(Api):
    """The family models."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, model_type: Literal["BASE", "FINETUNED"] = OMIT, provider_id: int = OMIT, intent_group_id: int = OMIT, trainable: bool = OMIT, status: Literal["ENABLED", "DISABLED"] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Model]:
        """List the models. Scope: read."""
        return self._list("GET /models", {"offset": offset, "limit": limit, "search": search, "sort": sort, "model_type": model_type, "provider_id": provider_id, "intent_group_id": intent_group_id, "trainable": trainable, "status": status}, options)

    def list_available(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Model]:
        """List the models that can be called now. Scope: read."""
        return self._list("GET /models/available", {"offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def create(self, *, model_name: str, provider_id: int, display_name: str = OMIT, provider_model: str = OMIT, context_window: Union[int, None] = OMIT, input_price_per_mtok: Union[float, None] = OMIT, output_price_per_mtok: Union[float, None] = OMIT, supports_tools: bool = OMIT, supports_json_schema: bool = OMIT, trainable: bool = OMIT, status: Literal["ENABLED", "DISABLED"] = OMIT, options: Optional[CallOptions] = None) -> types.Model:
        """Create a model. Scope: write."""
        return self._data("POST /models", {"model_name": model_name, "display_name": display_name, "provider_id": provider_id, "provider_model": provider_model, "context_window": context_window, "input_price_per_mtok": input_price_per_mtok, "output_price_per_mtok": output_price_per_mtok, "supports_tools": supports_tools, "supports_json_schema": supports_json_schema, "trainable": trainable, "status": status}, options)

    def get(self, model_id: str, *, options: Optional[CallOptions] = None) -> types.Model:
        """Get a model by id or name. Scope: read."""
        return self._data("GET /models/{model_id}", {"model_id": model_id}, options)

    def update(self, model_id: int, *, display_name: str = OMIT, provider_model: str = OMIT, context_window: Union[int, None] = OMIT, input_price_per_mtok: Union[float, None] = OMIT, output_price_per_mtok: Union[float, None] = OMIT, supports_tools: bool = OMIT, supports_json_schema: bool = OMIT, trainable: bool = OMIT, options: Optional[CallOptions] = None) -> types.Model:
        """Change a model. Scope: write."""
        return self._data("PUT /models/{model_id}", {"model_id": model_id, "display_name": display_name, "provider_model": provider_model, "context_window": context_window, "input_price_per_mtok": input_price_per_mtok, "output_price_per_mtok": output_price_per_mtok, "supports_tools": supports_tools, "supports_json_schema": supports_json_schema, "trainable": trainable}, options)

    def delete(self, model_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a model. Scope: write."""
        return self._data("DELETE /models/{model_id}", {"model_id": model_id}, options)

    def enable(self, model_id: int, *, options: Optional[CallOptions] = None) -> types.Model:
        """Enable a model. Scope: write."""
        return self._data("PUT /models/{model_id}/enable", {"model_id": model_id}, options)

    def disable(self, model_id: int, *, options: Optional[CallOptions] = None) -> types.Model:
        """Disable a model. Scope: write."""
        return self._data("PUT /models/{model_id}/disable", {"model_id": model_id}, options)

    def get_usage(self, model_id: int, *, start_date: int = OMIT, end_date: int = OMIT, bucket: Literal["hour", "day", "week"] = OMIT, options: Optional[CallOptions] = None) -> types.ModelUsage:
        """Tell over time how a model was used. Scope: read."""
        return self._data("GET /models/{model_id}/usage", {"model_id": model_id, "start_date": start_date, "end_date": end_date, "bucket": bucket}, options)

    def list_providers(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Provider]:
        """List the providers. Scope: read."""
        return self._list("GET /models/providers", {"offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def create_provider(self, *, provider_name: str, kind: Literal["openai_compatible", "simulated"], base_url: Union[str, None] = OMIT, api_key: Union[str, None] = OMIT, default_headers: Dict[str, str] = OMIT, timeout_ms: int = OMIT, status: Literal["ENABLED", "DISABLED"] = OMIT, options: Optional[CallOptions] = None) -> types.Provider:
        """Create a provider. Scope: admin."""
        return self._data("POST /models/providers", {"provider_name": provider_name, "kind": kind, "base_url": base_url, "api_key": api_key, "default_headers": default_headers, "timeout_ms": timeout_ms, "status": status}, options)

    def get_provider(self, provider_id: int, *, options: Optional[CallOptions] = None) -> types.Provider:
        """Get a provider. Scope: read."""
        return self._data("GET /models/providers/{provider_id}", {"provider_id": provider_id}, options)

    def update_provider(self, provider_id: int, *, provider_name: str = OMIT, base_url: Union[str, None] = OMIT, api_key: Union[str, None] = OMIT, default_headers: Dict[str, str] = OMIT, timeout_ms: int = OMIT, status: Literal["ENABLED", "DISABLED"] = OMIT, options: Optional[CallOptions] = None) -> types.Provider:
        """Change a provider. Scope: admin."""
        return self._data("PUT /models/providers/{provider_id}", {"provider_id": provider_id, "provider_name": provider_name, "base_url": base_url, "api_key": api_key, "default_headers": default_headers, "timeout_ms": timeout_ms, "status": status}, options)

    def delete_provider(self, provider_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a provider without models. Scope: admin."""
        return self._data("DELETE /models/providers/{provider_id}", {"provider_id": provider_id}, options)

    def test_provider(self, provider_id: int, *, model: str = OMIT, options: Optional[CallOptions] = None) -> types.ProviderTest:
        """Test the connection to a provider. Scope: admin."""
        return self._data("POST /models/providers/{provider_id}/test", {"provider_id": provider_id, "model": model}, options)


class ChatApi(Api):
    """The family chat."""

    @overload
    def create(self, *, messages: List[types.ChatMessage], stream: Literal[True], model: Union[str, None] = OMIT, temperature: Union[float, None] = OMIT, top_p: Union[float, None] = OMIT, n: Union[int, None] = OMIT, stream_options: Union[Dict[str, Any], None] = OMIT, stop: Union[Union[str, List[str]], None] = OMIT, max_tokens: Union[int, None] = OMIT, max_completion_tokens: Union[int, None] = OMIT, presence_penalty: Union[float, None] = OMIT, frequency_penalty: Union[float, None] = OMIT, logprobs: Union[bool, None] = OMIT, top_logprobs: Union[int, None] = OMIT, response_format: Union[types.ResponseFormat, None] = OMIT, tools: Union[List[Dict[str, Any]], None] = OMIT, tool_choice: Union[Union[Literal["none", "auto", "required"], Dict[str, Any]], None] = OMIT, parallel_tool_calls: Union[bool, None] = OMIT, seed: Union[int, None] = OMIT, user: Union[str, None] = OMIT, reasoning_effort: Union[Literal["none", "minimal", "low", "medium", "high", "xhigh"], None] = OMIT, application: str = OMIT, intent: str = OMIT, evaluation_enabled: Union[bool, None] = OMIT, apply_corrections: Union[bool, None] = OMIT, safe_mode: Union[bool, None] = OMIT, fallback_config: Union[types.CallFallback, None] = OMIT, return_evaluation: bool = OMIT, input: Any = OMIT, secrets: Dict[str, str] = OMIT, session_id: str = OMIT, metadata: Union[Dict[str, Any], None] = OMIT, reference_id: Union[str, None] = OMIT, options: Optional[CallOptions] = None) -> ChunkStream[Dict[str, Any]]: ...

    @overload
    def create(self, *, messages: List[types.ChatMessage], model: Union[str, None] = OMIT, temperature: Union[float, None] = OMIT, top_p: Union[float, None] = OMIT, n: Union[int, None] = OMIT, stream: Literal[False] = OMIT, stream_options: Union[Dict[str, Any], None] = OMIT, stop: Union[Union[str, List[str]], None] = OMIT, max_tokens: Union[int, None] = OMIT, max_completion_tokens: Union[int, None] = OMIT, presence_penalty: Union[float, None] = OMIT, frequency_penalty: Union[float, None] = OMIT, logprobs: Union[bool, None] = OMIT, top_logprobs: Union[int, None] = OMIT, response_format: Union[types.ResponseFormat, None] = OMIT, tools: Union[List[Dict[str, Any]], None] = OMIT, tool_choice: Union[Union[Literal["none", "auto", "required"], Dict[str, Any]], None] = OMIT, parallel_tool_calls: Union[bool, None] = OMIT, seed: Union[int, None] = OMIT, user: Union[str, None] = OMIT, reasoning_effort: Union[Literal["none", "minimal", "low", "medium", "high", "xhigh"], None] = OMIT, application: str = OMIT, intent: str = OMIT, evaluation_enabled: Union[bool, None] = OMIT, apply_corrections: Union[bool, None] = OMIT, safe_mode: Union[bool, None] = OMIT, fallback_config: Union[types.CallFallback, None] = OMIT, return_evaluation: bool = OMIT, input: Any = OMIT, secrets: Dict[str, str] = OMIT, session_id: str = OMIT, metadata: Union[Dict[str, Any], None] = OMIT, reference_id: Union[str, None] = OMIT, options: Optional[CallOptions] = None) -> types.Completion: ...

    def create(self, *, messages: List[types.ChatMessage], model: Union[str, None] = OMIT, temperature: Union[float, None] = OMIT, top_p: Union[float, None] = OMIT, n: Union[int, None] = OMIT, stream: Union[bool, None] = OMIT, stream_options: Union[Dict[str, Any], None] = OMIT, stop: Union[Union[str, List[str]], None] = OMIT, max_tokens: Union[int, None] = OMIT, max_completion_tokens: Union[int, None] = OMIT, presence_penalty: Union[float, None] = OMIT, frequency_penalty: Union[float, None] = OMIT, logprobs: Union[bool, None] = OMIT, top_logprobs: Union[int, None] = OMIT, response_format: Union[types.ResponseFormat, None] = OMIT, tools: Union[List[Dict[str, Any]], None] = OMIT, tool_choice: Union[Union[Literal["none", "auto", "required"], Dict[str, Any]], None] = OMIT, parallel_tool_calls: Union[bool, None] = OMIT, seed: Union[int, None] = OMIT, user: Union[str, None] = OMIT, reasoning_effort: Union[Literal["none", "minimal", "low", "medium", "high", "xhigh"], None] = OMIT, application: str = OMIT, intent: str = OMIT, evaluation_enabled: Union[bool, None] = OMIT, apply_corrections: Union[bool, None] = OMIT, safe_mode: Union[bool, None] = OMIT, fallback_config: Union[types.CallFallback, None] = OMIT, return_evaluation: bool = OMIT, input: Any = OMIT, secrets: Dict[str, str] = OMIT, session_id: str = OMIT, metadata: Union[Dict[str, Any], None] = OMIT, reference_id: Union[str, None] = OMIT, options: Optional[CallOptions] = None) -> Any:
        """Create a chat completion. Scope: invoke."""
        if stream == True:
            return self._chunks("POST /chat/completions", {"messages": messages, "model": model, "temperature": temperature, "top_p": top_p, "n": n, "stream": stream, "stream_options": stream_options, "stop": stop, "max_tokens": max_tokens, "max_completion_tokens": max_completion_tokens, "presence_penalty": presence_penalty, "frequency_penalty": frequency_penalty, "logprobs": logprobs, "top_logprobs": top_logprobs, "response_format": response_format, "tools": tools, "tool_choice": tool_choice, "parallel_tool_calls": parallel_tool_calls, "seed": seed, "user": user, "reasoning_effort": reasoning_effort, "application": application, "intent": intent, "evaluation_enabled": evaluation_enabled, "apply_corrections": apply_corrections, "safe_mode": safe_mode, "fallback_config": fallback_config, "return_evaluation": return_evaluation, "input": input, "secrets": secrets, "session_id": session_id, "metadata": metadata, "reference_id": reference_id}, options)
        return self._plain("POST /chat/completions", {"messages": messages, "model": model, "temperature": temperature, "top_p": top_p, "n": n, "stream": stream, "stream_options": stream_options, "stop": stop, "max_tokens": max_tokens, "max_completion_tokens": max_completion_tokens, "presence_penalty": presence_penalty, "frequency_penalty": frequency_penalty, "logprobs": logprobs, "top_logprobs": top_logprobs, "response_format": response_format, "tools": tools, "tool_choice": tool_choice, "parallel_tool_calls": parallel_tool_calls, "seed": seed, "user": user, "reasoning_effort": reasoning_effort, "application": application, "intent": intent, "evaluation_enabled": evaluation_enabled, "apply_corrections": apply_corrections, "safe_mode": safe_mode, "fallback_config": fallback_config, "return_evaluation": return_evaluation, "input": input, "secrets": secrets, "session_id": session_id, "metadata": metadata, "reference_id": reference_id}, options)

    def store_completion(self, *, chat_completion_request: types.CallMadeElsewhere, chat_completion_response: types.AnswerMadeElsewhere, timing: Union[types.Timing, None] = OMIT, options: Optional[CallOptions] = None) -> types.StoredCompletion:
        """Store an answer that was produced elsewhere. Scope: write."""
        return self._data("PUT /chat/completions/response", {"chat_completion_request": chat_completion_request, "chat_completion_response": chat_completion_response, "timing": timing}, options)

    def store_completions(self, *, items: List[types.StoreCompletion], options: Optional[CallOptions] = None) -> List[types.StoredCompletion]:
        """Store many answers that were produced elsewhere. Scope: write."""
        return self._data("PUT /chat/completions/responses", {"items": items}, options)


class RequestsApi(Api):
    """The family requests."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, application_id: int = OMIT, intent_id: int = OMIT, intent_group_id: int = OMIT, session_id: str = OMIT, model: str = OMIT, request_type: Literal["PROD", "RERUN", "SYNTHETIC", "MANUAL"] = OMIT, evaluation_status: Literal["PENDING", "PASS", "FAULT", "ERROR", "NA"] = OMIT, is_corrected: bool = OMIT, tag_ids: List[int] = OMIT, text: str = OMIT, origin: Literal["CHAT", "AGENT", "WORKFLOW", "MONITOR", "TEST", "EVALUATION", "EXTERNAL"] = OMIT, origin_id: str = OMIT, reference_id: str = OMIT, status: Literal["COMPLETED", "FAILED"] = OMIT, fallback_used: bool = OMIT, include_body: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.RecordedRequest]:
        """List the requests. Scope: read."""
        return self._list("GET /requests", {"offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "application_id": application_id, "intent_id": intent_id, "intent_group_id": intent_group_id, "session_id": session_id, "model": model, "request_type": request_type, "evaluation_status": evaluation_status, "is_corrected": is_corrected, "tag_ids": tag_ids, "text": text, "origin": origin, "origin_id": origin_id, "reference_id": reference_id, "status": status, "fallback_used": fallback_used, "include_body": include_body}, options)

    def search(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, application_id: int = OMIT, intent_id: int = OMIT, intent_group_id: int = OMIT, session_id: str = OMIT, model: str = OMIT, request_type: Literal["PROD", "RERUN", "SYNTHETIC", "MANUAL"] = OMIT, evaluation_status: Literal["PENDING", "PASS", "FAULT", "ERROR", "NA"] = OMIT, is_corrected: bool = OMIT, tag_ids: List[int] = OMIT, text: str = OMIT, origin: Literal["CHAT", "AGENT", "WORKFLOW", "MONITOR", "TEST", "EVALUATION", "EXTERNAL"] = OMIT, origin_id: str = OMIT, reference_id: str = OMIT, status: Literal["COMPLETED", "FAILED"] = OMIT, fallback_used: bool = OMIT, include_body: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.RecordedRequest]:
        """Search the requests. Scope: read."""
        return self._list("POST /requests/search", {"offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "application_id": application_id, "intent_id": intent_id, "intent_group_id": intent_group_id, "session_id": session_id, "model": model, "request_type": request_type, "evaluation_status": evaluation_status, "is_corrected": is_corrected, "tag_ids": tag_ids, "text": text, "origin": origin, "origin_id": origin_id, "reference_id": reference_id, "status": status, "fallback_used": fallback_used, "include_body": include_body}, options)

    def get(self, request_id: str, *, options: Optional[CallOptions] = None) -> types.RecordedRequest:
        """Get a request. Scope: read."""
        return self._data("GET /requests/{request_id}", {"request_id": request_id}, options)

    def delete(self, request_id: str, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete the content of a request. Scope: write."""
        return self._data("DELETE /requests/{request_id}", {"request_id": request_id}, options)

    def get_response(self, request_id: str, *, options: Optional[CallOptions] = None) -> types.ResponsePair:
        """Get the answer of a request and its correction. Scope: read."""
        return self._data("GET /requests/{request_id}/response", {"request_id": request_id}, options)

    def correct(self, request_id: str, *, choices: List[types.CorrectedChoice], note: Union[str, None] = OMIT, options: Optional[CallOptions] = None) -> types.RecordedRequest:
        """Correct the answer of a request. Scope: write."""
        return self._data("PUT /requests/{request_id}/response", {"request_id": request_id, "choices": choices, "note": note}, options)

    def remove_correction(self, request_id: str, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Remove the correction; the original answer applies again. Scope: write."""
        return self._data("DELETE /requests/{request_id}/response", {"request_id": request_id}, options)

    def rerun(self, request_id: str, *, model: str = OMIT, messages: List[types.Message] = OMIT, config: types.Config = OMIT, options: Optional[CallOptions] = None) -> types.RecordedRequest:
        """Repeat the call of a request. Scope: invoke."""
        return self._data("POST /requests/{request_id}/rerun", {"request_id": request_id, "model": model, "messages": messages, "config": config}, options)

    def evaluate(self, request_id: str, *, sentinel_ids: List[int] = OMIT, options: Optional[CallOptions] = None) -> List[types.EvaluationResult]:
        """Judge a request by sentinels and store the results. Scope: invoke."""
        return self._data("POST /requests/{request_id}/evaluate", {"request_id": request_id, "sentinel_ids": sentinel_ids}, options)

    def list_evaluations(self, request_id: str, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, start_date: int = OMIT, end_date: int = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.EvaluationResult]:
        """List the evaluations of a request. Scope: read."""
        return self._list("GET /requests/{request_id}/evaluations", {"request_id": request_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date}, options)


class SessionsApi(Api):
    """The family sessions."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, application_id: int = OMIT, intent_id: int = OMIT, has_fault: bool = OMIT, has_feedback: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ChatSession]:
        """List the sessions. Scope: read."""
        return self._list("GET /sessions", {"offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "application_id": application_id, "intent_id": intent_id, "has_fault": has_fault, "has_feedback": has_feedback}, options)

    def search(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, application_id: int = OMIT, intent_id: int = OMIT, has_fault: bool = OMIT, has_feedback: bool = OMIT, metadata: Dict[str, Any] = OMIT, text: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ChatSession]:
        """Search the sessions. Scope: read."""
        return self._list("POST /sessions/search", {"offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "application_id": application_id, "intent_id": intent_id, "has_fault": has_fault, "has_feedback": has_feedback, "metadata": metadata, "text": text}, options)

    def get(self, session_id: str, *, options: Optional[CallOptions] = None) -> types.ChatSession:
        """Get a session. Scope: read."""
        return self._data("GET /sessions/{session_id}", {"session_id": session_id}, options)

    def update(self, session_id: str, *, metadata: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.ChatSession:
        """Change the metadata of a session. Scope: write."""
        return self._data("PUT /sessions/{session_id}", {"session_id": session_id, "metadata": metadata}, options)

    def delete(self, session_id: str, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a session and the content of its requests. Scope: write."""
        return self._data("DELETE /sessions/{session_id}", {"session_id": session_id}, options)

    def list_requests(self, session_id: str, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.RecordedRequest]:
        """List the requests of a session. Scope: read."""
        return self._list("GET /sessions/{session_id}/requests", {"session_id": session_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def list_timeline(self, session_id: str, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.SessionEvent]:
        """List the events of a session, oldest first. Scope: read."""
        return self._list("GET /sessions/{session_id}/timeline", {"session_id": session_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def get_feedback(self, session_id: str, *, options: Optional[CallOptions] = None) -> types.SessionFeedback:
        """Get the feedback. Scope: read."""
        return self._data("GET /sessions/{session_id}/feedback", {"session_id": session_id}, options)

    def give_feedback(self, session_id: str, *, feedback_score: Union[int, None] = OMIT, feedback_text: Union[str, None] = OMIT, options: Optional[CallOptions] = None) -> types.SessionFeedback:
        """Set the feedback; it replaces earlier feedback. Scope: write."""
        return self._data("POST /sessions/{session_id}/feedback", {"session_id": session_id, "feedback_score": feedback_score, "feedback_text": feedback_text}, options)

    def delete_feedback(self, session_id: str, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete the feedback. Scope: write."""
        return self._data("DELETE /sessions/{session_id}/feedback", {"session_id": session_id}, options)

    def preview_transform(self, session_id: str, *, workflow_id: int, version: str = OMIT, release: str = OMIT, options: Optional[CallOptions] = None) -> types.TransformResult:
        """Run transform_session of a workflow on a session; nothing is stored. Scope: invoke."""
        return self._data("POST /sessions/{session_id}/transform-preview", {"session_id": session_id, "workflow_id": workflow_id, "version": version, "release": release}, options)


class TagsApi(Api):
    """The family tags."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Tag]:
        """List the tags. Scope: read."""
        return self._list("GET /tags", {"offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def create(self, *, tag_name: str, color: Union[str, None] = OMIT, description: Union[str, None] = OMIT, options: Optional[CallOptions] = None) -> types.Tag:
        """Create a tag. Scope: write."""
        return self._data("POST /tags", {"tag_name": tag_name, "color": color, "description": description}, options)

    def get(self, tag_id: int, *, options: Optional[CallOptions] = None) -> types.Tag:
        """Get a tag. Scope: read."""
        return self._data("GET /tags/{tag_id}", {"tag_id": tag_id}, options)

    def update(self, tag_id: int, *, tag_name: str = OMIT, color: Union[str, None] = OMIT, description: Union[str, None] = OMIT, options: Optional[CallOptions] = None) -> types.Tag:
        """Change a tag. Scope: write."""
        return self._data("PUT /tags/{tag_id}", {"tag_id": tag_id, "tag_name": tag_name, "color": color, "description": description}, options)

    def delete(self, tag_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a tag with its assignments and rules. Scope: write."""
        return self._data("DELETE /tags/{tag_id}", {"tag_id": tag_id}, options)

    def list_requests(self, tag_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.RecordedRequest]:
        """List the requests that have a tag. Scope: read."""
        return self._list("GET /tags/{tag_id}/requests", {"tag_id": tag_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def list_request_tags(self, request_id: str, *, options: Optional[CallOptions] = None) -> List[types.RequestTag]:
        """List the tags of a request. Scope: read."""
        return self._data("GET /requests/{request_id}/tags", {"request_id": request_id}, options)

    def add_request_tag(self, request_id: str, *, tag_id: int, options: Optional[CallOptions] = None) -> List[types.RequestTag]:
        """Add a tag to a request; a second time changes nothing. Scope: write."""
        return self._data("POST /requests/{request_id}/tags", {"request_id": request_id, "tag_id": tag_id}, options)

    def remove_request_tag(self, request_id: str, tag_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Remove a tag from a request. Scope: write."""
        return self._data("DELETE /requests/{request_id}/tags/{tag_id}", {"request_id": request_id, "tag_id": tag_id}, options)

    def list_rules(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, tag_id: int = OMIT, enabled: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.TagRule]:
        """List the tag rules. Scope: read."""
        return self._list("GET /tags/rules", {"offset": offset, "limit": limit, "search": search, "sort": sort, "tag_id": tag_id, "enabled": enabled}, options)

    def create_rule(self, *, rule_name: str, tag_id: int, application_id: Union[int, None] = OMIT, intent_group_id: Union[int, None] = OMIT, method: Literal["CONDITIONS", "LLM"] = OMIT, conditions: Union[types.ConditionGroup, None] = OMIT, prompt: Union[str, None] = OMIT, apply_to_new: bool = OMIT, enabled: bool = OMIT, options: Optional[CallOptions] = None) -> types.TagRule:
        """Create a tag rule. Scope: write."""
        return self._data("POST /tags/rules", {"rule_name": rule_name, "tag_id": tag_id, "application_id": application_id, "intent_group_id": intent_group_id, "method": method, "conditions": conditions, "prompt": prompt, "apply_to_new": apply_to_new, "enabled": enabled}, options)

    def get_rule(self, rule_id: int, *, options: Optional[CallOptions] = None) -> types.TagRule:
        """Get a tag rule. Scope: read."""
        return self._data("GET /tags/rules/{rule_id}", {"rule_id": rule_id}, options)

    def update_rule(self, rule_id: int, *, rule_name: str = OMIT, tag_id: int = OMIT, application_id: Union[int, None] = OMIT, intent_group_id: Union[int, None] = OMIT, method: Literal["CONDITIONS", "LLM"] = OMIT, conditions: Union[types.ConditionGroup, None] = OMIT, prompt: Union[str, None] = OMIT, apply_to_new: bool = OMIT, enabled: bool = OMIT, options: Optional[CallOptions] = None) -> types.TagRule:
        """Change a tag rule; tag runs keep the rules with which they were created. Scope: write."""
        return self._data("PUT /tags/rules/{rule_id}", {"rule_id": rule_id, "rule_name": rule_name, "tag_id": tag_id, "application_id": application_id, "intent_group_id": intent_group_id, "method": method, "conditions": conditions, "prompt": prompt, "apply_to_new": apply_to_new, "enabled": enabled}, options)

    def delete_rule(self, rule_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a tag rule; the tags it has assigned stay. Scope: write."""
        return self._data("DELETE /tags/rules/{rule_id}", {"rule_id": rule_id}, options)

    def enable_rule(self, rule_id: int, *, options: Optional[CallOptions] = None) -> types.TagRule:
        """Enable a tag rule. Scope: write."""
        return self._data("PUT /tags/rules/{rule_id}/enable", {"rule_id": rule_id}, options)

    def disable_rule(self, rule_id: int, *, options: Optional[CallOptions] = None) -> types.TagRule:
        """Disable a tag rule: new requests are not tagged by it. Scope: write."""
        return self._data("PUT /tags/rules/{rule_id}/disable", {"rule_id": rule_id}, options)

    def preview_rule(self, rule_id: int, *, application_id: int = OMIT, intent_id: int = OMIT, intent_group_id: int = OMIT, session_id: str = OMIT, model: str = OMIT, request_type: Literal["PROD", "RERUN", "SYNTHETIC", "MANUAL"] = OMIT, evaluation_status: Literal["PENDING", "PASS", "FAULT", "ERROR", "NA"] = OMIT, is_corrected: bool = OMIT, tag_ids: List[int] = OMIT, text: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, request_id: str = OMIT, limit: int = OMIT, options: Optional[CallOptions] = None) -> List[types.TagVerdict]:
        """Judge requests by a tag rule without tagging them. Scope: invoke."""
        return self._data("POST /tags/rules/{rule_id}/preview", {"rule_id": rule_id, "application_id": application_id, "intent_id": intent_id, "intent_group_id": intent_group_id, "session_id": session_id, "model": model, "request_type": request_type, "evaluation_status": evaluation_status, "is_corrected": is_corrected, "tag_ids": tag_ids, "text": text, "start_date": start_date, "end_date": end_date, "request_id": request_id, "limit": limit}, options)

    def list_runs(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, status: Literal["PENDING", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.TagRun]:
        """List the tag runs. Scope: read."""
        return self._list("GET /tags/runs", {"offset": offset, "limit": limit, "search": search, "sort": sort, "status": status}, options)

    def create_run(self, *, rule_ids: List[int], filters: types.RequestFilter = OMIT, options: Optional[CallOptions] = None) -> types.TagRun:
        """Apply tag rules to recorded requests; a run removes no tag. Scope: invoke."""
        return self._data("POST /tags/runs", {"rule_ids": rule_ids, "filters": filters}, options)

    def get_run(self, run_id: int, *, options: Optional[CallOptions] = None) -> types.TagRun:
        """Get a tag run. Scope: read."""
        return self._data("GET /tags/runs/{run_id}", {"run_id": run_id}, options)

    def cancel_run(self, run_id: int, *, options: Optional[CallOptions] = None) -> types.TagRun:
        """Cancel a tag run; the tags it has assigned stay. Scope: invoke."""
        return self._data("POST /tags/runs/{run_id}/cancel", {"run_id": run_id}, options)


class SentinelsApi(Api):
    """The family sentinels."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, intent_group_id: int = OMIT, severity: int = OMIT, state: Literal["ENABLED", "DISABLED"] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Sentinel]:
        """List the sentinels. Scope: read."""
        return self._list("GET /sentinels", {"offset": offset, "limit": limit, "search": search, "sort": sort, "intent_group_id": intent_group_id, "severity": severity, "state": state}, options)

    def create(self, *, sentinel_name: str, severity: int, intent_group_id: int, sentinel_directive: types.SentinelDirective, meta: Dict[str, Any] = OMIT, state: Literal["ENABLED", "DISABLED"] = OMIT, options: Optional[CallOptions] = None) -> types.Sentinel:
        """Create a sentinel over the answers of an intent group. Scope: write."""
        return self._data("POST /sentinels", {"sentinel_name": sentinel_name, "severity": severity, "intent_group_id": intent_group_id, "sentinel_directive": sentinel_directive, "meta": meta, "state": state}, options)

    def generate(self, *, intent_group_id: int, prompt: str, options: Optional[CallOptions] = None) -> types.GeneratedSentinel:
        """Propose a sentinel for a description, without storing it. Scope: invoke."""
        return self._data("POST /sentinels/generate", {"intent_group_id": intent_group_id, "prompt": prompt}, options)

    def get(self, sentinel_id: int, *, options: Optional[CallOptions] = None) -> types.Sentinel:
        """Get a sentinel. Scope: read."""
        return self._data("GET /sentinels/{sentinel_id}", {"sentinel_id": sentinel_id}, options)

    def update(self, sentinel_id: int, *, sentinel_name: str = OMIT, severity: int = OMIT, sentinel_directive: types.DirectiveChange = OMIT, meta: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.Sentinel:
        """Change a sentinel; evaluation runs keep the sentinels with which they were created. Scope: write."""
        return self._data("PUT /sentinels/{sentinel_id}", {"sentinel_id": sentinel_id, "sentinel_name": sentinel_name, "severity": severity, "sentinel_directive": sentinel_directive, "meta": meta}, options)

    def delete(self, sentinel_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a sentinel; its results stay. Scope: write."""
        return self._data("DELETE /sentinels/{sentinel_id}", {"sentinel_id": sentinel_id}, options)

    def enable(self, sentinel_id: int, *, options: Optional[CallOptions] = None) -> types.Sentinel:
        """Enable a sentinel. Scope: write."""
        return self._data("PUT /sentinels/{sentinel_id}/enable", {"sentinel_id": sentinel_id}, options)

    def disable(self, sentinel_id: int, *, options: Optional[CallOptions] = None) -> types.Sentinel:
        """Disable a sentinel: new traffic is not judged by it. Scope: write."""
        return self._data("PUT /sentinels/{sentinel_id}/disable", {"sentinel_id": sentinel_id}, options)

    def test(self, sentinel_id: int, *, request_id: str = OMIT, messages: List[types.Message] = OMIT, response: Any = OMIT, options: Optional[CallOptions] = None) -> types.EvaluationTrial:
        """Judge a recorded request, or messages and an answer, without storing anything. Scope: invoke."""
        return self._data("POST /sentinels/{sentinel_id}/test", {"sentinel_id": sentinel_id, "request_id": request_id, "messages": messages, "response": response}, options)

    def list_results(self, sentinel_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, status: Literal["PASS", "FAULT", "ERROR", "NA"] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.EvaluationResult]:
        """List the results of a sentinel. Scope: read."""
        return self._list("GET /sentinels/{sentinel_id}/results", {"sentinel_id": sentinel_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "status": status}, options)

    def list_intent_group_sentinels(self, intent_group_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Sentinel]:
        """List the sentinels of an intent group. Scope: read."""
        return self._list("GET /intent-groups/{intent_group_id}/sentinels", {"intent_group_id": intent_group_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)


class EvaluationsApi(Api):
    """The family evaluations."""

    def list_results(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, status: Literal["PASS", "FAULT", "ERROR", "NA"] = OMIT, sentinel_id: int = OMIT, application_id: int = OMIT, intent_id: int = OMIT, intent_group_id: int = OMIT, severity: int = OMIT, failure_class: Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"] = OMIT, start_date: int = OMIT, end_date: int = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.EvaluationResult]:
        """List the results of sentinels. Scope: read."""
        return self._list("GET /evaluations/results", {"offset": offset, "limit": limit, "search": search, "sort": sort, "status": status, "sentinel_id": sentinel_id, "application_id": application_id, "intent_id": intent_id, "intent_group_id": intent_group_id, "severity": severity, "failure_class": failure_class, "start_date": start_date, "end_date": end_date}, options)

    def search_results(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, status: Literal["PASS", "FAULT", "ERROR", "NA"] = OMIT, sentinel_id: int = OMIT, application_id: int = OMIT, intent_id: int = OMIT, intent_group_id: int = OMIT, severity: int = OMIT, failure_class: Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"] = OMIT, start_date: int = OMIT, end_date: int = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.EvaluationResult]:
        """Search the results of sentinels. Scope: read."""
        return self._list("POST /evaluations/results/search", {"offset": offset, "limit": limit, "search": search, "sort": sort, "status": status, "sentinel_id": sentinel_id, "application_id": application_id, "intent_id": intent_id, "intent_group_id": intent_group_id, "severity": severity, "failure_class": failure_class, "start_date": start_date, "end_date": end_date}, options)

    def list_results_of_request(self, request_id: str, *, options: Optional[CallOptions] = None) -> List[types.EvaluationResult]:
        """List the newest 1,000 results of one request. Scope: read."""
        return self._data("GET /evaluations/results/request/{request_id}", {"request_id": request_id}, options)

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, status: Literal["PENDING", "RUNNING", "DONE", "ERROR", "CANCELLED"] = OMIT, application_id: int = OMIT, intent_id: int = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.EvaluationRun]:
        """List the evaluation runs. Scope: read."""
        return self._list("GET /evaluations", {"offset": offset, "limit": limit, "search": search, "sort": sort, "status": status, "application_id": application_id, "intent_id": intent_id}, options)

    def create(self, *, application_id: int, intent_id: int, start_date: int, end_date: int, sentinel_ids: List[int], name: Union[str, None] = OMIT, sentinel_overrides: Dict[str, types.SentinelDirective] = OMIT, request_limit: Union[int, None] = OMIT, options: Optional[CallOptions] = None) -> types.EvaluationRun:
        """Judge recorded requests of an intent by sentinels. Scope: invoke."""
        return self._data("POST /evaluations", {"name": name, "application_id": application_id, "intent_id": intent_id, "start_date": start_date, "end_date": end_date, "sentinel_ids": sentinel_ids, "sentinel_overrides": sentinel_overrides, "request_limit": request_limit}, options)

    def estimate(self, *, application_id: int, intent_id: int, start_date: int, end_date: int, sentinel_ids: List[int], name: Union[str, None] = OMIT, sentinel_overrides: Dict[str, types.SentinelDirective] = OMIT, request_limit: Union[int, None] = OMIT, options: Optional[CallOptions] = None) -> types.EvaluationEstimate:
        """Count what an evaluation run would judge, and estimate its cost. Scope: read."""
        return self._data("POST /evaluations/estimate", {"name": name, "application_id": application_id, "intent_id": intent_id, "start_date": start_date, "end_date": end_date, "sentinel_ids": sentinel_ids, "sentinel_overrides": sentinel_overrides, "request_limit": request_limit}, options)

    def get(self, evaluation_id: int, *, options: Optional[CallOptions] = None) -> types.EvaluationRun:
        """Get an evaluation run. Scope: read."""
        return self._data("GET /evaluations/{evaluation_id}", {"evaluation_id": evaluation_id}, options)

    def delete(self, evaluation_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete an evaluation run that has ended; its results stay. Scope: write."""
        return self._data("DELETE /evaluations/{evaluation_id}", {"evaluation_id": evaluation_id}, options)

    def cancel(self, evaluation_id: int, *, options: Optional[CallOptions] = None) -> types.EvaluationRun:
        """Cancel an evaluation run; the results it has stored stay. Scope: invoke."""
        return self._data("POST /evaluations/{evaluation_id}/cancel", {"evaluation_id": evaluation_id}, options)

    def reset_failed(self, evaluation_id: int, *, classes: List[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"]] = OMIT, options: Optional[CallOptions] = None) -> types.EvaluationRun:
        """Repeat the failed judgements of an evaluation run, in the place of their results. Scope: invoke."""
        return self._data("POST /evaluations/{evaluation_id}/reset-failed", {"evaluation_id": evaluation_id, "classes": classes}, options)

    def list_run_results(self, evaluation_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, status: Literal["PASS", "FAULT", "ERROR", "NA"] = OMIT, sentinel_id: int = OMIT, failure_class: Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.RequestEvaluationResults]:
        """List the results of an evaluation run by request. Scope: read."""
        return self._list("GET /evaluations/{evaluation_id}/results", {"evaluation_id": evaluation_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "status": status, "sentinel_id": sentinel_id, "failure_class": failure_class}, options)


class ReportsApi(Api):
    """The family reports."""

    @overload
    def list_faults(self, *, format: Literal["csv"], offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, start_date: int = OMIT, end_date: int = OMIT, application_id: int = OMIT, intent_id: int = OMIT, intent_group_id: int = OMIT, sentinel_id: int = OMIT, severity: int = OMIT, corrected: bool = OMIT, options: Optional[CallOptions] = None) -> Download: ...

    @overload
    def list_faults(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, start_date: int = OMIT, end_date: int = OMIT, application_id: int = OMIT, intent_id: int = OMIT, format: Literal["json"] = OMIT, intent_group_id: int = OMIT, sentinel_id: int = OMIT, severity: int = OMIT, corrected: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ReportedFault]: ...

    def list_faults(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, start_date: int = OMIT, end_date: int = OMIT, application_id: int = OMIT, intent_id: int = OMIT, format: Literal["json", "csv"] = OMIT, intent_group_id: int = OMIT, sentinel_id: int = OMIT, severity: int = OMIT, corrected: bool = OMIT, options: Optional[CallOptions] = None) -> Any:
        """List the faults that sentinels have found. Scope: read."""
        if format == "csv":
            return self._download("GET /reports/faults", {"offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "application_id": application_id, "intent_id": intent_id, "format": format, "intent_group_id": intent_group_id, "sentinel_id": sentinel_id, "severity": severity, "corrected": corrected}, options)
        return self._list("GET /reports/faults", {"offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "application_id": application_id, "intent_id": intent_id, "format": format, "intent_group_id": intent_group_id, "sentinel_id": sentinel_id, "severity": severity, "corrected": corrected}, options)

    @overload
    def summarize_faults(self, *, format: Literal["csv"], offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, start_date: int = OMIT, end_date: int = OMIT, application_id: int = OMIT, intent_id: int = OMIT, intent_group_id: int = OMIT, sentinel_id: int = OMIT, severity: int = OMIT, corrected: bool = OMIT, group_by: Literal["sentinel", "intent", "application", "day"] = OMIT, options: Optional[CallOptions] = None) -> Download: ...

    @overload
    def summarize_faults(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, start_date: int = OMIT, end_date: int = OMIT, application_id: int = OMIT, intent_id: int = OMIT, format: Literal["json"] = OMIT, intent_group_id: int = OMIT, sentinel_id: int = OMIT, severity: int = OMIT, corrected: bool = OMIT, group_by: Literal["sentinel", "intent", "application", "day"] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.FaultSummary]: ...

    def summarize_faults(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, start_date: int = OMIT, end_date: int = OMIT, application_id: int = OMIT, intent_id: int = OMIT, format: Literal["json", "csv"] = OMIT, intent_group_id: int = OMIT, sentinel_id: int = OMIT, severity: int = OMIT, corrected: bool = OMIT, group_by: Literal["sentinel", "intent", "application", "day"] = OMIT, options: Optional[CallOptions] = None) -> Any:
        """Count the faults by sentinel, intent, application or day. Scope: read."""
        if format == "csv":
            return self._download("GET /reports/faults/summary", {"offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "application_id": application_id, "intent_id": intent_id, "format": format, "intent_group_id": intent_group_id, "sentinel_id": sentinel_id, "severity": severity, "corrected": corrected, "group_by": group_by}, options)
        return self._list("GET /reports/faults/summary", {"offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "application_id": application_id, "intent_id": intent_id, "format": format, "intent_group_id": intent_group_id, "sentinel_id": sentinel_id, "severity": severity, "corrected": corrected, "group_by": group_by}, options)

    @overload
    def list_fallbacks(self, *, format: Literal["csv"], offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, start_date: int = OMIT, end_date: int = OMIT, application_id: int = OMIT, intent_id: int = OMIT, model: str = OMIT, options: Optional[CallOptions] = None) -> Download: ...

    @overload
    def list_fallbacks(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, start_date: int = OMIT, end_date: int = OMIT, application_id: int = OMIT, intent_id: int = OMIT, format: Literal["json"] = OMIT, model: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ReportedFallback]: ...

    def list_fallbacks(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, start_date: int = OMIT, end_date: int = OMIT, application_id: int = OMIT, intent_id: int = OMIT, format: Literal["json", "csv"] = OMIT, model: str = OMIT, options: Optional[CallOptions] = None) -> Any:
        """List the requests that a fallback model answered. Scope: read."""
        if format == "csv":
            return self._download("GET /reports/fallbacks", {"offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "application_id": application_id, "intent_id": intent_id, "format": format, "model": model}, options)
        return self._list("GET /reports/fallbacks", {"offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "application_id": application_id, "intent_id": intent_id, "format": format, "model": model}, options)

    @overload
    def summarize_fallbacks(self, *, format: Literal["csv"], offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, start_date: int = OMIT, end_date: int = OMIT, application_id: int = OMIT, intent_id: int = OMIT, model: str = OMIT, group_by: Literal["primary_model", "fallback_model", "reason", "day"] = OMIT, options: Optional[CallOptions] = None) -> Download: ...

    @overload
    def summarize_fallbacks(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, start_date: int = OMIT, end_date: int = OMIT, application_id: int = OMIT, intent_id: int = OMIT, format: Literal["json"] = OMIT, model: str = OMIT, group_by: Literal["primary_model", "fallback_model", "reason", "day"] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.FallbackSummary]: ...

    def summarize_fallbacks(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, start_date: int = OMIT, end_date: int = OMIT, application_id: int = OMIT, intent_id: int = OMIT, format: Literal["json", "csv"] = OMIT, model: str = OMIT, group_by: Literal["primary_model", "fallback_model", "reason", "day"] = OMIT, options: Optional[CallOptions] = None) -> Any:
        """Count the fallbacks by model, reason or day. Scope: read."""
        if format == "csv":
            return self._download("GET /reports/fallbacks/summary", {"offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "application_id": application_id, "intent_id": intent_id, "format": format, "model": model, "group_by": group_by}, options)
        return self._list("GET /reports/fallbacks/summary", {"offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "application_id": application_id, "intent_id": intent_id, "format": format, "model": model, "group_by": group_by}, options)


class SearchApi(Api):
    """The family search."""

    def documents(self, *, q: str, surface: Literal["api", "cli", "all"] = OMIT, limit: int = OMIT, options: Optional[CallOptions] = None) -> types.SearchResults:
        """Search the API and the command line in natural language. Scope: read."""
        return self._data("GET /search", {"surface": surface, "limit": limit, "q": q}, options)

    def documents_by_body(self, *, query: str, surface: Literal["api", "cli", "all"] = OMIT, limit: int = OMIT, options: Optional[CallOptions] = None) -> types.SearchResults:
        """Search the API and the command line in natural language. Scope: read."""
        return self._data("POST /search", {"surface": surface, "limit": limit, "query": query}, options)

    def ask(self, *, question: str, context: types.HelpContext = OMIT, options: Optional[CallOptions] = None) -> types.HelpAnswer:
        """Ask how something is done with the API. Scope: read."""
        return self._data("POST /help", {"question": question, "context": context}, options)

    def find(self, *, q: str, types: List[Literal["application", "intent", "intent_group", "agent", "agent_action", "agent_task", "mcp_server", "workflow", "workflow_run", "monitor", "sentinel", "session", "request", "dataset", "composition", "finetune_run", "test_set", "test_run", "evaluation_criteria", "evaluation_run", "model", "model_provider", "tag", "tag_rule", "tag_run", "api_key", "webhook"]] = OMIT, limit: int = OMIT, options: Optional[CallOptions] = None) -> List[types.Found]:
        """Find resources of any family by name or id. Scope: read."""
        return self._data("GET /find", {"q": q, "types": types, "limit": limit}, options)


class AnalyticsApi(Api):
    """The family analytics."""

    def get_request_volume(self, *, start_date: int = OMIT, end_date: int = OMIT, bucket: Literal["hour", "day", "week"] = OMIT, application_id: int = OMIT, intent_id: int = OMIT, intent_group_id: int = OMIT, agent_id: int = OMIT, model: str = OMIT, request_type: Literal["PROD", "RERUN", "SYNTHETIC", "MANUAL"] = OMIT, group_by: Literal["none", "application", "intent", "intent_group", "model", "agent", "release", "workflow"] = OMIT, options: Optional[CallOptions] = None) -> types.RequestVolume:
        """Count the requests over time. Scope: read."""
        return self._data("GET /analytics/request-volume", {"start_date": start_date, "end_date": end_date, "bucket": bucket, "application_id": application_id, "intent_id": intent_id, "intent_group_id": intent_group_id, "agent_id": agent_id, "model": model, "request_type": request_type, "group_by": group_by}, options)

    def get_fault_rate(self, *, start_date: int = OMIT, end_date: int = OMIT, bucket: Literal["hour", "day", "week"] = OMIT, application_id: int = OMIT, intent_id: int = OMIT, intent_group_id: int = OMIT, agent_id: int = OMIT, model: str = OMIT, request_type: Literal["PROD", "RERUN", "SYNTHETIC", "MANUAL"] = OMIT, group_by: Literal["none", "application", "intent", "intent_group", "model", "agent", "release", "workflow"] = OMIT, options: Optional[CallOptions] = None) -> types.FaultRate:
        """Get the fault rate over time. Scope: read."""
        return self._data("GET /analytics/fault-rate", {"start_date": start_date, "end_date": end_date, "bucket": bucket, "application_id": application_id, "intent_id": intent_id, "intent_group_id": intent_group_id, "agent_id": agent_id, "model": model, "request_type": request_type, "group_by": group_by}, options)

    def get_latency(self, *, start_date: int = OMIT, end_date: int = OMIT, bucket: Literal["hour", "day", "week"] = OMIT, application_id: int = OMIT, intent_id: int = OMIT, intent_group_id: int = OMIT, agent_id: int = OMIT, model: str = OMIT, request_type: Literal["PROD", "RERUN", "SYNTHETIC", "MANUAL"] = OMIT, group_by: Literal["none", "application", "intent", "intent_group", "model", "agent", "release", "workflow"] = OMIT, options: Optional[CallOptions] = None) -> types.Latency:
        """Get response times over time. Scope: read."""
        return self._data("GET /analytics/latency", {"start_date": start_date, "end_date": end_date, "bucket": bucket, "application_id": application_id, "intent_id": intent_id, "intent_group_id": intent_group_id, "agent_id": agent_id, "model": model, "request_type": request_type, "group_by": group_by}, options)

    def get_usage(self, *, start_date: int = OMIT, end_date: int = OMIT, bucket: Literal["hour", "day", "week"] = OMIT, application_id: int = OMIT, intent_id: int = OMIT, intent_group_id: int = OMIT, agent_id: int = OMIT, model: str = OMIT, request_type: Literal["PROD", "RERUN", "SYNTHETIC", "MANUAL"] = OMIT, group_by: Literal["none", "application", "intent", "intent_group", "model", "agent", "release", "workflow"] = OMIT, options: Optional[CallOptions] = None) -> types.UsageOverTime:
        """Get the tokens used and their cost over time. Scope: read."""
        return self._data("GET /analytics/usage", {"start_date": start_date, "end_date": end_date, "bucket": bucket, "application_id": application_id, "intent_id": intent_id, "intent_group_id": intent_group_id, "agent_id": agent_id, "model": model, "request_type": request_type, "group_by": group_by}, options)

    def get_summary(self, *, start_date: int = OMIT, end_date: int = OMIT, bucket: Literal["hour", "day", "week"] = OMIT, application_id: int = OMIT, intent_id: int = OMIT, intent_group_id: int = OMIT, agent_id: int = OMIT, model: str = OMIT, request_type: Literal["PROD", "RERUN", "SYNTHETIC", "MANUAL"] = OMIT, group_by: Literal["none", "application", "intent", "intent_group", "model", "agent", "release", "workflow"] = OMIT, options: Optional[CallOptions] = None) -> types.AnalyticsSummary:
        """Summarize the requests of a date range. Scope: read."""
        return self._data("GET /analytics/summary", {"start_date": start_date, "end_date": end_date, "bucket": bucket, "application_id": application_id, "intent_id": intent_id, "intent_group_id": intent_group_id, "agent_id": agent_id, "model": model, "request_type": request_type, "group_by": group_by}, options)


class AgentsApi(Api):
    """The family agents."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, application_id: int = OMIT, status: List[Literal["ENABLED", "DISABLED"]] = OMIT, kind: List[Literal["HOSTED", "EXTERNAL"]] = OMIT, execution_mode: List[Literal["reasoning", "route"]] = OMIT, model: List[str] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.AgentSummary]:
        """List the agents. Scope: read."""
        return self._list("GET /agents", {"offset": offset, "limit": limit, "search": search, "sort": sort, "application_id": application_id, "status": status, "kind": kind, "execution_mode": execution_mode, "model": model}, options)

    def create(self, *, application_id: int, agent_name: str, kind: Literal["HOSTED", "EXTERNAL"] = OMIT, description: Union[str, None] = OMIT, status: Literal["ENABLED", "DISABLED"] = OMIT, execution_mode: Literal["reasoning", "route"] = OMIT, model: Union[str, None] = OMIT, system_prompt: Union[str, None] = OMIT, strategy_prompt_addendum: Union[str, None] = OMIT, agent_config: types.AgentConfig = OMIT, max_iterations: int = OMIT, max_cost: Union[float, None] = OMIT, response_format: Union[types.ResponseFormat, None] = OMIT, base_url: Union[str, None] = OMIT, meta: Dict[str, Any] = OMIT, mcp_servers: List[int] = OMIT, options: Optional[CallOptions] = None) -> types.Agent:
        """Create an agent. Scope: write."""
        return self._data("POST /agents", {"application_id": application_id, "agent_name": agent_name, "kind": kind, "description": description, "status": status, "execution_mode": execution_mode, "model": model, "system_prompt": system_prompt, "strategy_prompt_addendum": strategy_prompt_addendum, "agent_config": agent_config, "max_iterations": max_iterations, "max_cost": max_cost, "response_format": response_format, "base_url": base_url, "meta": meta, "mcp_servers": mcp_servers}, options)

    def get(self, agent_id: int, *, options: Optional[CallOptions] = None) -> types.Agent:
        """Get an agent with its parts. Scope: read."""
        return self._data("GET /agents/{agent_id}", {"agent_id": agent_id}, options)

    def update(self, agent_id: int, *, application_id: int = OMIT, agent_name: str = OMIT, kind: Literal["HOSTED", "EXTERNAL"] = OMIT, description: Union[str, None] = OMIT, status: Literal["ENABLED", "DISABLED"] = OMIT, execution_mode: Literal["reasoning", "route"] = OMIT, model: Union[str, None] = OMIT, system_prompt: Union[str, None] = OMIT, strategy_prompt_addendum: Union[str, None] = OMIT, agent_config: types.AgentConfig = OMIT, max_iterations: int = OMIT, max_cost: Union[float, None] = OMIT, response_format: Union[types.ResponseFormat, None] = OMIT, base_url: Union[str, None] = OMIT, meta: Dict[str, Any] = OMIT, mcp_servers: List[int] = OMIT, options: Optional[CallOptions] = None) -> types.Agent:
        """Change the draft of an agent. Scope: write."""
        return self._data("PUT /agents/{agent_id}", {"agent_id": agent_id, "application_id": application_id, "agent_name": agent_name, "kind": kind, "description": description, "status": status, "execution_mode": execution_mode, "model": model, "system_prompt": system_prompt, "strategy_prompt_addendum": strategy_prompt_addendum, "agent_config": agent_config, "max_iterations": max_iterations, "max_cost": max_cost, "response_format": response_format, "base_url": base_url, "meta": meta, "mcp_servers": mcp_servers}, options)

    def delete(self, agent_id: int, *, force: bool = OMIT, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete an agent. Scope: write."""
        return self._data("DELETE /agents/{agent_id}", {"agent_id": agent_id, "force": force}, options)

    def enable(self, agent_id: int, *, options: Optional[CallOptions] = None) -> types.Agent:
        """Enable an agent. Scope: write."""
        return self._data("PUT /agents/{agent_id}/enable", {"agent_id": agent_id}, options)

    def disable(self, agent_id: int, *, options: Optional[CallOptions] = None) -> types.Agent:
        """Disable an agent; it can no longer be invoked. Scope: write."""
        return self._data("PUT /agents/{agent_id}/disable", {"agent_id": agent_id}, options)

    def list_actions(self, agent_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, enabled: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.AgentAction]:
        """List the actions of an agent. Scope: read."""
        return self._list("GET /agents/{agent_id}/actions", {"agent_id": agent_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "enabled": enabled}, options)

    def create_action(self, agent_id: int, *, action_name: str, action_type: Literal["llm", "api", "webhook", "maitai_workflow"], description: str, enabled: bool = OMIT, action_config: Union[Union[types.LlmActionConfig, types.ApiActionConfig, types.WebhookActionConfig, types.WorkflowActionConfig], None] = OMIT, meta: Dict[str, Any] = OMIT, is_default: bool = OMIT, action_result_type: Literal["gather_info", "complete_task"] = OMIT, invocation_mode: Literal["foreground", "background"] = OMIT, options: Optional[CallOptions] = None) -> types.AgentAction:
        """Add an action to an agent. Scope: write."""
        return self._data("POST /agents/{agent_id}/actions", {"agent_id": agent_id, "action_name": action_name, "action_type": action_type, "description": description, "enabled": enabled, "action_config": action_config, "meta": meta, "is_default": is_default, "action_result_type": action_result_type, "invocation_mode": invocation_mode}, options)

    def get_action(self, action_id: int, *, options: Optional[CallOptions] = None) -> types.AgentAction:
        """Get an action. Scope: read."""
        return self._data("GET /agents/actions/{action_id}", {"action_id": action_id}, options)

    def update_action(self, action_id: int, *, action_name: str = OMIT, action_type: Literal["llm", "api", "webhook", "maitai_workflow"] = OMIT, description: str = OMIT, enabled: bool = OMIT, action_config: Union[Union[types.LlmActionConfig, types.ApiActionConfig, types.WebhookActionConfig, types.WorkflowActionConfig], None] = OMIT, meta: Dict[str, Any] = OMIT, is_default: bool = OMIT, action_result_type: Literal["gather_info", "complete_task"] = OMIT, invocation_mode: Literal["foreground", "background"] = OMIT, options: Optional[CallOptions] = None) -> types.AgentAction:
        """Change an action. Scope: write."""
        return self._data("PUT /agents/actions/{action_id}", {"action_id": action_id, "action_name": action_name, "action_type": action_type, "description": description, "enabled": enabled, "action_config": action_config, "meta": meta, "is_default": is_default, "action_result_type": action_result_type, "invocation_mode": invocation_mode}, options)

    def delete_action(self, action_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete an action. Scope: write."""
        return self._data("DELETE /agents/actions/{action_id}", {"action_id": action_id}, options)

    def enable_action(self, action_id: int, *, options: Optional[CallOptions] = None) -> types.AgentAction:
        """Enable an action. Scope: write."""
        return self._data("PUT /agents/actions/{action_id}/enable", {"action_id": action_id}, options)

    def disable_action(self, action_id: int, *, options: Optional[CallOptions] = None) -> types.AgentAction:
        """Disable an action; it is no longer chosen. Scope: write."""
        return self._data("PUT /agents/actions/{action_id}/disable", {"action_id": action_id}, options)

    def test_action(self, action_id: int, *, arguments: Dict[str, Any] = OMIT, secrets: Dict[str, str] = OMIT, options: Optional[CallOptions] = None) -> types.ActionTest:
        """Run one action with given arguments; nothing is stored. Scope: invoke."""
        return self._data("POST /agents/actions/{action_id}/test", {"action_id": action_id, "arguments": arguments, "secrets": secrets}, options)

    def list_sub_agents(self, agent_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.SubAgentLink]:
        """List the sub-agents of an agent. Scope: read."""
        return self._list("GET /agents/{agent_id}/subagents", {"agent_id": agent_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def add_sub_agent(self, agent_id: int, *, child_agent_id: int, version: Union[str, None] = OMIT, release: Union[str, None] = OMIT, action_result_type: Literal["gather_info", "complete_task"] = OMIT, options: Optional[CallOptions] = None) -> types.SubAgentLink:
        """Link a sub-agent to an agent. Scope: write."""
        return self._data("POST /agents/{agent_id}/subagents", {"agent_id": agent_id, "child_agent_id": child_agent_id, "version": version, "release": release, "action_result_type": action_result_type}, options)

    def update_sub_agent(self, agent_id: int, child_agent_id: int, *, version: Union[str, None] = OMIT, release: Union[str, None] = OMIT, action_result_type: Literal["gather_info", "complete_task"] = OMIT, options: Optional[CallOptions] = None) -> types.SubAgentLink:
        """Change the link to a sub-agent. Scope: write."""
        return self._data("PUT /agents/{agent_id}/subagents/{child_agent_id}", {"agent_id": agent_id, "child_agent_id": child_agent_id, "version": version, "release": release, "action_result_type": action_result_type}, options)

    def remove_sub_agent(self, agent_id: int, child_agent_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Remove a sub-agent. Scope: write."""
        return self._data("DELETE /agents/{agent_id}/subagents/{child_agent_id}", {"agent_id": agent_id, "child_agent_id": child_agent_id}, options)

    def get_routing(self, agent_id: int, *, options: Optional[CallOptions] = None) -> types.Routing:
        """Get the routing of an agent. Scope: read."""
        return self._data("GET /agents/{agent_id}/routing/config", {"agent_id": agent_id}, options)

    def update_routing(self, agent_id: int, *, type: Literal["rules", "llm"] = OMIT, default: types.Route = OMIT, options: Optional[CallOptions] = None) -> types.Routing:
        """Change how an agent routes when no rule matches. Scope: write."""
        return self._data("PUT /agents/{agent_id}/routing/config", {"agent_id": agent_id, "type": type, "default": default}, options)

    def list_routing_rules(self, agent_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.RoutingRule]:
        """List the routing rules of an agent. Scope: read."""
        return self._list("GET /agents/{agent_id}/routing/rules", {"agent_id": agent_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def create_routing_rule(self, agent_id: int, *, label: str, conditions: List[types.RoutingCondition], route: types.Route, condition_expression: Union[str, None] = OMIT, enabled: bool = OMIT, position: int = OMIT, options: Optional[CallOptions] = None) -> types.RoutingRule:
        """Add a routing rule, at the end unless a position is given. Scope: write."""
        return self._data("POST /agents/{agent_id}/routing/rules", {"agent_id": agent_id, "label": label, "condition_expression": condition_expression, "conditions": conditions, "route": route, "enabled": enabled, "position": position}, options)

    def get_routing_rule(self, agent_id: int, rule_id: int, *, options: Optional[CallOptions] = None) -> types.RoutingRule:
        """Get a routing rule. Scope: read."""
        return self._data("GET /agents/{agent_id}/routing/rules/{rule_id}", {"agent_id": agent_id, "rule_id": rule_id}, options)

    def update_routing_rule(self, agent_id: int, rule_id: int, *, position: int = OMIT, label: str = OMIT, condition_expression: Union[str, None] = OMIT, conditions: List[types.RoutingCondition] = OMIT, route: types.Route = OMIT, enabled: bool = OMIT, options: Optional[CallOptions] = None) -> types.RoutingRule:
        """Change a routing rule. Scope: write."""
        return self._data("PUT /agents/{agent_id}/routing/rules/{rule_id}", {"agent_id": agent_id, "rule_id": rule_id, "position": position, "label": label, "condition_expression": condition_expression, "conditions": conditions, "route": route, "enabled": enabled}, options)

    def delete_routing_rule(self, agent_id: int, rule_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a routing rule. Scope: write."""
        return self._data("DELETE /agents/{agent_id}/routing/rules/{rule_id}", {"agent_id": agent_id, "rule_id": rule_id}, options)

    def reorder_routing_rule(self, agent_id: int, rule_id: int, *, position: int = OMIT, options: Optional[CallOptions] = None) -> List[types.RoutingRule]:
        """Move a routing rule to a position; without one to the end. Scope: write."""
        return self._data("PUT /agents/{agent_id}/routing/rules/{rule_id}/reorder", {"agent_id": agent_id, "rule_id": rule_id, "position": position}, options)

    def test_routing(self, agent_id: int, *, messages: List[types.Message], state: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.RoutingTest:
        """Try the routing on messages; nothing is stored. Scope: invoke."""
        return self._data("POST /agents/{agent_id}/routing/test", {"agent_id": agent_id, "messages": messages, "state": state}, options)

    def list_form_fields(self, agent_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.FormField]:
        """List the form fields of an agent. Scope: read."""
        return self._list("GET /agents/{agent_id}/form-fields", {"agent_id": agent_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def create_form_field(self, agent_id: int, *, field_key: str, label: str, field_type: Literal["string", "number", "boolean", "date", "enum", "object", "array"], description: Union[str, None] = OMIT, required: bool = OMIT, enum_values: Union[List[str], None] = OMIT, default_value: Union[Any, None] = OMIT, read_scope: Literal["all", "self"] = OMIT, write_scope: Literal["all", "self"] = OMIT, position: int = OMIT, options: Optional[CallOptions] = None) -> types.FormField:
        """Add a form field, at the end unless a position is given. Scope: write."""
        return self._data("POST /agents/{agent_id}/form-fields", {"agent_id": agent_id, "field_key": field_key, "label": label, "field_type": field_type, "description": description, "required": required, "enum_values": enum_values, "default_value": default_value, "read_scope": read_scope, "write_scope": write_scope, "position": position}, options)

    def get_form_field(self, agent_id: int, field_id: int, *, options: Optional[CallOptions] = None) -> types.FormField:
        """Get a form field. Scope: read."""
        return self._data("GET /agents/{agent_id}/form-fields/{field_id}", {"agent_id": agent_id, "field_id": field_id}, options)

    def update_form_field(self, agent_id: int, field_id: int, *, position: int = OMIT, field_key: str = OMIT, label: str = OMIT, field_type: Literal["string", "number", "boolean", "date", "enum", "object", "array"] = OMIT, description: Union[str, None] = OMIT, required: bool = OMIT, enum_values: Union[List[str], None] = OMIT, default_value: Union[Any, None] = OMIT, read_scope: Literal["all", "self"] = OMIT, write_scope: Literal["all", "self"] = OMIT, options: Optional[CallOptions] = None) -> types.FormField:
        """Change a form field. Scope: write."""
        return self._data("PUT /agents/{agent_id}/form-fields/{field_id}", {"agent_id": agent_id, "field_id": field_id, "position": position, "field_key": field_key, "label": label, "field_type": field_type, "description": description, "required": required, "enum_values": enum_values, "default_value": default_value, "read_scope": read_scope, "write_scope": write_scope}, options)

    def delete_form_field(self, agent_id: int, field_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a form field. Scope: write."""
        return self._data("DELETE /agents/{agent_id}/form-fields/{field_id}", {"agent_id": agent_id, "field_id": field_id}, options)

    def reorder_form_field(self, agent_id: int, field_id: int, *, position: int = OMIT, options: Optional[CallOptions] = None) -> types.FormField:
        """Move a form field to a position; without one to the end. Scope: write."""
        return self._data("PUT /agents/{agent_id}/form-fields/{field_id}/reorder", {"agent_id": agent_id, "field_id": field_id, "position": position}, options)

    def clone(self, agent_id: int, *, agent_name: str, application_id: int = OMIT, options: Optional[CallOptions] = None) -> types.Agent:
        """Copy the draft of an agent under a new name. Scope: write."""
        return self._data("POST /agents/{agent_id}/clone", {"agent_id": agent_id, "agent_name": agent_name, "application_id": application_id}, options)

    def import_(self, *, application: types.ManifestApplication, agents: List[types.ManifestAgent], on_conflict: Literal["error", "update"] = OMIT, prune: bool = OMIT, options: Optional[CallOptions] = None) -> types.AgentImport:
        """Create or update agents from a manifest, all or none. Scope: write."""
        return self._data("POST /agents/import", {"application": application, "agents": agents, "on_conflict": on_conflict, "prune": prune}, options)

    def export(self, agent_id: int, *, version: str = OMIT, options: Optional[CallOptions] = None) -> types.AgentManifest:
        """Get an agent as an importable manifest. Scope: read."""
        return self._data("GET /agents/{agent_id}/export", {"agent_id": agent_id, "version": version}, options)

    def publish_version(self, agent_id: int, *, increment: Literal["major", "minor", "patch"] = OMIT, version_notes: str = OMIT, version: str = OMIT, options: Optional[CallOptions] = None) -> types.AgentVersion:
        """Publish the draft of the agent as a new immutable version. Scope: write."""
        return self._data("POST /agents/{agent_id}/versions", {"agent_id": agent_id, "increment": increment, "version_notes": version_notes, "version": version}, options)

    def list_versions(self, agent_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.AgentVersion]:
        """List the published versions of the agent, newest first. Scope: read."""
        return self._list("GET /agents/{agent_id}/versions", {"agent_id": agent_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def diff_versions(self, agent_id: int, *, from_: str, to: str = OMIT, options: Optional[CallOptions] = None) -> types.VersionDiff:
        """Compare two versions of the agent. Scope: read."""
        return self._data("GET /agents/{agent_id}/versions/diff", {"agent_id": agent_id, "from": from_, "to": to}, options)

    def get_version(self, agent_id: int, version: str, *, include_snapshot: bool = OMIT, options: Optional[CallOptions] = None) -> types.AgentVersion:
        """Get one published version of the agent. Scope: read."""
        return self._data("GET /agents/{agent_id}/versions/{version}", {"agent_id": agent_id, "version": version, "include_snapshot": include_snapshot}, options)

    def restore_version(self, agent_id: int, version: str, *, options: Optional[CallOptions] = None) -> types.Agent:
        """Copy a published version onto the draft of the agent. Scope: write."""
        return self._data("POST /agents/{agent_id}/versions/{version}/restore", {"agent_id": agent_id, "version": version}, options)

    def list_releases(self, agent_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Release]:
        """List the releases of the agent. Scope: read."""
        return self._list("GET /agents/{agent_id}/releases", {"agent_id": agent_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def create_release(self, agent_id: int, *, name: str, version: str, is_default: bool = OMIT, gate_policy: Union[types.GatePolicy, None] = OMIT, mcp_enabled: bool = OMIT, override_reason: str = OMIT, options: Optional[CallOptions] = None) -> types.Release:
        """Create a release of the agent. Scope: write."""
        return self._data("POST /agents/{agent_id}/releases", {"agent_id": agent_id, "name": name, "version": version, "is_default": is_default, "gate_policy": gate_policy, "mcp_enabled": mcp_enabled, "override_reason": override_reason}, options)

    def get_release(self, agent_id: int, release_name: str, *, options: Optional[CallOptions] = None) -> types.Release:
        """Get a release of the agent. Scope: read."""
        return self._data("GET /agents/{agent_id}/releases/{release_name}", {"agent_id": agent_id, "release_name": release_name}, options)

    def update_release(self, agent_id: int, release_name: str, *, name: str = OMIT, version: str = OMIT, is_default: bool = OMIT, gate_policy: Union[types.GatePolicy, None] = OMIT, mcp_enabled: bool = OMIT, override_reason: str = OMIT, options: Optional[CallOptions] = None) -> types.Release:
        """Move, rename or change a release of the agent. Scope: write."""
        return self._data("PUT /agents/{agent_id}/releases/{release_name}", {"agent_id": agent_id, "release_name": release_name, "name": name, "version": version, "is_default": is_default, "gate_policy": gate_policy, "mcp_enabled": mcp_enabled, "override_reason": override_reason}, options)

    def delete_release(self, agent_id: int, release_name: str, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a release of the agent. Scope: write."""
        return self._data("DELETE /agents/{agent_id}/releases/{release_name}", {"agent_id": agent_id, "release_name": release_name}, options)

    def check_release(self, agent_id: int, release_name: str, *, version: str, options: Optional[CallOptions] = None) -> types.GateResult:
        """Check the gate of a release of the agent for a version without moving it. Scope: read."""
        return self._data("POST /agents/{agent_id}/releases/{release_name}/check", {"agent_id": agent_id, "release_name": release_name, "version": version}, options)

    def list_release_moves(self, agent_id: int, release_name: str, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ReleaseMove]:
        """List the moves of a release of the agent, newest first. Scope: read."""
        return self._list("GET /agents/{agent_id}/releases/{release_name}/history", {"agent_id": agent_id, "release_name": release_name, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    @overload
    def invoke(self, agent_id: int, *, stream: Literal[True], message: str = OMIT, messages: List[types.Message] = OMIT, version: str = OMIT, release: str = OMIT, session_id: str = OMIT, max_iterations: int = OMIT, secrets: Dict[str, str] = OMIT, wait: bool = OMIT, response_format: Union[types.ResponseFormat, None] = OMIT, state: Dict[str, Any] = OMIT, metadata: Dict[str, Any] = OMIT, max_cost: Union[float, None] = OMIT, options: Optional[CallOptions] = None) -> EventStream[types.TaskStreamEvent]: ...

    @overload
    def invoke(self, agent_id: int, *, message: str = OMIT, messages: List[types.Message] = OMIT, version: str = OMIT, release: str = OMIT, session_id: str = OMIT, max_iterations: int = OMIT, secrets: Dict[str, str] = OMIT, wait: bool = OMIT, response_format: Union[types.ResponseFormat, None] = OMIT, stream: Literal[False] = OMIT, state: Dict[str, Any] = OMIT, metadata: Dict[str, Any] = OMIT, max_cost: Union[float, None] = OMIT, options: Optional[CallOptions] = None) -> types.Invocation: ...

    def invoke(self, agent_id: int, *, message: str = OMIT, messages: List[types.Message] = OMIT, version: str = OMIT, release: str = OMIT, session_id: str = OMIT, max_iterations: int = OMIT, secrets: Dict[str, str] = OMIT, wait: bool = OMIT, response_format: Union[types.ResponseFormat, None] = OMIT, stream: bool = OMIT, state: Dict[str, Any] = OMIT, metadata: Dict[str, Any] = OMIT, max_cost: Union[float, None] = OMIT, options: Optional[CallOptions] = None) -> Any:
        """Run an agent and, by default, wait for its answer. Scope: invoke."""
        if stream == True:
            return self._events("POST /agents/{agent_id}/invoke", {"agent_id": agent_id, "message": message, "messages": messages, "version": version, "release": release, "session_id": session_id, "max_iterations": max_iterations, "secrets": secrets, "wait": wait, "response_format": response_format, "stream": stream, "state": state, "metadata": metadata, "max_cost": max_cost}, options)
        return self._data("POST /agents/{agent_id}/invoke", {"agent_id": agent_id, "message": message, "messages": messages, "version": version, "release": release, "session_id": session_id, "max_iterations": max_iterations, "secrets": secrets, "wait": wait, "response_format": response_format, "stream": stream, "state": state, "metadata": metadata, "max_cost": max_cost}, options)

    def list_tasks(self, agent_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, status: List[Literal["QUEUED", "RUNNING", "WAITING_WEBHOOK", "COMPLETED", "FAILED", "CANCELLED"]] = OMIT, failure_class: List[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"]] = OMIT, error_code: List[Literal["max_iterations", "budget_exceeded", "secrets_unavailable", "output_schema", "interrupted", "script_error", "egress_denied", "webhook_ttl", "provider_error", "timeout", "depth_exceeded", "cancelled", "rule_too_costly", "model_not_found", "application_disabled", "invalid_config"]] = OMIT, trigger: List[Literal["API", "CHAT", "WORKFLOW", "TEST", "SUB_AGENT", "MONITOR", "MCP", "EXTERNAL"]] = OMIT, session_id: str = OMIT, release: str = OMIT, version: str = OMIT, text: str = OMIT, min_duration_ms: int = OMIT, min_cost: float = OMIT, include_body: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ListedTask]:
        """List the tasks of an agent, without their messages unless asked. Scope: read."""
        return self._list("GET /agents/{agent_id}/tasks", {"agent_id": agent_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "status": status, "failure_class": failure_class, "error_code": error_code, "trigger": trigger, "session_id": session_id, "release": release, "version": version, "text": text, "min_duration_ms": min_duration_ms, "min_cost": min_cost, "include_body": include_body}, options)

    def list_all_tasks(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, status: List[Literal["QUEUED", "RUNNING", "WAITING_WEBHOOK", "COMPLETED", "FAILED", "CANCELLED"]] = OMIT, failure_class: List[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"]] = OMIT, error_code: List[Literal["max_iterations", "budget_exceeded", "secrets_unavailable", "output_schema", "interrupted", "script_error", "egress_denied", "webhook_ttl", "provider_error", "timeout", "depth_exceeded", "cancelled", "rule_too_costly", "model_not_found", "application_disabled", "invalid_config"]] = OMIT, trigger: List[Literal["API", "CHAT", "WORKFLOW", "TEST", "SUB_AGENT", "MONITOR", "MCP", "EXTERNAL"]] = OMIT, session_id: str = OMIT, release: str = OMIT, version: str = OMIT, text: str = OMIT, min_duration_ms: int = OMIT, min_cost: float = OMIT, include_body: bool = OMIT, agent_id: int = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ListedTask]:
        """List the tasks of all agents, without their messages unless asked. Scope: read."""
        return self._list("GET /agents/tasks", {"offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "status": status, "failure_class": failure_class, "error_code": error_code, "trigger": trigger, "session_id": session_id, "release": release, "version": version, "text": text, "min_duration_ms": min_duration_ms, "min_cost": min_cost, "include_body": include_body, "agent_id": agent_id}, options)

    def get_any_task(self, task_id: str, *, wait_seconds: int = OMIT, options: Optional[CallOptions] = None) -> types.Task:
        """Get a task of any agent, waiting up to 30 s for its end. Scope: read."""
        return self._data("GET /agents/tasks/{task_id}", {"task_id": task_id, "wait_seconds": wait_seconds}, options)

    def get_task(self, agent_id: int, task_id: str, *, wait_seconds: int = OMIT, options: Optional[CallOptions] = None) -> types.Task:
        """Get a task, waiting up to 30 s for its end. Scope: read."""
        return self._data("GET /agents/{agent_id}/tasks/{task_id}", {"agent_id": agent_id, "task_id": task_id, "wait_seconds": wait_seconds}, options)

    def list_task_timeline(self, agent_id: int, task_id: str, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, include_children: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.TimelineEvent]:
        """List what happened in a task, oldest first. Scope: read."""
        return self._list("GET /agents/{agent_id}/tasks/{task_id}/timeline", {"agent_id": agent_id, "task_id": task_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "include_children": include_children}, options)

    def stream_task(self, agent_id: int, task_id: str, *, options: Optional[CallOptions] = None) -> EventStream[types.TaskStreamEvent]:
        """Follow a task as server-sent events. Scope: read."""
        return self._events("GET /agents/{agent_id}/tasks/{task_id}/stream", {"agent_id": agent_id, "task_id": task_id}, options)

    def cancel_task(self, agent_id: int, task_id: str, *, options: Optional[CallOptions] = None) -> types.Task:
        """Cancel a task that has not ended. Scope: invoke."""
        return self._data("POST /agents/{agent_id}/tasks/{task_id}/cancel", {"agent_id": agent_id, "task_id": task_id}, options)

    def list_sessions(self, agent_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.AgentSession]:
        """List the sessions of an agent. Scope: read."""
        return self._list("GET /agents/{agent_id}/sessions", {"agent_id": agent_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def get_session(self, agent_id: int, session_id: str, *, options: Optional[CallOptions] = None) -> types.AgentSession:
        """Get a session. Scope: read."""
        return self._data("GET /agents/{agent_id}/sessions/{session_id}", {"agent_id": agent_id, "session_id": session_id}, options)

    def delete_session(self, agent_id: int, session_id: str, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a session. Scope: write."""
        return self._data("DELETE /agents/{agent_id}/sessions/{session_id}", {"agent_id": agent_id, "session_id": session_id}, options)

    def update_session_state(self, agent_id: int, session_id: str, *, state: Dict[str, Any], options: Optional[CallOptions] = None) -> types.AgentSession:
        """Change values of the state of a session; others are kept. Scope: write."""
        return self._data("PUT /agents/{agent_id}/sessions/{session_id}/state", {"agent_id": agent_id, "session_id": session_id, "state": state}, options)

    def list_session_timeline(self, agent_id: int, session_id: str, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.TimelineEvent]:
        """List the events of a session, oldest first. Scope: read."""
        return self._list("GET /agents/{agent_id}/sessions/{session_id}/timeline", {"agent_id": agent_id, "session_id": session_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def list_session_tasks(self, agent_id: int, session_id: str, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, include_body: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ListedTask]:
        """List the tasks of a session. Scope: read."""
        return self._list("GET /agents/{agent_id}/sessions/{session_id}/tasks", {"agent_id": agent_id, "session_id": session_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "include_body": include_body}, options)

    def get_session_feedback(self, agent_id: int, session_id: str, *, options: Optional[CallOptions] = None) -> types.SessionFeedback:
        """Get the feedback on a session. Scope: read."""
        return self._data("GET /agents/{agent_id}/sessions/{session_id}/feedback", {"agent_id": agent_id, "session_id": session_id}, options)

    def set_session_feedback(self, agent_id: int, session_id: str, *, feedback_score: Union[int, None] = OMIT, feedback_text: Union[str, None] = OMIT, options: Optional[CallOptions] = None) -> types.SessionFeedback:
        """Set the feedback on a session; it replaces earlier feedback. Scope: write."""
        return self._data("POST /agents/{agent_id}/sessions/{session_id}/feedback", {"agent_id": agent_id, "session_id": session_id, "feedback_score": feedback_score, "feedback_text": feedback_text}, options)

    def delete_session_feedback(self, agent_id: int, session_id: str, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Remove the feedback on a session. Scope: write."""
        return self._data("DELETE /agents/{agent_id}/sessions/{session_id}/feedback", {"agent_id": agent_id, "session_id": session_id}, options)

    def answer_hook(self, hook_key: str, *, payload: Any, options: Optional[CallOptions] = None) -> types.Resumed:
        """Answer a task that waits for a callback; any JSON, no key."""
        return self._data("POST /hooks/agents/{hook_key}", {"hook_key": hook_key, "payload": payload}, options, "payload")


class ReleasesApi(Api):
    """The family releases."""

    def list_all(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, parent_type: List[Literal["agent", "workflow", "monitor"]] = OMIT, parent_id: int = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ReleaseOverview]:
        """List the releases of all agents, workflows and monitors. Scope: read."""
        return self._list("GET /releases", {"offset": offset, "limit": limit, "search": search, "sort": sort, "parent_type": parent_type, "parent_id": parent_id}, options)


class McpServersApi(Api):
    """The family mcp servers."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.McpServerSummary]:
        """List the MCP servers. Scope: read."""
        return self._list("GET /mcp-servers", {"offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def create(self, *, name: str, url: str, headers: Dict[str, str] = OMIT, include_tools: List[str] = OMIT, exclude_tools: List[str] = OMIT, options: Optional[CallOptions] = None) -> types.McpServer:
        """Create an MCP server; its tools come with the first refresh. Scope: write."""
        return self._data("POST /mcp-servers", {"name": name, "url": url, "headers": headers, "include_tools": include_tools, "exclude_tools": exclude_tools}, options)

    def get(self, mcp_server_id: int, *, options: Optional[CallOptions] = None) -> types.McpServer:
        """Get an MCP server with its tools. Scope: read."""
        return self._data("GET /mcp-servers/{mcp_server_id}", {"mcp_server_id": mcp_server_id}, options)

    def update(self, mcp_server_id: int, *, name: str = OMIT, url: str = OMIT, headers: Dict[str, str] = OMIT, include_tools: List[str] = OMIT, exclude_tools: List[str] = OMIT, options: Optional[CallOptions] = None) -> types.McpServer:
        """Change an MCP server. Scope: write."""
        return self._data("PUT /mcp-servers/{mcp_server_id}", {"mcp_server_id": mcp_server_id, "name": name, "url": url, "headers": headers, "include_tools": include_tools, "exclude_tools": exclude_tools}, options)

    def delete(self, mcp_server_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete an MCP server that no agent names. Scope: write."""
        return self._data("DELETE /mcp-servers/{mcp_server_id}", {"mcp_server_id": mcp_server_id}, options)

    def refresh(self, mcp_server_id: int, *, secrets: Dict[str, str] = OMIT, options: Optional[CallOptions] = None) -> types.McpServer:
        """Ask an MCP server for its tools. Scope: invoke."""
        return self._data("POST /mcp-servers/{mcp_server_id}/refresh", {"mcp_server_id": mcp_server_id, "secrets": secrets}, options)


class EvaluationCriteriaApi(Api):
    """The family evaluation criteria."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, criteria_type: Literal["BOOLEAN", "NUMERIC"] = OMIT, method: Literal["LLM", "EXACT", "JSON_FIELDS", "CONTAINS", "REGEX", "JSON_SCHEMA", "SCRIPT", "STEPS", "LATENCY", "COST"] = OMIT, enabled: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.EvaluationCriteria]:
        """List the evaluation criteria. Scope: read."""
        return self._list("GET /evaluation-criteria", {"offset": offset, "limit": limit, "search": search, "sort": sort, "criteria_type": criteria_type, "method": method, "enabled": enabled}, options)

    def create(self, *, name: str, criteria_type: Literal["BOOLEAN", "NUMERIC"], method: Literal["LLM", "EXACT", "JSON_FIELDS", "CONTAINS", "REGEX", "JSON_SCHEMA", "SCRIPT", "STEPS", "LATENCY", "COST"], description: Union[str, None] = OMIT, prompt: Union[str, None] = OMIT, config: types.CriteriaConfig = OMIT, pass_threshold: float = OMIT, weight: float = OMIT, enabled: bool = OMIT, options: Optional[CallOptions] = None) -> types.EvaluationCriteria:
        """Create an evaluation criterion. Scope: write."""
        return self._data("POST /evaluation-criteria", {"name": name, "description": description, "criteria_type": criteria_type, "method": method, "prompt": prompt, "config": config, "pass_threshold": pass_threshold, "weight": weight, "enabled": enabled}, options)

    def validate(self, *, script: str, language: Literal["javascript", "typescript", "python"] = OMIT, options: Optional[CallOptions] = None) -> types.CriteriaValidation:
        """Compile the script of a criterion; nothing is run and nothing is stored. Scope: read."""
        return self._data("POST /evaluation-criteria/validate", {"language": language, "script": script}, options)

    def get(self, criteria_id: int, *, options: Optional[CallOptions] = None) -> types.EvaluationCriteria:
        """Get an evaluation criterion. Scope: read."""
        return self._data("GET /evaluation-criteria/{criteria_id}", {"criteria_id": criteria_id}, options)

    def update(self, criteria_id: int, *, name: str = OMIT, description: Union[str, None] = OMIT, method: Literal["LLM", "EXACT", "JSON_FIELDS", "CONTAINS", "REGEX", "JSON_SCHEMA", "SCRIPT", "STEPS", "LATENCY", "COST"] = OMIT, prompt: Union[str, None] = OMIT, config: types.CriteriaConfig = OMIT, pass_threshold: float = OMIT, weight: float = OMIT, enabled: bool = OMIT, options: Optional[CallOptions] = None) -> types.EvaluationCriteria:
        """Change an evaluation criterion; earlier scores keep what they used. Scope: write."""
        return self._data("PUT /evaluation-criteria/{criteria_id}", {"criteria_id": criteria_id, "name": name, "description": description, "method": method, "prompt": prompt, "config": config, "pass_threshold": pass_threshold, "weight": weight, "enabled": enabled}, options)

    def delete(self, criteria_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete an evaluation criterion that no test set and no test run names. Scope: write."""
        return self._data("DELETE /evaluation-criteria/{criteria_id}", {"criteria_id": criteria_id}, options)

    def enable(self, criteria_id: int, *, options: Optional[CallOptions] = None) -> types.EvaluationCriteria:
        """Enable an evaluation criterion. Scope: write."""
        return self._data("PUT /evaluation-criteria/{criteria_id}/enable", {"criteria_id": criteria_id}, options)

    def disable(self, criteria_id: int, *, options: Optional[CallOptions] = None) -> types.EvaluationCriteria:
        """Disable an evaluation criterion: scorings skip it. Scope: write."""
        return self._data("PUT /evaluation-criteria/{criteria_id}/disable", {"criteria_id": criteria_id}, options)

    def test(self, criteria_id: int, *, actual_output: types.Expected, input: Union[Any, None] = OMIT, expected_output: Union[types.Expected, None] = OMIT, metadata: Any = OMIT, latency_ms: Union[int, None] = OMIT, cost: Union[float, None] = OMIT, source_ref: Union[types.SourceRef, None] = OMIT, options: Optional[CallOptions] = None) -> types.CriterionTrial:
        """Judge an output by an evaluation criterion; stores nothing. Scope: invoke."""
        return self._data("POST /evaluation-criteria/{criteria_id}/test", {"criteria_id": criteria_id, "input": input, "expected_output": expected_output, "actual_output": actual_output, "metadata": metadata, "latency_ms": latency_ms, "cost": cost, "source_ref": source_ref}, options)


class TestSetsApi(Api):
    """The family test sets."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, tag: str = OMIT, consumer_kind: Literal["MODEL", "WORKFLOW", "AGENT", "EXTERNAL"] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.TestSet]:
        """List the test sets. Scope: read."""
        return self._list("GET /unified-test-sets", {"offset": offset, "limit": limit, "search": search, "sort": sort, "tag": tag, "consumer_kind": consumer_kind}, options)

    def create(self, *, name: str, description: Union[str, None] = OMIT, consumer_kinds: List[Literal["MODEL", "WORKFLOW", "AGENT", "EXTERNAL"]] = OMIT, criteria_ids: List[int] = OMIT, tags: List[str] = OMIT, meta: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.TestSet:
        """Create a test set. Scope: write."""
        return self._data("POST /unified-test-sets", {"name": name, "description": description, "consumer_kinds": consumer_kinds, "criteria_ids": criteria_ids, "tags": tags, "meta": meta}, options)

    def get(self, test_set_id: int, *, options: Optional[CallOptions] = None) -> types.TestSet:
        """Get a test set. Scope: read."""
        return self._data("GET /unified-test-sets/{test_set_id}", {"test_set_id": test_set_id}, options)

    def update(self, test_set_id: int, *, name: str = OMIT, description: Union[str, None] = OMIT, consumer_kinds: List[Literal["MODEL", "WORKFLOW", "AGENT", "EXTERNAL"]] = OMIT, criteria_ids: List[int] = OMIT, tags: List[str] = OMIT, meta: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.TestSet:
        """Change a test set. Scope: write."""
        return self._data("PUT /unified-test-sets/{test_set_id}", {"test_set_id": test_set_id, "name": name, "description": description, "consumer_kinds": consumer_kinds, "criteria_ids": criteria_ids, "tags": tags, "meta": meta}, options)

    def delete(self, test_set_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a test set that no gate policy and no unfinished run names. Scope: write."""
        return self._data("DELETE /unified-test-sets/{test_set_id}", {"test_set_id": test_set_id}, options)

    def clone(self, test_set_id: int, *, name: str, options: Optional[CallOptions] = None) -> types.TestSet:
        """Copy a test set with its items and overrides. Scope: write."""
        return self._data("POST /unified-test-sets/{test_set_id}/clone", {"test_set_id": test_set_id, "name": name}, options)

    def list_items(self, test_set_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ListedTestSetItem]:
        """List the items of a test set in their order. Scope: read."""
        return self._list("GET /unified-test-sets/{test_set_id}/items", {"test_set_id": test_set_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def search_items(self, test_set_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, source_type: Literal["MANUAL", "REQUEST", "WORKFLOW_RUN", "AGENT_TASK"] = OMIT, has_sub: bool = OMIT, text: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ListedTestSetItem]:
        """Search the items of a test set. Scope: read."""
        return self._list("POST /unified-test-sets/{test_set_id}/items/search", {"test_set_id": test_set_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "source_type": source_type, "has_sub": has_sub, "text": text}, options)

    def create_item(self, test_set_id: int, *, input: types.TestInput, expected_output: Union[types.Expected, None] = OMIT, meta: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.TestSetItem:
        """Add an item to a test set. Scope: write."""
        return self._data("POST /unified-test-sets/{test_set_id}/items", {"test_set_id": test_set_id, "input": input, "expected_output": expected_output, "meta": meta}, options)

    def get_item(self, test_set_id: int, item_id: int, *, options: Optional[CallOptions] = None) -> types.TestSetItem:
        """Get an item. Scope: read."""
        return self._data("GET /unified-test-sets/{test_set_id}/items/{item_id}", {"test_set_id": test_set_id, "item_id": item_id}, options)

    def update_item(self, test_set_id: int, item_id: int, *, input: types.TestInput = OMIT, expected_output: Union[types.Expected, None] = OMIT, meta: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.TestSetItem:
        """Change an item; input and expected output only of a manual one. Scope: write."""
        return self._data("PUT /unified-test-sets/{test_set_id}/items/{item_id}", {"test_set_id": test_set_id, "item_id": item_id, "input": input, "expected_output": expected_output, "meta": meta}, options)

    def delete_item(self, test_set_id: int, item_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete an item. Scope: write."""
        return self._data("DELETE /unified-test-sets/{test_set_id}/items/{item_id}", {"test_set_id": test_set_id, "item_id": item_id}, options)

    def get_response_sub(self, test_set_id: int, item_id: int, *, options: Optional[CallOptions] = None) -> types.ResponseSub:
        """Get the override of an item's expected output. Scope: read."""
        return self._data("GET /unified-test-sets/{test_set_id}/items/{item_id}/response-sub", {"test_set_id": test_set_id, "item_id": item_id}, options)

    def set_response_sub(self, test_set_id: int, item_id: int, *, expected_output: types.Expected, note: Union[str, None] = OMIT, options: Optional[CallOptions] = None) -> types.TestSetItem:
        """Override an item's expected output; the baseline stays. Scope: write."""
        return self._data("PUT /unified-test-sets/{test_set_id}/items/{item_id}/response-sub", {"test_set_id": test_set_id, "item_id": item_id, "expected_output": expected_output, "note": note}, options)

    def delete_response_sub(self, test_set_id: int, item_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Remove the override of an item's expected output; the baseline applies again. Scope: write."""
        return self._data("DELETE /unified-test-sets/{test_set_id}/items/{item_id}/response-sub", {"test_set_id": test_set_id, "item_id": item_id}, options)

    def import_request(self, test_set_id: int, *, request_id: str, use_correction: bool = OMIT, meta: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.ImportedItem:
        """Import a recorded request; importing it again returns the same item. Scope: write."""
        return self._data("POST /unified-test-sets/{test_set_id}/import-request", {"test_set_id": test_set_id, "request_id": request_id, "use_correction": use_correction, "meta": meta}, options)

    def import_workflow_run(self, test_set_id: int, *, workflow_run_id: str, meta: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.ImportedItem:
        """Import a completed workflow run; importing it again returns the same item. Scope: write."""
        return self._data("POST /unified-test-sets/{test_set_id}/import-workflow-run", {"test_set_id": test_set_id, "workflow_run_id": workflow_run_id, "meta": meta}, options)

    def import_agent_task(self, test_set_id: int, *, agent_task_id: str, flatten_variant: Literal["agent_first_user_message", "agent_first_user_message_with_system_prompt"] = OMIT, meta: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.ImportedItem:
        """Import a completed agent task; importing it again returns the same item. Scope: write."""
        return self._data("POST /unified-test-sets/{test_set_id}/import-agent-task", {"test_set_id": test_set_id, "agent_task_id": agent_task_id, "flatten_variant": flatten_variant, "meta": meta}, options)

    def import_bulk(self, test_set_id: int, *, sources: List[types.ImportSource], options: Optional[CallOptions] = None) -> types.BulkImport:
        """Import many sources; each is imported once. Scope: write."""
        return self._data("POST /unified-test-sets/{test_set_id}/import-bulk", {"test_set_id": test_set_id, "sources": sources}, options)

    def export(self, test_set_id: int, *, format: Literal["jsonl", "csv"] = OMIT, options: Optional[CallOptions] = None) -> Download:
        """Export the items of a test set with their overrides, as JSONL or CSV, whose formulas begin with an apostrophe. Scope: read."""
        return self._download("GET /unified-test-sets/{test_set_id}/export", {"test_set_id": test_set_id, "format": format}, options)

    def import_file(self, test_set_id: int, *, file: Union[str, bytes, BinaryIO], media_type: str = "application/jsonl", options: Optional[CallOptions] = None) -> types.FileImport:
        """Add the rows of a JSONL or CSV file, at most 100 MiB; rows that are not items are named by their line. Scope: write."""
        return self._upload("POST /unified-test-sets/{test_set_id}/import-file", {"test_set_id": test_set_id}, file, media_type, options)


class MonitorsApi(Api):
    """The family monitors."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, status: List[Literal["DRAFT", "ACTIVE", "PAUSED"]] = OMIT, target_type: List[Literal["intent", "workflow", "agent"]] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.MonitorSummary]:
        """List the monitors. Scope: read."""
        return self._list("GET /monitors", {"offset": offset, "limit": limit, "search": search, "sort": sort, "status": status, "target_type": target_type}, options)

    def create(self, *, name: str, description: str = OMIT, config: types.MonitorConfig = OMIT, meta: Dict[str, Any] = OMIT, alert_rules: List[types.AlertRule] = OMIT, shadow_version: Union[str, None] = OMIT, options: Optional[CallOptions] = None) -> types.Monitor:
        """Create a monitor as a draft. Scope: write."""
        return self._data("POST /monitors", {"name": name, "description": description, "config": config, "meta": meta, "alert_rules": alert_rules, "shadow_version": shadow_version}, options)

    def get(self, monitor_id: int, *, include_targets: bool = OMIT, options: Optional[CallOptions] = None) -> types.Monitor:
        """Get a monitor with its targets. Scope: read."""
        return self._data("GET /monitors/{monitor_id}", {"monitor_id": monitor_id, "include_targets": include_targets}, options)

    def update(self, monitor_id: int, *, name: str = OMIT, description: str = OMIT, config: types.MonitorConfig = OMIT, meta: Dict[str, Any] = OMIT, alert_rules: List[types.AlertRule] = OMIT, shadow_version: Union[str, None] = OMIT, options: Optional[CallOptions] = None) -> types.Monitor:
        """Change the draft of a monitor. Scope: write."""
        return self._data("PUT /monitors/{monitor_id}", {"monitor_id": monitor_id, "name": name, "description": description, "config": config, "meta": meta, "alert_rules": alert_rules, "shadow_version": shadow_version}, options)

    def delete(self, monitor_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a monitor with its targets. Scope: write."""
        return self._data("DELETE /monitors/{monitor_id}", {"monitor_id": monitor_id}, options)

    def activate(self, monitor_id: int, *, options: Optional[CallOptions] = None) -> types.Monitor:
        """Start judging production traffic with the published version. Scope: write."""
        return self._data("PUT /monitors/{monitor_id}/activate", {"monitor_id": monitor_id}, options)

    def pause(self, monitor_id: int, *, options: Optional[CallOptions] = None) -> types.Monitor:
        """Stop judging production traffic. Scope: write."""
        return self._data("PUT /monitors/{monitor_id}/pause", {"monitor_id": monitor_id}, options)

    def validate(self, monitor_id: int, *, config: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.MonitorValidation:
        """Check whether a configuration can judge. Scope: read."""
        return self._data("POST /monitors/{monitor_id}/validate", {"monitor_id": monitor_id, "config": config}, options)

    def list_targets(self, monitor_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, target_type: List[Literal["intent", "workflow", "agent"]] = OMIT, enabled: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.MonitorTarget]:
        """List the targets of a monitor. Scope: read."""
        return self._list("GET /monitors/{monitor_id}/targets", {"monitor_id": monitor_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "target_type": target_type, "enabled": enabled}, options)

    def attach_target(self, monitor_id: int, *, target_type: Literal["intent", "workflow", "agent"], target_id: int, sample_rate: int = OMIT, enabled: bool = OMIT, options: Optional[CallOptions] = None) -> types.MonitorTarget:
        """Attach a target to a monitor. Scope: write."""
        return self._data("POST /monitors/{monitor_id}/targets", {"monitor_id": monitor_id, "target_type": target_type, "target_id": target_id, "sample_rate": sample_rate, "enabled": enabled}, options)

    def get_target(self, monitor_id: int, monitor_target_id: int, *, options: Optional[CallOptions] = None) -> types.MonitorTarget:
        """Get a target of a monitor. Scope: read."""
        return self._data("GET /monitors/{monitor_id}/targets/{monitor_target_id}", {"monitor_id": monitor_id, "monitor_target_id": monitor_target_id}, options)

    def update_target(self, monitor_id: int, monitor_target_id: int, *, sample_rate: int = OMIT, enabled: bool = OMIT, options: Optional[CallOptions] = None) -> types.MonitorTarget:
        """Change sample rate or state of a target. Scope: write."""
        return self._data("PUT /monitors/{monitor_id}/targets/{monitor_target_id}", {"monitor_id": monitor_id, "monitor_target_id": monitor_target_id, "sample_rate": sample_rate, "enabled": enabled}, options)

    def detach_target(self, monitor_id: int, monitor_target_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Detach a target from its monitor. Scope: write."""
        return self._data("DELETE /monitors/{monitor_id}/targets/{monitor_target_id}", {"monitor_id": monitor_id, "monitor_target_id": monitor_target_id}, options)

    def enable_target(self, monitor_id: int, monitor_target_id: int, *, options: Optional[CallOptions] = None) -> types.MonitorTarget:
        """Enable a target. Scope: write."""
        return self._data("PUT /monitors/{monitor_id}/targets/{monitor_target_id}/enable", {"monitor_id": monitor_id, "monitor_target_id": monitor_target_id}, options)

    def disable_target(self, monitor_id: int, monitor_target_id: int, *, options: Optional[CallOptions] = None) -> types.MonitorTarget:
        """Disable a target; its traffic is no longer sampled. Scope: write."""
        return self._data("PUT /monitors/{monitor_id}/targets/{monitor_target_id}/disable", {"monitor_id": monitor_id, "monitor_target_id": monitor_target_id}, options)

    def list_by_target(self, *, target_type: Literal["intent", "workflow", "agent"], target_id: int, enabled_only: bool = OMIT, options: Optional[CallOptions] = None) -> List[types.MonitorOfTarget]:
        """List the active monitors that are attached to a target. Scope: read."""
        return self._data("GET /monitors/by-target", {"target_type": target_type, "target_id": target_id, "enabled_only": enabled_only}, options)

    def publish_version(self, monitor_id: int, *, increment: Literal["major", "minor", "patch"] = OMIT, version_notes: str = OMIT, options: Optional[CallOptions] = None) -> types.MonitorVersion:
        """Publish the draft of the monitor as a new immutable version. Scope: write."""
        return self._data("POST /monitors/{monitor_id}/versions", {"monitor_id": monitor_id, "increment": increment, "version_notes": version_notes}, options)

    def list_versions(self, monitor_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.MonitorVersion]:
        """List the published versions of the monitor, newest first. Scope: read."""
        return self._list("GET /monitors/{monitor_id}/versions", {"monitor_id": monitor_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def diff_versions(self, monitor_id: int, *, from_: str, to: str = OMIT, options: Optional[CallOptions] = None) -> types.VersionDiff:
        """Compare two versions of the monitor. Scope: read."""
        return self._data("GET /monitors/{monitor_id}/versions/diff", {"monitor_id": monitor_id, "from": from_, "to": to}, options)

    def get_version(self, monitor_id: int, version: str, *, include_snapshot: bool = OMIT, options: Optional[CallOptions] = None) -> types.MonitorVersion:
        """Get one published version of the monitor. Scope: read."""
        return self._data("GET /monitors/{monitor_id}/versions/{version}", {"monitor_id": monitor_id, "version": version, "include_snapshot": include_snapshot}, options)

    def restore_version(self, monitor_id: int, version: str, *, options: Optional[CallOptions] = None) -> types.Monitor:
        """Copy a published version onto the draft of the monitor. Scope: write."""
        return self._data("POST /monitors/{monitor_id}/versions/{version}/restore", {"monitor_id": monitor_id, "version": version}, options)

    def list_releases(self, monitor_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Release]:
        """List the releases of the monitor. Scope: read."""
        return self._list("GET /monitors/{monitor_id}/releases", {"monitor_id": monitor_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def create_release(self, monitor_id: int, *, name: str, version: str, is_default: bool = OMIT, gate_policy: Union[types.GatePolicy, None] = OMIT, mcp_enabled: bool = OMIT, override_reason: str = OMIT, options: Optional[CallOptions] = None) -> types.Release:
        """Create a release of the monitor. Scope: write."""
        return self._data("POST /monitors/{monitor_id}/releases", {"monitor_id": monitor_id, "name": name, "version": version, "is_default": is_default, "gate_policy": gate_policy, "mcp_enabled": mcp_enabled, "override_reason": override_reason}, options)

    def get_release(self, monitor_id: int, release_name: str, *, options: Optional[CallOptions] = None) -> types.Release:
        """Get a release of the monitor. Scope: read."""
        return self._data("GET /monitors/{monitor_id}/releases/{release_name}", {"monitor_id": monitor_id, "release_name": release_name}, options)

    def update_release(self, monitor_id: int, release_name: str, *, name: str = OMIT, version: str = OMIT, is_default: bool = OMIT, gate_policy: Union[types.GatePolicy, None] = OMIT, mcp_enabled: bool = OMIT, override_reason: str = OMIT, options: Optional[CallOptions] = None) -> types.Release:
        """Move, rename or change a release of the monitor. Scope: write."""
        return self._data("PUT /monitors/{monitor_id}/releases/{release_name}", {"monitor_id": monitor_id, "release_name": release_name, "name": name, "version": version, "is_default": is_default, "gate_policy": gate_policy, "mcp_enabled": mcp_enabled, "override_reason": override_reason}, options)

    def delete_release(self, monitor_id: int, release_name: str, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a release of the monitor. Scope: write."""
        return self._data("DELETE /monitors/{monitor_id}/releases/{release_name}", {"monitor_id": monitor_id, "release_name": release_name}, options)

    def check_release(self, monitor_id: int, release_name: str, *, version: str, options: Optional[CallOptions] = None) -> types.GateResult:
        """Check the gate of a release of the monitor for a version without moving it. Scope: read."""
        return self._data("POST /monitors/{monitor_id}/releases/{release_name}/check", {"monitor_id": monitor_id, "release_name": release_name, "version": version}, options)

    def list_release_moves(self, monitor_id: int, release_name: str, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ReleaseMove]:
        """List the moves of a release of the monitor, newest first. Scope: read."""
        return self._list("GET /monitors/{monitor_id}/releases/{release_name}/history", {"monitor_id": monitor_id, "release_name": release_name, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def list_all_runs(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, outcome: List[Literal["PASS", "WARNING", "FAULT", "ERROR"]] = OMIT, failure_class: List[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"]] = OMIT, monitor_target_id: List[int] = OMIT, source_type: List[Literal["request", "workflow_run", "agent_task"]] = OMIT, version: str = OMIT, release: str = OMIT, text: str = OMIT, shadow: bool = OMIT, min_duration_ms: int = OMIT, min_cost: float = OMIT, include_body: bool = OMIT, monitor_id: int = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ListedMonitorRun]:
        """List the runs of all monitors, without their output unless asked. Scope: read."""
        return self._list("GET /monitors/runs", {"offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "outcome": outcome, "failure_class": failure_class, "monitor_target_id": monitor_target_id, "source_type": source_type, "version": version, "release": release, "text": text, "shadow": shadow, "min_duration_ms": min_duration_ms, "min_cost": min_cost, "include_body": include_body, "monitor_id": monitor_id}, options)

    def list_runs_by_source(self, *, source_type: Literal["request", "workflow_run", "agent_task"], source_id: str, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, include_body: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ListedMonitorRun]:
        """List the runs that judged one source. Scope: read."""
        return self._list("GET /monitors/runs/by-source", {"offset": offset, "limit": limit, "search": search, "sort": sort, "source_type": source_type, "source_id": source_id, "include_body": include_body}, options)

    def get_any_run(self, run_id: int, *, options: Optional[CallOptions] = None) -> types.MonitorRun:
        """Get a run of any monitor. Scope: read."""
        return self._data("GET /monitors/runs/{run_id}", {"run_id": run_id}, options)

    def list_runs(self, monitor_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, outcome: List[Literal["PASS", "WARNING", "FAULT", "ERROR"]] = OMIT, failure_class: List[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"]] = OMIT, monitor_target_id: List[int] = OMIT, source_type: List[Literal["request", "workflow_run", "agent_task"]] = OMIT, version: str = OMIT, release: str = OMIT, text: str = OMIT, shadow: bool = OMIT, min_duration_ms: int = OMIT, min_cost: float = OMIT, include_body: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ListedMonitorRun]:
        """List the runs of a monitor, without their output unless asked. Scope: read."""
        return self._list("GET /monitors/{monitor_id}/runs", {"monitor_id": monitor_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "outcome": outcome, "failure_class": failure_class, "monitor_target_id": monitor_target_id, "source_type": source_type, "version": version, "release": release, "text": text, "shadow": shadow, "min_duration_ms": min_duration_ms, "min_cost": min_cost, "include_body": include_body}, options)

    def get_run(self, monitor_id: int, run_id: int, *, options: Optional[CallOptions] = None) -> types.MonitorRun:
        """Get a run of a monitor. Scope: read."""
        return self._data("GET /monitors/{monitor_id}/runs/{run_id}", {"monitor_id": monitor_id, "run_id": run_id}, options)

    def retry_run(self, monitor_id: int, run_id: int, *, options: Optional[CallOptions] = None) -> types.MonitorRun:
        """Judge the source of a run that ended as ERROR again, in its place. Scope: invoke."""
        return self._data("POST /monitors/{monitor_id}/runs/{run_id}/retry", {"monitor_id": monitor_id, "run_id": run_id}, options)

    def preview_config(self, *, config: types.MonitorConfig, payload: Dict[str, Any] = OMIT, source_type: Literal["request", "workflow_run", "agent_task"] = OMIT, source_id: str = OMIT, use: Literal["adhoc"] = OMIT, options: Optional[CallOptions] = None) -> types.MonitorPreview:
        """Judge a payload by a configuration without storing anything. Scope: invoke."""
        return self._data("POST /monitors/preview", {"payload": payload, "source_type": source_type, "source_id": source_id, "use": use, "config": config}, options)

    def preview(self, monitor_id: int, *, payload: Dict[str, Any] = OMIT, source_type: Literal["request", "workflow_run", "agent_task"] = OMIT, source_id: str = OMIT, use: Literal["draft", "version", "release", "adhoc"] = OMIT, version: str = OMIT, release: str = OMIT, config: types.MonitorConfig = OMIT, options: Optional[CallOptions] = None) -> types.MonitorPreview:
        """Judge a payload by the draft, a version or a release of a monitor without storing anything. Scope: invoke."""
        return self._data("POST /monitors/{monitor_id}/preview", {"monitor_id": monitor_id, "payload": payload, "source_type": source_type, "source_id": source_id, "use": use, "version": version, "release": release, "config": config}, options)

    def sample_target(self, *, target_type: Literal["intent", "workflow", "agent"], target_id: int, options: Optional[CallOptions] = None) -> types.TargetSample:
        """Get the newest production payload of a target. Scope: read."""
        return self._data("GET /monitors/sample-target", {"target_type": target_type, "target_id": target_id}, options)

    def get_company_activity(self, *, start_date: int = OMIT, end_date: int = OMIT, bucket: Literal["hour", "day"] = OMIT, outcome: List[Literal["PASS", "WARNING", "FAULT", "ERROR"]] = OMIT, group_by: Literal["monitor"] = OMIT, options: Optional[CallOptions] = None) -> types.MonitorActivity:
        """Get the runs of all monitors over time. Scope: read."""
        return self._data("GET /monitors/activity", {"start_date": start_date, "end_date": end_date, "bucket": bucket, "outcome": outcome, "group_by": group_by}, options)

    def get_activity(self, monitor_id: int, *, start_date: int = OMIT, end_date: int = OMIT, bucket: Literal["hour", "day"] = OMIT, outcome: List[Literal["PASS", "WARNING", "FAULT", "ERROR"]] = OMIT, monitor_target_id: List[int] = OMIT, group_by: Literal["none", "version"] = OMIT, options: Optional[CallOptions] = None) -> types.MonitorActivity:
        """Get the runs of a monitor over time, also by version with its shadow. Scope: read."""
        return self._data("GET /monitors/{monitor_id}/activity", {"monitor_id": monitor_id, "start_date": start_date, "end_date": end_date, "bucket": bucket, "outcome": outcome, "monitor_target_id": monitor_target_id, "group_by": group_by}, options)

    def get_metrics(self, monitor_id: int, *, start_date: int = OMIT, end_date: int = OMIT, bucket: Literal["hour", "day"] = OMIT, outcome: List[Literal["PASS", "WARNING", "FAULT", "ERROR"]] = OMIT, monitor_target_id: List[int] = OMIT, options: Optional[CallOptions] = None) -> types.MonitorMetrics:
        """Get the rates of a monitor and of its targets. Scope: read."""
        return self._data("GET /monitors/{monitor_id}/metrics", {"monitor_id": monitor_id, "start_date": start_date, "end_date": end_date, "bucket": bucket, "outcome": outcome, "monitor_target_id": monitor_target_id}, options)

    def list_alerts(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, monitor_id: int = OMIT, status: List[Literal["open", "acknowledged", "resolved"]] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.MonitorAlert]:
        """List the alerts of monitors. Scope: read."""
        return self._list("GET /monitors/alerts", {"offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "monitor_id": monitor_id, "status": status}, options)

    def acknowledge_alert(self, alert_id: int, *, options: Optional[CallOptions] = None) -> types.MonitorAlert:
        """Note that a person looks after an open alert. Scope: write."""
        return self._data("PUT /monitors/alerts/{alert_id}/acknowledge", {"alert_id": alert_id}, options)

    def resolve_alert(self, alert_id: int, *, options: Optional[CallOptions] = None) -> types.MonitorAlert:
        """Resolve an alert; it opens again only for later runs. Scope: write."""
        return self._data("PUT /monitors/alerts/{alert_id}/resolve", {"alert_id": alert_id}, options)

    def list_checks(self, monitor_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.CheckRunSummary]:
        """List the checks of a monitor, without their items. Scope: read."""
        return self._list("GET /monitors/{monitor_id}/checks", {"monitor_id": monitor_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def create_check(self, monitor_id: int, *, version: str, test_set_id: int, options: Optional[CallOptions] = None) -> types.CheckRun:
        """Judge the items of a test set by a version and compare the outcomes with the expected ones. Scope: invoke."""
        return self._data("POST /monitors/{monitor_id}/checks", {"monitor_id": monitor_id, "version": version, "test_set_id": test_set_id}, options)

    def get_check(self, monitor_id: int, check_id: int, *, options: Optional[CallOptions] = None) -> types.CheckRun:
        """Get a check with its items. Scope: read."""
        return self._data("GET /monitors/{monitor_id}/checks/{check_id}", {"monitor_id": monitor_id, "check_id": check_id}, options)


class LegacyApi(Api):
    """The family legacy."""

    def list_test_sets(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, type: Literal["request", "workflow"] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.LegacyTestSet]:
        """List the test sets of a type. Scope: read."""
        return self._list("GET /test-sets", {"offset": offset, "limit": limit, "search": search, "sort": sort, "type": type}, options)

    def create_test_set(self, *, name: str, intent_group_id: Union[int, None] = OMIT, options: Optional[CallOptions] = None) -> types.LegacyTestSet:
        """Create a test set for models. Scope: write."""
        return self._data("POST /test-sets", {"name": name, "intent_group_id": intent_group_id}, options)

    def get_test_set(self, id: int, *, options: Optional[CallOptions] = None) -> types.LegacyTestSet:
        """Get a test set. Scope: read."""
        return self._data("GET /test-sets/{id}", {"id": id}, options)

    def update_test_set(self, id: int, *, name: str = OMIT, intent_group_id: Union[int, None] = OMIT, options: Optional[CallOptions] = None) -> types.LegacyTestSet:
        """Rename a test set or change its intent group. Scope: write."""
        return self._data("PUT /test-sets/{id}", {"id": id, "name": name, "intent_group_id": intent_group_id}, options)

    def delete_test_set(self, id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a test set. Scope: write."""
        return self._data("DELETE /test-sets/{id}", {"id": id}, options)

    def list_test_set_requests(self, id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.LegacyTestSetRequest]:
        """List the items of a test set that come from requests or workflows. Scope: read."""
        return self._list("GET /test-sets/{id}/requests", {"id": id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def add_test_set_requests(self, id: int, *, request_ids: List[str], options: Optional[CallOptions] = None) -> List[types.LegacyTestSetRequest]:
        """Import recorded requests: all of them or none. Scope: write."""
        return self._data("POST /test-sets/{id}/requests", {"id": id, "request_ids": request_ids}, options)

    def set_response(self, id: int, request_id: int, *, message_content: str, tool_calls: List[types.ToolCall] = OMIT, options: Optional[CallOptions] = None) -> types.LegacySuccess:
        """Override the expected response of an item. Scope: write."""
        return self._data("PUT /test-sets/{id}/requests/{request_id}/response", {"id": id, "request_id": request_id, "message_content": message_content, "tool_calls": tool_calls}, options)

    def list_test_runs(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, type: Literal["request", "workflow"] = OMIT, test_set_id: int = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.LegacyTestRun]:
        """List the test runs of a type. Scope: read."""
        return self._list("GET /test-runs", {"offset": offset, "limit": limit, "search": search, "sort": sort, "type": type, "test_set_id": test_set_id}, options)

    def create_test_run(self, *, test_set_id: int, config: Dict[str, Any], type: Literal["request", "workflow"] = OMIT, description: Union[str, None] = OMIT, options: Optional[CallOptions] = None) -> types.LegacyTestRun:
        """Create, prepare and execute a test run, which scores itself. Scope: invoke."""
        return self._data("POST /test-runs", {"test_set_id": test_set_id, "type": type, "description": description, "config": config}, options)

    def get_test_run(self, id: int, *, options: Optional[CallOptions] = None) -> types.LegacyTestRun:
        """Get a test run. Scope: read."""
        return self._data("GET /test-runs/{id}", {"id": id}, options)

    def delete_test_run(self, id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a test run with its items. Scope: write."""
        return self._data("DELETE /test-runs/{id}", {"id": id}, options)

    def list_run_items(self, id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, outcome: List[Literal["passed", "failed", "error"]] = OMIT, matched: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.LegacyRunItem]:
        """List the items of a test run. Scope: read."""
        return self._list("GET /test-runs/{id}/items", {"id": id, "offset": offset, "limit": limit, "search": search, "sort": sort, "outcome": outcome, "matched": matched}, options)

    def score_test_run(self, id: int, *, options: Optional[CallOptions] = None) -> types.ScoreSummary:
        """Score the items of a test run. Scope: invoke."""
        return self._data("POST /test-runs/{id}/score", {"id": id}, options)

    def compare_test_runs(self, *, test_run_ids: List[int], offset: int = OMIT, limit: int = OMIT, direction: Literal["worse", "better", "error", "changed"] = OMIT, confidence: float = OMIT, options: Optional[CallOptions] = None) -> types.RunComparison:
        """Compare 2 to 10 runs over the same set. Scope: read."""
        return self._data("POST /test-runs/compare", {"test_run_ids": test_run_ids, "offset": offset, "limit": limit, "direction": direction, "confidence": confidence}, options)


class WorkflowsApi(Api):
    """The family workflows."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, application_id: int = OMIT, status: List[Literal["ENABLED", "DISABLED"]] = OMIT, execution_mode: List[Literal["sync", "async", "stream"]] = OMIT, language: List[Literal["javascript", "typescript", "python"]] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.WorkflowSummary]:
        """List the workflows, without their scripts. Scope: read."""
        return self._list("GET /workflows", {"offset": offset, "limit": limit, "search": search, "sort": sort, "application_id": application_id, "status": status, "execution_mode": execution_mode, "language": language}, options)

    def create(self, *, workflow_ref_name: str, script: str, workflow_name: str = OMIT, description: str = OMIT, application_id: Union[int, None] = OMIT, application_name: Union[str, None] = OMIT, language: Literal["javascript", "typescript", "python"] = OMIT, execution_mode: Literal["sync", "async", "stream"] = OMIT, transform_session: Union[str, None] = OMIT, input_schema: Union[Dict[str, Any], None] = OMIT, output_schema: Union[Dict[str, Any], None] = OMIT, allow_inproc_nesting: bool = OMIT, inproc_nested_refs: List[str] = OMIT, timeout_seconds: int = OMIT, memory_mb: int = OMIT, status: Literal["ENABLED", "DISABLED"] = OMIT, meta: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.Workflow:
        """Create a workflow. Scope: write."""
        return self._data("POST /workflows", {"workflow_ref_name": workflow_ref_name, "workflow_name": workflow_name, "description": description, "application_id": application_id, "application_name": application_name, "language": language, "script": script, "execution_mode": execution_mode, "transform_session": transform_session, "input_schema": input_schema, "output_schema": output_schema, "allow_inproc_nesting": allow_inproc_nesting, "inproc_nested_refs": inproc_nested_refs, "timeout_seconds": timeout_seconds, "memory_mb": memory_mb, "status": status, "meta": meta}, options)

    def get(self, workflow_id: int, *, include_script: bool = OMIT, options: Optional[CallOptions] = None) -> types.Workflow:
        """Get a workflow, with its script when asked for. Scope: read."""
        return self._data("GET /workflows/{workflow_id}", {"workflow_id": workflow_id, "include_script": include_script}, options)

    def get_by_ref(self, workflow_ref_name: str, *, include_script: bool = OMIT, options: Optional[CallOptions] = None) -> types.Workflow:
        """Get a workflow by its reference name. Scope: read."""
        return self._data("GET /workflows/by-ref/{workflow_ref_name}", {"workflow_ref_name": workflow_ref_name, "include_script": include_script}, options)

    def update(self, workflow_id: int, *, workflow_name: str = OMIT, description: str = OMIT, application_id: Union[int, None] = OMIT, application_name: Union[str, None] = OMIT, language: Literal["javascript", "typescript", "python"] = OMIT, script: str = OMIT, execution_mode: Literal["sync", "async", "stream"] = OMIT, transform_session: Union[str, None] = OMIT, input_schema: Union[Dict[str, Any], None] = OMIT, output_schema: Union[Dict[str, Any], None] = OMIT, allow_inproc_nesting: bool = OMIT, inproc_nested_refs: List[str] = OMIT, timeout_seconds: int = OMIT, memory_mb: int = OMIT, status: Literal["ENABLED", "DISABLED"] = OMIT, meta: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.Workflow:
        """Change the draft of a workflow; a script that is sent is uploaded again. Scope: write."""
        return self._data("PUT /workflows/{workflow_id}", {"workflow_id": workflow_id, "workflow_name": workflow_name, "description": description, "application_id": application_id, "application_name": application_name, "language": language, "script": script, "execution_mode": execution_mode, "transform_session": transform_session, "input_schema": input_schema, "output_schema": output_schema, "allow_inproc_nesting": allow_inproc_nesting, "inproc_nested_refs": inproc_nested_refs, "timeout_seconds": timeout_seconds, "memory_mb": memory_mb, "status": status, "meta": meta}, options)

    def delete(self, workflow_id: int, *, force: bool = OMIT, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a workflow. Scope: write."""
        return self._data("DELETE /workflows/{workflow_id}", {"workflow_id": workflow_id, "force": force}, options)

    def enable(self, workflow_id: int, *, options: Optional[CallOptions] = None) -> types.Workflow:
        """Enable a workflow. Scope: write."""
        return self._data("PUT /workflows/{workflow_id}/enable", {"workflow_id": workflow_id}, options)

    def disable(self, workflow_id: int, *, options: Optional[CallOptions] = None) -> types.Workflow:
        """Disable a workflow; it can no longer be executed. Scope: write."""
        return self._data("PUT /workflows/{workflow_id}/disable", {"workflow_id": workflow_id}, options)

    def validate_script(self, *, script: str, language: Literal["javascript", "typescript", "python"] = OMIT, transform_session: Union[str, None] = OMIT, input_schema: Union[Dict[str, Any], None] = OMIT, output_schema: Union[Dict[str, Any], None] = OMIT, options: Optional[CallOptions] = None) -> types.ScriptValidation:
        """Compile a script and check schemas; nothing is run and nothing is stored. Scope: read."""
        return self._data("POST /workflows/validate", {"script": script, "language": language, "transform_session": transform_session, "input_schema": input_schema, "output_schema": output_schema}, options)

    def get_default_script(self, *, language: Literal["javascript", "typescript", "python"] = OMIT, options: Optional[CallOptions] = None) -> types.DefaultScript:
        """Get a script to begin with. Scope: read."""
        return self._data("GET /workflows/default-script", {"language": language}, options)

    def list_languages(self, *, options: Optional[CallOptions] = None) -> List[types.LanguageSupport]:
        """List the languages of scripts and whether this installation runs them. Scope: read."""
        return self._data("GET /workflows/languages", {}, options)

    def publish_version(self, workflow_id: int, *, bump_type: Literal["major", "minor", "patch"] = OMIT, version_notes: str = OMIT, options: Optional[CallOptions] = None) -> types.WorkflowVersion:
        """Publish the draft of the workflow as a new immutable version. Scope: write."""
        return self._data("POST /workflows/{workflow_id}/versions", {"workflow_id": workflow_id, "bump_type": bump_type, "version_notes": version_notes}, options)

    def list_versions(self, workflow_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.WorkflowVersion]:
        """List the published versions of the workflow, newest first. Scope: read."""
        return self._list("GET /workflows/{workflow_id}/versions", {"workflow_id": workflow_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def diff_versions(self, workflow_id: int, *, from_: str, to: str = OMIT, options: Optional[CallOptions] = None) -> types.VersionDiff:
        """Compare two versions of the workflow. Scope: read."""
        return self._data("GET /workflows/{workflow_id}/versions/diff", {"workflow_id": workflow_id, "from": from_, "to": to}, options)

    def get_version(self, workflow_id: int, version: str, *, include_snapshot: bool = OMIT, options: Optional[CallOptions] = None) -> types.WorkflowVersion:
        """Get one published version of the workflow. Scope: read."""
        return self._data("GET /workflows/{workflow_id}/versions/{version}", {"workflow_id": workflow_id, "version": version, "include_snapshot": include_snapshot}, options)

    def restore_version(self, workflow_id: int, version: str, *, options: Optional[CallOptions] = None) -> types.Workflow:
        """Copy a published version onto the draft of the workflow. Scope: write."""
        return self._data("POST /workflows/{workflow_id}/versions/{version}/restore", {"workflow_id": workflow_id, "version": version}, options)

    def list_releases(self, workflow_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Release]:
        """List the releases of the workflow. Scope: read."""
        return self._list("GET /workflows/{workflow_id}/releases", {"workflow_id": workflow_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def create_release(self, workflow_id: int, *, name: str, version: str, is_default: bool = OMIT, gate_policy: Union[types.GatePolicy, None] = OMIT, mcp_enabled: bool = OMIT, override_reason: str = OMIT, options: Optional[CallOptions] = None) -> types.Release:
        """Create a release of the workflow. Scope: write."""
        return self._data("POST /workflows/{workflow_id}/releases", {"workflow_id": workflow_id, "name": name, "version": version, "is_default": is_default, "gate_policy": gate_policy, "mcp_enabled": mcp_enabled, "override_reason": override_reason}, options)

    def get_release(self, workflow_id: int, release_name: str, *, options: Optional[CallOptions] = None) -> types.Release:
        """Get a release of the workflow. Scope: read."""
        return self._data("GET /workflows/{workflow_id}/releases/{release_name}", {"workflow_id": workflow_id, "release_name": release_name}, options)

    def update_release(self, workflow_id: int, release_name: str, *, name: str = OMIT, version: str = OMIT, is_default: bool = OMIT, gate_policy: Union[types.GatePolicy, None] = OMIT, mcp_enabled: bool = OMIT, override_reason: str = OMIT, options: Optional[CallOptions] = None) -> types.Release:
        """Move, rename or change a release of the workflow. Scope: write."""
        return self._data("PUT /workflows/{workflow_id}/releases/{release_name}", {"workflow_id": workflow_id, "release_name": release_name, "name": name, "version": version, "is_default": is_default, "gate_policy": gate_policy, "mcp_enabled": mcp_enabled, "override_reason": override_reason}, options)

    def delete_release(self, workflow_id: int, release_name: str, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a release of the workflow. Scope: write."""
        return self._data("DELETE /workflows/{workflow_id}/releases/{release_name}", {"workflow_id": workflow_id, "release_name": release_name}, options)

    def check_release(self, workflow_id: int, release_name: str, *, version: str, options: Optional[CallOptions] = None) -> types.GateResult:
        """Check the gate of a release of the workflow for a version without moving it. Scope: read."""
        return self._data("POST /workflows/{workflow_id}/releases/{release_name}/check", {"workflow_id": workflow_id, "release_name": release_name, "version": version}, options)

    def list_release_moves(self, workflow_id: int, release_name: str, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ReleaseMove]:
        """List the moves of a release of the workflow, newest first. Scope: read."""
        return self._list("GET /workflows/{workflow_id}/releases/{release_name}/history", {"workflow_id": workflow_id, "release_name": release_name, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def upload(self, *, workflow_ref_name: str, workflow_name: str = OMIT, description: str = OMIT, application_id: Union[int, None] = OMIT, application_name: Union[str, None] = OMIT, language: Literal["javascript", "typescript", "python"] = OMIT, script: str = OMIT, execution_mode: Literal["sync", "async", "stream"] = OMIT, transform_session: Union[str, None] = OMIT, input_schema: Union[Dict[str, Any], None] = OMIT, output_schema: Union[Dict[str, Any], None] = OMIT, allow_inproc_nesting: bool = OMIT, inproc_nested_refs: List[str] = OMIT, timeout_seconds: int = OMIT, memory_mb: int = OMIT, status: Literal["ENABLED", "DISABLED"] = OMIT, meta: Dict[str, Any] = OMIT, artifacts: List[types.ArtifactBody] = OMIT, publish_version: bool = OMIT, bump_type: Literal["major", "minor", "patch"] = OMIT, version_notes: str = OMIT, options: Optional[CallOptions] = None) -> types.UploadedWorkflow:
        """Create or update a workflow by its reference name, with its artifacts and a version, all or nothing. Scope: write."""
        return self._data("POST /workflows/upload", {"workflow_ref_name": workflow_ref_name, "workflow_name": workflow_name, "description": description, "application_id": application_id, "application_name": application_name, "language": language, "script": script, "execution_mode": execution_mode, "transform_session": transform_session, "input_schema": input_schema, "output_schema": output_schema, "allow_inproc_nesting": allow_inproc_nesting, "inproc_nested_refs": inproc_nested_refs, "timeout_seconds": timeout_seconds, "memory_mb": memory_mb, "status": status, "meta": meta, "artifacts": artifacts, "publish_version": publish_version, "bump_type": bump_type, "version_notes": version_notes}, options)

    def import_(self, *, workflows: List[types.ManifestWorkflow], on_conflict: Literal["error", "update"] = OMIT, options: Optional[CallOptions] = None) -> types.WorkflowImport:
        """Create or update workflows from a manifest, all or none. Scope: write."""
        return self._data("POST /workflows/import", {"workflows": workflows, "on_conflict": on_conflict}, options)

    def export(self, workflow_id: int, *, version: str = OMIT, options: Optional[CallOptions] = None) -> types.WorkflowManifest:
        """Get a workflow with its script as an importable manifest, without its artifacts. Scope: read."""
        return self._data("GET /workflows/{workflow_id}/export", {"workflow_id": workflow_id, "version": version}, options)

    @overload
    def execute(self, workflow_id: int, *, mode: Literal["stream"], input: Any = OMIT, messages: List[types.Message] = OMIT, params: Dict[str, Any] = OMIT, version: str = OMIT, release: str = OMIT, session_id: str = OMIT, secrets: Dict[str, str] = OMIT, metadata: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> EventStream[types.RunStreamEvent]: ...

    @overload
    def execute(self, workflow_id: int, *, input: Any = OMIT, messages: List[types.Message] = OMIT, params: Dict[str, Any] = OMIT, version: str = OMIT, release: str = OMIT, session_id: str = OMIT, secrets: Dict[str, str] = OMIT, metadata: Dict[str, Any] = OMIT, mode: Literal["sync", "async"] = OMIT, options: Optional[CallOptions] = None) -> types.Execution: ...

    def execute(self, workflow_id: int, *, input: Any = OMIT, messages: List[types.Message] = OMIT, params: Dict[str, Any] = OMIT, version: str = OMIT, release: str = OMIT, session_id: str = OMIT, secrets: Dict[str, str] = OMIT, metadata: Dict[str, Any] = OMIT, mode: Literal["sync", "async", "stream"] = OMIT, options: Optional[CallOptions] = None) -> Any:
        """Run a workflow; sync waits for its end, async returns the id of the run, stream sends its events. Scope: invoke."""
        if mode == "stream":
            return self._events("POST /workflows/{workflow_id}/execute", {"workflow_id": workflow_id, "input": input, "messages": messages, "params": params, "version": version, "release": release, "session_id": session_id, "secrets": secrets, "metadata": metadata, "mode": mode}, options)
        return self._data("POST /workflows/{workflow_id}/execute", {"workflow_id": workflow_id, "input": input, "messages": messages, "params": params, "version": version, "release": release, "session_id": session_id, "secrets": secrets, "metadata": metadata, "mode": mode}, options)

    def list_runs(self, workflow_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, status: List[Literal["QUEUED", "RUNNING", "COMPLETED", "FAILED", "TIMED_OUT", "CANCELLED"]] = OMIT, failure_class: List[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"]] = OMIT, error_code: List[Literal["max_iterations", "budget_exceeded", "secrets_unavailable", "output_schema", "interrupted", "script_error", "egress_denied", "webhook_ttl", "provider_error", "timeout", "depth_exceeded", "cancelled", "rule_too_costly", "model_not_found", "application_disabled", "invalid_config"]] = OMIT, trigger: List[Literal["API", "CHAT", "AGENT", "TEST", "MONITOR", "NESTED"]] = OMIT, session_id: str = OMIT, release: str = OMIT, version: str = OMIT, text: str = OMIT, min_duration_ms: int = OMIT, min_cost: float = OMIT, include_body: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ListedWorkflowRun]:
        """List the runs of a workflow, without their bodies unless asked. Scope: read."""
        return self._list("GET /workflows/{workflow_id}/runs", {"workflow_id": workflow_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "status": status, "failure_class": failure_class, "error_code": error_code, "trigger": trigger, "session_id": session_id, "release": release, "version": version, "text": text, "min_duration_ms": min_duration_ms, "min_cost": min_cost, "include_body": include_body}, options)

    def search_runs(self, workflow_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, status: List[Literal["QUEUED", "RUNNING", "COMPLETED", "FAILED", "TIMED_OUT", "CANCELLED"]] = OMIT, failure_class: List[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"]] = OMIT, error_code: List[Literal["max_iterations", "budget_exceeded", "secrets_unavailable", "output_schema", "interrupted", "script_error", "egress_denied", "webhook_ttl", "provider_error", "timeout", "depth_exceeded", "cancelled", "rule_too_costly", "model_not_found", "application_disabled", "invalid_config"]] = OMIT, trigger: List[Literal["API", "CHAT", "AGENT", "TEST", "MONITOR", "NESTED"]] = OMIT, session_id: str = OMIT, release: str = OMIT, version: str = OMIT, text: str = OMIT, min_duration_ms: int = OMIT, min_cost: float = OMIT, include_body: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ListedWorkflowRun]:
        """Search the runs of a workflow. Scope: read."""
        return self._list("POST /workflows/{workflow_id}/runs/search", {"workflow_id": workflow_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "status": status, "failure_class": failure_class, "error_code": error_code, "trigger": trigger, "session_id": session_id, "release": release, "version": version, "text": text, "min_duration_ms": min_duration_ms, "min_cost": min_cost, "include_body": include_body}, options)

    def list_all_runs(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, status: List[Literal["QUEUED", "RUNNING", "COMPLETED", "FAILED", "TIMED_OUT", "CANCELLED"]] = OMIT, failure_class: List[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"]] = OMIT, error_code: List[Literal["max_iterations", "budget_exceeded", "secrets_unavailable", "output_schema", "interrupted", "script_error", "egress_denied", "webhook_ttl", "provider_error", "timeout", "depth_exceeded", "cancelled", "rule_too_costly", "model_not_found", "application_disabled", "invalid_config"]] = OMIT, trigger: List[Literal["API", "CHAT", "AGENT", "TEST", "MONITOR", "NESTED"]] = OMIT, session_id: str = OMIT, release: str = OMIT, version: str = OMIT, text: str = OMIT, min_duration_ms: int = OMIT, min_cost: float = OMIT, include_body: bool = OMIT, workflow_id: int = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ListedWorkflowRun]:
        """List the runs of all workflows, without their bodies unless asked. Scope: read."""
        return self._list("GET /workflow-runs", {"offset": offset, "limit": limit, "search": search, "sort": sort, "start_date": start_date, "end_date": end_date, "status": status, "failure_class": failure_class, "error_code": error_code, "trigger": trigger, "session_id": session_id, "release": release, "version": version, "text": text, "min_duration_ms": min_duration_ms, "min_cost": min_cost, "include_body": include_body, "workflow_id": workflow_id}, options)

    def get_run(self, run_id: str, *, wait_seconds: int = OMIT, options: Optional[CallOptions] = None) -> types.WorkflowRun:
        """Get a run, waiting up to 30 s for its end. Scope: read."""
        return self._data("GET /workflow-runs/{run_id}", {"run_id": run_id, "wait_seconds": wait_seconds}, options)

    def list_run_logs(self, run_id: str, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: Literal["id", "-id", "date_created", "-date_created", "date_updated", "-date_updated"] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.RunLogEntry]:
        """List what the script of a run has logged, oldest first. Scope: read."""
        return self._list("GET /workflow-runs/{run_id}/logs", {"run_id": run_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def list_run_timeline(self, run_id: str, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, include_children: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.RunTimelineEvent]:
        """List what happened in a run, oldest first. Scope: read."""
        return self._list("GET /workflow-runs/{run_id}/timeline", {"run_id": run_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "include_children": include_children}, options)

    def stream_run(self, run_id: str, *, options: Optional[CallOptions] = None) -> EventStream[types.RunStreamEvent]:
        """Follow a run as server-sent events. Scope: read."""
        return self._events("GET /workflow-runs/{run_id}/stream", {"run_id": run_id}, options)

    def cancel_run(self, run_id: str, *, options: Optional[CallOptions] = None) -> types.WorkflowRun:
        """Cancel a run that has not ended, with its nested runs. Scope: invoke."""
        return self._data("POST /workflow-runs/{run_id}/cancel", {"run_id": run_id}, options)

    def rerun_run(self, run_id: str, *, version: str = OMIT, release: str = OMIT, secrets: Dict[str, str] = OMIT, options: Optional[CallOptions] = None) -> types.AcceptedRun:
        """Run a workflow again on the input of an earlier run. Scope: invoke."""
        return self._data("POST /workflow-runs/{run_id}/rerun", {"run_id": run_id, "version": version, "release": release, "secrets": secrets}, options)

    def preview_transform(self, workflow_id: int, *, session: Dict[str, Any] = OMIT, session_id: str = OMIT, version: str = OMIT, release: str = OMIT, options: Optional[CallOptions] = None) -> types.TransformResult:
        """Run transform_session on a given session, or on one of chat completions; nothing is stored. Scope: invoke."""
        return self._data("POST /workflows/{workflow_id}/transform-preview", {"workflow_id": workflow_id, "session": session, "session_id": session_id, "version": version, "release": release}, options)

    def list_artifacts(self, workflow_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, run_id: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Artifact]:
        """List the artifacts of a workflow, or those that one of its runs has written. Scope: read."""
        return self._list("GET /workflows/{workflow_id}/artifacts", {"workflow_id": workflow_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "run_id": run_id}, options)

    def put_artifact(self, workflow_id: int, *, key: str, content_base64: str = OMIT, content_type: str = OMIT, file: Union[str, bytes, BinaryIO] = OMIT, options: Optional[CallOptions] = None) -> types.Artifact:
        """Store an artifact of at most 50 MiB; one of the same key is replaced. Scope: write."""
        return self._form("POST /workflows/{workflow_id}/artifacts", {"workflow_id": workflow_id, "key": key, "content_base64": content_base64, "content_type": content_type}, file, options)

    def get_artifact(self, workflow_id: int, artifact_id: int, *, options: Optional[CallOptions] = None) -> types.Artifact:
        """Get an artifact without its content. Scope: read."""
        return self._data("GET /workflows/{workflow_id}/artifacts/{artifact_id}", {"workflow_id": workflow_id, "artifact_id": artifact_id}, options)

    def delete_artifact(self, workflow_id: int, artifact_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete an artifact. Scope: write."""
        return self._data("DELETE /workflows/{workflow_id}/artifacts/{artifact_id}", {"workflow_id": workflow_id, "artifact_id": artifact_id}, options)

    def get_artifact_content(self, workflow_id: int, artifact_id: int, *, options: Optional[CallOptions] = None) -> Download:
        """Get the content of an artifact as an attachment. Scope: read."""
        return self._download("GET /workflows/{workflow_id}/artifacts/{artifact_id}/content", {"workflow_id": workflow_id, "artifact_id": artifact_id}, options)

    def list_run_artifacts(self, run_id: str, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Artifact]:
        """List the artifacts that a run has written. Scope: read."""
        return self._list("GET /workflow-runs/{run_id}/artifacts", {"run_id": run_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)


class TestRunsApi(Api):
    """The family test runs."""

    def create(self, *, test_set_id: int, consumer_kind: Literal["MODEL", "WORKFLOW", "AGENT", "EXTERNAL"], consumer_config: Union[types.ModelConsumer, types.WorkflowConsumer, types.AgentConsumer, types.ExternalConsumer], name: Union[str, None] = OMIT, description: Union[str, None] = OMIT, meta: Dict[str, Any] = OMIT, criteria_ids: List[int] = OMIT, auto_score: bool = OMIT, repeats: int = OMIT, options: Optional[CallOptions] = None) -> types.TestRun:
        """Create a run of a test set against a model, a workflow or an agent. Scope: write."""
        return self._data("POST /unified-test-runs", {"test_set_id": test_set_id, "name": name, "description": description, "meta": meta, "consumer_kind": consumer_kind, "consumer_config": consumer_config, "criteria_ids": criteria_ids, "auto_score": auto_score, "repeats": repeats}, options)

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, test_set_id: int = OMIT, consumer_kind: List[Literal["MODEL", "WORKFLOW", "AGENT", "EXTERNAL"]] = OMIT, consumer_id: int = OMIT, status: List[Literal["CREATED", "RUNNING", "COMPLETED"]] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.TestRun]:
        """List test runs. Scope: read."""
        return self._list("GET /unified-test-runs", {"offset": offset, "limit": limit, "search": search, "sort": sort, "test_set_id": test_set_id, "consumer_kind": consumer_kind, "consumer_id": consumer_id, "status": status}, options)

    def list_runs_of_test_set(self, test_set_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.TestRun]:
        """List the runs of a test set. Scope: read."""
        return self._list("GET /unified-test-sets/{test_set_id}/runs", {"test_set_id": test_set_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def get(self, id: int, *, options: Optional[CallOptions] = None) -> types.TestRun:
        """Get a test run. Scope: read."""
        return self._data("GET /unified-test-runs/{id}", {"id": id}, options)

    def update(self, id: int, *, name: Union[str, None] = OMIT, description: Union[str, None] = OMIT, meta: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.TestRun:
        """Change name, description or meta of a test run. Scope: write."""
        return self._data("PUT /unified-test-runs/{id}", {"id": id, "name": name, "description": description, "meta": meta}, options)

    def delete(self, id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a test run with its items. Scope: write."""
        return self._data("DELETE /unified-test-runs/{id}", {"id": id}, options)

    def prepare(self, id: int, *, options: Optional[CallOptions] = None) -> types.PreparedTestRun:
        """Adapt the items of the set to the consumer of the run. Scope: write."""
        return self._data("POST /unified-test-runs/{id}/prepare", {"id": id}, options)

    def execute(self, id: int, *, concurrency: int = OMIT, secrets: Dict[str, str] = OMIT, options: Optional[CallOptions] = None) -> types.TestRun:
        """Execute a prepared run; returns at once. Scope: invoke."""
        return self._data("POST /unified-test-runs/{id}/execute", {"id": id, "concurrency": concurrency, "secrets": secrets}, options)

    def get_progress(self, id: int, *, options: Optional[CallOptions] = None) -> types.RunProgress:
        """Get counts and duration percentiles of a run. Scope: read."""
        return self._data("GET /unified-test-runs/{id}/progress", {"id": id}, options)

    def stream(self, id: int, *, options: Optional[CallOptions] = None) -> EventStream[types.TestRunStreamEvent]:
        """Follow the progress of a run as server-sent events. Scope: read."""
        return self._events("GET /unified-test-runs/{id}/stream", {"id": id}, options)

    def score(self, id: int, *, criteria_ids: List[int] = OMIT, options: Optional[CallOptions] = None) -> types.ScoreSummary:
        """Score the items of a run; what takes longer than two seconds continues after the reply, and a repeat continues it. Scope: invoke."""
        return self._data("POST /unified-test-runs/{id}/score", {"id": id, "criteria_ids": criteria_ids}, options)

    def cancel(self, id: int, *, options: Optional[CallOptions] = None) -> types.TestRun:
        """Cancel a running run: its open items end as cancelled, with what they have started. Scope: invoke."""
        return self._data("POST /unified-test-runs/{id}/cancel", {"id": id}, options)

    def reset_failed(self, id: int, *, classes: List[Literal["provider", "timeout", "sandbox", "adapter", "judge", "internal"]] = OMIT, secrets: Dict[str, str] = OMIT, options: Optional[CallOptions] = None) -> types.ResetTestRun:
        """Execute the failed items of a completed run again. Scope: invoke."""
        return self._data("POST /unified-test-runs/{id}/reset-failed", {"id": id, "classes": classes, "secrets": secrets}, options)

    def list_run_items(self, id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, status: List[Literal["PENDING", "RUNNING", "COMPLETED", "FAILED"]] = OMIT, outcome: List[Literal["PASS", "FAIL", "ERROR"]] = OMIT, failure_class: List[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"]] = OMIT, matched: bool = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.RunItemSummary]:
        """List the items of a run. Scope: read."""
        return self._list("GET /unified-test-runs/{id}/items", {"id": id, "offset": offset, "limit": limit, "search": search, "sort": sort, "status": status, "outcome": outcome, "failure_class": failure_class, "matched": matched}, options)

    def get_run_item(self, id: int, item_id: int, *, options: Optional[CallOptions] = None) -> types.RunItem:
        """Get an item of a run. Scope: read."""
        return self._data("GET /unified-test-runs/{id}/items/{item_id}", {"id": id, "item_id": item_id}, options)

    def list_item_scores(self, id: int, item_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ItemScore]:
        """List the scores of an item, newest first. Scope: read."""
        return self._list("GET /unified-test-runs/{id}/items/{item_id}/scores", {"id": id, "item_id": item_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def list_item_attempts(self, id: int, item_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.RunItemAttempt]:
        """List the executions of an item, newest first. Scope: read."""
        return self._list("GET /unified-test-runs/{id}/items/{item_id}/attempts", {"id": id, "item_id": item_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def compare(self, *, test_run_ids: List[int], offset: int = OMIT, limit: int = OMIT, direction: Literal["worse", "better", "error", "changed"] = OMIT, confidence: float = OMIT, options: Optional[CallOptions] = None) -> types.RunComparison:
        """Compare 2 to 10 runs over the same set. Scope: read."""
        return self._data("POST /unified-test-runs/compare", {"test_run_ids": test_run_ids, "offset": offset, "limit": limit, "direction": direction, "confidence": confidence}, options)

    def preview_adapted_input(self, *, test_set_item_id: int, consumer_kind: Literal["MODEL", "WORKFLOW", "AGENT", "EXTERNAL"], consumer_config: Union[types.ModelConsumer, types.WorkflowConsumer, types.AgentConsumer, types.ExternalConsumer], options: Optional[CallOptions] = None) -> types.AdaptedInputPreview:
        """Show what an item becomes for a consumer; stores nothing. Scope: read."""
        return self._data("POST /unified-test-runs/preview-adapted-input", {"test_set_item_id": test_set_item_id, "consumer_kind": consumer_kind, "consumer_config": consumer_config}, options)

    def run_test_set(self, *, test_set_id: int, consumer_kind: Literal["MODEL", "WORKFLOW", "AGENT", "EXTERNAL"], consumer_config: Union[types.ModelConsumer, types.WorkflowConsumer, types.AgentConsumer, types.ExternalConsumer], name: Union[str, None] = OMIT, description: Union[str, None] = OMIT, meta: Dict[str, Any] = OMIT, criteria_ids: List[int] = OMIT, auto_score: bool = OMIT, repeats: int = OMIT, concurrency: int = OMIT, secrets: Dict[str, str] = OMIT, wait_seconds: int = OMIT, release: str = OMIT, baseline_run_id: int = OMIT, options: Optional[CallOptions] = None) -> types.EvaluatedRun:
        """Create, prepare, execute and score a run in one call, and wait for its scores, its gate and its comparison. Scope: invoke."""
        return self._data("POST /unified-test-runs/run", {"test_set_id": test_set_id, "name": name, "description": description, "meta": meta, "consumer_kind": consumer_kind, "consumer_config": consumer_config, "criteria_ids": criteria_ids, "auto_score": auto_score, "repeats": repeats, "concurrency": concurrency, "secrets": secrets, "wait_seconds": wait_seconds, "release": release, "baseline_run_id": baseline_run_id}, options)

    def export(self, id: int, *, format: Literal["jsonl", "csv", "junit"] = OMIT, options: Optional[CallOptions] = None) -> Download:
        """Export the items of a run as JSONL, as CSV, whose formulas begin with an apostrophe, or as a JUnit report for a pipeline. Scope: read."""
        return self._download("GET /unified-test-runs/{id}/export", {"id": id, "format": format}, options)


class DatasetsApi(Api):
    """The family datasets."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, intent_group_id: int = OMIT, status: Literal["DRAFT", "READY", "ARCHIVED"] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Dataset]:
        """List the datasets. Scope: read."""
        return self._list("GET /datasets", {"offset": offset, "limit": limit, "search": search, "sort": sort, "intent_group_id": intent_group_id, "status": status}, options)

    def create(self, *, dataset_name: str, intent_group_id: int, description: Union[str, None] = OMIT, application_id: Union[int, None] = OMIT, tags: List[str] = OMIT, meta: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.Dataset:
        """Create a dataset. Scope: write."""
        return self._data("POST /datasets", {"dataset_name": dataset_name, "description": description, "intent_group_id": intent_group_id, "application_id": application_id, "tags": tags, "meta": meta}, options)

    def get(self, dataset_id: int, *, options: Optional[CallOptions] = None) -> types.Dataset:
        """Get a dataset. Scope: read."""
        return self._data("GET /datasets/{dataset_id}", {"dataset_id": dataset_id}, options)

    def update(self, dataset_id: int, *, dataset_name: str = OMIT, description: Union[str, None] = OMIT, tags: List[str] = OMIT, meta: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.Dataset:
        """Change a dataset. Scope: write."""
        return self._data("PUT /datasets/{dataset_id}", {"dataset_id": dataset_id, "dataset_name": dataset_name, "description": description, "tags": tags, "meta": meta}, options)

    def delete(self, dataset_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a dataset that no composition contains. Scope: write."""
        return self._data("DELETE /datasets/{dataset_id}", {"dataset_id": dataset_id}, options)

    def archive(self, dataset_id: int, *, options: Optional[CallOptions] = None) -> types.Dataset:
        """Archive a dataset: it is read-only until it is unarchived. Scope: write."""
        return self._data("POST /datasets/{dataset_id}/archive", {"dataset_id": dataset_id}, options)

    def unarchive(self, dataset_id: int, *, options: Optional[CallOptions] = None) -> types.Dataset:
        """Make an archived dataset changeable again. Scope: write."""
        return self._data("POST /datasets/{dataset_id}/unarchive", {"dataset_id": dataset_id}, options)

    def add_requests(self, dataset_id: int, *, request_ids: List[str] = OMIT, items: List[types.DatasetItem] = OMIT, use_correction: bool = OMIT, options: Optional[CallOptions] = None) -> types.AddedRequests:
        """Add recorded requests by id, or rows of your own. Scope: write."""
        return self._data("POST /datasets/{dataset_id}/requests", {"dataset_id": dataset_id, "request_ids": request_ids, "items": items, "use_correction": use_correction}, options)

    def add_requests_by_filter(self, dataset_id: int, *, application_id: int = OMIT, intent_id: int = OMIT, intent_group_id: int = OMIT, session_id: str = OMIT, model: str = OMIT, request_type: Literal["PROD", "RERUN", "SYNTHETIC", "MANUAL"] = OMIT, evaluation_status: Literal["PENDING", "PASS", "FAULT", "ERROR", "NA"] = OMIT, is_corrected: bool = OMIT, tag_ids: List[int] = OMIT, text: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, max: int = OMIT, options: Optional[CallOptions] = None) -> types.AddedByFilter:
        """Add the newest recorded requests that a filter selects. Scope: write."""
        return self._data("POST /datasets/{dataset_id}/requests/add-by-filter", {"dataset_id": dataset_id, "application_id": application_id, "intent_id": intent_id, "intent_group_id": intent_group_id, "session_id": session_id, "model": model, "request_type": request_type, "evaluation_status": evaluation_status, "is_corrected": is_corrected, "tag_ids": tag_ids, "text": text, "start_date": start_date, "end_date": end_date, "max": max}, options)

    def search_added_requests(self, dataset_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, text: str = OMIT, source: Literal["REQUEST", "UPLOAD", "MANUAL", "AUGMENTED"] = OMIT, tag_ids: List[int] = OMIT, is_corrected: bool = OMIT, start_date: int = OMIT, end_date: int = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.ListedDatasetRequest]:
        """Search the rows of a dataset. Scope: read."""
        return self._list("POST /datasets/{dataset_id}/added-requests/search", {"dataset_id": dataset_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "text": text, "source": source, "tag_ids": tag_ids, "is_corrected": is_corrected, "start_date": start_date, "end_date": end_date}, options)

    def search_available_requests(self, dataset_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, application_id: int = OMIT, intent_id: int = OMIT, intent_group_id: int = OMIT, session_id: str = OMIT, model: str = OMIT, request_type: Literal["PROD", "RERUN", "SYNTHETIC", "MANUAL"] = OMIT, evaluation_status: Literal["PENDING", "PASS", "FAULT", "ERROR", "NA"] = OMIT, is_corrected: bool = OMIT, tag_ids: List[int] = OMIT, text: str = OMIT, start_date: int = OMIT, end_date: int = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.RecordedRequest]:
        """Search the recorded requests that a dataset does not contain yet. Scope: read."""
        return self._list("POST /datasets/{dataset_id}/available-requests/search", {"dataset_id": dataset_id, "offset": offset, "limit": limit, "search": search, "sort": sort, "application_id": application_id, "intent_id": intent_id, "intent_group_id": intent_group_id, "session_id": session_id, "model": model, "request_type": request_type, "evaluation_status": evaluation_status, "is_corrected": is_corrected, "tag_ids": tag_ids, "text": text, "start_date": start_date, "end_date": end_date}, options)

    def get_request(self, dataset_id: int, dataset_request_id: int, *, options: Optional[CallOptions] = None) -> types.DatasetRequest:
        """Get a row of a dataset. Scope: read."""
        return self._data("GET /datasets/{dataset_id}/requests/{dataset_request_id}", {"dataset_id": dataset_id, "dataset_request_id": dataset_request_id}, options)

    def update_request(self, dataset_id: int, dataset_request_id: int, *, messages: List[types.TrainingMessage] = OMIT, response: types.TrainingResponse = OMIT, meta: Dict[str, Any] = OMIT, options: Optional[CallOptions] = None) -> types.DatasetRequest:
        """Change a row of a dataset; the recorded request stays as it is. Scope: write."""
        return self._data("PUT /datasets/{dataset_id}/requests/{dataset_request_id}", {"dataset_id": dataset_id, "dataset_request_id": dataset_request_id, "messages": messages, "response": response, "meta": meta}, options)

    def delete_request(self, dataset_id: int, dataset_request_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a row of a dataset. Scope: write."""
        return self._data("DELETE /datasets/{dataset_id}/requests/{dataset_request_id}", {"dataset_id": dataset_id, "dataset_request_id": dataset_request_id}, options)

    def upload_rows(self, dataset_id: int, *, file: Union[str, bytes, BinaryIO], media_type: str = "application/jsonl", options: Optional[CallOptions] = None) -> types.UploadedRows:
        """Add the rows of a JSONL file, at most 100 MiB and 50,000 rows; bad rows are named by their line. Scope: write."""
        return self._upload("POST /datasets/{dataset_id}/upload", {"dataset_id": dataset_id}, file, media_type, options)

    def export(self, dataset_id: int, *, options: Optional[CallOptions] = None) -> Download:
        """Export the rows of a dataset as JSONL in the format of OpenAI's fine-tuning. Scope: read."""
        return self._download("GET /datasets/{dataset_id}/export", {"dataset_id": dataset_id}, options)

    def list_augmentations(self, dataset_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Augmentation]:
        """List the augmentations of a dataset. Scope: read."""
        return self._list("GET /datasets/{dataset_id}/augmentations", {"dataset_id": dataset_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def create_augmentation(self, dataset_id: int, *, type: Literal["reasoning", "variation"], schema: List[types.ReasoningField] = OMIT, count: int = OMIT, model: str = OMIT, options: Optional[CallOptions] = None) -> types.Augmentation:
        """Let a model write the reasoning of each row, or variations of its question. Scope: invoke."""
        return self._data("POST /datasets/{dataset_id}/augmentations", {"dataset_id": dataset_id, "type": type, "schema": schema, "count": count, "model": model}, options)

    def get_augmentation(self, dataset_id: int, augmentation_id: int, *, options: Optional[CallOptions] = None) -> types.Augmentation:
        """Get an augmentation. Scope: read."""
        return self._data("GET /datasets/{dataset_id}/augmentations/{augmentation_id}", {"dataset_id": dataset_id, "augmentation_id": augmentation_id}, options)


class CompositionsApi(Api):
    """The family compositions."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, intent_group_id: int = OMIT, status: Literal["DRAFT", "READY"] = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.Composition]:
        """List the compositions. Scope: read."""
        return self._list("GET /compositions", {"offset": offset, "limit": limit, "search": search, "sort": sort, "intent_group_id": intent_group_id, "status": status}, options)

    def create(self, *, composition_name: str, intent_group_id: int, description: Union[str, None] = OMIT, entries: List[types.CompositionEntry] = OMIT, validation_split: float = OMIT, seed: int = OMIT, exclude_test_set_ids: List[int] = OMIT, options: Optional[CallOptions] = None) -> types.Composition:
        """Create a composition. Scope: write."""
        return self._data("POST /compositions", {"composition_name": composition_name, "description": description, "intent_group_id": intent_group_id, "entries": entries, "validation_split": validation_split, "seed": seed, "exclude_test_set_ids": exclude_test_set_ids}, options)

    def get(self, composition_id: int, *, options: Optional[CallOptions] = None) -> types.Composition:
        """Get a composition. Scope: read."""
        return self._data("GET /compositions/{composition_id}", {"composition_id": composition_id}, options)

    def update(self, composition_id: int, *, composition_name: str = OMIT, description: Union[str, None] = OMIT, entries: List[types.CompositionEntry] = OMIT, validation_split: float = OMIT, seed: int = OMIT, exclude_test_set_ids: List[int] = OMIT, options: Optional[CallOptions] = None) -> types.Composition:
        """Change a composition that no unfinished finetune run uses. Scope: write."""
        return self._data("PUT /compositions/{composition_id}", {"composition_id": composition_id, "composition_name": composition_name, "description": description, "entries": entries, "validation_split": validation_split, "seed": seed, "exclude_test_set_ids": exclude_test_set_ids}, options)

    def delete(self, composition_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a composition that no unfinished finetune run uses. Scope: write."""
        return self._data("DELETE /compositions/{composition_id}", {"composition_id": composition_id}, options)

    def add_dataset(self, composition_id: int, *, dataset_id: int, weight: float = OMIT, max_requests: Union[int, None] = OMIT, options: Optional[CallOptions] = None) -> types.Composition:
        """Add a dataset to a composition. Scope: write."""
        return self._data("POST /compositions/{composition_id}/datasets", {"composition_id": composition_id, "weight": weight, "max_requests": max_requests, "dataset_id": dataset_id}, options)

    def update_dataset(self, composition_id: int, dataset_id: int, *, weight: float = OMIT, max_requests: Union[int, None] = OMIT, options: Optional[CallOptions] = None) -> types.Composition:
        """Change the share of a dataset in a composition. Scope: write."""
        return self._data("PUT /compositions/{composition_id}/datasets/{dataset_id}", {"composition_id": composition_id, "dataset_id": dataset_id, "weight": weight, "max_requests": max_requests}, options)

    def remove_dataset(self, composition_id: int, dataset_id: int, *, options: Optional[CallOptions] = None) -> types.Composition:
        """Remove a dataset from a composition. Scope: write."""
        return self._data("DELETE /compositions/{composition_id}/datasets/{dataset_id}", {"composition_id": composition_id, "dataset_id": dataset_id}, options)

    def preview(self, composition_id: int, *, sample_size: int = OMIT, options: Optional[CallOptions] = None) -> types.CompositionPreview:
        """Show what a composition consists of, with samples. Scope: read."""
        return self._data("POST /compositions/{composition_id}/preview", {"composition_id": composition_id, "sample_size": sample_size}, options)

    def export(self, composition_id: int, *, split: Literal["train", "validation"] = OMIT, options: Optional[CallOptions] = None) -> Download:
        """Export the rows of a composition as JSONL in the format of OpenAI's fine-tuning. Scope: read."""
        return self._download("GET /compositions/{composition_id}/export", {"composition_id": composition_id, "split": split}, options)


class FinetuneRunsApi(Api):
    """The family finetune runs."""

    def list(self, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, status: Literal["CREATED", "VALIDATING", "QUEUED", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"] = OMIT, intent_group_id: int = OMIT, composition_id: int = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.FinetuneRun]:
        """List the finetune runs. Scope: read."""
        return self._list("GET /finetune-runs", {"offset": offset, "limit": limit, "search": search, "sort": sort, "status": status, "intent_group_id": intent_group_id, "composition_id": composition_id}, options)

    def create(self, *, composition_id: int, base_model: str, run_name: str = OMIT, hyperparameters: types.Hyperparameters = OMIT, options: Optional[CallOptions] = None) -> types.FinetuneRun:
        """Train a model with the rows that a composition has now. Scope: invoke."""
        return self._data("POST /finetune-runs", {"run_name": run_name, "composition_id": composition_id, "base_model": base_model, "hyperparameters": hyperparameters}, options)

    def get(self, finetune_run_id: int, *, options: Optional[CallOptions] = None) -> types.FinetuneRun:
        """Get a finetune run. Scope: read."""
        return self._data("GET /finetune-runs/{finetune_run_id}", {"finetune_run_id": finetune_run_id}, options)

    def delete(self, finetune_run_id: int, *, options: Optional[CallOptions] = None) -> types.Deleted:
        """Delete a finetune run that has ended; its model stays. Scope: write."""
        return self._data("DELETE /finetune-runs/{finetune_run_id}", {"finetune_run_id": finetune_run_id}, options)

    def list_finetune_events(self, finetune_run_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.FinetuneEvent]:
        """List what happened in a finetune run, oldest first. Scope: read."""
        return self._list("GET /finetune-runs/{finetune_run_id}/events", {"finetune_run_id": finetune_run_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def list_finetune_metrics(self, finetune_run_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.FinetuneMetric]:
        """List the losses of the steps of a finetune run, oldest first. Scope: read."""
        return self._list("GET /finetune-runs/{finetune_run_id}/metrics", {"finetune_run_id": finetune_run_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def list_finetune_checkpoints(self, finetune_run_id: int, *, offset: int = OMIT, limit: int = OMIT, search: str = OMIT, sort: str = OMIT, options: Optional[CallOptions] = None) -> PagedList[types.FinetuneCheckpoint]:
        """List the models that a finetune run has kept on its way, oldest first. Scope: read."""
        return self._list("GET /finetune-runs/{finetune_run_id}/checkpoints", {"finetune_run_id": finetune_run_id, "offset": offset, "limit": limit, "search": search, "sort": sort}, options)

    def cancel(self, finetune_run_id: int, *, options: Optional[CallOptions] = None) -> types.FinetuneRun:
        """Cancel a finetune run, and its job at the provider. Scope: invoke."""
        return self._data("POST /finetune-runs/{finetune_run_id}/cancel", {"finetune_run_id": finetune_run_id}, options)


class Client:
    """
    A client of the platform, which threads may share; a `with` block closes its connections.

    Key and address default to the environment variables SIGNALBOX_API_KEY and SIGNALBOX_URL.
    `timeout` is in seconds and applies to every single wait for the platform; `max_retries` is how often a call is sent
    again after a failure that may pass.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: float = 150.0,
        max_retries: int = 2,
        headers: Optional[Dict[str, str]] = None,
    ) -> None:
        self._transport = Transport(Settings(find_key(api_key), find_url(base_url), timeout, max_retries, headers or {}))
        self.company = CompanyApi(self._transport)
        self.api_keys = ApiKeysApi(self._transport)
        self.audit_log = AuditLogApi(self._transport)
        self.webhooks = WebhooksApi(self._transport)
        self.portal_sessions = PortalSessionsApi(self._transport)
        self.applications = ApplicationsApi(self._transport)
        self.intents = IntentsApi(self._transport)
        self.intent_groups = IntentGroupsApi(self._transport)
        self.models = ModelsApi(self._transport)
        self.chat = ChatApi(self._transport)
        self.requests = RequestsApi(self._transport)
        self.sessions = SessionsApi(self._transport)
        self.tags = TagsApi(self._transport)
        self.sentinels = SentinelsApi(self._transport)
        self.evaluations = EvaluationsApi(self._transport)
        self.reports = ReportsApi(self._transport)
        self.search = SearchApi(self._transport)
        self.analytics = AnalyticsApi(self._transport)
        self.agents = AgentsApi(self._transport)
        self.releases = ReleasesApi(self._transport)
        self.mcp_servers = McpServersApi(self._transport)
        self.evaluation_criteria = EvaluationCriteriaApi(self._transport)
        self.test_sets = TestSetsApi(self._transport)
        self.monitors = MonitorsApi(self._transport)
        self.legacy = LegacyApi(self._transport)
        self.workflows = WorkflowsApi(self._transport)
        self.test_runs = TestRunsApi(self._transport)
        self.datasets = DatasetsApi(self._transport)
        self.compositions = CompositionsApi(self._transport)
        self.finetune_runs = FinetuneRunsApi(self._transport)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections; later calls are errors."""
        self._transport.close()

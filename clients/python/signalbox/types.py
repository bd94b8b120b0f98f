"""The data of the API.

Generated from the contracts by tools/openapi.mjs; changes belong there.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union


class Company(TypedDict):
    id: int
    name: str
    settings: CompanySettings
    date_created: int
    date_updated: int


class _CompanySettings(TypedDict):
    retention_days: RetentionDays


class CompanySettings(_CompanySettings, total=False):
    default_model: str
    judge_model: str
    help_model: Union[str, None]


class RetentionDays(TypedDict, total=False):
    requests: Union[int, None]
    tasks: Union[int, None]
    workflow_runs: Union[int, None]
    monitor_runs: Union[int, None]


class SettingsChange(TypedDict, total=False):
    default_model: str
    judge_model: str
    help_model: Union[str, None]
    retention_days: RetentionChange


class RetentionChange(TypedDict, total=False):
    requests: Union[int, None]
    tasks: Union[int, None]
    workflow_runs: Union[int, None]
    monitor_runs: Union[int, None]


class ApiKey(TypedDict):
    id: int
    name: str
    key_prefix: str
    last4: str
    scopes: List[Literal["read", "write", "invoke", "admin", "ingest"]]
    expires_at: Union[int, None]
    last_used_at: Union[int, None]
    revoked_at: Union[int, None]
    created_by_key_id: Union[int, None]
    date_created: int
    date_updated: int


class NewApiKey(TypedDict):
    id: int
    name: str
    key_prefix: str
    last4: str
    scopes: List[Literal["read", "write", "invoke", "admin", "ingest"]]
    expires_at: Union[int, None]
    last_used_at: Union[int, None]
    revoked_at: Union[int, None]
    created_by_key_id: Union[int, None]
    date_created: int
    date_updated: int
    key: Union[str, None]


class CurrentApiKey(TypedDict):
    id: int
    name: str
    key_prefix: str
    last4: str
    scopes: List[Literal["read", "write", "invoke", "admin", "ingest"]]
    expires_at: Union[int, None]
    last_used_at: Union[int, None]
    revoked_at: Union[int, None]
    created_by_key_id: Union[int, None]
    date_created: int
    date_updated: int
    company: CompanyName


class CompanyName(TypedDict):
    id: int
    name: str


class Deleted(TypedDict):
    id: Any
    deleted: bool


class AuditEntry(TypedDict):
    id: int
    actor_key_id: Union[int, None]
    action: str
    resource_type: str
    resource_id: str
    before: Union[Dict[str, Any], None]
    after: Union[Dict[str, Any], None]
    reason: Union[str, None]
    request_id: str
    date_created: int


class Webhook(TypedDict):
    id: int
    url: str
    events: List[str]
    description: Union[str, None]
    enabled: bool
    disabled_reason: Union[str, None]
    secret_last4: str
    last_delivery_at: Union[int, None]
    date_created: int
    date_updated: int


class NewWebhook(TypedDict):
    id: int
    url: str
    events: List[str]
    description: Union[str, None]
    enabled: bool
    disabled_reason: Union[str, None]
    secret_last4: str
    last_delivery_at: Union[int, None]
    date_created: int
    date_updated: int
    secret: Union[str, None]


class EventType(TypedDict):
    event: str
    description: str
    data_fields: List[str]


class WebhookDelivery(TypedDict):
    id: int
    webhook_id: int
    event_id: str
    event: str
    status: Literal["PENDING", "SUCCEEDED", "FAILED"]
    attempt_count: int
    next_attempt_at: Union[int, None]
    last_status_code: Union[int, None]
    last_error: Union[str, None]
    request_body: Union[Any, None]
    response_excerpt: str
    duration_ms: Union[int, None]
    replay_of: Union[int, None]
    date_created: int
    date_updated: int


class StreamedEvent(TypedDict):
    type: str
    seq: int
    timestamp: int
    event_id: str
    event: str
    company_id: int
    occurred_at: int
    resource: EventResource
    data: Any


class EventResource(TypedDict):
    type: str
    id: Any


class PortalSession(TypedDict):
    id: int
    key_id: int
    key_name: str
    date_created: int
    last_seen_at: int
    expires_at: int
    user_agent: str


class Application(TypedDict):
    id: int
    application_name: str
    application_ref_name: str
    description: Union[str, None]
    state: Literal["ENABLED", "DISABLED"]
    config: Config
    meta: Dict[str, Any]
    fault_notifications: bool
    session_summaries: bool
    intent_count: int
    request_count: int
    last_activity: Union[int, None]
    date_created: int
    date_updated: int


class Config(TypedDict, total=False):
    model: Union[str, None]
    temperature: Union[float, None]
    top_p: Union[float, None]
    max_tokens: Union[int, None]
    n: Union[int, None]
    stop: Union[List[str], None]
    presence_penalty: Union[float, None]
    frequency_penalty: Union[float, None]
    logprobs: Union[bool, None]
    response_format: Union[ResponseFormat, None]
    system_prompt: Union[str, None]
    reasoning_effort: Union[Literal["low", "medium", "high"], None]
    timeout_ms: Union[int, None]
    evaluation_enabled: Union[bool, None]
    apply_corrections: Union[bool, None]
    safe_mode: Union[bool, None]
    fallback_config: Union[CallFallback, None]
    metadata: Union[Dict[str, Any], None]


class _ResponseFormat(TypedDict):
    type: Literal["text", "json_object", "json_schema"]


class ResponseFormat(_ResponseFormat, total=False):
    json_schema: JsonSchemaFormat


class _JsonSchemaFormat(TypedDict):
    name: str
    schema: Dict[str, Any]


class JsonSchemaFormat(_JsonSchemaFormat, total=False):
    strict: Union[bool, None]
    description: str


class _CallFallback(TypedDict):
    model: str
    strategy: Literal["reactive", "timeout", "first_response"]


class CallFallback(_CallFallback, total=False):
    timeout_ms: int


class ConfigView(TypedDict):
    config: Config
    effective_config: EffectiveConfig
    inherited_from: Dict[str, Literal["application", "intent_group", "intent", "default"]]


class EffectiveConfig(TypedDict):
    model: Union[str, None]
    temperature: float
    top_p: float
    max_tokens: Union[int, None]
    n: int
    stop: Union[List[str], None]
    presence_penalty: float
    frequency_penalty: float
    logprobs: bool
    response_format: Union[ResponseFormat, None]
    system_prompt: Union[str, None]
    reasoning_effort: Union[Literal["low", "medium", "high"], None]
    timeout_ms: int
    evaluation_enabled: bool
    apply_corrections: bool
    safe_mode: bool
    fallback_config: Union[CallFallback, None]
    metadata: Dict[str, Any]


class Model(TypedDict):
    id: int
    model_name: str
    display_name: str
    provider_id: int
    provider_name: str
    provider_model: str
    model_type: Literal["BASE", "FINETUNED"]
    base_model: Union[str, None]
    finetune_run_id: Union[int, None]
    intent_group_id: Union[int, None]
    context_window: Union[int, None]
    input_price_per_mtok: Union[float, None]
    output_price_per_mtok: Union[float, None]
    supports_tools: bool
    supports_json_schema: bool
    trainable: bool
    status: Literal["ENABLED", "DISABLED"]
    built_in: bool
    company_owned: bool
    date_created: int
    date_updated: int


class ChatSession(TypedDict):
    session_id: str
    application_id: Union[int, None]
    application_name: Union[str, None]
    intents: List[SessionIntent]
    request_count: int
    fault_count: int
    total_tokens: int
    cost: Union[float, None]
    metadata: Dict[str, Any]
    summary: Union[str, None]
    feedback_score: Union[int, None]
    feedback_text: Union[str, None]
    first_request_at: int
    last_request_at: int
    date_created: int
    date_updated: int


class SessionIntent(TypedDict):
    intent_id: int
    action_type: Union[str, None]


class AgentSummary(TypedDict):
    id: int
    application_id: Union[int, None]
    application_name: Union[str, None]
    agent_name: str
    kind: Literal["HOSTED", "EXTERNAL"]
    description: Union[str, None]
    status: Literal["ENABLED", "DISABLED"]
    execution_mode: Literal["reasoning", "route"]
    model: Union[str, None]
    system_prompt: Union[str, None]
    strategy_prompt_addendum: Union[str, None]
    agent_config: Dict[str, Any]
    max_iterations: int
    max_cost: Union[float, None]
    response_format: Union[ResponseFormat, None]
    base_url: Union[str, None]
    meta: Dict[str, Any]
    mcp_servers: List[int]
    action_count: int
    sub_agent_count: int
    latest_version: Union[str, None]
    has_unpublished_changes: bool
    date_created: int
    date_updated: int


class WorkflowSummary(TypedDict):
    id: int
    workflow_ref_name: str
    workflow_name: str
    description: str
    application_id: Union[int, None]
    application_name: Union[str, None]
    language: Literal["javascript", "typescript", "python"]
    script_key: str
    script_sha256: str
    execution_mode: Literal["sync", "async", "stream"]
    transform_enabled: bool
    input_schema: Union[Dict[str, Any], None]
    output_schema: Union[Dict[str, Any], None]
    allow_inproc_nesting: bool
    inproc_nested_refs: List[str]
    timeout_seconds: int
    memory_mb: int
    status: Literal["ENABLED", "DISABLED"]
    latest_version_number: Union[str, None]
    has_unpublished_changes: bool
    meta: Dict[str, Any]
    date_created: int
    date_updated: int


class _ListedWorkflowRun(TypedDict):
    id: str
    workflow_id: int
    workflow_version: Union[str, None]
    release: Union[str, None]
    session_id: str
    status: Literal["QUEUED", "RUNNING", "COMPLETED", "FAILED", "TIMED_OUT", "CANCELLED"]
    trigger: Literal["API", "CHAT", "AGENT", "TEST", "MONITOR", "NESTED"]
    mode: Literal["sync", "async", "stream"]
    first_message: Union[str, None]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    error_code: Union[Literal["max_iterations", "budget_exceeded", "secrets_unavailable", "output_schema", "interrupted", "script_error", "egress_denied", "webhook_ttl", "provider_error", "timeout", "depth_exceeded", "cancelled", "rule_too_costly", "model_not_found", "application_disabled", "invalid_config"], None]
    error_message: Union[str, None]
    usage: Usage
    cost: Union[float, None]
    attempts: int
    parent_run_id: Union[str, None]
    metadata: Dict[str, Any]
    duration_ms: Union[int, None]
    started_at: Union[int, None]
    completed_at: Union[int, None]
    date_created: int


class ListedWorkflowRun(_ListedWorkflowRun, total=False):
    input: Union[Any, None]
    messages: Union[List[Message], None]
    params: Dict[str, Any]
    output: Union[Any, None]
    transformed_session: Union[Any, None]


class _Usage(TypedDict):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class Usage(_Usage, total=False):
    cost: Union[float, None]


class _Message(TypedDict):
    role: Literal["system", "developer", "user", "assistant", "tool"]


class Message(_Message, total=False):
    content: Union[Union[str, List[Dict[str, Any]], None], None]
    name: str
    tool_calls: List[ToolCall]
    tool_call_id: str


class ToolCall(TypedDict):
    id: str
    type: Literal["function"]
    function: FunctionCall


class FunctionCall(TypedDict):
    name: str
    arguments: str


class Intent(TypedDict):
    id: int
    application_id: int
    action_type: str
    description: Union[str, None]
    prompt: Union[str, None]
    config: Config
    meta: Dict[str, Any]
    intent_group_id: int
    agent_id: Union[int, None]
    notifications_enabled: bool
    request_count: int
    last_activity: Union[int, None]
    date_created: int
    date_updated: int


class _RecordedRequest(TypedDict):
    id: int
    request_id: str
    application_id: Union[int, None]
    intent_id: Union[int, None]
    intent_group_id: Union[int, None]
    session_id: Union[str, None]
    reference_id: Union[str, None]
    request_type: Literal["PROD", "RERUN", "SYNTHETIC", "MANUAL"]
    origin: Literal["CHAT", "AGENT", "WORKFLOW", "MONITOR", "TEST", "EVALUATION", "EXTERNAL"]
    origin_id: Union[str, None]
    rerun_of: Union[str, None]
    task_id: Union[str, None]
    run_id: Union[str, None]
    inference_location: Literal["SERVER", "CLIENT"]
    model: str
    corrected_response: Union[Correction, None]
    is_corrected: bool
    correction_applied: bool
    status: Literal["COMPLETED", "FAILED"]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    error_message: Union[str, None]
    fallback_used: bool
    fallback_reason: Union[str, None]
    evaluation_status: Literal["PENDING", "PASS", "FAULT", "ERROR", "NA"]
    usage: Usage
    first_token_time_ms: Union[int, None]
    response_time_ms: Union[int, None]
    metadata: Dict[str, Any]
    tags: List[RequestTag]
    date_created: int
    date_updated: int


class RecordedRequest(_RecordedRequest, total=False):
    params: Any
    response: Union[Any, None]


class Correction(TypedDict):
    choices: List[CorrectedChoice]
    note: Union[str, None]
    key_id: Union[int, None]
    date_updated: int


class CorrectedChoice(TypedDict):
    message: Message


class RequestTag(TypedDict):
    id: int
    tag_name: str


class Dataset(TypedDict):
    id: int
    dataset_name: str
    description: Union[str, None]
    intent_group_id: int
    application_id: Union[int, None]
    status: Literal["DRAFT", "READY", "ARCHIVED"]
    request_count: int
    tags: List[str]
    meta: Dict[str, Any]
    date_created: int
    date_updated: int


class IntentGroup(TypedDict):
    id: int
    intent_group_name: str
    description: Union[str, None]
    config: Config
    meta: Dict[str, Any]
    application_count: int
    intent_count: int
    request_count: int
    sentinel_count: int
    last_activity: Union[int, None]
    date_created: int
    date_updated: int


class TestSet(TypedDict):
    id: int
    name: str
    description: Union[str, None]
    consumer_kinds: List[Literal["MODEL", "WORKFLOW", "AGENT", "EXTERNAL"]]
    criteria_ids: List[int]
    tags: List[str]
    meta: Dict[str, Any]
    item_count: int
    last_run_at: Union[int, None]
    date_created: int
    date_updated: int


class Composition(TypedDict):
    id: int
    composition_name: str
    description: Union[str, None]
    intent_group_id: int
    entries: List[CompositionEntry]
    validation_split: float
    seed: int
    exclude_test_set_ids: List[int]
    status: Literal["DRAFT", "READY"]
    request_count: int
    date_created: int
    date_updated: int


class _CompositionEntry(TypedDict):
    dataset_id: int


class CompositionEntry(_CompositionEntry, total=False):
    weight: float
    max_requests: Union[int, None]


class FinetuneRun(TypedDict):
    id: int
    run_name: str
    composition_id: int
    intent_group_id: int
    base_model: str
    model_id: Union[int, None]
    finetuned_model_name: Union[str, None]
    provider_id: int
    provider_job_id: Union[str, None]
    hyperparameters: Hyperparameters
    status: Literal["CREATED", "VALIDATING", "QUEUED", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"]
    progress: int
    metrics: FinetuneLosses
    training_request_count: int
    validation_request_count: int
    error_message: Union[str, None]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    started_at: Union[int, None]
    completed_at: Union[int, None]
    date_created: int
    date_updated: int


class Hyperparameters(TypedDict, total=False):
    n_epochs: int
    batch_size: Union[int, None]
    learning_rate_multiplier: Union[float, None]
    seed: Union[int, None]


class FinetuneLosses(TypedDict, total=False):
    train_loss: float
    validation_loss: float


class ModelUsage(TypedDict):
    bucket: Literal["hour", "day", "week"]
    points: List[ModelUsagePoint]


class ModelUsagePoint(TypedDict):
    timestamp: int
    requests: int
    errors: int
    total_tokens: int
    cost: Union[float, None]
    p50_ms: Union[int, None]
    p95_ms: Union[int, None]
    fault_rate: Union[float, None]


class Provider(TypedDict):
    id: int
    provider_name: str
    kind: Literal["openai_compatible", "simulated"]
    base_url: Union[str, None]
    api_key_set: bool
    api_key_last4: Union[str, None]
    default_headers: Dict[str, str]
    timeout_ms: int
    status: Literal["ENABLED", "DISABLED"]
    built_in: bool
    date_created: int
    date_updated: int


class ProviderTest(TypedDict):
    ok: bool
    latency_ms: int
    failure_class: Union[str, None]
    message: Union[str, None]
    models: Union[List[str], None]


class _ChatMessage(TypedDict):
    role: Literal["system", "developer", "user", "assistant", "tool"]


class ChatMessage(_ChatMessage, total=False):
    content: Union[Union[str, List[Dict[str, Any]], None], None]
    name: str
    tool_calls: List[ToolCall]
    tool_call_id: str


class _Completion(TypedDict):
    id: str
    object: str
    created: int
    model: str
    choices: Any
    request_id: str
    session_id: str
    correction_applied: bool
    fallback_used: bool
    response_time_ms: int


class Completion(_Completion, total=False):
    usage: Union[Any, None]
    evaluate_response: List[EvaluationResult]
    fallback_reason: Union[str, None]
    first_token_time_ms: Union[int, None]
    output: Any


class EvaluationResult(TypedDict):
    id: int
    evaluation_request_id: str
    evaluation_id: Union[int, None]
    request_id: str
    session_id: Union[str, None]
    application_id: Union[int, None]
    intent_id: Union[int, None]
    intent_group_id: Union[int, None]
    sentinel_id: int
    sentinel_name: str
    severity: int
    status: Literal["PASS", "FAULT", "ERROR", "NA"]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    description: str
    confidence: Union[float, None]
    correction: Union[str, None]
    eval_time_ms: int
    usage: Usage
    date_created: int


class _CallMadeElsewhere(TypedDict):
    messages: List[ChatMessage]


class CallMadeElsewhere(_CallMadeElsewhere, total=False):
    model: Union[str, None]
    temperature: Union[float, None]
    top_p: Union[float, None]
    n: Union[int, None]
    stream: Union[bool, None]
    stream_options: Union[Dict[str, Any], None]
    stop: Union[Union[str, List[str]], None]
    max_tokens: Union[int, None]
    max_completion_tokens: Union[int, None]
    presence_penalty: Union[float, None]
    frequency_penalty: Union[float, None]
    logprobs: Union[bool, None]
    top_logprobs: Union[int, None]
    response_format: Union[ResponseFormat, None]
    tools: Union[List[Dict[str, Any]], None]
    tool_choice: Union[Union[Literal["none", "auto", "required"], Dict[str, Any]], None]
    parallel_tool_calls: Union[bool, None]
    seed: Union[int, None]
    user: Union[str, None]
    reasoning_effort: Union[Literal["none", "minimal", "low", "medium", "high", "xhigh"], None]
    application: str
    intent: str
    evaluation_enabled: Union[bool, None]
    apply_corrections: Union[bool, None]
    safe_mode: Union[bool, None]
    fallback_config: Union[CallFallback, None]
    return_evaluation: bool
    input: Any
    secrets: Dict[str, str]
    session_id: str
    metadata: Union[Dict[str, Any], None]
    reference_id: Union[str, None]
    request_id: str


class AnswerMadeElsewhere(TypedDict):
    choices: List[AnsweredChoice]


class AnsweredChoice(TypedDict):
    message: ChatMessage


class Timing(TypedDict, total=False):
    first_token_time_ms: Union[int, None]
    response_time_ms: Union[int, None]


class StoredCompletion(TypedDict):
    request_id: str
    created: bool


class _StoreCompletion(TypedDict):
    chat_completion_request: CallMadeElsewhere
    chat_completion_response: AnswerMadeElsewhere


class StoreCompletion(_StoreCompletion, total=False):
    timing: Union[Timing, None]


class ResponsePair(TypedDict):
    original: Union[Dict[str, Any], None]
    corrected: Union[Correction, None]


class _SessionEvent(TypedDict):
    type: Literal["message", "tool_call", "evaluation", "correction", "feedback"]
    timestamp: int


class SessionEvent(_SessionEvent, total=False):
    request_id: str
    role: str
    content: Union[Any, None]
    sentinel_id: int
    status: str
    tool_call: Any


class SessionFeedback(TypedDict):
    session_id: str
    feedback_score: Union[int, None]
    feedback_text: Union[str, None]
    key_id: Union[int, None]
    date_updated: int


class Tag(TypedDict):
    id: int
    tag_name: str
    color: Union[str, None]
    description: Union[str, None]
    request_count: int
    date_created: int
    date_updated: int


class TagRule(TypedDict):
    id: int
    rule_name: str
    tag_id: int
    application_id: Union[int, None]
    intent_group_id: Union[int, None]
    method: Literal["CONDITIONS", "LLM"]
    conditions: Union[ConditionGroup, None]
    prompt: Union[str, None]
    apply_to_new: bool
    enabled: bool
    date_created: int
    date_updated: int


class _ConditionGroup(TypedDict):
    kind: Literal["group"]
    op: Literal["AND", "OR"]
    children: List[Union[Condition, ConditionGroup]]


class ConditionGroup(_ConditionGroup, total=False):
    id: str
    negate: bool


class _Condition(TypedDict):
    kind: Literal["condition"]
    source: Literal["json", "text"]
    operator: Literal["equals", "not_equals", "gt", "gte", "lt", "lte", "contains", "not_contains", "matches", "exists", "does_not_exist", "is_true", "is_false", "is_empty", "is_not_empty", "in", "not_in", "length_gt", "length_lt"]


class Condition(_Condition, total=False):
    id: str
    path: Union[str, None]
    value: Any


class TagVerdict(TypedDict):
    request_id: str
    matched: bool
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]


class TagRun(TypedDict):
    id: int
    rule_ids: List[int]
    filters: RequestFilter
    status: Literal["PENDING", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"]
    total_requests: int
    processed: int
    tagged: int
    errors: int
    error_message: Union[str, None]
    date_created: int
    date_updated: int
    started_at: Union[int, None]
    completed_at: Union[int, None]


class RequestFilter(TypedDict, total=False):
    application_id: int
    intent_id: int
    intent_group_id: int
    session_id: str
    model: str
    request_type: Literal["PROD", "RERUN", "SYNTHETIC", "MANUAL"]
    evaluation_status: Literal["PENDING", "PASS", "FAULT", "ERROR", "NA"]
    is_corrected: bool
    tag_ids: List[int]
    text: str
    start_date: int
    end_date: int


class Sentinel(TypedDict):
    id: int
    sentinel_name: str
    severity: int
    intent_group_id: int
    sentinel_directive: SentinelDirective
    meta: Dict[str, Any]
    state: Literal["ENABLED", "DISABLED"]
    date_created: int
    date_updated: int


class _SentinelDirective(TypedDict):
    instruction: str


class SentinelDirective(_SentinelDirective, total=False):
    examples: List[DirectiveExample]
    qualification: Union[DirectiveQualification, None]
    correction: Union[DirectiveCorrection, None]
    include_options: IncludeOptions


class DirectiveExample(TypedDict):
    example_type: Literal["PASS", "FAULT", "NA"]
    example_body: str


class DirectiveQualification(TypedDict):
    type: Literal["STATIC", "LLM"]
    instruction: str


class DirectiveCorrection(TypedDict):
    type: Literal["STATIC", "LLM"]
    instruction: str


class IncludeOptions(TypedDict, total=False):
    system_prompt: bool
    context: bool
    input: bool
    tool_calls: bool
    json_schema: bool


class GeneratedSentinel(TypedDict):
    sentinel_name: str
    severity: int
    sentinel_directive: SentinelDirective


class DirectiveChange(TypedDict, total=False):
    instruction: str
    examples: List[DirectiveExample]
    qualification: Union[DirectiveQualification, None]
    correction: Union[DirectiveCorrection, None]
    include_options: IncludeOptions


class EvaluationTrial(TypedDict):
    evaluation_request_id: str
    evaluation_id: Union[int, None]
    session_id: Union[str, None]
    application_id: Union[int, None]
    intent_id: Union[int, None]
    intent_group_id: Union[int, None]
    sentinel_id: int
    sentinel_name: str
    severity: int
    status: Literal["PASS", "FAULT", "ERROR", "NA"]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    description: str
    confidence: Union[float, None]
    correction: Union[str, None]
    eval_time_ms: int
    usage: Usage
    request_id: Union[str, None]


class EvaluationRun(TypedDict):
    id: int
    name: Union[str, None]
    application_id: int
    intent_id: int
    start_date: int
    end_date: int
    sentinel_ids: List[int]
    sentinel_overrides: Dict[str, SentinelDirective]
    request_limit: Union[int, None]
    status: Literal["PENDING", "RUNNING", "DONE", "ERROR", "CANCELLED"]
    total_requests: int
    evaluated_requests: int
    pass_count: int
    fault_count: int
    na_count: int
    error_count: int
    errors_by_class: Dict[str, int]
    pass_rate: Union[float, None]
    cost: Union[float, None]
    error_message: Union[str, None]
    date_created: int
    date_updated: int
    started_at: Union[int, None]
    completed_at: Union[int, None]


class EvaluationEstimate(TypedDict):
    request_count: int
    judgement_count: int
    estimated_cost: Union[float, None]


class RequestEvaluationResults(TypedDict):
    evaluation_request_id: str
    request_id: str
    status: Literal["PASS", "FAULT", "ERROR", "NA"]
    results: List[EvaluationResult]


class ReportedFault(TypedDict):
    request_id: str
    session_id: Union[str, None]
    application_id: Union[int, None]
    intent_id: Union[int, None]
    sentinel_id: int
    sentinel_name: str
    severity: int
    description: str
    correction_applied: bool
    date_created: int


class FaultSummary(TypedDict):
    key: str
    label: str
    fault_count: int
    evaluated: int
    error_count: int
    fault_rate: Union[float, None]


class ReportedFallback(TypedDict):
    request_id: str
    primary_model: Union[str, None]
    fallback_model: str
    strategy: Union[Literal["reactive", "timeout", "first_response"], None]
    fallback_reason: Union[str, None]
    latency_ms: Union[int, None]
    date_created: int


class FallbackSummary(TypedDict):
    key: str
    label: str
    count: int
    rate: Union[float, None]


class SearchResults(TypedDict):
    query: str
    results: List[SearchResult]


class _SearchResult(TypedDict):
    kind: Literal["endpoint", "command", "concept"]
    title: str
    family: str
    summary: str
    score: float


class SearchResult(_SearchResult, total=False):
    method: str
    path: str
    command: str


class HelpContext(TypedDict, total=False):
    language: Literal["curl", "typescript", "python"]
    goal: str


class HelpAnswer(TypedDict):
    answer: str
    steps: List[str]
    endpoints: List[HelpEndpoint]
    examples: List[HelpExample]
    sources: List[HelpSource]
    generated_by: Literal["template", "model"]


class HelpEndpoint(TypedDict):
    method: str
    path: str
    why: str


class HelpExample(TypedDict):
    language: Literal["curl", "typescript", "python"]
    code: str


class HelpSource(TypedDict):
    title: str
    path: str


class Found(TypedDict):
    type: Literal["application", "intent", "intent_group", "agent", "agent_action", "agent_task", "mcp_server", "workflow", "workflow_run", "monitor", "sentinel", "session", "request", "dataset", "composition", "finetune_run", "test_set", "test_run", "evaluation_criteria", "evaluation_run", "model", "model_provider", "tag", "tag_rule", "tag_run", "api_key", "webhook"]
    id: Any
    name: Union[str, None]
    parent: Union[FoundParent, None]
    url_path: str


class FoundParent(TypedDict):
    type: Literal["application", "intent", "intent_group", "agent", "agent_action", "agent_task", "mcp_server", "workflow", "workflow_run", "monitor", "sentinel", "session", "request", "dataset", "composition", "finetune_run", "test_set", "test_run", "evaluation_criteria", "evaluation_run", "model", "model_provider", "tag", "tag_rule", "tag_run", "api_key", "webhook"]
    id: Any
    name: Union[str, None]


class RequestVolume(TypedDict):
    bucket: Literal["hour", "day", "week"]
    series: List[VolumeSeries]
    total: int


class VolumeSeries(TypedDict):
    key: str
    label: str
    points: List[VolumePoint]


class VolumePoint(TypedDict):
    timestamp: int
    count: int


class FaultRate(TypedDict):
    bucket: Literal["hour", "day", "week"]
    series: List[FaultSeries]
    total: Faults


class FaultSeries(TypedDict):
    key: str
    label: str
    points: List[FaultPoint]


class FaultPoint(TypedDict):
    evaluated: int
    faults: int
    errors: int
    fault_rate: Union[float, None]
    timestamp: int


class Faults(TypedDict):
    evaluated: int
    faults: int
    errors: int
    fault_rate: Union[float, None]


class Latency(TypedDict):
    bucket: Literal["hour", "day", "week"]
    series: List[LatencySeries]
    total: Latencies


class LatencySeries(TypedDict):
    key: str
    label: str
    points: List[LatencyPoint]


class LatencyPoint(TypedDict):
    p50_ms: Union[int, None]
    p90_ms: Union[int, None]
    p95_ms: Union[int, None]
    first_token_p50_ms: Union[int, None]
    timestamp: int


class Latencies(TypedDict):
    p50_ms: Union[int, None]
    p90_ms: Union[int, None]
    p95_ms: Union[int, None]
    first_token_p50_ms: Union[int, None]


class UsageOverTime(TypedDict):
    bucket: Literal["hour", "day", "week"]
    series: List[UsageSeries]
    total: TokensUsed


class UsageSeries(TypedDict):
    key: str
    label: str
    points: List[UsagePoint]


class UsagePoint(TypedDict):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    cost: Union[float, None]
    timestamp: int


class TokensUsed(TypedDict):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    cost: Union[float, None]


class AnalyticsSummary(TypedDict):
    request_count: int
    session_count: int
    fault_rate: Union[float, None]
    fallback_rate: Union[float, None]
    correction_rate: Union[float, None]
    error_rate: Union[float, None]
    avg_response_time_ms: Union[int, None]
    total_tokens: int
    cost: Union[float, None]


class AgentConfig(TypedDict, total=False):
    temperature: Union[float, None]
    max_tokens: Union[int, None]
    steps: Union[AgentStepConfigs, None]


class AgentStepConfigs(TypedDict, total=False):
    orchestrate: Union[AgentStepConfig, None]
    process: Union[AgentStepConfig, None]
    respond: Union[AgentStepConfig, None]


class AgentStepConfig(TypedDict, total=False):
    model: Union[str, None]
    prompt: Union[str, None]


class Agent(TypedDict):
    id: int
    application_id: Union[int, None]
    application_name: Union[str, None]
    agent_name: str
    kind: Literal["HOSTED", "EXTERNAL"]
    description: Union[str, None]
    status: Literal["ENABLED", "DISABLED"]
    execution_mode: Literal["reasoning", "route"]
    model: Union[str, None]
    system_prompt: Union[str, None]
    strategy_prompt_addendum: Union[str, None]
    agent_config: Dict[str, Any]
    max_iterations: int
    max_cost: Union[float, None]
    response_format: Union[ResponseFormat, None]
    base_url: Union[str, None]
    meta: Dict[str, Any]
    mcp_servers: List[int]
    action_count: int
    sub_agent_count: int
    latest_version: Union[str, None]
    has_unpublished_changes: bool
    date_created: int
    date_updated: int
    actions: List[AgentAction]
    sub_agents: List[SubAgentLink]
    routing: Routing
    form_fields: List[FormField]


class AgentAction(TypedDict):
    id: int
    date_created: str
    agent_id: int
    action_name: str
    action_type: Literal["llm", "api", "webhook", "maitai_workflow"]
    description: str
    enabled: bool
    action_config: Union[Dict[str, Any], None]
    meta: Dict[str, Any]
    is_default: bool
    action_result_type: Literal["gather_info", "complete_task"]
    status: Literal["ENABLED", "DISABLED"]
    invocation_mode: Literal["foreground", "background"]


class SubAgentLink(TypedDict):
    id: int
    agent_id: int
    child_agent_id: int
    version: Union[str, None]
    release: Union[str, None]
    action_result_type: Literal["gather_info", "complete_task"]
    position: int
    date_created: int
    date_updated: int


class Routing(TypedDict):
    config: RoutingConfig
    rules: List[RoutingRule]


class RoutingConfig(TypedDict):
    type: Literal["rules", "llm"]
    default: Route


class _Route(TypedDict):
    type: Literal["agent", "action", "llm", "none"]


class Route(_Route, total=False):
    agent_id: Union[int, None]
    action_id: Union[int, None]


class RoutingRule(TypedDict):
    id: int
    agent_id: int
    position: int
    label: str
    condition_expression: Union[str, None]
    conditions: List[RoutingCondition]
    route: Route
    enabled: bool
    date_created: int
    date_updated: int


class _RoutingCondition(TypedDict):
    target_type: Literal["message", "request", "state"]
    operator: Literal["equals", "not_equals", "gt", "gte", "lt", "lte", "like", "contains", "matches", "is_null", "is_not_null", "classify", "not_classify", "sem_match"]


class RoutingCondition(_RoutingCondition, total=False):
    variable_path: Union[str, None]
    value: Union[Any, None]
    threshold: Union[float, None]
    enabled: bool


class FormField(TypedDict):
    id: int
    agent_id: int
    field_key: str
    label: str
    field_type: Literal["string", "number", "boolean", "date", "enum", "object", "array"]
    description: Union[str, None]
    required: bool
    enum_values: Union[List[str], None]
    default_value: Union[Any, None]
    read_scope: Literal["all", "self"]
    write_scope: Literal["all", "self"]
    position: int
    date_created: int
    date_updated: int


class _LlmActionConfig(TypedDict):
    prompt: str


class LlmActionConfig(_LlmActionConfig, total=False):
    user_prompt: Union[str, None]
    model_config: LlmModelConfig
    response_format: Union[ResponseFormat, None]


class LlmModelConfig(TypedDict, total=False):
    model: Union[str, None]
    temperature: Union[float, None]
    max_tokens: Union[int, None]


class _ApiActionConfig(TypedDict):
    endpoint: str


class ApiActionConfig(_ApiActionConfig, total=False):
    base_url: Union[str, None]
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    headers: Dict[str, str]
    query: Dict[str, str]
    body: Union[Any, None]
    auth: Union[ActionAuth, None]
    parameters: Dict[str, ActionParameter]
    timeout_ms: int
    mock_response: Any


class _ActionAuth(TypedDict):
    type: Literal["none", "bearer", "basic", "api_key"]


class ActionAuth(_ActionAuth, total=False):
    token: Union[str, None]
    username: Union[str, None]
    password: Union[str, None]
    header: Union[str, None]


class _ActionParameter(TypedDict):
    type: Literal["string", "number", "boolean", "object", "array"]


class ActionParameter(_ActionParameter, total=False):
    description: Union[str, None]
    required: bool


class _WebhookActionConfig(TypedDict):
    endpoint: str


class WebhookActionConfig(_WebhookActionConfig, total=False):
    base_url: Union[str, None]
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    headers: Dict[str, str]
    query: Dict[str, str]
    body: Union[Any, None]
    auth: Union[ActionAuth, None]
    parameters: Dict[str, ActionParameter]
    timeout_ms: int
    mock_response: Any
    mode: Literal["outbound", "callback"]
    ttl_seconds: int


class _WorkflowActionConfig(TypedDict):
    workflow_id: int


class WorkflowActionConfig(_WorkflowActionConfig, total=False):
    version: Union[str, None]
    release: Union[str, None]
    input_mapping: Dict[str, str]


class ActionTest(TypedDict):
    status: Literal["SUCCESS", "ERROR", "TIMEOUT"]
    output: Union[Any, None]
    duration_ms: int
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    error_message: Union[str, None]


class RoutingTest(TypedDict):
    matched_rule_id: Union[int, None]
    route: Route
    evaluations: List[RuleEvaluation]


class RuleEvaluation(TypedDict):
    rule_id: int
    passed: bool
    conditions: List[bool]


class ManifestApplication(TypedDict):
    ref_name: str
    name: str


class _ManifestAgent(TypedDict):
    name: str


class ManifestAgent(_ManifestAgent, total=False):
    status: Literal["ENABLED", "DISABLED"]
    description: Union[str, None]
    instructions: Union[str, None]
    execution_mode: Literal["reasoning", "route"]
    model: Union[str, None]
    strategy_prompt_addendum: Union[str, None]
    agent_config: Dict[str, Any]
    max_iterations: int
    max_cost: Union[float, None]
    response_format: Union[ResponseFormat, None]
    base_url: Union[str, None]
    meta: Dict[str, Any]
    mcp_servers: List[str]
    actions: List[ActionBody]
    handoffs: List[Union[str, ManifestHandoff]]
    form_fields: List[FormFieldBody]
    routing: ManifestRouting


class _ActionBody(TypedDict):
    action_name: str
    action_type: Literal["llm", "api", "webhook", "maitai_workflow"]
    description: str


class ActionBody(_ActionBody, total=False):
    enabled: bool
    action_config: Union[Union[LlmActionConfig, ApiActionConfig, WebhookActionConfig, WorkflowActionConfig], None]
    meta: Dict[str, Any]
    is_default: bool
    action_result_type: Literal["gather_info", "complete_task"]
    invocation_mode: Literal["foreground", "background"]


class _ManifestHandoff(TypedDict):
    name: str


class ManifestHandoff(_ManifestHandoff, total=False):
    version: Union[str, None]
    release: Union[str, None]
    action_result_type: Literal["gather_info", "complete_task"]


class _FormFieldBody(TypedDict):
    field_key: str
    label: str
    field_type: Literal["string", "number", "boolean", "date", "enum", "object", "array"]


class FormFieldBody(_FormFieldBody, total=False):
    description: Union[str, None]
    required: bool
    enum_values: Union[List[str], None]
    default_value: Union[Any, None]
    read_scope: Literal["all", "self"]
    write_scope: Literal["all", "self"]


class _ManifestRouting(TypedDict):
    config: ManifestRoutingConfig


class ManifestRouting(_ManifestRouting, total=False):
    rules: List[ManifestRule]


class ManifestRoutingConfig(TypedDict):
    type: Literal["rules", "llm"]
    default: ManifestRoute


class _ManifestRoute(TypedDict):
    type: Literal["agent", "action", "llm", "none"]


class ManifestRoute(_ManifestRoute, total=False):
    agent: Union[str, None]
    action: Union[str, None]


class _ManifestRule(TypedDict):
    label: str
    conditions: List[RoutingCondition]
    route: ManifestRoute


class ManifestRule(_ManifestRule, total=False):
    condition_expression: Union[str, None]
    enabled: bool


class AgentImport(TypedDict):
    application_id: int
    agents: List[ImportedAgent]
    warnings: List[ImportWarning]


class ImportedAgent(TypedDict):
    name: str
    id: int
    status: Literal["created", "updated", "unchanged"]
    action_ids: List[int]
    subagent_links: List[SubAgentLink]
    warnings: List[ImportWarning]


class ImportWarning(TypedDict):
    path: str
    message: str


class AgentManifest(TypedDict):
    application: ManifestApplication
    agents: List[ManifestAgent]


class _AgentVersion(TypedDict):
    id: int
    version: str
    agent_id: int
    notes: str
    is_latest: bool
    date_created: int
    agent: AgentName


class AgentVersion(_AgentVersion, total=False):
    snapshot: Any


class AgentName(TypedDict):
    id: int
    agent_name: str


class _VersionDiff(TypedDict):
    from_version: Union[str, None]
    to_version: Union[str, None]
    has_changes: bool
    changes: Any


class VersionDiff(_VersionDiff, total=False):
    actions: Any
    sub_agents: Any
    routing_rules: Any
    form_fields: Any


class Release(TypedDict):
    id: int
    name: str
    version_id: int
    version_number: str
    is_default: bool
    gate_policy: Union[GatePolicy, None]
    mcp_enabled: bool
    moved_at: int
    moved_by_key_id: Union[int, None]
    date_created: int
    date_updated: int


class _GatePolicy(TypedDict):
    test_set_id: int
    min_match_rate: float
    max_age_ms: int


class GatePolicy(_GatePolicy, total=False):
    max_error_rate: float
    confidence: Union[float, None]


class _GateResult(TypedDict):
    passed: bool
    reasons: List[str]


class GateResult(_GateResult, total=False):
    test_run_id: int
    stale_items: List[int]


class ReleaseMove(TypedDict):
    id: int
    release_name: str
    from_version: Union[str, None]
    to_version: str
    gate_result: Union[GateResult, None]
    override_reason: Union[str, None]
    key_id: Union[int, None]
    date_created: int


class ReleaseOverview(TypedDict):
    parent_type: Literal["agent", "workflow", "monitor"]
    parent_id: int
    parent_name: str
    name: str
    version_number: str
    is_default: bool
    gate_policy: Union[GatePolicy, None]
    last_gate_result: Union[GateResult, None]
    mcp_enabled: bool
    moved_at: int
    moved_by_key_id: Union[int, None]


class _Invocation(TypedDict):
    task_id: str
    session_id: str


class Invocation(_Invocation, total=False):
    id: str
    status: Literal["QUEUED", "RUNNING", "WAITING_WEBHOOK", "COMPLETED", "FAILED", "CANCELLED"]
    hook_expires_at: int
    object: str
    created: int
    model: str
    choices: List[Choice]
    usage: Usage
    structured_output: Union[Any, None]


class Choice(TypedDict):
    index: int
    message: Message
    finish_reason: str


class _ListedTask(TypedDict):
    id: str
    agent_id: int
    parent_task_id: Union[str, None]
    session_id: str
    status: Literal["QUEUED", "RUNNING", "WAITING_WEBHOOK", "COMPLETED", "FAILED", "CANCELLED"]
    version: Union[str, None]
    reported_version: Union[str, None]
    release: Union[str, None]
    first_message: Union[str, None]
    waiting: Union[TaskWaiting, None]
    iterations: int
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    error_code: Union[Literal["max_iterations", "budget_exceeded", "secrets_unavailable", "output_schema", "interrupted", "script_error", "egress_denied", "webhook_ttl", "provider_error", "timeout", "depth_exceeded", "cancelled", "rule_too_costly", "model_not_found", "application_disabled", "invalid_config"], None]
    error_message: Union[str, None]
    usage: Usage
    cost: Union[float, None]
    duration_ms: Union[int, None]
    started_at: Union[int, None]
    completed_at: Union[int, None]
    trigger: Literal["API", "CHAT", "WORKFLOW", "TEST", "SUB_AGENT", "MONITOR", "MCP", "EXTERNAL"]
    metadata: Dict[str, Any]
    date_created: int


class ListedTask(_ListedTask, total=False):
    input_messages: List[Message]
    output: Union[Message, None]
    structured_output: Union[Any, None]


class TaskWaiting(TypedDict):
    action_name: Union[str, None]
    hook_expires_at: Union[int, None]


class Task(TypedDict):
    id: str
    agent_id: int
    parent_task_id: Union[str, None]
    session_id: str
    status: Literal["QUEUED", "RUNNING", "WAITING_WEBHOOK", "COMPLETED", "FAILED", "CANCELLED"]
    version: Union[str, None]
    reported_version: Union[str, None]
    release: Union[str, None]
    first_message: Union[str, None]
    waiting: Union[TaskWaiting, None]
    iterations: int
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    error_code: Union[Literal["max_iterations", "budget_exceeded", "secrets_unavailable", "output_schema", "interrupted", "script_error", "egress_denied", "webhook_ttl", "provider_error", "timeout", "depth_exceeded", "cancelled", "rule_too_costly", "model_not_found", "application_disabled", "invalid_config"], None]
    error_message: Union[str, None]
    usage: Usage
    cost: Union[float, None]
    duration_ms: Union[int, None]
    started_at: Union[int, None]
    completed_at: Union[int, None]
    trigger: Literal["API", "CHAT", "WORKFLOW", "TEST", "SUB_AGENT", "MONITOR", "MCP", "EXTERNAL"]
    metadata: Dict[str, Any]
    date_created: int
    input_messages: List[Message]
    output: Union[Message, None]
    structured_output: Union[Any, None]


class _TimelineEvent(TypedDict):
    type: Literal["message", "task_start", "task_end", "action_invoked", "action_result", "sub_agent_invoked", "routing", "state_update", "waiting_webhook", "model_called", "model_answered", "error"]
    timestamp: int
    seq: int
    task_id: str
    parent_task_id: Union[str, None]


class TimelineEvent(_TimelineEvent, total=False):
    role: str
    content: Union[Any, None]
    status: str
    action_id: int
    action_name: str
    action_type: Literal["llm", "api", "webhook", "maitai_workflow", "mcp"]
    mcp_server_id: int
    arguments: Any
    output: Union[Any, None]
    duration_ms: int
    child_task_id: str
    child_agent_id: int
    child_agent_name: str
    result: ChildResult
    step: int
    model: Union[str, None]
    request_id: Union[str, None]
    usage: Union[Usage, None]
    finish_reason: Union[str, None]
    rule_id: int
    route: Any
    changes: Any
    hook_expires_at: int
    message: str
    failure_class: Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"]


class ChildResult(TypedDict):
    status: Literal["QUEUED", "RUNNING", "WAITING_WEBHOOK", "COMPLETED", "FAILED", "CANCELLED"]
    output: Union[Any, None]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    error_message: Union[str, None]


class TaskStreamEvent(TypedDict):
    type: str
    seq: int
    timestamp: int
    task_id: str


class AgentSession(TypedDict):
    session_id: str
    agent_id: int
    task_count: int
    state: Dict[str, Any]
    feedback_score: Union[int, None]
    feedback_text: Union[str, None]
    last_activity: int
    date_created: int
    date_updated: int


class Resumed(TypedDict):
    resumed: bool


class McpServerSummary(TypedDict):
    id: int
    name: str
    url: str
    headers: Dict[str, str]
    include_tools: List[str]
    exclude_tools: List[str]
    tool_count: int
    refreshed_at: Union[int, None]
    refresh_error: Union[McpRefreshError, None]
    drift: List[McpDrift]
    date_created: int
    date_updated: int


class McpRefreshError(TypedDict):
    failure_class: Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"]
    message: str
    at: int


class McpDrift(TypedDict):
    tool: str
    schema_hash: Union[str, None]
    at: int


class McpServer(TypedDict):
    id: int
    name: str
    url: str
    headers: Dict[str, str]
    include_tools: List[str]
    exclude_tools: List[str]
    tool_count: int
    refreshed_at: Union[int, None]
    refresh_error: Union[McpRefreshError, None]
    drift: List[McpDrift]
    date_created: int
    date_updated: int
    tools: List[McpTool]


class McpTool(TypedDict):
    name: str
    description: Union[str, None]
    input_schema: Any
    output_schema: Union[Any, None]
    is_repeatable: bool
    schema_hash: str


class EvaluationCriteria(TypedDict):
    id: int
    name: str
    description: Union[str, None]
    criteria_type: Literal["BOOLEAN", "NUMERIC"]
    method: Literal["LLM", "EXACT", "JSON_FIELDS", "CONTAINS", "REGEX", "JSON_SCHEMA", "SCRIPT", "STEPS", "LATENCY", "COST"]
    prompt: Union[str, None]
    config: CriteriaConfig
    pass_threshold: float
    weight: float
    enabled: bool
    date_created: int
    date_updated: int


class CriteriaConfig(TypedDict, total=False):
    ignore_paths: List[str]
    required_paths: List[str]
    pattern: str
    value: str
    schema: Dict[str, Any]
    numeric_tolerance: float
    case_sensitive: bool
    trim: bool
    model: Union[str, None]
    language: Literal["javascript", "typescript", "python"]
    script: str
    timeout_ms: int
    with_steps: bool
    checks: List[StepCheck]
    max_latency_ms: int
    max_cost: float


class _StepCheck(TypedDict):
    kind: Literal["called", "not_called", "order", "no_failed_step", "status"]


class StepCheck(_StepCheck, total=False):
    tool: str
    arguments: List[ArgumentCheck]
    min_times: int
    max_times: int
    tools: List[str]
    status: Literal["COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"]


class ArgumentCheck(TypedDict, total=False):
    path: str
    equals: Any
    contains: str
    matches: str


class CriteriaValidation(TypedDict):
    valid: bool
    errors: List[ScriptProblem]


class _ScriptProblem(TypedDict):
    message: str


class ScriptProblem(_ScriptProblem, total=False):
    line: int
    column: int


class Expected(TypedDict, total=False):
    text: str
    json: Union[Any, None]
    message: Message


class SourceRef(TypedDict, total=False):
    request_id: str
    workflow_run_id: str
    agent_task_id: str


class _CriterionTrial(TypedDict):
    criteria_id: int
    name: str
    score: Union[float, None]
    passed: Union[bool, None]
    description: str


class CriterionTrial(_CriterionTrial, total=False):
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    threshold: float
    weight: float
    logs: List[ScorerLogLine]


class ScorerLogLine(TypedDict):
    level: Literal["debug", "info", "warn", "error"]
    message: str


class ListedTestSetItem(TypedDict):
    id: int
    test_set_id: int
    position: int
    source_type: Literal["MANUAL", "REQUEST", "WORKFLOW_RUN", "AGENT_TASK"]
    source_id: Union[str, None]
    flatten_variant: Union[Literal["agent_first_user_message", "agent_first_user_message_with_system_prompt"], None]
    baseline_hash: Union[str, None]
    meta: Dict[str, Any]
    date_created: int
    date_updated: int
    expected_output: Union[Expected, None]
    response_sub: Union[ResponseSub, None]
    effective_expected_output: Union[Expected, None]
    input: Union[TestInput, None]
    bodies_omitted: bool


class ResponseSub(TypedDict):
    id: int
    expected_output: Expected
    note: Union[str, None]
    author_key_id: Union[int, None]
    date_created: int
    date_updated: int


class TestInput(TypedDict, total=False):
    messages: Union[List[Message], None]
    input: Union[Any, None]
    params: Union[InputParams, None]


class InputParams(TypedDict, total=False):
    tools: Union[Any, None]
    tool_choice: Union[Any, None]
    top_p: Union[float, None]
    seed: Union[int, None]
    reasoning_effort: Union[str, None]


class TestSetItem(TypedDict):
    id: int
    test_set_id: int
    position: int
    source_type: Literal["MANUAL", "REQUEST", "WORKFLOW_RUN", "AGENT_TASK"]
    source_id: Union[str, None]
    flatten_variant: Union[Literal["agent_first_user_message", "agent_first_user_message_with_system_prompt"], None]
    baseline_hash: Union[str, None]
    meta: Dict[str, Any]
    date_created: int
    date_updated: int
    input: TestInput
    expected_output: Union[Expected, None]
    response_sub: Union[ResponseSub, None]
    effective_expected_output: Union[Expected, None]


class MonitorSummary(TypedDict):
    id: int
    name: str
    description: str
    status: Literal["DRAFT", "ACTIVE", "PAUSED"]
    target_count: int
    active: bool
    has_unpublished_changes: bool
    latest_version_number: Union[str, None]
    last_run_at: Union[int, None]
    date_created: int
    date_updated: int


class MonitorConfig(TypedDict, total=False):
    runner: Union[MonitorRunner, None]
    result: MonitorResult
    limits: MonitorLimits


class _MonitorRunner(TypedDict):
    resource_type: Literal["model", "workflow", "direct"]


class MonitorRunner(_MonitorRunner, total=False):
    resource_id: Union[int, None]
    version: Union[str, None]
    release: Union[str, None]
    input: RunnerInput


class RunnerInput(TypedDict, total=False):
    prompt: Union[str, None]
    messages_path: Union[str, None]
    response_path: Union[str, None]


class MonitorResult(TypedDict, total=False):
    fault: Union[ConditionGroup, None]
    warning: Union[ConditionGroup, None]
    default_outcome: Literal["PASS", "WARNING", "FAULT"]


class MonitorLimits(TypedDict, total=False):
    max_cost_per_day: Union[float, None]
    timeout_ms: int


class _AlertRule(TypedDict):
    metric: Literal["fault_rate", "error_rate", "consecutive_faults"]
    threshold: float


class AlertRule(_AlertRule, total=False):
    window_ms: int
    min_runs: int


class _Monitor(TypedDict):
    id: int
    name: str
    description: str
    status: Literal["DRAFT", "ACTIVE", "PAUSED"]
    target_count: int
    active: bool
    has_unpublished_changes: bool
    latest_version_number: Union[str, None]
    last_run_at: Union[int, None]
    date_created: int
    date_updated: int
    config: MonitorConfig
    meta: Dict[str, Any]
    alert_rules: List[AlertRule]
    shadow_version: Union[str, None]
    default_release: Union[str, None]


class Monitor(_Monitor, total=False):
    targets: List[MonitorTarget]


class MonitorTarget(TypedDict):
    id: int
    target_type: Literal["intent", "workflow", "agent"]
    target_id: int
    sample_rate: int
    enabled: bool
    monitor_id: int
    target_name: str
    date_created: int
    date_updated: int


class MonitorValidation(TypedDict):
    valid: bool
    errors: List[MonitorProblem]


class MonitorProblem(TypedDict):
    field: str
    message: str


class MonitorOfTarget(TypedDict):
    monitor: MonitorName
    monitor_target: AttachedTarget


class MonitorName(TypedDict):
    id: int
    name: str
    status: Literal["DRAFT", "ACTIVE", "PAUSED"]


class AttachedTarget(TypedDict):
    id: int
    target_type: Literal["intent", "workflow", "agent"]
    target_id: int
    sample_rate: int
    enabled: bool


class _MonitorVersion(TypedDict):
    id: int
    monitor_id: int
    version_number: str
    is_latest: bool
    version_notes: str
    date_created: int


class MonitorVersion(_MonitorVersion, total=False):
    snapshot: Dict[str, Any]


class ImportedItem(TypedDict):
    item: TestSetItem
    created: bool


class _ImportSource(TypedDict):
    source_type: Literal["REQUEST", "WORKFLOW_RUN", "AGENT_TASK"]
    source_id: str


class ImportSource(_ImportSource, total=False):
    flatten_variant: Literal["agent_first_user_message", "agent_first_user_message_with_system_prompt"]


class BulkImport(TypedDict):
    created: int
    existing: int
    failed: List[FailedImport]


class FailedImport(TypedDict):
    source_type: Literal["REQUEST", "WORKFLOW_RUN", "AGENT_TASK"]
    source_id: str
    message: str


class LegacyTestSet(TypedDict):
    id: int
    name: str
    intent_group_id: Union[int, None]
    request_count: int
    date_created: int


class LegacyTestSetRequest(TypedDict):
    id: int
    request_id: Union[str, None]
    messages: Union[List[Message], None]
    expected_response: Union[Expected, None]


class LegacySuccess(TypedDict):
    status: Literal["success"]


class _Workflow(TypedDict):
    id: int
    workflow_ref_name: str
    workflow_name: str
    description: str
    application_id: Union[int, None]
    application_name: Union[str, None]
    language: Literal["javascript", "typescript", "python"]
    script_key: str
    script_sha256: str
    execution_mode: Literal["sync", "async", "stream"]
    transform_enabled: bool
    input_schema: Union[Dict[str, Any], None]
    output_schema: Union[Dict[str, Any], None]
    allow_inproc_nesting: bool
    inproc_nested_refs: List[str]
    timeout_seconds: int
    memory_mb: int
    status: Literal["ENABLED", "DISABLED"]
    latest_version_number: Union[str, None]
    has_unpublished_changes: bool
    meta: Dict[str, Any]
    date_created: int
    date_updated: int
    transform_session: Union[str, None]


class Workflow(_Workflow, total=False):
    script: str


class ScriptValidation(TypedDict):
    valid: bool
    errors: List[ScriptProblem]
    has_transform_session: bool


class DefaultScript(TypedDict):
    language: Literal["javascript", "typescript", "python"]
    script: str


class LanguageSupport(TypedDict):
    language: Literal["javascript", "typescript", "python"]
    available: bool
    version: Union[str, None]


class _WorkflowVersion(TypedDict):
    id: int
    workflow_id: int
    version_number: str
    is_latest: bool
    version_notes: str
    date_created: int


class WorkflowVersion(_WorkflowVersion, total=False):
    snapshot: Any


class _ArtifactBody(TypedDict):
    key: str
    content_base64: str


class ArtifactBody(_ArtifactBody, total=False):
    content_type: str


class UploadedWorkflow(TypedDict):
    workflow: Workflow
    version: Union[WorkflowVersion, None]
    created: bool


class _ManifestWorkflow(TypedDict):
    workflow_ref_name: str


class ManifestWorkflow(_ManifestWorkflow, total=False):
    workflow_name: str
    description: str
    application_name: Union[str, None]
    language: Literal["javascript", "typescript", "python"]
    script: str
    execution_mode: Literal["sync", "async", "stream"]
    transform_session: Union[str, None]
    input_schema: Union[Dict[str, Any], None]
    output_schema: Union[Dict[str, Any], None]
    allow_inproc_nesting: bool
    inproc_nested_refs: List[str]
    timeout_seconds: int
    memory_mb: int
    status: Literal["ENABLED", "DISABLED"]
    meta: Dict[str, Any]


class WorkflowImport(TypedDict):
    workflows: List[ImportedWorkflow]
    warnings: List[ImportWarning]


class ImportedWorkflow(TypedDict):
    workflow_ref_name: str
    id: int
    status: Literal["created", "updated", "unchanged"]
    warnings: List[ImportWarning]


class WorkflowManifest(TypedDict):
    workflows: List[ManifestWorkflow]


class _Execution(TypedDict):
    status: Literal["QUEUED", "RUNNING", "COMPLETED", "FAILED", "TIMED_OUT", "CANCELLED"]


class Execution(_Execution, total=False):
    id: str
    workflow_id: int
    workflow_version: Union[str, None]
    release: Union[str, None]
    session_id: str
    trigger: Literal["API", "CHAT", "AGENT", "TEST", "MONITOR", "NESTED"]
    mode: Literal["sync", "async", "stream"]
    first_message: Union[str, None]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    error_code: Union[Literal["max_iterations", "budget_exceeded", "secrets_unavailable", "output_schema", "interrupted", "script_error", "egress_denied", "webhook_ttl", "provider_error", "timeout", "depth_exceeded", "cancelled", "rule_too_costly", "model_not_found", "application_disabled", "invalid_config"], None]
    error_message: Union[str, None]
    usage: Usage
    cost: Union[float, None]
    attempts: int
    parent_run_id: Union[str, None]
    metadata: Dict[str, Any]
    duration_ms: Union[int, None]
    started_at: Union[int, None]
    completed_at: Union[int, None]
    date_created: int
    input: Union[Any, None]
    messages: Union[List[Message], None]
    params: Dict[str, Any]
    output: Union[Any, None]
    transformed_session: Union[Any, None]
    transform_error: Union[str, None]
    logs: List[RunLogEntry]
    run_id: str
    streams: bool


class RunLogEntry(TypedDict):
    timestamp: int
    level: Literal["debug", "info", "warn", "error"]
    message: str


class WorkflowRun(TypedDict):
    id: str
    workflow_id: int
    workflow_version: Union[str, None]
    release: Union[str, None]
    session_id: str
    status: Literal["QUEUED", "RUNNING", "COMPLETED", "FAILED", "TIMED_OUT", "CANCELLED"]
    trigger: Literal["API", "CHAT", "AGENT", "TEST", "MONITOR", "NESTED"]
    mode: Literal["sync", "async", "stream"]
    first_message: Union[str, None]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    error_code: Union[Literal["max_iterations", "budget_exceeded", "secrets_unavailable", "output_schema", "interrupted", "script_error", "egress_denied", "webhook_ttl", "provider_error", "timeout", "depth_exceeded", "cancelled", "rule_too_costly", "model_not_found", "application_disabled", "invalid_config"], None]
    error_message: Union[str, None]
    usage: Usage
    cost: Union[float, None]
    attempts: int
    parent_run_id: Union[str, None]
    metadata: Dict[str, Any]
    duration_ms: Union[int, None]
    started_at: Union[int, None]
    completed_at: Union[int, None]
    date_created: int
    input: Union[Any, None]
    messages: Union[List[Message], None]
    params: Dict[str, Any]
    output: Union[Any, None]
    transformed_session: Union[Any, None]
    transform_error: Union[str, None]
    logs: List[RunLogEntry]


class _RunTimelineEvent(TypedDict):
    type: Literal["run_start", "run_restart", "run_end", "log", "call", "step", "child_run", "model_called", "model_answered", "error"]
    timestamp: int
    seq: int
    run_id: str
    parent_run_id: Union[str, None]


class RunTimelineEvent(_RunTimelineEvent, total=False):
    status: str
    attempt: int
    level: str
    message: str
    member: str
    name: str
    about: Any
    duration_ms: int
    step: int
    model: Union[str, None]
    request_id: Union[str, None]
    usage: Union[Usage, None]
    finish_reason: Union[str, None]
    child_run_id: str
    child_task_id: str
    child_workflow_id: int
    ref: str
    failure_class: Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"]


class RunStreamEvent(TypedDict):
    type: str
    seq: int
    timestamp: int
    run_id: str


class AcceptedRun(TypedDict):
    run_id: str
    status: Literal["QUEUED", "RUNNING", "COMPLETED", "FAILED", "TIMED_OUT", "CANCELLED"]


class FileImport(TypedDict):
    created: int
    skipped: int
    errors: List[FileError]


class FileError(TypedDict):
    line: int
    message: str


class _ListedMonitorRun(TypedDict):
    id: int
    monitor_id: int
    monitor_target_id: int
    monitor_version_id: int
    version_number: str
    source_type: Literal["request", "workflow_run", "agent_task"]
    source_id: str
    runner_type: Literal["model", "workflow", "direct"]
    runner_ref_id: Union[str, None]
    outcome: Literal["PASS", "WARNING", "FAULT", "ERROR"]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    runner_duration_ms: int
    cost: Union[float, None]
    error_message: Union[str, None]
    shadow: bool
    date_created: int


class ListedMonitorRun(_ListedMonitorRun, total=False):
    resolution_trace: List[ResolutionStep]
    runner_output: Union[Any, None]


class ResolutionStep(TypedDict):
    group: Literal["fault", "warning", "default"]
    result: bool
    conditions: List[TracedCondition]


class TracedCondition(TypedDict):
    id: str
    actual: Union[Any, None]
    result: bool


class MonitorRun(TypedDict):
    id: int
    monitor_id: int
    monitor_target_id: int
    monitor_version_id: int
    version_number: str
    source_type: Literal["request", "workflow_run", "agent_task"]
    source_id: str
    runner_type: Literal["model", "workflow", "direct"]
    runner_ref_id: Union[str, None]
    outcome: Literal["PASS", "WARNING", "FAULT", "ERROR"]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    runner_duration_ms: int
    cost: Union[float, None]
    error_message: Union[str, None]
    shadow: bool
    date_created: int
    resolution_trace: List[ResolutionStep]
    runner_output: Union[Any, None]


class MonitorPreview(TypedDict):
    monitor_id: Union[int, None]
    used_version_number: Union[str, None]
    runner_type: Literal["model", "workflow", "direct"]
    runner_output: Union[Any, None]
    runner_duration_ms: int
    outcome: Literal["PASS", "WARNING", "FAULT", "ERROR"]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    error_message: Union[str, None]
    resolution_trace: List[ResolutionStep]


class TargetSample(TypedDict):
    target_type: Literal["intent", "workflow", "agent"]
    target_id: int
    payload: Any
    payload_paths: List[str]
    sampled_at: int
    source_type: Literal["request", "workflow_run", "agent_task"]
    source_id: str


class _MonitorActivity(TypedDict):
    bucket: Literal["hour", "day"]


class MonitorActivity(_MonitorActivity, total=False):
    points: List[ActivityPoint]
    series: List[ActivitySeries]
    total: OutcomeCounts


ActivityPoint = TypedDict("ActivityPoint", {"pass": "int", "warning": "int", "fault": "int", "error": "int", "total": "int", "timestamp": "int"}, total=False)


class ActivitySeries(TypedDict):
    key: str
    label: str
    points: List[ActivityPoint]


OutcomeCounts = TypedDict("OutcomeCounts", {"pass": "int", "warning": "int", "fault": "int", "error": "int", "total": "int"}, total=False)


class MonitorMetrics(TypedDict):
    total: int
    pass_count: int
    warning_count: int
    fault_count: int
    error_count: int
    fault_rate: Union[float, None]
    warning_rate: Union[float, None]
    avg_runner_duration_ms: Union[float, None]
    cost: Union[float, None]
    last_run_at: Union[int, None]
    budget_exhausted: bool
    cost_today: float
    shadow_cost: Union[float, None]
    targets: List[TargetMetrics]


class TargetMetrics(TypedDict):
    total: int
    pass_count: int
    warning_count: int
    fault_count: int
    error_count: int
    fault_rate: Union[float, None]
    warning_rate: Union[float, None]
    avg_runner_duration_ms: Union[float, None]
    cost: Union[float, None]
    last_run_at: Union[int, None]
    monitor_target_id: int


class MonitorAlert(TypedDict):
    id: int
    monitor_id: int
    rule: AlertRule
    status: Literal["open", "acknowledged", "resolved"]
    opened_at: int
    acknowledged_at: Union[int, None]
    resolved_at: Union[int, None]
    value: float
    run_ids: List[int]
    date_created: int
    date_updated: int


class CheckRunSummary(TypedDict):
    id: int
    monitor_id: int
    version_number: str
    test_set_id: int
    status: Literal["CREATED", "RUNNING", "COMPLETED"]
    total: int
    matched: int
    mismatched: int
    error_count: int
    match_rate: Union[float, None]
    cost: Union[float, None]
    completed_at: Union[int, None]
    date_created: int
    date_updated: int


class CheckRun(TypedDict):
    id: int
    monitor_id: int
    version_number: str
    test_set_id: int
    status: Literal["CREATED", "RUNNING", "COMPLETED"]
    total: int
    matched: int
    mismatched: int
    error_count: int
    match_rate: Union[float, None]
    cost: Union[float, None]
    completed_at: Union[int, None]
    date_created: int
    date_updated: int
    items: List[CheckItem]


class CheckItem(TypedDict):
    test_set_item_id: int
    expected_outcome: Union[Literal["PASS", "WARNING", "FAULT"], None]
    outcome: Literal["PASS", "WARNING", "FAULT", "ERROR"]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    error_code: Union[Literal["budget_exceeded"], None]


class _ModelConsumer(TypedDict):
    model: Union[str, int]


class ModelConsumer(_ModelConsumer, total=False):
    system_prompt: Union[str, None]
    temperature: Union[float, None]
    max_tokens: Union[int, None]
    response_format: Union[ResponseFormat, None]
    tools: Union[Any, None]
    tool_choice: Union[Any, None]
    top_p: Union[float, None]
    seed: Union[int, None]
    reasoning_effort: Union[Literal["low", "medium", "high"], None]
    application_id: Union[int, None]
    intent_id: Union[int, None]


class _WorkflowConsumer(TypedDict):
    workflow_id: int


class WorkflowConsumer(_WorkflowConsumer, total=False):
    version: Union[str, None]
    release: Union[str, None]
    input_mapping: Dict[str, str]


class _AgentConsumer(TypedDict):
    agent_id: int


class AgentConsumer(_AgentConsumer, total=False):
    version: Union[str, None]
    release: Union[str, None]
    flatten_variant: Literal["agent_first_user_message", "agent_first_user_message_with_system_prompt"]
    max_iterations: Union[int, None]
    response_format: Union[ResponseFormat, None]


class _ExternalConsumer(TypedDict):
    url: str


class ExternalConsumer(_ExternalConsumer, total=False):
    agent_id: Union[int, None]
    version: Union[str, None]
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    headers: Dict[str, str]
    body_template: Any
    output_path: Union[str, None]
    timeout_ms: int


class TestRun(TypedDict):
    usage: Union[Usage, None]
    cost: Union[float, None]
    duration_ms: Union[TypicalDuration, None]
    id: int
    test_set_id: int
    name: Union[str, None]
    description: Union[str, None]
    meta: Dict[str, Any]
    consumer_kind: Literal["MODEL", "WORKFLOW", "AGENT", "EXTERNAL"]
    consumer_config: Union[ModelConsumer, WorkflowConsumer, AgentConsumer, ExternalConsumer]
    consumer_id: Union[int, None]
    consumer_version: Union[str, None]
    status: Literal["CREATED", "RUNNING", "COMPLETED"]
    criteria_ids: List[int]
    auto_score: bool
    repeats: int
    total_items: int
    completed_items: int
    failed_items: int
    matched_items: Union[int, None]
    match_rate: Union[float, None]
    prepared_at: Union[int, None]
    started_at: Union[int, None]
    completed_at: Union[int, None]
    scored_at: Union[int, None]
    cancelled_at: Union[int, None]
    scored_with: Union[ScoredWith, None]
    scoring: Union[RunScoring, None]
    date_created: int
    date_updated: int


class TypicalDuration(TypedDict):
    p50: float
    p95: float


class ScoredWith(TypedDict):
    criteria_ids: List[int]
    definitions_sha256: str


class RunScoring(TypedDict):
    status: Literal["SCORING", "SCORED", "FAILED"]
    scored: int
    total: int


class PreparedTestRun(TypedDict):
    usage: Union[Usage, None]
    cost: Union[float, None]
    duration_ms: Union[TypicalDuration, None]
    id: int
    test_set_id: int
    name: Union[str, None]
    description: Union[str, None]
    meta: Dict[str, Any]
    consumer_kind: Literal["MODEL", "WORKFLOW", "AGENT", "EXTERNAL"]
    consumer_config: Union[ModelConsumer, WorkflowConsumer, AgentConsumer, ExternalConsumer]
    consumer_id: Union[int, None]
    consumer_version: Union[str, None]
    status: Literal["CREATED", "RUNNING", "COMPLETED"]
    criteria_ids: List[int]
    auto_score: bool
    repeats: int
    total_items: int
    completed_items: int
    failed_items: int
    matched_items: Union[int, None]
    match_rate: Union[float, None]
    prepared_at: Union[int, None]
    started_at: Union[int, None]
    completed_at: Union[int, None]
    scored_at: Union[int, None]
    cancelled_at: Union[int, None]
    scored_with: Union[ScoredWith, None]
    scoring: Union[RunScoring, None]
    date_created: int
    date_updated: int
    item_count: int


class RunProgress(TypedDict):
    status: Literal["CREATED", "RUNNING", "COMPLETED"]
    total: int
    pending: int
    running: int
    completed: int
    failed: int
    failed_by_class: Dict[str, int]
    percent_complete: float
    scoring: Union[RunScoring, None]
    duration_ms: DurationSummary


class DurationSummary(TypedDict):
    min: Union[float, None]
    avg: Union[float, None]
    p50: Union[float, None]
    p90: Union[float, None]
    p95: Union[float, None]
    p99: Union[float, None]
    max: Union[float, None]


class TestRunStreamEvent(TypedDict):
    type: str
    seq: int
    timestamp: int
    run_id: int


class _ScoreSummary(TypedDict):
    usage: Union[Usage, None]
    cost: Union[float, None]
    duration_ms: Union[TypicalDuration, None]
    status: Literal["SCORING", "SCORED", "FAILED"]
    total: int
    scored: int
    matched: int
    mismatched: int
    unscored: int
    errors: int
    errors_by_class: Dict[str, int]
    match_rate: Union[float, None]
    weighted_score: Union[float, None]
    criteria: List[CriterionSummary]


class ScoreSummary(_ScoreSummary, total=False):
    partial: bool


class CriterionSummary(TypedDict):
    criteria_id: int
    name: str
    avg_score: Union[float, None]
    pass_rate: Union[float, None]
    errors: int


class ResetTestRun(TypedDict):
    usage: Union[Usage, None]
    cost: Union[float, None]
    duration_ms: Union[TypicalDuration, None]
    id: int
    test_set_id: int
    name: Union[str, None]
    description: Union[str, None]
    meta: Dict[str, Any]
    consumer_kind: Literal["MODEL", "WORKFLOW", "AGENT", "EXTERNAL"]
    consumer_config: Union[ModelConsumer, WorkflowConsumer, AgentConsumer, ExternalConsumer]
    consumer_id: Union[int, None]
    consumer_version: Union[str, None]
    status: Literal["CREATED", "RUNNING", "COMPLETED"]
    criteria_ids: List[int]
    auto_score: bool
    repeats: int
    total_items: int
    completed_items: int
    failed_items: int
    matched_items: Union[int, None]
    match_rate: Union[float, None]
    prepared_at: Union[int, None]
    started_at: Union[int, None]
    completed_at: Union[int, None]
    scored_at: Union[int, None]
    cancelled_at: Union[int, None]
    scored_with: Union[ScoredWith, None]
    scoring: Union[RunScoring, None]
    date_created: int
    date_updated: int
    reset_count: int


class RunItemSummary(TypedDict):
    id: int
    test_run_id: int
    test_set_item_id: int
    status: Literal["PENDING", "RUNNING", "COMPLETED", "FAILED"]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    error_code: Union[Literal["max_iterations", "budget_exceeded", "secrets_unavailable", "output_schema", "interrupted", "script_error", "egress_denied", "webhook_ttl", "provider_error", "timeout", "depth_exceeded", "cancelled", "rule_too_costly", "model_not_found", "application_disabled", "invalid_config"], None]
    error_message: Union[str, None]
    outcome: Union[Literal["PASS", "FAIL", "ERROR"], None]
    adapted_input: Union[Any, None]
    actual_output: Union[Any, None]
    expected_output_used: Union[Expected, None]
    expectation_source: Literal["baseline", "sub", "none"]
    response_sub_id: Union[int, None]
    matched: Union[bool, None]
    diff_result: Union[DiffResult, None]
    criteria_results: List[CriterionResult]
    agreement: Union[float, None]
    duration_ms: Union[int, None]
    usage: Union[Usage, None]
    cost: Union[float, None]
    attempts: int
    source_ref: Union[SourceRef, None]
    started_at: Union[int, None]
    completed_at: Union[int, None]
    scored_at: Union[int, None]
    date_created: int
    date_updated: int


class DiffResult(TypedDict):
    fields: List[DiffField]
    matched_count: int
    total_count: int
    match_rate: float


class DiffField(TypedDict):
    path: str
    status: Literal["match", "mismatch", "missing", "extra"]
    expected: Union[Any, None]
    actual: Union[Any, None]


class _CriterionResult(TypedDict):
    criteria_id: int
    name: str
    score: Union[float, None]
    passed: Union[bool, None]
    description: str


class CriterionResult(_CriterionResult, total=False):
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    threshold: float
    weight: float


class RunItem(TypedDict):
    id: int
    test_run_id: int
    test_set_item_id: int
    status: Literal["PENDING", "RUNNING", "COMPLETED", "FAILED"]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    error_code: Union[Literal["max_iterations", "budget_exceeded", "secrets_unavailable", "output_schema", "interrupted", "script_error", "egress_denied", "webhook_ttl", "provider_error", "timeout", "depth_exceeded", "cancelled", "rule_too_costly", "model_not_found", "application_disabled", "invalid_config"], None]
    error_message: Union[str, None]
    outcome: Union[Literal["PASS", "FAIL", "ERROR"], None]
    adapted_input: Union[Any, None]
    actual_output: Union[Any, None]
    expected_output_used: Union[Expected, None]
    expectation_source: Literal["baseline", "sub", "none"]
    response_sub_id: Union[int, None]
    matched: Union[bool, None]
    diff_result: Union[DiffResult, None]
    criteria_results: List[CriterionResult]
    agreement: Union[float, None]
    duration_ms: Union[int, None]
    usage: Union[Usage, None]
    cost: Union[float, None]
    attempts: int
    source_ref: Union[SourceRef, None]
    started_at: Union[int, None]
    completed_at: Union[int, None]
    scored_at: Union[int, None]
    date_created: int
    date_updated: int
    attempts_results: List[RepeatResult]


class RepeatResult(TypedDict):
    repeat: int
    status: Literal["COMPLETED", "FAILED"]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    actual_output: Union[Any, None]
    matched: Union[bool, None]
    duration_ms: Union[int, None]
    source_ref: Union[SourceRef, None]


class ItemScore(TypedDict):
    id: int
    run_item_id: int
    attempt: int
    expectation_source: Literal["baseline", "sub", "none"]
    response_sub_id: Union[int, None]
    expected_output_used: Union[Expected, None]
    matched: Union[bool, None]
    diff_result: Union[DiffResult, None]
    criteria_results: List[CriterionResult]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    criteria_ids: Union[List[int], None]
    judged_sha256: Union[str, None]
    scored_at: int
    date_created: int


class RunItemAttempt(TypedDict):
    id: int
    attempt: int
    repeat: int
    status: Literal["COMPLETED", "FAILED"]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    error_message: Union[str, None]
    duration_ms: Union[int, None]
    source_ref: Union[SourceRef, None]
    started_at: int
    completed_at: int
    date_created: int


class _RunComparison(TypedDict):
    runs: List[ComparedRun]
    items: List[ComparedItem]
    total: int


class RunComparison(_RunComparison, total=False):
    differences: List[RunDifference]


class ComparedRun(TypedDict):
    usage: Union[Usage, None]
    cost: Union[float, None]
    duration_ms: Union[TypicalDuration, None]
    id: int
    match_rate: Union[float, None]


class ComparedItem(TypedDict):
    test_set_item_id: int
    results: Dict[str, ComparedOutcome]
    changed: bool


class ComparedOutcome(TypedDict):
    run_item_id: int
    outcome: Union[Literal["PASS", "FAIL", "ERROR"], None]
    matched: Union[bool, None]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    duration_ms: Union[int, None]
    usage: Union[Usage, None]
    cost: Union[float, None]
    unmet: List[UnmetCriterion]


class UnmetCriterion(TypedDict):
    criteria_id: int
    name: str
    passed: Union[bool, None]
    description: str


class RunDifference(TypedDict):
    test_run_id: int
    base_run_id: int
    criteria_id: Union[int, None]
    name: str
    difference: Union[float, None]
    low: Union[float, None]
    high: Union[float, None]
    verdict: Literal["better", "worse", "no_difference_shown", "too_few"]
    method: str
    n: int
    p_value: Union[float, None]


class _AdaptedInputPreview(TypedDict):
    warnings: List[str]
    errors: List[FieldProblem]


class AdaptedInputPreview(_AdaptedInputPreview, total=False):
    adapted_input: Any


class FieldProblem(TypedDict):
    field: str
    message: str


class EvaluatedRun(TypedDict):
    usage: Union[Usage, None]
    cost: Union[float, None]
    duration_ms: Union[TypicalDuration, None]
    id: int
    test_set_id: int
    name: Union[str, None]
    description: Union[str, None]
    meta: Dict[str, Any]
    consumer_kind: Literal["MODEL", "WORKFLOW", "AGENT", "EXTERNAL"]
    consumer_config: Union[ModelConsumer, WorkflowConsumer, AgentConsumer, ExternalConsumer]
    consumer_id: Union[int, None]
    consumer_version: Union[str, None]
    status: Literal["CREATED", "RUNNING", "COMPLETED"]
    criteria_ids: List[int]
    auto_score: bool
    repeats: int
    total_items: int
    completed_items: int
    failed_items: int
    matched_items: Union[int, None]
    match_rate: Union[float, None]
    prepared_at: Union[int, None]
    started_at: Union[int, None]
    completed_at: Union[int, None]
    scored_at: Union[int, None]
    cancelled_at: Union[int, None]
    scored_with: Union[ScoredWith, None]
    scoring: Union[RunScoring, None]
    date_created: int
    date_updated: int
    summary: Union[ScoreSummary, None]
    gate: Union[GateResult, None]
    compared_with: Union[RunBaseline, None]


class RunBaseline(TypedDict):
    id: int
    match_rate: Union[float, None]
    differences: List[RunDifference]


class LegacyTestRun(TypedDict):
    id: int
    test_set_id: int
    status: Literal["CREATED", "RUNNING", "COMPLETED"]
    description: Union[str, None]
    date_created: int
    completed_at: Union[int, None]


class LegacyRunItem(TypedDict):
    id: int
    test_run_id: int
    test_set_item_id: int
    status: Literal["PENDING", "RUNNING", "COMPLETED", "FAILED"]
    failure_class: Union[Literal["quality", "provider", "timeout", "sandbox", "adapter", "judge", "internal"], None]
    matched: Union[bool, None]
    duration_ms: Union[int, None]
    diff_result: Union[DiffResult, None]


class TransformResult(TypedDict):
    result: Any


class Artifact(TypedDict):
    id: int
    workflow_id: int
    run_id: Union[str, None]
    key: str
    content_type: str
    size_bytes: int
    sha256: str
    date_created: int


class _DatasetItem(TypedDict):
    messages: List[TrainingMessage]
    response: TrainingResponse


class DatasetItem(_DatasetItem, total=False):
    meta: Dict[str, Any]


class _TrainingMessage(TypedDict):
    role: Literal["system", "developer", "user", "assistant", "tool"]


class TrainingMessage(_TrainingMessage, total=False):
    content: Union[Union[str, List[Dict[str, Any]], None], None]
    name: str
    tool_calls: List[ToolCall]
    tool_call_id: str
    weight: int


class _TrainingResponse(TypedDict):
    role: Literal["assistant"]


class TrainingResponse(_TrainingResponse, total=False):
    content: Union[str, None]
    tool_calls: List[ToolCall]


class AddedRequests(TypedDict):
    added: int
    existing: int
    requests: List[ListedDatasetRequest]


class ListedDatasetRequest(TypedDict):
    id: int
    dataset_id: int
    request_id: Union[str, None]
    source: Literal["REQUEST", "UPLOAD", "MANUAL", "AUGMENTED"]
    is_corrected: bool
    reasoning: Union[Dict[str, Any], None]
    meta: Dict[str, Any]
    date_added: int
    messages: Union[List[TrainingMessage], None]
    response: Union[TrainingResponse, None]
    tools: Union[Any, None]
    bodies_omitted: bool


class AddedByFilter(TypedDict):
    added: int
    existing: int


class DatasetRequest(TypedDict):
    id: int
    dataset_id: int
    request_id: Union[str, None]
    messages: List[TrainingMessage]
    response: TrainingResponse
    tools: Union[Any, None]
    source: Literal["REQUEST", "UPLOAD", "MANUAL", "AUGMENTED"]
    is_corrected: bool
    reasoning: Union[Dict[str, Any], None]
    meta: Dict[str, Any]
    date_added: int


class UploadedRows(TypedDict):
    added: int
    rejected: List[RejectedRow]


class RejectedRow(TypedDict):
    line: int
    message: str


class Augmentation(TypedDict):
    id: int
    dataset_id: int
    type: Literal["reasoning", "variation"]
    model: str
    schema: List[ReasoningField]
    count: int
    status: Literal["CREATED", "RUNNING", "COMPLETED", "FAILED"]
    produced: int
    failed: int
    error_message: Union[str, None]
    date_created: int
    date_updated: int
    completed_at: Union[int, None]


class ReasoningField(TypedDict):
    field: str
    instruction: str


class CompositionPreview(TypedDict):
    train_count: int
    validation_count: int
    excluded_count: int
    excluded_overlap: List[ExcludedOverlap]
    per_dataset: List[DatasetShare]
    samples: List[CompositionSample]


class ExcludedOverlap(TypedDict):
    dataset_request_id: int
    test_set_item_id: int


class DatasetShare(TypedDict):
    dataset_id: int
    count: int


class CompositionSample(TypedDict):
    dataset_request_id: int
    dataset_id: int
    split: Literal["train", "validation"]
    messages: Union[List[TrainingMessage], None]
    tools: Union[Any, None]


class FinetuneEvent(TypedDict):
    timestamp: int
    level: Literal["info", "warn", "error"]
    message: str


class FinetuneMetric(TypedDict):
    step: int
    train_loss: float
    validation_loss: Union[float, None]
    timestamp: int


class FinetuneCheckpoint(TypedDict):
    step: int
    model_name: str
    metrics: Dict[str, float]

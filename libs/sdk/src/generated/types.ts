// Generated from the contracts by tools/openapi.mjs; changes belong there.

export interface Company {
  id: number;
  name: string;
  settings: CompanySettings;
  date_created: number;
  date_updated: number;
}

export interface CompanySettings {
  /** Default: "simulated-echo". */
  default_model?: string;
  /** Default: "simulated-echo". */
  judge_model?: string;
  help_model?: string | null;
  retention_days: RetentionDays;
}

export interface RetentionDays {
  requests?: number | null;
  tasks?: number | null;
  workflow_runs?: number | null;
  monitor_runs?: number | null;
}

export interface SettingsChange {
  default_model?: string;
  judge_model?: string;
  help_model?: string | null;
  retention_days?: RetentionChange;
}

export interface RetentionChange {
  requests?: number | null;
  tasks?: number | null;
  workflow_runs?: number | null;
  monitor_runs?: number | null;
}

export interface ApiKey {
  id: number;
  name: string;
  key_prefix: string;
  last4: string;
  scopes: ("read" | "write" | "invoke" | "admin" | "ingest")[];
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
  created_by_key_id: number | null;
  date_created: number;
  date_updated: number;
}

export interface NewApiKey {
  id: number;
  name: string;
  key_prefix: string;
  last4: string;
  scopes: ("read" | "write" | "invoke" | "admin" | "ingest")[];
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
  created_by_key_id: number | null;
  date_created: number;
  date_updated: number;
  key: string | null;
}

export interface CurrentApiKey {
  id: number;
  name: string;
  key_prefix: string;
  last4: string;
  scopes: ("read" | "write" | "invoke" | "admin" | "ingest")[];
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
  created_by_key_id: number | null;
  date_created: number;
  date_updated: number;
  company: CompanyName;
}

export interface CompanyName {
  id: number;
  name: string;
}

export interface Deleted {
  id: unknown;
  deleted: boolean;
}

export interface AuditEntry {
  id: number;
  actor_key_id: number | null;
  action: string;
  resource_type: string;
  resource_id: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  reason: string | null;
  request_id: string;
  date_created: number;
}

export interface Webhook {
  id: number;
  url: string;
  events: string[];
  description: string | null;
  enabled: boolean;
  disabled_reason: string | null;
  secret_last4: string;
  last_delivery_at: number | null;
  date_created: number;
  date_updated: number;
}

export interface NewWebhook {
  id: number;
  url: string;
  events: string[];
  description: string | null;
  enabled: boolean;
  disabled_reason: string | null;
  secret_last4: string;
  last_delivery_at: number | null;
  date_created: number;
  date_updated: number;
  secret: string | null;
}

export interface EventType {
  event: string;
  description: string;
  data_fields: string[];
}

export interface WebhookDelivery {
  id: number;
  webhook_id: number;
  event_id: string;
  event: string;
  status: "PENDING" | "SUCCEEDED" | "FAILED";
  attempt_count: number;
  next_attempt_at: number | null;
  last_status_code: number | null;
  last_error: string | null;
  request_body: unknown | null;
  response_excerpt: string;
  duration_ms: number | null;
  replay_of: number | null;
  date_created: number;
  date_updated: number;
}

export interface StreamedEvent {
  type: string;
  seq: number;
  timestamp: number;
  event_id: string;
  event: string;
  company_id: number;
  occurred_at: number;
  resource: EventResource;
  data: unknown;
}

export interface EventResource {
  type: string;
  id: unknown;
}

export interface PortalSession {
  id: number;
  key_id: number;
  key_name: string;
  date_created: number;
  last_seen_at: number;
  expires_at: number;
  user_agent: string;
}

export interface Application {
  id: number;
  application_name: string;
  application_ref_name: string;
  description: string | null;
  state: "ENABLED" | "DISABLED";
  config: Config;
  meta: Record<string, unknown>;
  fault_notifications: boolean;
  session_summaries: boolean;
  intent_count: number;
  request_count: number;
  last_activity: number | null;
  date_created: number;
  date_updated: number;
}

export interface Config {
  model?: string | null;
  temperature?: number | null;
  top_p?: number | null;
  max_tokens?: number | null;
  n?: number | null;
  stop?: string[] | null;
  presence_penalty?: number | null;
  frequency_penalty?: number | null;
  logprobs?: boolean | null;
  response_format?: ResponseFormat | null;
  /** Put first when the call has no system message */
  system_prompt?: string | null;
  reasoning_effort?: "low" | "medium" | "high" | null;
  timeout_ms?: number | null;
  evaluation_enabled?: boolean | null;
  /** Needs evaluation_enabled */
  apply_corrections?: boolean | null;
  /** Needs apply_corrections */
  safe_mode?: boolean | null;
  fallback_config?: CallFallback | null;
  /** Merged into the metadata of each request */
  metadata?: Record<string, unknown> | null;
}

export interface ResponseFormat {
  type: "text" | "json_object" | "json_schema";
  json_schema?: JsonSchemaFormat;
}

export interface JsonSchemaFormat {
  name: string;
  schema: Record<string, unknown>;
  strict?: boolean | null;
  description?: string;
}

export interface CallFallback {
  model: string;
  strategy: "reactive" | "timeout" | "first_response";
  /** Default: 10000. */
  timeout_ms?: number;
}

export interface ConfigView {
  config: Config;
  effective_config: EffectiveConfig;
  inherited_from: Record<string, "application" | "intent_group" | "intent" | "default">;
}

export interface EffectiveConfig {
  model: string | null;
  temperature: number;
  top_p: number;
  max_tokens: number | null;
  n: number;
  stop: string[] | null;
  presence_penalty: number;
  frequency_penalty: number;
  logprobs: boolean;
  response_format: ResponseFormat | null;
  system_prompt: string | null;
  reasoning_effort: "low" | "medium" | "high" | null;
  timeout_ms: number;
  evaluation_enabled: boolean;
  apply_corrections: boolean;
  safe_mode: boolean;
  fallback_config: CallFallback | null;
  metadata: Record<string, unknown>;
}

export interface Model {
  id: number;
  model_name: string;
  display_name: string;
  provider_id: number;
  provider_name: string;
  provider_model: string;
  model_type: "BASE" | "FINETUNED";
  base_model: string | null;
  finetune_run_id: number | null;
  intent_group_id: number | null;
  context_window: number | null;
  input_price_per_mtok: number | null;
  output_price_per_mtok: number | null;
  supports_tools: boolean;
  supports_json_schema: boolean;
  trainable: boolean;
  status: "ENABLED" | "DISABLED";
  built_in: boolean;
  company_owned: boolean;
  date_created: number;
  date_updated: number;
}

export interface ChatSession {
  session_id: string;
  application_id: number | null;
  application_name: string | null;
  intents: SessionIntent[];
  request_count: number;
  fault_count: number;
  total_tokens: number;
  cost: number | null;
  metadata: Record<string, unknown>;
  summary: string | null;
  feedback_score: number | null;
  feedback_text: string | null;
  first_request_at: number;
  last_request_at: number;
  date_created: number;
  date_updated: number;
}

export interface SessionIntent {
  intent_id: number;
  action_type: string | null;
}

export interface AgentSummary {
  id: number;
  /** Null once the application was deleted with force */
  application_id: number | null;
  application_name: string | null;
  agent_name: string;
  kind: "HOSTED" | "EXTERNAL";
  description: string | null;
  status: "ENABLED" | "DISABLED";
  execution_mode: "reasoning" | "route";
  model: string | null;
  system_prompt: string | null;
  strategy_prompt_addendum: string | null;
  agent_config: Record<string, unknown>;
  max_iterations: number;
  max_cost: number | null;
  response_format: ResponseFormat | null;
  base_url: string | null;
  meta: Record<string, unknown>;
  /** MCP servers whose tools the agent may call */
  mcp_servers: number[];
  action_count: number;
  sub_agent_count: number;
  latest_version: string | null;
  has_unpublished_changes: boolean;
  date_created: number;
  date_updated: number;
}

export interface WorkflowSummary {
  id: number;
  workflow_ref_name: string;
  workflow_name: string;
  description: string;
  application_id: number | null;
  application_name: string | null;
  language: "javascript" | "typescript" | "python";
  /** Where the script is in the object store */
  script_key: string;
  script_sha256: string;
  execution_mode: "sync" | "async" | "stream";
  /** A transform exists, here or in the script */
  transform_enabled: boolean;
  input_schema: Record<string, unknown> | null;
  output_schema: Record<string, unknown> | null;
  allow_inproc_nesting: boolean;
  inproc_nested_refs: string[];
  timeout_seconds: number;
  memory_mb: number;
  status: "ENABLED" | "DISABLED";
  latest_version_number: string | null;
  has_unpublished_changes: boolean;
  meta: Record<string, unknown>;
  date_created: number;
  date_updated: number;
}

export interface ListedWorkflowRun {
  id: string;
  workflow_id: number;
  /** Null for a run of the draft */
  workflow_version: string | null;
  release: string | null;
  session_id: string;
  status: "QUEUED" | "RUNNING" | "COMPLETED" | "FAILED" | "TIMED_OUT" | "CANCELLED";
  trigger: "API" | "CHAT" | "AGENT" | "TEST" | "MONITOR" | "NESTED";
  mode: "sync" | "async" | "stream";
  /** Beginning of the first message, or of the input */
  first_message: string | null;
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  error_code: "max_iterations" | "budget_exceeded" | "secrets_unavailable" | "output_schema" | "interrupted" | "script_error" | "egress_denied" | "webhook_ttl" | "provider_error" | "timeout" | "depth_exceeded" | "cancelled" | "rule_too_costly" | "model_not_found" | "application_disabled" | "invalid_config" | null;
  error_message: string | null;
  usage: Usage;
  cost: number | null;
  attempts: number;
  parent_run_id: string | null;
  metadata: Record<string, unknown>;
  duration_ms: number | null;
  started_at: number | null;
  completed_at: number | null;
  date_created: number;
  input?: unknown | null;
  messages?: Message[] | null;
  params?: Record<string, unknown>;
  output?: unknown | null;
  transformed_session?: unknown | null;
}

export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  cost?: number | null;
}

export interface Message {
  role: "system" | "developer" | "user" | "assistant" | "tool";
  content?: string | Record<string, unknown>[] | null | null;
  name?: string;
  tool_calls?: ToolCall[];
  tool_call_id?: string;
}

export interface ToolCall {
  id: string;
  type: "function";
  function: FunctionCall;
}

export interface FunctionCall {
  name: string;
  arguments: string;
}

export interface Intent {
  id: number;
  application_id: number;
  action_type: string;
  description: string | null;
  prompt: string | null;
  config: Config;
  meta: Record<string, unknown>;
  intent_group_id: number;
  agent_id: number | null;
  notifications_enabled: boolean;
  request_count: number;
  last_activity: number | null;
  date_created: number;
  date_updated: number;
}

export interface RecordedRequest {
  id: number;
  request_id: string;
  application_id: number | null;
  intent_id: number | null;
  intent_group_id: number | null;
  session_id: string | null;
  reference_id: string | null;
  request_type: "PROD" | "RERUN" | "SYNTHETIC" | "MANUAL";
  origin: "CHAT" | "AGENT" | "WORKFLOW" | "MONITOR" | "TEST" | "EVALUATION" | "EXTERNAL";
  /** The task or run that made the call; null for CHAT */
  origin_id: string | null;
  rerun_of: string | null;
  /** The agent task that answered: its own calls carry the tokens */
  task_id: string | null;
  /** The workflow run that answered: its own calls carry the tokens */
  run_id: string | null;
  inference_location: "SERVER" | "CLIENT";
  model: string;
  params?: unknown;
  response?: unknown | null;
  corrected_response: Correction | null;
  is_corrected: boolean;
  correction_applied: boolean;
  status: "COMPLETED" | "FAILED";
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  error_message: string | null;
  fallback_used: boolean;
  fallback_reason: string | null;
  evaluation_status: "PENDING" | "PASS" | "FAULT" | "ERROR" | "NA";
  usage: Usage;
  first_token_time_ms: number | null;
  response_time_ms: number | null;
  metadata: Record<string, unknown>;
  tags: RequestTag[];
  date_created: number;
  date_updated: number;
}

export interface Correction {
  choices: CorrectedChoice[];
  note: string | null;
  key_id: number | null;
  date_updated: number;
}

export interface CorrectedChoice {
  message: Message;
}

export interface RequestTag {
  id: number;
  tag_name: string;
}

export interface Dataset {
  id: number;
  dataset_name: string;
  description: string | null;
  intent_group_id: number;
  application_id: number | null;
  status: "DRAFT" | "READY" | "ARCHIVED";
  request_count: number;
  tags: string[];
  meta: Record<string, unknown>;
  date_created: number;
  date_updated: number;
}

export interface IntentGroup {
  id: number;
  intent_group_name: string;
  description: string | null;
  config: Config;
  meta: Record<string, unknown>;
  application_count: number;
  intent_count: number;
  request_count: number;
  sentinel_count: number;
  last_activity: number | null;
  date_created: number;
  date_updated: number;
}

export interface TestSet {
  id: number;
  name: string;
  description: string | null;
  consumer_kinds: ("MODEL" | "WORKFLOW" | "AGENT" | "EXTERNAL")[];
  criteria_ids: number[];
  tags: string[];
  meta: Record<string, unknown>;
  item_count: number;
  last_run_at: number | null;
  date_created: number;
  date_updated: number;
}

export interface Composition {
  id: number;
  composition_name: string;
  description: string | null;
  intent_group_id: number;
  entries: CompositionEntry[];
  validation_split: number;
  seed: number;
  exclude_test_set_ids: number[];
  status: "DRAFT" | "READY";
  /** After weights, caps and exclusions; these as of the last change, preview, export or finetune run */
  request_count: number;
  date_created: number;
  date_updated: number;
}

export interface CompositionEntry {
  /** The share of the rows that is used: 0.5 is half of them, 2 is each of them twice Default: 1. */
  weight?: number;
  max_requests?: number | null;
  dataset_id: number;
}

export interface FinetuneRun {
  id: number;
  run_name: string;
  composition_id: number;
  intent_group_id: number;
  base_model: string;
  /** The model that the run has made */
  model_id: number | null;
  finetuned_model_name: string | null;
  provider_id: number;
  provider_job_id: string | null;
  hyperparameters: Hyperparameters;
  status: "CREATED" | "VALIDATING" | "QUEUED" | "RUNNING" | "COMPLETED" | "FAILED" | "CANCELLED";
  progress: number;
  metrics: FinetuneLosses;
  training_request_count: number;
  validation_request_count: number;
  error_message: string | null;
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  started_at: number | null;
  completed_at: number | null;
  date_created: number;
  date_updated: number;
}

export interface Hyperparameters {
  /** Default: 3. */
  n_epochs?: number;
  batch_size?: number | null;
  learning_rate_multiplier?: number | null;
  seed?: number | null;
}

export interface FinetuneLosses {
  train_loss?: number;
  validation_loss?: number;
}

export interface ModelUsage {
  bucket: "hour" | "day" | "week";
  points: ModelUsagePoint[];
}

export interface ModelUsagePoint {
  timestamp: number;
  requests: number;
  errors: number;
  total_tokens: number;
  cost: number | null;
  p50_ms: number | null;
  p95_ms: number | null;
  fault_rate: number | null;
}

export interface Provider {
  id: number;
  provider_name: string;
  kind: "openai_compatible" | "simulated";
  base_url: string | null;
  api_key_set: boolean;
  api_key_last4: string | null;
  default_headers: Record<string, string>;
  timeout_ms: number;
  status: "ENABLED" | "DISABLED";
  built_in: boolean;
  date_created: number;
  date_updated: number;
}

export interface ProviderTest {
  ok: boolean;
  latency_ms: number;
  failure_class: string | null;
  message: string | null;
  models: string[] | null;
}

export interface ChatMessage {
  role: "system" | "developer" | "user" | "assistant" | "tool";
  content?: string | Record<string, unknown>[] | null | null;
  name?: string;
  tool_calls?: ToolCall[];
  tool_call_id?: string;
  [key: string]: unknown;
}

export interface Completion {
  id: string;
  object: string;
  created: number;
  model: string;
  choices: unknown;
  usage?: unknown | null;
  request_id: string;
  session_id: string;
  evaluate_response?: EvaluationResult[];
  correction_applied: boolean;
  fallback_used: boolean;
  fallback_reason?: string | null;
  first_token_time_ms?: number | null;
  response_time_ms: number;
  output?: unknown;
  [key: string]: unknown;
}

export interface EvaluationResult {
  id: number;
  evaluation_request_id: string;
  evaluation_id: number | null;
  request_id: string;
  session_id: string | null;
  application_id: number | null;
  intent_id: number | null;
  intent_group_id: number | null;
  sentinel_id: number;
  sentinel_name: string;
  severity: number;
  status: "PASS" | "FAULT" | "ERROR" | "NA";
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  description: string;
  confidence: number | null;
  correction: string | null;
  eval_time_ms: number;
  usage: Usage;
  date_created: number;
}

export interface CallMadeElsewhere {
  messages: ChatMessage[];
  model?: string | null;
  temperature?: number | null;
  top_p?: number | null;
  n?: number | null;
  stream?: boolean | null;
  stream_options?: Record<string, unknown> | null;
  stop?: string | string[] | null;
  max_tokens?: number | null;
  max_completion_tokens?: number | null;
  presence_penalty?: number | null;
  frequency_penalty?: number | null;
  logprobs?: boolean | null;
  top_logprobs?: number | null;
  response_format?: ResponseFormat | null;
  tools?: Record<string, unknown>[] | null;
  tool_choice?: "none" | "auto" | "required" | Record<string, unknown> | null;
  parallel_tool_calls?: boolean | null;
  seed?: number | null;
  user?: string | null;
  reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | null;
  /** Name or reference name; an unknown one is created */
  application?: string;
  /** Name of the intent; an unknown one is created */
  intent?: string;
  evaluation_enabled?: boolean | null;
  apply_corrections?: boolean | null;
  safe_mode?: boolean | null;
  fallback_config?: CallFallback | null;
  /** Default: false. */
  return_evaluation?: boolean;
  input?: unknown;
  secrets?: Record<string, string>;
  session_id?: string;
  metadata?: Record<string, unknown> | null;
  reference_id?: string | null;
  request_id?: string;
  [key: string]: unknown;
}

export interface AnswerMadeElsewhere {
  choices: AnsweredChoice[];
  [key: string]: unknown;
}

export interface AnsweredChoice {
  message: ChatMessage;
  [key: string]: unknown;
}

export interface Timing {
  first_token_time_ms?: number | null;
  response_time_ms?: number | null;
}

export interface StoredCompletion {
  request_id: string;
  created: boolean;
}

export interface StoreCompletion {
  chat_completion_request: CallMadeElsewhere;
  chat_completion_response: AnswerMadeElsewhere;
  timing?: Timing | null;
}

export interface ResponsePair {
  original: Record<string, unknown> | null;
  corrected: Correction | null;
}

export interface SessionEvent {
  type: "message" | "tool_call" | "evaluation" | "correction" | "feedback";
  timestamp: number;
  request_id?: string;
  role?: string;
  content?: unknown | null;
  sentinel_id?: number;
  status?: string;
  tool_call?: unknown;
}

export interface SessionFeedback {
  session_id: string;
  feedback_score: number | null;
  feedback_text: string | null;
  key_id: number | null;
  date_updated: number;
}

export interface Tag {
  id: number;
  tag_name: string;
  color: string | null;
  description: string | null;
  request_count: number;
  date_created: number;
  date_updated: number;
}

export interface TagRule {
  id: number;
  rule_name: string;
  tag_id: number;
  /** The rule applies to requests of this application only */
  application_id: number | null;
  /** The rule applies to requests of this group only */
  intent_group_id: number | null;
  method: "CONDITIONS" | "LLM";
  /** CONDITIONS: paths into the Request; the text is that of its messages and its answer */
  conditions: ConditionGroup | null;
  prompt: string | null;
  /** Requests are tagged when they are recorded */
  apply_to_new: boolean;
  /** A disabled rule tags no new requests; tag runs apply it */
  enabled: boolean;
  date_created: number;
  date_updated: number;
}

export interface ConditionGroup {
  kind: "group";
  id?: string;
  op: "AND" | "OR";
  /** Default: false. */
  negate?: boolean;
  children: (Condition | ConditionGroup)[];
}

export interface Condition {
  kind: "condition";
  id?: string;
  source: "json" | "text";
  path?: string | null;
  operator: "equals" | "not_equals" | "gt" | "gte" | "lt" | "lte" | "contains" | "not_contains" | "matches" | "exists" | "does_not_exist" | "is_true" | "is_false" | "is_empty" | "is_not_empty" | "in" | "not_in" | "length_gt" | "length_lt";
  /** Needed by every operator that compares */
  value?: unknown;
}

export interface TagVerdict {
  request_id: string;
  matched: boolean;
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
}

export interface TagRun {
  id: number;
  rule_ids: number[];
  /** Synthetic requests are left out unless `request_type` asks for them */
  filters: RequestFilter;
  status: "PENDING" | "RUNNING" | "COMPLETED" | "FAILED" | "CANCELLED";
  /** Requests that the filters selected when the run started */
  total_requests: number;
  processed: number;
  /** Requests that got at least one tag they did not have */
  tagged: number;
  /** Judgements that failed; their requests stay untagged */
  errors: number;
  error_message: string | null;
  date_created: number;
  date_updated: number;
  started_at: number | null;
  completed_at: number | null;
}

export interface RequestFilter {
  application_id?: number;
  intent_id?: number;
  intent_group_id?: number;
  session_id?: string;
  model?: string;
  request_type?: "PROD" | "RERUN" | "SYNTHETIC" | "MANUAL";
  evaluation_status?: "PENDING" | "PASS" | "FAULT" | "ERROR" | "NA";
  is_corrected?: boolean;
  tag_ids?: number[];
  /** Searches messages, answers and corrections. Of a part over 256 kB, which is kept in object storage, it covers the first 2,000 characters of each text; the first 200 or 20 when the part has so many texts that these would still be over 256 kB; and nothing when even those would be */
  text?: string;
  start_date?: number;
  end_date?: number;
}

export interface Sentinel {
  id: number;
  sentinel_name: string;
  /** 1 = INFO, 2 = WARN, 3 = ERROR, 4 = FATAL */
  severity: number;
  intent_group_id: number;
  sentinel_directive: SentinelDirective;
  /** Known keys: `model` (default: the judge model of the company), `temperature`, `sample_rate` (percent) */
  meta: Record<string, unknown>;
  state: "ENABLED" | "DISABLED";
  date_created: number;
  date_updated: number;
}

export interface SentinelDirective {
  instruction: string;
  examples?: DirectiveExample[];
  qualification?: DirectiveQualification | null;
  correction?: DirectiveCorrection | null;
  include_options?: IncludeOptions;
}

export interface DirectiveExample {
  example_type: "PASS" | "FAULT" | "NA";
  example_body: string;
}

export interface DirectiveQualification {
  /** STATIC = a pattern (RE2), LLM = the judge decides */
  type: "STATIC" | "LLM";
  /** STATIC: a pattern that the text of messages or answer matches when the request is to be judged; LLM: which requests are to be judged. Other requests are NA */
  instruction: string;
}

export interface DirectiveCorrection {
  /** STATIC = a fixed text, LLM = a model writes it */
  type: "STATIC" | "LLM";
  /** STATIC: the text that replaces a faulty answer; LLM: how a faulty answer is corrected */
  instruction: string;
}

export interface IncludeOptions {
  /** Default: true. */
  system_prompt?: boolean;
  /** The messages before the last one of the user Default: true. */
  context?: boolean;
  /** The last message of the user and what follows it Default: true. */
  input?: boolean;
  /** Tool calls, their results and the declared tools Default: true. */
  tool_calls?: boolean;
  /** The requested response format Default: true. */
  json_schema?: boolean;
}

export interface GeneratedSentinel {
  sentinel_name: string;
  severity: number;
  sentinel_directive: SentinelDirective;
}

export interface DirectiveChange {
  instruction?: string;
  examples?: DirectiveExample[];
  qualification?: DirectiveQualification | null;
  correction?: DirectiveCorrection | null;
  include_options?: IncludeOptions;
}

export interface EvaluationTrial {
  evaluation_request_id: string;
  evaluation_id: number | null;
  session_id: string | null;
  application_id: number | null;
  intent_id: number | null;
  intent_group_id: number | null;
  sentinel_id: number;
  sentinel_name: string;
  severity: number;
  status: "PASS" | "FAULT" | "ERROR" | "NA";
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  description: string;
  confidence: number | null;
  correction: string | null;
  eval_time_ms: number;
  usage: Usage;
  request_id: string | null;
}

export interface EvaluationRun {
  id: number;
  name: string | null;
  application_id: number;
  intent_id: number;
  start_date: number;
  end_date: number;
  sentinel_ids: number[];
  /** Directives of this run by the id of their sentinel */
  sentinel_overrides: Record<string, SentinelDirective>;
  /** At most so many requests are judged: the newest ones */
  request_limit: number | null;
  status: "PENDING" | "RUNNING" | "DONE" | "ERROR" | "CANCELLED";
  /** Requests that were selected when the run started */
  total_requests: number;
  evaluated_requests: number;
  pass_count: number;
  fault_count: number;
  na_count: number;
  /** Requests with a failed judgement and no fault */
  error_count: number;
  /** Failed judgements by their class */
  errors_by_class: Record<string, number>;
  /** Of the requests that passed or are faulty; null without any */
  pass_rate: number | null;
  cost: number | null;
  error_message: string | null;
  date_created: number;
  date_updated: number;
  started_at: number | null;
  completed_at: number | null;
}

export interface EvaluationEstimate {
  request_count: number;
  judgement_count: number;
  /** Null when a judge model has no price */
  estimated_cost: number | null;
}

export interface RequestEvaluationResults {
  evaluation_request_id: string;
  request_id: string;
  status: "PASS" | "FAULT" | "ERROR" | "NA";
  results: EvaluationResult[];
}

export interface ReportedFault {
  request_id: string;
  session_id: string | null;
  application_id: number | null;
  intent_id: number | null;
  sentinel_id: number;
  sentinel_name: string;
  severity: number;
  description: string;
  correction_applied: boolean;
  date_created: number;
}

export interface FaultSummary {
  key: string;
  label: string;
  fault_count: number;
  evaluated: number;
  error_count: number;
  fault_rate: number | null;
}

export interface ReportedFallback {
  request_id: string;
  primary_model: string | null;
  fallback_model: string;
  strategy: "reactive" | "timeout" | "first_response" | null;
  fallback_reason: string | null;
  latency_ms: number | null;
  date_created: number;
}

export interface FallbackSummary {
  key: string;
  label: string;
  count: number;
  rate: number | null;
}

export interface SearchResults {
  query: string;
  results: SearchResult[];
}

export interface SearchResult {
  kind: "endpoint" | "command" | "concept";
  title: string;
  method?: string;
  path?: string;
  command?: string;
  family: string;
  summary: string;
  score: number;
}

export interface HelpContext {
  /** Default: "curl". */
  language?: "curl" | "typescript" | "python";
  /** What the caller wants to reach in the end */
  goal?: string;
}

export interface HelpAnswer {
  answer: string;
  /** In order */
  steps: string[];
  endpoints: HelpEndpoint[];
  examples: HelpExample[];
  sources: HelpSource[];
  generated_by: "template" | "model";
}

export interface HelpEndpoint {
  method: string;
  path: string;
  why: string;
}

export interface HelpExample {
  language: "curl" | "typescript" | "python";
  code: string;
}

export interface HelpSource {
  title: string;
  path: string;
}

export interface Found {
  type: "application" | "intent" | "intent_group" | "agent" | "agent_action" | "agent_task" | "mcp_server" | "workflow" | "workflow_run" | "monitor" | "sentinel" | "session" | "request" | "dataset" | "composition" | "finetune_run" | "test_set" | "test_run" | "evaluation_criteria" | "evaluation_run" | "model" | "model_provider" | "tag" | "tag_rule" | "tag_run" | "api_key" | "webhook";
  id: unknown;
  /** Null for what has only an id */
  name: string | null;
  parent: FoundParent | null;
  /** Below the base URL of the API */
  url_path: string;
}

export interface FoundParent {
  type: "application" | "intent" | "intent_group" | "agent" | "agent_action" | "agent_task" | "mcp_server" | "workflow" | "workflow_run" | "monitor" | "sentinel" | "session" | "request" | "dataset" | "composition" | "finetune_run" | "test_set" | "test_run" | "evaluation_criteria" | "evaluation_run" | "model" | "model_provider" | "tag" | "tag_rule" | "tag_run" | "api_key" | "webhook";
  id: unknown;
  name: string | null;
}

export interface RequestVolume {
  bucket: "hour" | "day" | "week";
  series: VolumeSeries[];
  total: number;
}

export interface VolumeSeries {
  key: string;
  label: string;
  points: VolumePoint[];
}

export interface VolumePoint {
  timestamp: number;
  count: number;
}

export interface FaultRate {
  bucket: "hour" | "day" | "week";
  series: FaultSeries[];
  total: Faults;
}

export interface FaultSeries {
  key: string;
  label: string;
  points: FaultPoint[];
}

export interface FaultPoint {
  evaluated: number;
  faults: number;
  errors: number;
  fault_rate: number | null;
  timestamp: number;
}

export interface Faults {
  evaluated: number;
  faults: number;
  errors: number;
  fault_rate: number | null;
}

export interface Latency {
  bucket: "hour" | "day" | "week";
  series: LatencySeries[];
  total: Latencies;
}

export interface LatencySeries {
  key: string;
  label: string;
  points: LatencyPoint[];
}

export interface LatencyPoint {
  p50_ms: number | null;
  p90_ms: number | null;
  p95_ms: number | null;
  first_token_p50_ms: number | null;
  timestamp: number;
}

export interface Latencies {
  p50_ms: number | null;
  p90_ms: number | null;
  p95_ms: number | null;
  first_token_p50_ms: number | null;
}

export interface UsageOverTime {
  bucket: "hour" | "day" | "week";
  series: UsageSeries[];
  total: TokensUsed;
}

export interface UsageSeries {
  key: string;
  label: string;
  points: UsagePoint[];
}

export interface UsagePoint {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  cost: number | null;
  timestamp: number;
}

export interface TokensUsed {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  cost: number | null;
}

export interface AnalyticsSummary {
  request_count: number;
  session_count: number;
  fault_rate: number | null;
  fallback_rate: number | null;
  correction_rate: number | null;
  error_rate: number | null;
  avg_response_time_ms: number | null;
  total_tokens: number;
  cost: number | null;
}

export interface AgentConfig {
  temperature?: number | null;
  max_tokens?: number | null;
  steps?: AgentStepConfigs | null;
  [key: string]: unknown;
}

export interface AgentStepConfigs {
  orchestrate?: AgentStepConfig | null;
  process?: AgentStepConfig | null;
  respond?: AgentStepConfig | null;
}

export interface AgentStepConfig {
  model?: string | null;
  prompt?: string | null;
}

export interface Agent {
  id: number;
  /** Null once the application was deleted with force */
  application_id: number | null;
  application_name: string | null;
  agent_name: string;
  kind: "HOSTED" | "EXTERNAL";
  description: string | null;
  status: "ENABLED" | "DISABLED";
  execution_mode: "reasoning" | "route";
  model: string | null;
  system_prompt: string | null;
  strategy_prompt_addendum: string | null;
  agent_config: Record<string, unknown>;
  max_iterations: number;
  max_cost: number | null;
  response_format: ResponseFormat | null;
  base_url: string | null;
  meta: Record<string, unknown>;
  /** MCP servers whose tools the agent may call */
  mcp_servers: number[];
  action_count: number;
  sub_agent_count: number;
  latest_version: string | null;
  has_unpublished_changes: boolean;
  date_created: number;
  date_updated: number;
  actions: AgentAction[];
  sub_agents: SubAgentLink[];
  routing: Routing;
  form_fields: FormField[];
}

export interface AgentAction {
  id: number;
  date_created: string;
  agent_id: number;
  action_name: string;
  action_type: "llm" | "api" | "webhook" | "maitai_workflow";
  description: string;
  enabled: boolean;
  action_config: Record<string, unknown> | null;
  meta: Record<string, unknown>;
  is_default: boolean;
  action_result_type: "gather_info" | "complete_task";
  status: "ENABLED" | "DISABLED";
  invocation_mode: "foreground" | "background";
}

export interface SubAgentLink {
  id: number;
  agent_id: number;
  child_agent_id: number;
  version: string | null;
  release: string | null;
  action_result_type: "gather_info" | "complete_task";
  position: number;
  date_created: number;
  date_updated: number;
}

export interface Routing {
  config: RoutingConfig;
  rules: RoutingRule[];
}

export interface RoutingConfig {
  type: "rules" | "llm";
  default: Route;
}

export interface Route {
  type: "agent" | "action" | "llm" | "none";
  agent_id?: number | null;
  action_id?: number | null;
}

export interface RoutingRule {
  id: number;
  agent_id: number;
  position: number;
  label: string;
  condition_expression: string | null;
  conditions: RoutingCondition[];
  route: Route;
  enabled: boolean;
  date_created: number;
  date_updated: number;
}

export interface RoutingCondition {
  target_type: "message" | "request" | "state";
  variable_path?: string | null;
  operator: "equals" | "not_equals" | "gt" | "gte" | "lt" | "lte" | "like" | "contains" | "matches" | "is_null" | "is_not_null" | "classify" | "not_classify" | "sem_match";
  value?: unknown | null;
  threshold?: number | null;
  /** Default: true. */
  enabled?: boolean;
}

export interface FormField {
  id: number;
  agent_id: number;
  field_key: string;
  label: string;
  field_type: "string" | "number" | "boolean" | "date" | "enum" | "object" | "array";
  description: string | null;
  required: boolean;
  enum_values: string[] | null;
  default_value: unknown | null;
  read_scope: "all" | "self";
  write_scope: "all" | "self";
  position: number;
  date_created: number;
  date_updated: number;
}

export interface LlmActionConfig {
  prompt: string;
  user_prompt?: string | null;
  model_config?: LlmModelConfig;
  response_format?: ResponseFormat | null;
}

export interface LlmModelConfig {
  model?: string | null;
  temperature?: number | null;
  max_tokens?: number | null;
}

export interface ApiActionConfig {
  base_url?: string | null;
  endpoint: string;
  /** Default: "POST". */
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown | null;
  auth?: ActionAuth | null;
  parameters?: Record<string, ActionParameter>;
  /** Default: 30000. */
  timeout_ms?: number;
  mock_response?: unknown;
}

export interface ActionAuth {
  type: "none" | "bearer" | "basic" | "api_key";
  token?: string | null;
  username?: string | null;
  password?: string | null;
  header?: string | null;
}

export interface ActionParameter {
  type: "string" | "number" | "boolean" | "object" | "array";
  description?: string | null;
  /** Default: false. */
  required?: boolean;
}

export interface WebhookActionConfig {
  base_url?: string | null;
  endpoint: string;
  /** Default: "POST". */
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown | null;
  auth?: ActionAuth | null;
  parameters?: Record<string, ActionParameter>;
  /** Default: 30000. */
  timeout_ms?: number;
  mock_response?: unknown;
  /** Default: "outbound". */
  mode?: "outbound" | "callback";
  /** Default: 86400. */
  ttl_seconds?: number;
}

export interface WorkflowActionConfig {
  workflow_id: number;
  version?: string | null;
  release?: string | null;
  input_mapping?: Record<string, string>;
}

export interface ActionTest {
  status: "SUCCESS" | "ERROR" | "TIMEOUT";
  output: unknown | null;
  duration_ms: number;
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  error_message: string | null;
}

export interface RoutingTest {
  matched_rule_id: number | null;
  route: Route;
  evaluations: RuleEvaluation[];
}

export interface RuleEvaluation {
  rule_id: number;
  passed: boolean;
  conditions: boolean[];
}

export interface ManifestApplication {
  ref_name: string;
  name: string;
}

export interface ManifestAgent {
  name: string;
  status?: "ENABLED" | "DISABLED";
  description?: string | null;
  instructions?: string | null;
  execution_mode?: "reasoning" | "route";
  model?: string | null;
  strategy_prompt_addendum?: string | null;
  agent_config?: Record<string, unknown>;
  max_iterations?: number;
  max_cost?: number | null;
  response_format?: ResponseFormat | null;
  base_url?: string | null;
  meta?: Record<string, unknown>;
  /** Names of MCP servers */
  mcp_servers?: string[];
  actions?: ActionBody[];
  handoffs?: (string | ManifestHandoff)[];
  form_fields?: FormFieldBody[];
  routing?: ManifestRouting;
}

export interface ActionBody {
  action_name: string;
  action_type: "llm" | "api" | "webhook" | "maitai_workflow";
  description: string;
  /** Default: true. */
  enabled?: boolean;
  action_config?: LlmActionConfig | ApiActionConfig | WebhookActionConfig | WorkflowActionConfig | null;
  meta?: Record<string, unknown>;
  /** Default: false. */
  is_default?: boolean;
  /** Default: "gather_info". */
  action_result_type?: "gather_info" | "complete_task";
  /** Default: "foreground". */
  invocation_mode?: "foreground" | "background";
}

export interface ManifestHandoff {
  name: string;
  version?: string | null;
  release?: string | null;
  /** Default: "gather_info". */
  action_result_type?: "gather_info" | "complete_task";
}

export interface FormFieldBody {
  field_key: string;
  label: string;
  field_type: "string" | "number" | "boolean" | "date" | "enum" | "object" | "array";
  description?: string | null;
  /** Default: false. */
  required?: boolean;
  enum_values?: string[] | null;
  default_value?: unknown | null;
  /** Default: "all". */
  read_scope?: "all" | "self";
  /** Default: "all". */
  write_scope?: "all" | "self";
}

export interface ManifestRouting {
  config: ManifestRoutingConfig;
  rules?: ManifestRule[];
}

export interface ManifestRoutingConfig {
  type: "rules" | "llm";
  default: ManifestRoute;
}

export interface ManifestRoute {
  type: "agent" | "action" | "llm" | "none";
  agent?: string | null;
  action?: string | null;
}

export interface ManifestRule {
  label: string;
  condition_expression?: string | null;
  conditions: RoutingCondition[];
  /** Default: true. */
  enabled?: boolean;
  route: ManifestRoute;
}

export interface AgentImport {
  application_id: number;
  agents: ImportedAgent[];
  /** All warnings, including those of the agents */
  warnings: ImportWarning[];
}

export interface ImportedAgent {
  name: string;
  id: number;
  status: "created" | "updated" | "unchanged";
  action_ids: number[];
  subagent_links: SubAgentLink[];
  warnings: ImportWarning[];
}

export interface ImportWarning {
  path: string;
  message: string;
}

export interface AgentManifest {
  application: ManifestApplication;
  agents: ManifestAgent[];
}

export interface AgentVersion {
  id: number;
  version: string;
  agent_id: number;
  notes: string;
  is_latest: boolean;
  date_created: number;
  agent: AgentName;
  snapshot?: unknown;
}

export interface AgentName {
  id: number;
  agent_name: string;
}

export interface VersionDiff {
  from_version: string | null;
  to_version: string | null;
  has_changes: boolean;
  changes: unknown;
  actions?: unknown;
  sub_agents?: unknown;
  routing_rules?: unknown;
  form_fields?: unknown;
}

export interface Release {
  id: number;
  name: string;
  version_id: number;
  version_number: string;
  is_default: boolean;
  gate_policy: GatePolicy | null;
  /** Clients of the Model Context Protocol may call it as a tool; of agents and workflows only */
  mcp_enabled: boolean;
  moved_at: number;
  moved_by_key_id: number | null;
  date_created: number;
  date_updated: number;
}

export interface GatePolicy {
  test_set_id: number;
  min_match_rate: number;
  max_age_ms: number;
  /** Default: 0. */
  max_error_rate?: number;
  /** Compares min_match_rate with the lower bound of the interval of the match rate at this confidence */
  confidence?: number | null;
}

export interface GateResult {
  passed: boolean;
  reasons: string[];
  test_run_id?: number;
  /** The first items of the test set that were added, removed, changed or overridden after the run */
  stale_items?: number[];
}

export interface ReleaseMove {
  id: number;
  release_name: string;
  from_version: string | null;
  to_version: string;
  gate_result: GateResult | null;
  override_reason: string | null;
  key_id: number | null;
  date_created: number;
}

export interface ReleaseOverview {
  parent_type: "agent" | "workflow" | "monitor";
  parent_id: number;
  parent_name: string;
  name: string;
  version_number: string;
  is_default: boolean;
  gate_policy: GatePolicy | null;
  last_gate_result: GateResult | null;
  /** Clients of the Model Context Protocol may call it as a tool; of agents and workflows only */
  mcp_enabled: boolean;
  moved_at: number;
  moved_by_key_id: number | null;
}

export interface Invocation {
  id?: string;
  task_id: string;
  session_id: string;
  status?: "QUEUED" | "RUNNING" | "WAITING_WEBHOOK" | "COMPLETED" | "FAILED" | "CANCELLED";
  hook_expires_at?: number;
  object?: string;
  created?: number;
  model?: string;
  choices?: Choice[];
  usage?: Usage;
  structured_output?: unknown | null;
}

export interface Choice {
  index: number;
  message: Message;
  finish_reason: string;
}

export interface ListedTask {
  id: string;
  agent_id: number;
  parent_task_id: string | null;
  session_id: string;
  status: "QUEUED" | "RUNNING" | "WAITING_WEBHOOK" | "COMPLETED" | "FAILED" | "CANCELLED";
  version: string | null;
  /** The version that the program of an EXTERNAL agent reports when it is no semantic version */
  reported_version: string | null;
  release: string | null;
  /** Beginning of the first message of the user */
  first_message: string | null;
  waiting: TaskWaiting | null;
  iterations: number;
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  error_code: "max_iterations" | "budget_exceeded" | "secrets_unavailable" | "output_schema" | "interrupted" | "script_error" | "egress_denied" | "webhook_ttl" | "provider_error" | "timeout" | "depth_exceeded" | "cancelled" | "rule_too_costly" | "model_not_found" | "application_disabled" | "invalid_config" | null;
  error_message: string | null;
  usage: Usage;
  cost: number | null;
  duration_ms: number | null;
  started_at: number | null;
  completed_at: number | null;
  trigger: "API" | "CHAT" | "WORKFLOW" | "TEST" | "SUB_AGENT" | "MONITOR" | "MCP" | "EXTERNAL";
  metadata: Record<string, unknown>;
  date_created: number;
  input_messages?: Message[];
  output?: Message | null;
  structured_output?: unknown | null;
}

export interface TaskWaiting {
  /** Null for a task whose sub-agent waits */
  action_name: string | null;
  hook_expires_at: number | null;
}

export interface Task {
  id: string;
  agent_id: number;
  parent_task_id: string | null;
  session_id: string;
  status: "QUEUED" | "RUNNING" | "WAITING_WEBHOOK" | "COMPLETED" | "FAILED" | "CANCELLED";
  version: string | null;
  /** The version that the program of an EXTERNAL agent reports when it is no semantic version */
  reported_version: string | null;
  release: string | null;
  /** Beginning of the first message of the user */
  first_message: string | null;
  waiting: TaskWaiting | null;
  iterations: number;
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  error_code: "max_iterations" | "budget_exceeded" | "secrets_unavailable" | "output_schema" | "interrupted" | "script_error" | "egress_denied" | "webhook_ttl" | "provider_error" | "timeout" | "depth_exceeded" | "cancelled" | "rule_too_costly" | "model_not_found" | "application_disabled" | "invalid_config" | null;
  error_message: string | null;
  usage: Usage;
  cost: number | null;
  duration_ms: number | null;
  started_at: number | null;
  completed_at: number | null;
  trigger: "API" | "CHAT" | "WORKFLOW" | "TEST" | "SUB_AGENT" | "MONITOR" | "MCP" | "EXTERNAL";
  metadata: Record<string, unknown>;
  date_created: number;
  input_messages: Message[];
  output: Message | null;
  structured_output: unknown | null;
}

export interface TimelineEvent {
  type: "message" | "task_start" | "task_end" | "action_invoked" | "action_result" | "sub_agent_invoked" | "routing" | "state_update" | "waiting_webhook" | "model_called" | "model_answered" | "error";
  timestamp: number;
  /** Counts the events of its task from 1 */
  seq: number;
  task_id: string;
  parent_task_id: string | null;
  role?: string;
  content?: unknown | null;
  status?: string;
  action_id?: number;
  action_name?: string;
  /** mcp for a tool of an MCP server, which has no action_id */
  action_type?: "llm" | "api" | "webhook" | "maitai_workflow" | "mcp";
  mcp_server_id?: number;
  arguments?: unknown;
  output?: unknown | null;
  duration_ms?: number;
  child_task_id?: string;
  child_agent_id?: number;
  child_agent_name?: string;
  /** How the sub-agent has ended */
  result?: ChildResult;
  /** Number of the step: of a call of a model, or of a tool elsewhere */
  step?: number;
  model?: string | null;
  request_id?: string | null;
  usage?: Usage | null;
  finish_reason?: string | null;
  rule_id?: number;
  route?: unknown;
  changes?: unknown;
  hook_expires_at?: number;
  message?: string;
  failure_class?: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal";
}

export interface ChildResult {
  status: "QUEUED" | "RUNNING" | "WAITING_WEBHOOK" | "COMPLETED" | "FAILED" | "CANCELLED";
  output: unknown | null;
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  error_message: string | null;
}

export interface TaskStreamEvent {
  type: string;
  seq: number;
  timestamp: number;
  task_id: string;
}

export interface AgentSession {
  session_id: string;
  agent_id: number;
  task_count: number;
  state: Record<string, unknown>;
  feedback_score: number | null;
  feedback_text: string | null;
  last_activity: number;
  date_created: number;
  date_updated: number;
}

export interface Resumed {
  resumed: boolean;
}

export interface McpServerSummary {
  id: number;
  name: string;
  url: string;
  headers: Record<string, string>;
  include_tools: string[];
  exclude_tools: string[];
  /** Tools of the last successful refresh that the two lists leave */
  tool_count: number;
  /** The last successful refresh */
  refreshed_at: number | null;
  refresh_error: McpRefreshError | null;
  /** What calls found changed since the last refresh */
  drift: McpDrift[];
  date_created: number;
  date_updated: number;
}

export interface McpRefreshError {
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal";
  message: string;
  at: number;
}

export interface McpDrift {
  tool: string;
  /** Null when the server has the tool no longer */
  schema_hash: string | null;
  at: number;
}

export interface McpServer {
  id: number;
  name: string;
  url: string;
  headers: Record<string, string>;
  include_tools: string[];
  exclude_tools: string[];
  /** Tools of the last successful refresh that the two lists leave */
  tool_count: number;
  /** The last successful refresh */
  refreshed_at: number | null;
  refresh_error: McpRefreshError | null;
  /** What calls found changed since the last refresh */
  drift: McpDrift[];
  date_created: number;
  date_updated: number;
  tools: McpTool[];
}

export interface McpTool {
  name: string;
  description: string | null;
  input_schema: unknown;
  output_schema: unknown | null;
  /** The server says that a call changes nothing, or that a repeated one changes nothing more */
  is_repeatable: boolean;
  /** SHA-256 of both schemas; calls of published agents compare it */
  schema_hash: string;
}

export interface EvaluationCriteria {
  id: number;
  name: string;
  description: string | null;
  criteria_type: "BOOLEAN" | "NUMERIC";
  method: "LLM" | "EXACT" | "JSON_FIELDS" | "CONTAINS" | "REGEX" | "JSON_SCHEMA" | "SCRIPT" | "STEPS" | "LATENCY" | "COST";
  prompt: string | null;
  config: CriteriaConfig;
  pass_threshold: number;
  weight: number;
  enabled: boolean;
  date_created: number;
  date_updated: number;
}

export interface CriteriaConfig {
  /** JSON_FIELDS */
  ignore_paths?: string[];
  /** JSON_FIELDS */
  required_paths?: string[];
  /** REGEX, RE2 syntax */
  pattern?: string;
  /** CONTAINS */
  value?: string;
  /** JSON_SCHEMA */
  schema?: Record<string, unknown>;
  /** EXACT, JSON_FIELDS; default 0 */
  numeric_tolerance?: number;
  /** EXACT, JSON_FIELDS, CONTAINS, REGEX; default true */
  case_sensitive?: boolean;
  /** EXACT, JSON_FIELDS, CONTAINS; default true */
  trim?: boolean;
  /** LLM; default the company's judge model */
  model?: string | null;
  /** SCRIPT; default javascript */
  language?: "javascript" | "typescript" | "python";
  /** SCRIPT: has a function `score(item)`, which returns a boolean, a number from 0 to 1, or {pass, score, reason} */
  script?: string;
  /** SCRIPT: wall clock of one item; default 5000 */
  timeout_ms?: number;
  /** SCRIPT: the item has `steps`; it is an error when they cannot be had; default false */
  with_steps?: boolean;
  /** STEPS: all of them must hold */
  checks?: StepCheck[];
  /** LATENCY: the most milliseconds of an item */
  max_latency_ms?: number;
  /** COST: the most US dollars of an item */
  max_cost?: number;
}

export interface StepCheck {
  kind: "called" | "not_called" | "order" | "no_failed_step" | "status";
  /** called, not_called: an action, a sub-agent or a tool; in a workflow also a step, a member of ctx, or a called workflow */
  tool?: string;
  /** called, not_called: only calls for which all of them hold count */
  arguments?: ArgumentCheck[];
  /** called; default 1 */
  min_times?: number;
  /** called; default any number */
  max_times?: number;
  /** order: others may be called in between */
  tools?: string[];
  /** status */
  status?: "COMPLETED" | "FAILED" | "CANCELLED" | "TIMED_OUT";
}

export interface ArgumentCheck {
  /** A dotted path into the arguments, `rows[0].id`; default all of them */
  path?: string;
  /** The same JSON value */
  equals?: unknown;
  /** A part of the text of the value */
  contains?: string;
  /** RE2 syntax, searched in the text of the value */
  matches?: string;
}

export interface CriteriaValidation {
  valid: boolean;
  errors: ScriptProblem[];
}

export interface ScriptProblem {
  line?: number;
  column?: number;
  message: string;
}

export interface Expected {
  text?: string;
  json?: unknown | null;
  message?: Message;
}

export interface SourceRef {
  request_id?: string;
  workflow_run_id?: string;
  agent_task_id?: string;
}

export interface CriterionTrial {
  criteria_id: number;
  name: string;
  score: number | null;
  passed: boolean | null;
  failure_class?: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  description: string;
  /** The threshold that the judgement used */
  threshold?: number;
  /** The weight that the judgement used */
  weight?: number;
  /** SCRIPT: the first lines that the script has logged */
  logs?: ScorerLogLine[];
}

export interface ScorerLogLine {
  level: "debug" | "info" | "warn" | "error";
  message: string;
}

export interface ListedTestSetItem {
  id: number;
  test_set_id: number;
  position: number;
  source_type: "MANUAL" | "REQUEST" | "WORKFLOW_RUN" | "AGENT_TASK";
  source_id: string | null;
  flatten_variant: "agent_first_user_message" | "agent_first_user_message_with_system_prompt" | null;
  /** SHA-256 of the imported input and output */
  baseline_hash: string | null;
  meta: Record<string, unknown>;
  date_created: number;
  date_updated: number;
  expected_output: Expected | null;
  response_sub: ResponseSub | null;
  /** The override, else the baseline */
  effective_expected_output: Expected | null;
  /** Null when bodies_omitted is true */
  input: TestInput | null;
  /** True when input and outputs are left out because the item has more than 32 kB; read it alone */
  bodies_omitted: boolean;
}

export interface ResponseSub {
  id: number;
  expected_output: Expected;
  note: string | null;
  author_key_id: number | null;
  date_created: number;
  date_updated: number;
}

export interface TestInput {
  messages?: Message[] | null;
  input?: unknown | null;
  params?: InputParams | null;
}

export interface InputParams {
  tools?: unknown | null;
  tool_choice?: unknown | null;
  top_p?: number | null;
  seed?: number | null;
  reasoning_effort?: string | null;
}

export interface TestSetItem {
  id: number;
  test_set_id: number;
  position: number;
  source_type: "MANUAL" | "REQUEST" | "WORKFLOW_RUN" | "AGENT_TASK";
  source_id: string | null;
  flatten_variant: "agent_first_user_message" | "agent_first_user_message_with_system_prompt" | null;
  /** SHA-256 of the imported input and output */
  baseline_hash: string | null;
  meta: Record<string, unknown>;
  date_created: number;
  date_updated: number;
  input: TestInput;
  expected_output: Expected | null;
  response_sub: ResponseSub | null;
  /** The override, else the baseline */
  effective_expected_output: Expected | null;
}

export interface MonitorSummary {
  id: number;
  name: string;
  description: string;
  status: "DRAFT" | "ACTIVE" | "PAUSED";
  target_count: number;
  /** ACTIVE, with an enabled target and a published version */
  active: boolean;
  has_unpublished_changes: boolean;
  latest_version_number: string | null;
  last_run_at: number | null;
  date_created: number;
  date_updated: number;
}

export interface MonitorConfig {
  runner?: MonitorRunner | null;
  result?: MonitorResult;
  limits?: MonitorLimits;
}

export interface MonitorRunner {
  resource_type: "model" | "workflow" | "direct";
  resource_id?: number | null;
  version?: string | null;
  release?: string | null;
  input?: RunnerInput;
}

export interface RunnerInput {
  /** What a judge looks for */
  prompt?: string | null;
  /** Path of the messages in the payload */
  messages_path?: string | null;
  /** Path of the answer in the payload */
  response_path?: string | null;
}

export interface MonitorResult {
  fault?: ConditionGroup | null;
  warning?: ConditionGroup | null;
  /** Default: "PASS". */
  default_outcome?: "PASS" | "WARNING" | "FAULT";
}

export interface MonitorLimits {
  /** US dollars; when reached nothing runs until 00:00 UTC. Runs of shadow versions, retries, checks and previews count too */
  max_cost_per_day?: number | null;
  /** Default: 60000. */
  timeout_ms?: number;
}

export interface AlertRule {
  metric: "fault_rate" | "error_rate" | "consecutive_faults";
  /** A share from 0 to 1, or a number of faults in a row */
  threshold: number;
  /** Default: 3600000. */
  window_ms?: number;
  /** Default: 1. */
  min_runs?: number;
}

export interface Monitor {
  id: number;
  name: string;
  description: string;
  status: "DRAFT" | "ACTIVE" | "PAUSED";
  target_count: number;
  /** ACTIVE, with an enabled target and a published version */
  active: boolean;
  has_unpublished_changes: boolean;
  latest_version_number: string | null;
  last_run_at: number | null;
  date_created: number;
  date_updated: number;
  config: MonitorConfig;
  meta: Record<string, unknown>;
  alert_rules: AlertRule[];
  shadow_version: string | null;
  default_release: string | null;
  targets?: MonitorTarget[];
}

export interface MonitorTarget {
  id: number;
  target_type: "intent" | "workflow" | "agent";
  target_id: number;
  sample_rate: number;
  enabled: boolean;
  monitor_id: number;
  target_name: string;
  date_created: number;
  date_updated: number;
}

export interface MonitorValidation {
  valid: boolean;
  errors: MonitorProblem[];
}

export interface MonitorProblem {
  field: string;
  message: string;
}

export interface MonitorOfTarget {
  monitor: MonitorName;
  monitor_target: AttachedTarget;
}

export interface MonitorName {
  id: number;
  name: string;
  status: "DRAFT" | "ACTIVE" | "PAUSED";
}

export interface AttachedTarget {
  id: number;
  target_type: "intent" | "workflow" | "agent";
  target_id: number;
  sample_rate: number;
  enabled: boolean;
}

export interface MonitorVersion {
  id: number;
  monitor_id: number;
  version_number: string;
  is_latest: boolean;
  version_notes: string;
  date_created: number;
  snapshot?: Record<string, unknown>;
}

export interface ImportedItem {
  item: TestSetItem;
  created: boolean;
}

export interface ImportSource {
  source_type: "REQUEST" | "WORKFLOW_RUN" | "AGENT_TASK";
  source_id: string;
  flatten_variant?: "agent_first_user_message" | "agent_first_user_message_with_system_prompt";
}

export interface BulkImport {
  created: number;
  existing: number;
  failed: FailedImport[];
}

export interface FailedImport {
  source_type: "REQUEST" | "WORKFLOW_RUN" | "AGENT_TASK";
  source_id: string;
  message: string;
}

export interface LegacyTestSet {
  id: number;
  name: string;
  intent_group_id: number | null;
  request_count: number;
  date_created: number;
}

export interface LegacyTestSetRequest {
  id: number;
  request_id: string | null;
  messages: Message[] | null;
  expected_response: Expected | null;
}

export interface LegacySuccess {
  status: "success";
}

export interface Workflow {
  id: number;
  workflow_ref_name: string;
  workflow_name: string;
  description: string;
  application_id: number | null;
  application_name: string | null;
  language: "javascript" | "typescript" | "python";
  /** Where the script is in the object store */
  script_key: string;
  script_sha256: string;
  execution_mode: "sync" | "async" | "stream";
  /** A transform exists, here or in the script */
  transform_enabled: boolean;
  input_schema: Record<string, unknown> | null;
  output_schema: Record<string, unknown> | null;
  allow_inproc_nesting: boolean;
  inproc_nested_refs: string[];
  timeout_seconds: number;
  memory_mb: number;
  status: "ENABLED" | "DISABLED";
  latest_version_number: string | null;
  has_unpublished_changes: boolean;
  meta: Record<string, unknown>;
  date_created: number;
  date_updated: number;
  transform_session: string | null;
  /** With include_script=true */
  script?: string;
}

export interface ScriptValidation {
  valid: boolean;
  errors: ScriptProblem[];
  has_transform_session: boolean;
}

export interface DefaultScript {
  language: "javascript" | "typescript" | "python";
  script: string;
}

export interface LanguageSupport {
  language: "javascript" | "typescript" | "python";
  available: boolean;
  version: string | null;
}

export interface WorkflowVersion {
  id: number;
  workflow_id: number;
  version_number: string;
  is_latest: boolean;
  version_notes: string;
  date_created: number;
  snapshot?: unknown;
}

export interface ArtifactBody {
  key: string;
  content_base64: string;
  /** Default: "application/octet-stream". */
  content_type?: string;
}

export interface UploadedWorkflow {
  workflow: Workflow;
  /** The version that was published; null without publish_version */
  version: WorkflowVersion | null;
  created: boolean;
}

export interface ManifestWorkflow {
  workflow_ref_name: string;
  /** By default the reference name */
  workflow_name?: string;
  description?: string;
  /** Binds to the application of this name and creates it when it does not exist; null unbinds */
  application_name?: string | null;
  language?: "javascript" | "typescript" | "python";
  script?: string;
  execution_mode?: "sync" | "async" | "stream";
  /** A script with transform_session(session); an empty one removes it */
  transform_session?: string | null;
  input_schema?: Record<string, unknown> | null;
  output_schema?: Record<string, unknown> | null;
  allow_inproc_nesting?: boolean;
  inproc_nested_refs?: string[];
  timeout_seconds?: number;
  memory_mb?: number;
  status?: "ENABLED" | "DISABLED";
  meta?: Record<string, unknown>;
}

export interface WorkflowImport {
  workflows: ImportedWorkflow[];
  /** All warnings, including those of the workflows */
  warnings: ImportWarning[];
}

export interface ImportedWorkflow {
  workflow_ref_name: string;
  id: number;
  status: "created" | "updated" | "unchanged";
  warnings: ImportWarning[];
}

export interface WorkflowManifest {
  workflows: ManifestWorkflow[];
}

export interface Execution {
  id?: string;
  workflow_id?: number;
  /** Null for a run of the draft */
  workflow_version?: string | null;
  release?: string | null;
  session_id?: string;
  trigger?: "API" | "CHAT" | "AGENT" | "TEST" | "MONITOR" | "NESTED";
  mode?: "sync" | "async" | "stream";
  /** Beginning of the first message, or of the input */
  first_message?: string | null;
  failure_class?: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  error_code?: "max_iterations" | "budget_exceeded" | "secrets_unavailable" | "output_schema" | "interrupted" | "script_error" | "egress_denied" | "webhook_ttl" | "provider_error" | "timeout" | "depth_exceeded" | "cancelled" | "rule_too_costly" | "model_not_found" | "application_disabled" | "invalid_config" | null;
  error_message?: string | null;
  usage?: Usage;
  cost?: number | null;
  attempts?: number;
  parent_run_id?: string | null;
  metadata?: Record<string, unknown>;
  duration_ms?: number | null;
  started_at?: number | null;
  completed_at?: number | null;
  date_created?: number;
  input?: unknown | null;
  messages?: Message[] | null;
  params?: Record<string, unknown>;
  output?: unknown | null;
  transformed_session?: unknown | null;
  /** Why the session was not transformed */
  transform_error?: string | null;
  logs?: RunLogEntry[];
  status: "QUEUED" | "RUNNING" | "COMPLETED" | "FAILED" | "TIMED_OUT" | "CANCELLED";
  run_id?: string;
  /** True when the reply is the event stream of the run */
  streams?: boolean;
}

export interface RunLogEntry {
  timestamp: number;
  level: "debug" | "info" | "warn" | "error";
  message: string;
}

export interface WorkflowRun {
  id: string;
  workflow_id: number;
  /** Null for a run of the draft */
  workflow_version: string | null;
  release: string | null;
  session_id: string;
  status: "QUEUED" | "RUNNING" | "COMPLETED" | "FAILED" | "TIMED_OUT" | "CANCELLED";
  trigger: "API" | "CHAT" | "AGENT" | "TEST" | "MONITOR" | "NESTED";
  mode: "sync" | "async" | "stream";
  /** Beginning of the first message, or of the input */
  first_message: string | null;
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  error_code: "max_iterations" | "budget_exceeded" | "secrets_unavailable" | "output_schema" | "interrupted" | "script_error" | "egress_denied" | "webhook_ttl" | "provider_error" | "timeout" | "depth_exceeded" | "cancelled" | "rule_too_costly" | "model_not_found" | "application_disabled" | "invalid_config" | null;
  error_message: string | null;
  usage: Usage;
  cost: number | null;
  attempts: number;
  parent_run_id: string | null;
  metadata: Record<string, unknown>;
  duration_ms: number | null;
  started_at: number | null;
  completed_at: number | null;
  date_created: number;
  input: unknown | null;
  messages: Message[] | null;
  params: Record<string, unknown>;
  output: unknown | null;
  transformed_session: unknown | null;
  /** Why the session was not transformed */
  transform_error: string | null;
  logs: RunLogEntry[];
}

export interface RunTimelineEvent {
  type: "run_start" | "run_restart" | "run_end" | "log" | "call" | "step" | "child_run" | "model_called" | "model_answered" | "error";
  timestamp: number;
  /** Counts the events of its run from 1 */
  seq: number;
  run_id: string;
  parent_run_id: string | null;
  status?: string;
  attempt?: number;
  level?: string;
  message?: string;
  /** The called member of ctx */
  member?: string;
  /** Name of the step */
  name?: string;
  /** What the call was about, without secrets and bodies */
  about?: unknown;
  duration_ms?: number;
  /** Number of the model call within its attempt */
  step?: number;
  model?: string | null;
  request_id?: string | null;
  usage?: Usage | null;
  finish_reason?: string | null;
  child_run_id?: string;
  child_task_id?: string;
  child_workflow_id?: number;
  ref?: string;
  failure_class?: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal";
}

export interface RunStreamEvent {
  type: string;
  seq: number;
  timestamp: number;
  run_id: string;
}

export interface AcceptedRun {
  run_id: string;
  status: "QUEUED" | "RUNNING" | "COMPLETED" | "FAILED" | "TIMED_OUT" | "CANCELLED";
}

export interface FileImport {
  created: number;
  skipped: number;
  errors: FileError[];
}

export interface FileError {
  line: number;
  message: string;
}

export interface ListedMonitorRun {
  id: number;
  monitor_id: number;
  monitor_target_id: number;
  monitor_version_id: number;
  version_number: string;
  source_type: "request" | "workflow_run" | "agent_task";
  source_id: string;
  runner_type: "model" | "workflow" | "direct";
  /** The model or workflow that ran */
  runner_ref_id: string | null;
  outcome: "PASS" | "WARNING" | "FAULT" | "ERROR";
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  runner_duration_ms: number;
  cost: number | null;
  error_message: string | null;
  /** The run of a shadow version; it counts nowhere */
  shadow: boolean;
  date_created: number;
  resolution_trace?: ResolutionStep[];
  runner_output?: unknown | null;
}

export interface ResolutionStep {
  group: "fault" | "warning" | "default";
  result: boolean;
  conditions: TracedCondition[];
}

export interface TracedCondition {
  id: string;
  actual: unknown | null;
  result: boolean;
}

export interface MonitorRun {
  id: number;
  monitor_id: number;
  monitor_target_id: number;
  monitor_version_id: number;
  version_number: string;
  source_type: "request" | "workflow_run" | "agent_task";
  source_id: string;
  runner_type: "model" | "workflow" | "direct";
  /** The model or workflow that ran */
  runner_ref_id: string | null;
  outcome: "PASS" | "WARNING" | "FAULT" | "ERROR";
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  runner_duration_ms: number;
  cost: number | null;
  error_message: string | null;
  /** The run of a shadow version; it counts nowhere */
  shadow: boolean;
  date_created: number;
  resolution_trace: ResolutionStep[];
  runner_output: unknown | null;
}

export interface MonitorPreview {
  monitor_id: number | null;
  used_version_number: string | null;
  runner_type: "model" | "workflow" | "direct";
  runner_output: unknown | null;
  runner_duration_ms: number;
  outcome: "PASS" | "WARNING" | "FAULT" | "ERROR";
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  error_message: string | null;
  resolution_trace: ResolutionStep[];
}

export interface TargetSample {
  target_type: "intent" | "workflow" | "agent";
  target_id: number;
  payload: unknown;
  payload_paths: string[];
  sampled_at: number;
  source_type: "request" | "workflow_run" | "agent_task";
  source_id: string;
}

export interface MonitorActivity {
  bucket: "hour" | "day";
  points?: ActivityPoint[];
  series?: ActivitySeries[];
  total?: OutcomeCounts;
}

export interface ActivityPoint {
  pass: number;
  warning: number;
  fault: number;
  error: number;
  total: number;
  timestamp: number;
}

export interface ActivitySeries {
  key: string;
  label: string;
  points: ActivityPoint[];
}

export interface OutcomeCounts {
  pass: number;
  warning: number;
  fault: number;
  error: number;
  total: number;
}

export interface MonitorMetrics {
  total: number;
  pass_count: number;
  warning_count: number;
  fault_count: number;
  error_count: number;
  fault_rate: number | null;
  warning_rate: number | null;
  avg_runner_duration_ms: number | null;
  cost: number | null;
  last_run_at: number | null;
  /** Nothing is judged until 00:00 UTC */
  budget_exhausted: boolean;
  /** US dollars since 00:00 UTC that count towards `max_cost_per_day`: runs with all their tries, runs of the shadow version, checks and previews */
  cost_today: number;
  /** US dollars of the runs of shadow versions, which are not in `cost` */
  shadow_cost: number | null;
  targets: TargetMetrics[];
}

export interface TargetMetrics {
  total: number;
  pass_count: number;
  warning_count: number;
  fault_count: number;
  error_count: number;
  fault_rate: number | null;
  warning_rate: number | null;
  avg_runner_duration_ms: number | null;
  cost: number | null;
  last_run_at: number | null;
  monitor_target_id: number;
}

export interface MonitorAlert {
  id: number;
  monitor_id: number;
  rule: AlertRule;
  status: "open" | "acknowledged" | "resolved";
  opened_at: number;
  acknowledged_at: number | null;
  resolved_at: number | null;
  value: number;
  run_ids: number[];
  date_created: number;
  date_updated: number;
}

export interface CheckRunSummary {
  id: number;
  monitor_id: number;
  version_number: string;
  test_set_id: number;
  status: "CREATED" | "RUNNING" | "COMPLETED";
  total: number;
  /** Items with the expected outcome */
  matched: number;
  mismatched: number;
  /** Items that could not be judged; they count in no rate */
  error_count: number;
  match_rate: number | null;
  /** US dollars that its judgements have cost; they count towards `max_cost_per_day` */
  cost: number | null;
  completed_at: number | null;
  date_created: number;
  date_updated: number;
}

export interface CheckRun {
  id: number;
  monitor_id: number;
  version_number: string;
  test_set_id: number;
  status: "CREATED" | "RUNNING" | "COMPLETED";
  total: number;
  /** Items with the expected outcome */
  matched: number;
  mismatched: number;
  /** Items that could not be judged; they count in no rate */
  error_count: number;
  match_rate: number | null;
  /** US dollars that its judgements have cost; they count towards `max_cost_per_day` */
  cost: number | null;
  completed_at: number | null;
  date_created: number;
  date_updated: number;
  /** The items that are judged so far */
  items: CheckItem[];
}

export interface CheckItem {
  test_set_item_id: number;
  /** Null when meta.expected_outcome of the item is no outcome; such an item ends as ERROR */
  expected_outcome: "PASS" | "WARNING" | "FAULT" | null;
  outcome: "PASS" | "WARNING" | "FAULT" | "ERROR";
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  /** `budget_exceeded`: the monitor had reached `max_cost_per_day`, so the item was not judged */
  error_code: "budget_exceeded" | null;
}

export interface ModelConsumer {
  model: string | number;
  system_prompt?: string | null;
  temperature?: number | null;
  max_tokens?: number | null;
  response_format?: ResponseFormat | null;
  tools?: unknown | null;
  tool_choice?: unknown | null;
  top_p?: number | null;
  seed?: number | null;
  reasoning_effort?: "low" | "medium" | "high" | null;
  application_id?: number | null;
  intent_id?: number | null;
}

export interface WorkflowConsumer {
  workflow_id: number;
  version?: string | null;
  release?: string | null;
  input_mapping?: Record<string, string>;
}

export interface AgentConsumer {
  agent_id: number;
  version?: string | null;
  release?: string | null;
  /** Default: "agent_first_user_message". */
  flatten_variant?: "agent_first_user_message" | "agent_first_user_message_with_system_prompt";
  max_iterations?: number | null;
  response_format?: ResponseFormat | null;
}

export interface ExternalConsumer {
  /** An EXTERNAL agent, whose version the run is of */
  agent_id?: number | null;
  version?: string | null;
  url: string;
  /** Default: "POST". */
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Values may contain {{secrets.NAME}} */
  headers?: Record<string, string>;
  /** The body as JSON, in which the texts "{{input}}" and "{{messages}}" are replaced by values */
  body_template?: unknown;
  /** Dotted path to the output in the answer; default: the answer */
  output_path?: string | null;
  /** Default: 60000. */
  timeout_ms?: number;
}

export interface TestRun {
  usage: Usage | null;
  /** In US dollars; null when a model has no price */
  cost: number | null;
  duration_ms: TypicalDuration | null;
  id: number;
  test_set_id: number;
  name: string | null;
  description: string | null;
  meta: Record<string, unknown>;
  consumer_kind: "MODEL" | "WORKFLOW" | "AGENT" | "EXTERNAL";
  consumer_config: ModelConsumer | WorkflowConsumer | AgentConsumer | ExternalConsumer;
  /** Null for EXTERNAL without an agent */
  consumer_id: number | null;
  consumer_version: string | null;
  status: "CREATED" | "RUNNING" | "COMPLETED";
  criteria_ids: number[];
  auto_score: boolean;
  repeats: number;
  total_items: number;
  completed_items: number;
  failed_items: number;
  matched_items: number | null;
  match_rate: number | null;
  prepared_at: number | null;
  started_at: number | null;
  completed_at: number | null;
  scored_at: number | null;
  cancelled_at: number | null;
  scored_with: ScoredWith | null;
  scoring: RunScoring | null;
  date_created: number;
  date_updated: number;
}

export interface TypicalDuration {
  p50: number;
  p95: number;
}

export interface ScoredWith {
  criteria_ids: number[];
  definitions_sha256: string;
}

export interface RunScoring {
  status: "SCORING" | "SCORED" | "FAILED";
  scored: number;
  total: number;
}

export interface PreparedTestRun {
  usage: Usage | null;
  /** In US dollars; null when a model has no price */
  cost: number | null;
  duration_ms: TypicalDuration | null;
  id: number;
  test_set_id: number;
  name: string | null;
  description: string | null;
  meta: Record<string, unknown>;
  consumer_kind: "MODEL" | "WORKFLOW" | "AGENT" | "EXTERNAL";
  consumer_config: ModelConsumer | WorkflowConsumer | AgentConsumer | ExternalConsumer;
  /** Null for EXTERNAL without an agent */
  consumer_id: number | null;
  consumer_version: string | null;
  status: "CREATED" | "RUNNING" | "COMPLETED";
  criteria_ids: number[];
  auto_score: boolean;
  repeats: number;
  total_items: number;
  completed_items: number;
  failed_items: number;
  matched_items: number | null;
  match_rate: number | null;
  prepared_at: number | null;
  started_at: number | null;
  completed_at: number | null;
  scored_at: number | null;
  cancelled_at: number | null;
  scored_with: ScoredWith | null;
  scoring: RunScoring | null;
  date_created: number;
  date_updated: number;
  item_count: number;
}

export interface RunProgress {
  status: "CREATED" | "RUNNING" | "COMPLETED";
  total: number;
  pending: number;
  running: number;
  completed: number;
  failed: number;
  failed_by_class: Record<string, number>;
  percent_complete: number;
  scoring: RunScoring | null;
  duration_ms: DurationSummary;
}

export interface DurationSummary {
  min: number | null;
  avg: number | null;
  p50: number | null;
  p90: number | null;
  p95: number | null;
  p99: number | null;
  max: number | null;
}

export interface TestRunStreamEvent {
  type: string;
  seq: number;
  timestamp: number;
  run_id: number;
}

export interface ScoreSummary {
  usage: Usage | null;
  /** In US dollars; null when a model has no price */
  cost: number | null;
  duration_ms: TypicalDuration | null;
  status: "SCORING" | "SCORED" | "FAILED";
  /** True for a run that is not completed: no gate accepts it */
  partial?: boolean;
  total: number;
  scored: number;
  matched: number;
  mismatched: number;
  unscored: number;
  errors: number;
  errors_by_class: Record<string, number>;
  match_rate: number | null;
  /** By the weights of the criteria */
  weighted_score: number | null;
  criteria: CriterionSummary[];
}

export interface CriterionSummary {
  criteria_id: number;
  name: string;
  avg_score: number | null;
  pass_rate: number | null;
  errors: number;
}

export interface ResetTestRun {
  usage: Usage | null;
  /** In US dollars; null when a model has no price */
  cost: number | null;
  duration_ms: TypicalDuration | null;
  id: number;
  test_set_id: number;
  name: string | null;
  description: string | null;
  meta: Record<string, unknown>;
  consumer_kind: "MODEL" | "WORKFLOW" | "AGENT" | "EXTERNAL";
  consumer_config: ModelConsumer | WorkflowConsumer | AgentConsumer | ExternalConsumer;
  /** Null for EXTERNAL without an agent */
  consumer_id: number | null;
  consumer_version: string | null;
  status: "CREATED" | "RUNNING" | "COMPLETED";
  criteria_ids: number[];
  auto_score: boolean;
  repeats: number;
  total_items: number;
  completed_items: number;
  failed_items: number;
  matched_items: number | null;
  match_rate: number | null;
  prepared_at: number | null;
  started_at: number | null;
  completed_at: number | null;
  scored_at: number | null;
  cancelled_at: number | null;
  scored_with: ScoredWith | null;
  scoring: RunScoring | null;
  date_created: number;
  date_updated: number;
  reset_count: number;
}

export interface RunItemSummary {
  id: number;
  test_run_id: number;
  test_set_item_id: number;
  status: "PENDING" | "RUNNING" | "COMPLETED" | "FAILED";
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  error_code: "max_iterations" | "budget_exceeded" | "secrets_unavailable" | "output_schema" | "interrupted" | "script_error" | "egress_denied" | "webhook_ttl" | "provider_error" | "timeout" | "depth_exceeded" | "cancelled" | "rule_too_costly" | "model_not_found" | "application_disabled" | "invalid_config" | null;
  error_message: string | null;
  outcome: "PASS" | "FAIL" | "ERROR" | null;
  adapted_input: unknown | null;
  actual_output: unknown | null;
  expected_output_used: Expected | null;
  expectation_source: "baseline" | "sub" | "none";
  response_sub_id: number | null;
  matched: boolean | null;
  diff_result: DiffResult | null;
  criteria_results: CriterionResult[];
  /** Agreement of the repeats of the item */
  agreement: number | null;
  duration_ms: number | null;
  /** Of all repeats */
  usage: Usage | null;
  cost: number | null;
  attempts: number;
  source_ref: SourceRef | null;
  started_at: number | null;
  completed_at: number | null;
  scored_at: number | null;
  date_created: number;
  date_updated: number;
}

export interface DiffResult {
  /** The first 1,000 fields, those that differ first */
  fields: DiffField[];
  matched_count: number;
  total_count: number;
  match_rate: number;
}

export interface DiffField {
  path: string;
  status: "match" | "mismatch" | "missing" | "extra";
  expected: unknown | null;
  actual: unknown | null;
}

export interface CriterionResult {
  criteria_id: number;
  name: string;
  score: number | null;
  passed: boolean | null;
  failure_class?: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  description: string;
  /** The threshold that the judgement used */
  threshold?: number;
  /** The weight that the judgement used */
  weight?: number;
}

export interface RunItem {
  id: number;
  test_run_id: number;
  test_set_item_id: number;
  status: "PENDING" | "RUNNING" | "COMPLETED" | "FAILED";
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  error_code: "max_iterations" | "budget_exceeded" | "secrets_unavailable" | "output_schema" | "interrupted" | "script_error" | "egress_denied" | "webhook_ttl" | "provider_error" | "timeout" | "depth_exceeded" | "cancelled" | "rule_too_costly" | "model_not_found" | "application_disabled" | "invalid_config" | null;
  error_message: string | null;
  outcome: "PASS" | "FAIL" | "ERROR" | null;
  adapted_input: unknown | null;
  actual_output: unknown | null;
  expected_output_used: Expected | null;
  expectation_source: "baseline" | "sub" | "none";
  response_sub_id: number | null;
  matched: boolean | null;
  diff_result: DiffResult | null;
  criteria_results: CriterionResult[];
  /** Agreement of the repeats of the item */
  agreement: number | null;
  duration_ms: number | null;
  /** Of all repeats */
  usage: Usage | null;
  cost: number | null;
  attempts: number;
  source_ref: SourceRef | null;
  started_at: number | null;
  completed_at: number | null;
  scored_at: number | null;
  date_created: number;
  date_updated: number;
  attempts_results: RepeatResult[];
}

export interface RepeatResult {
  repeat: number;
  status: "COMPLETED" | "FAILED";
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  actual_output: unknown | null;
  matched: boolean | null;
  duration_ms: number | null;
  source_ref: SourceRef | null;
}

export interface ItemScore {
  id: number;
  run_item_id: number;
  attempt: number;
  expectation_source: "baseline" | "sub" | "none";
  response_sub_id: number | null;
  expected_output_used: Expected | null;
  matched: boolean | null;
  diff_result: DiffResult | null;
  criteria_results: CriterionResult[];
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  /** The criteria of a score that decides nothing about the run; null for those of the run */
  criteria_ids: number[] | null;
  /** SHA-256 of output, expectation, criteria and judge: equal ones are judged once */
  judged_sha256: string | null;
  scored_at: number;
  date_created: number;
}

export interface RunItemAttempt {
  id: number;
  attempt: number;
  repeat: number;
  status: "COMPLETED" | "FAILED";
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  error_message: string | null;
  duration_ms: number | null;
  source_ref: SourceRef | null;
  started_at: number;
  completed_at: number;
  date_created: number;
}

export interface RunComparison {
  runs: ComparedRun[];
  items: ComparedItem[];
  /** The number of items that the filter leaves */
  total: number;
  /** With `confidence` */
  differences?: RunDifference[];
}

export interface ComparedRun {
  usage: Usage | null;
  /** In US dollars; null when a model has no price */
  cost: number | null;
  duration_ms: TypicalDuration | null;
  id: number;
  match_rate: number | null;
}

export interface ComparedItem {
  test_set_item_id: number;
  results: Record<string, ComparedOutcome>;
  changed: boolean;
}

export interface ComparedOutcome {
  run_item_id: number;
  outcome: "PASS" | "FAIL" | "ERROR" | null;
  matched: boolean | null;
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  duration_ms: number | null;
  usage: Usage | null;
  cost: number | null;
  /** The first criteria that it does not meet */
  unmet: UnmetCriterion[];
}

export interface UnmetCriterion {
  criteria_id: number;
  name: string;
  /** Null when the criterion could not judge */
  passed: boolean | null;
  /** The beginning of the description */
  description: string;
}

export interface RunDifference {
  test_run_id: number;
  base_run_id: number;
  /** Null for the match rate in all */
  criteria_id: number | null;
  name: string;
  difference: number | null;
  /** Of the interval that belongs to `p_value`: it leaves out 0 exactly when that is below 1 − confidence */
  low: number | null;
  high: number | null;
  verdict: "better" | "worse" | "no_difference_shown" | "too_few";
  /** `mcnemar_tango` for yes-or-no results without repeats, else `paired_t`; ends in `, Holm` when several differences are tested together */
  method: string;
  /** The number of items in both runs */
  n: number;
  /** Two-sided, adjusted by the method of Holm over the differences of the reply; null for `too_few` */
  p_value: number | null;
}

export interface AdaptedInputPreview {
  adapted_input?: unknown;
  warnings: string[];
  errors: FieldProblem[];
}

export interface FieldProblem {
  field: string;
  message: string;
}

export interface EvaluatedRun {
  usage: Usage | null;
  /** In US dollars; null when a model has no price */
  cost: number | null;
  duration_ms: TypicalDuration | null;
  id: number;
  test_set_id: number;
  name: string | null;
  description: string | null;
  meta: Record<string, unknown>;
  consumer_kind: "MODEL" | "WORKFLOW" | "AGENT" | "EXTERNAL";
  consumer_config: ModelConsumer | WorkflowConsumer | AgentConsumer | ExternalConsumer;
  /** Null for EXTERNAL without an agent */
  consumer_id: number | null;
  consumer_version: string | null;
  status: "CREATED" | "RUNNING" | "COMPLETED";
  criteria_ids: number[];
  auto_score: boolean;
  repeats: number;
  total_items: number;
  completed_items: number;
  failed_items: number;
  matched_items: number | null;
  match_rate: number | null;
  prepared_at: number | null;
  started_at: number | null;
  completed_at: number | null;
  scored_at: number | null;
  cancelled_at: number | null;
  scored_with: ScoredWith | null;
  scoring: RunScoring | null;
  date_created: number;
  date_updated: number;
  /** Null until the run is scored */
  summary: ScoreSummary | null;
  /** Null until the run is scored, and without a release */
  gate: GateResult | null;
  /** Null until the run is scored, and without an earlier run */
  compared_with: RunBaseline | null;
}

export interface RunBaseline {
  id: number;
  match_rate: number | null;
  /** At a confidence of 0.95 */
  differences: RunDifference[];
}

export interface LegacyTestRun {
  id: number;
  test_set_id: number;
  status: "CREATED" | "RUNNING" | "COMPLETED";
  description: string | null;
  date_created: number;
  completed_at: number | null;
}

export interface LegacyRunItem {
  id: number;
  test_run_id: number;
  test_set_item_id: number;
  status: "PENDING" | "RUNNING" | "COMPLETED" | "FAILED";
  failure_class: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal" | null;
  matched: boolean | null;
  duration_ms: number | null;
  diff_result: DiffResult | null;
}

export interface TransformResult {
  result: unknown;
}

export interface Artifact {
  id: number;
  workflow_id: number;
  run_id: string | null;
  key: string;
  content_type: string;
  size_bytes: number;
  sha256: string;
  date_created: number;
}

export interface DatasetItem {
  messages: TrainingMessage[];
  response: TrainingResponse;
  meta?: Record<string, unknown>;
}

export interface TrainingMessage {
  role: "system" | "developer" | "user" | "assistant" | "tool";
  content?: string | Record<string, unknown>[] | null | null;
  name?: string;
  tool_calls?: ToolCall[];
  tool_call_id?: string;
  weight?: number;
}

export interface TrainingResponse {
  role: "assistant";
  content?: string | null;
  tool_calls?: ToolCall[];
}

export interface AddedRequests {
  added: number;
  existing: number;
  requests: ListedDatasetRequest[];
}

export interface ListedDatasetRequest {
  id: number;
  dataset_id: number;
  request_id: string | null;
  source: "REQUEST" | "UPLOAD" | "MANUAL" | "AUGMENTED";
  is_corrected: boolean;
  reasoning: Record<string, unknown> | null;
  meta: Record<string, unknown>;
  date_added: number;
  /** Null when bodies_omitted is true */
  messages: TrainingMessage[] | null;
  response: TrainingResponse | null;
  tools: unknown | null;
  /** True when messages, response and tools are left out because of their size; read the row alone */
  bodies_omitted: boolean;
}

export interface AddedByFilter {
  added: number;
  existing: number;
}

export interface DatasetRequest {
  id: number;
  dataset_id: number;
  request_id: string | null;
  messages: TrainingMessage[];
  response: TrainingResponse;
  /** The tools that the answer could call */
  tools: unknown | null;
  source: "REQUEST" | "UPLOAD" | "MANUAL" | "AUGMENTED";
  is_corrected: boolean;
  reasoning: Record<string, unknown> | null;
  meta: Record<string, unknown>;
  date_added: number;
}

export interface UploadedRows {
  added: number;
  /** The first 1,000 of them */
  rejected: RejectedRow[];
}

export interface RejectedRow {
  line: number;
  message: string;
}

export interface Augmentation {
  id: number;
  dataset_id: number;
  type: "reasoning" | "variation";
  model: string;
  schema: ReasoningField[];
  count: number;
  status: "CREATED" | "RUNNING" | "COMPLETED" | "FAILED";
  /** Rows that got a reasoning, or that were added */
  produced: number;
  /** Rows for which the model gave no usable answer */
  failed: number;
  error_message: string | null;
  date_created: number;
  date_updated: number;
  completed_at: number | null;
}

export interface ReasoningField {
  field: string;
  instruction: string;
}

export interface CompositionPreview {
  train_count: number;
  validation_count: number;
  excluded_count: number;
  /** The first 1,000 of them */
  excluded_overlap: ExcludedOverlap[];
  per_dataset: DatasetShare[];
  samples: CompositionSample[];
}

export interface ExcludedOverlap {
  dataset_request_id: number;
  test_set_item_id: number;
}

export interface DatasetShare {
  dataset_id: number;
  count: number;
}

export interface CompositionSample {
  dataset_request_id: number;
  dataset_id: number;
  split: "train" | "validation";
  /** Null for a row of more than 128 kB */
  messages: TrainingMessage[] | null;
  tools: unknown | null;
}

export interface FinetuneEvent {
  timestamp: number;
  level: "info" | "warn" | "error";
  message: string;
}

export interface FinetuneMetric {
  step: number;
  train_loss: number;
  validation_loss: number | null;
  timestamp: number;
}

export interface FinetuneCheckpoint {
  step: number;
  model_name: string;
  metrics: Record<string, number>;
}

/** One chunk of a streamed chat completion; the last one carries the additions of the platform. */
export interface ChatCompletionChunk {
  id: string;
  object: string;
  created: number;
  model: string;
  choices: {
    index: number;
    delta: { role?: string; content?: string | null; tool_calls?: unknown[] };
    finish_reason: string | null;
  }[];
  usage?: Usage | null;
  request_id?: string;
  session_id?: string;
  [key: string]: unknown;
}

export interface CompanyUpdateInput {
  name?: string;
  settings?: SettingsChange;
}

export interface ApiKeysListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  revoked?: boolean;
}

export interface ApiKeysCreateInput {
  name: string;
  scopes?: ("read" | "write" | "invoke" | "admin" | "ingest")[];
  expires_at?: number | null;
}

export interface ApiKeysGetInput {
  api_key_id: number;
}

export interface ApiKeysUpdateInput {
  api_key_id: number;
  name?: string;
  scopes?: ("read" | "write" | "invoke" | "admin" | "ingest")[];
  expires_at?: number | null;
}

export interface ApiKeysDeleteInput {
  api_key_id: number;
}

export interface ApiKeysRevokeInput {
  api_key_id: number;
}

export interface ApiKeysRotateInput {
  api_key_id: number;
  /** Default: 86400. */
  grace_seconds?: number;
}

export interface AuditLogListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
  action?: ("create" | "update" | "delete" | "publish" | "release_move" | "gate_override" | "enable" | "disable" | "revoke" | "rotate" | "secret_rotate" | "import" | "reset" | "score" | "mcp_call")[];
  resource_type?: ("application" | "intent" | "intent_group" | "agent" | "agent_action" | "agent_release" | "workflow" | "workflow_release" | "monitor" | "monitor_alert" | "monitor_check" | "monitor_target" | "monitor_release" | "sentinel" | "session" | "request" | "dataset" | "composition" | "finetune_run" | "test_set" | "test_set_item" | "test_run" | "evaluation_criteria" | "evaluation_run" | "model" | "model_provider" | "tag" | "tag_rule" | "tag_run" | "api_key" | "mcp_server" | "portal_session" | "webhook" | "company")[];
  resource_id?: string;
  actor_key_id?: number;
}

export interface WebhooksListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  enabled?: boolean;
}

export interface WebhooksCreateInput {
  url: string;
  events: string[];
  description?: string | null;
  /** Default: true. */
  enabled?: boolean;
}

export interface WebhooksGetInput {
  webhook_id: number;
}

export interface WebhooksUpdateInput {
  webhook_id: number;
  url?: string;
  events?: string[];
  description?: string | null;
  enabled?: boolean;
}

export interface WebhooksDeleteInput {
  webhook_id: number;
}

export interface WebhooksRotateSecretInput {
  webhook_id: number;
}

export interface WebhooksTestInput {
  webhook_id: number;
}

export interface WebhooksListDeliveriesInput {
  webhook_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
  status?: ("PENDING" | "SUCCEEDED" | "FAILED")[];
  event?: string[];
}

export interface WebhooksGetDeliveryInput {
  webhook_id: number;
  delivery_id: number;
}

export interface WebhooksReplayDeliveryInput {
  webhook_id: number;
  delivery_id: number;
}

export interface WebhooksStreamEventsInput {
  events?: string[];
}

export interface PortalSessionsListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface PortalSessionsEndInput {
  portal_session_id: number;
}

export interface ApplicationsListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  state?: "ENABLED" | "DISABLED";
}

export interface ApplicationsCreateInput {
  application_name: string;
  application_ref_name?: string;
  description?: string | null;
  /** Default: "ENABLED". */
  state?: "ENABLED" | "DISABLED";
  config?: Config;
  meta?: Record<string, unknown>;
  /** Sends request.fault for faults that sentinels find Default: false. */
  fault_notifications?: boolean;
  /** Writes a summary on sessions after 30 idle minutes Default: false. */
  session_summaries?: boolean;
}

export interface ApplicationsGetInput {
  application_id: number;
}

export interface ApplicationsUpdateInput {
  application_id: number;
  application_name?: string;
  description?: string | null;
  state?: "ENABLED" | "DISABLED";
  meta?: Record<string, unknown>;
  /** Sends request.fault for faults that sentinels find */
  fault_notifications?: boolean;
  /** Writes a summary on sessions after 30 idle minutes */
  session_summaries?: boolean;
}

export interface ApplicationsDeleteInput {
  application_id: number;
  /** Detaches agents and workflows from the application Default: false. */
  force?: boolean;
}

export interface ApplicationsGetConfigInput {
  application_id: number;
}

export interface ApplicationsUpdateConfigInput {
  application_id: number;
  model?: string | null;
  temperature?: number | null;
  top_p?: number | null;
  max_tokens?: number | null;
  n?: number | null;
  stop?: string[] | null;
  presence_penalty?: number | null;
  frequency_penalty?: number | null;
  logprobs?: boolean | null;
  response_format?: ResponseFormat | null;
  /** Put first when the call has no system message */
  system_prompt?: string | null;
  reasoning_effort?: "low" | "medium" | "high" | null;
  timeout_ms?: number | null;
  evaluation_enabled?: boolean | null;
  /** Needs evaluation_enabled */
  apply_corrections?: boolean | null;
  /** Needs apply_corrections */
  safe_mode?: boolean | null;
  fallback_config?: CallFallback | null;
  /** Merged into the metadata of each request */
  metadata?: Record<string, unknown> | null;
}

export interface ApplicationsResetConfigInput {
  application_id: number;
}

export interface ApplicationsListModelsInput {
  application_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface ApplicationsListSessionsInput {
  application_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
}

export interface ApplicationsListAgentsInput {
  application_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface ApplicationsListWorkflowsInput {
  application_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface ApplicationsListWorkflowRunsInput {
  application_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
  status?: ("QUEUED" | "RUNNING" | "COMPLETED" | "FAILED" | "TIMED_OUT" | "CANCELLED")[];
}

export interface IntentsListInput {
  application_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface IntentsCreateInput {
  application_id: number;
  action_type: string;
  description?: string | null;
  prompt?: string | null;
  config?: Config;
  meta?: Record<string, unknown>;
  /** Answers the calls of the intent that name no model */
  agent_id?: number | null;
}

export interface IntentsGetInput {
  application_id: number;
  intent_id: number;
}

export interface IntentsUpdateInput {
  application_id: number;
  intent_id: number;
  description?: string | null;
  prompt?: string | null;
  meta?: Record<string, unknown>;
  /** Answers the calls of the intent that name no model */
  agent_id?: number | null;
  notifications_enabled?: boolean;
}

export interface IntentsDeleteInput {
  application_id: number;
  intent_id: number;
}

export interface IntentsGetConfigInput {
  application_id: number;
  intent_id: number;
}

export interface IntentsUpdateConfigInput {
  application_id: number;
  intent_id: number;
  model?: string | null;
  temperature?: number | null;
  top_p?: number | null;
  max_tokens?: number | null;
  n?: number | null;
  stop?: string[] | null;
  presence_penalty?: number | null;
  frequency_penalty?: number | null;
  logprobs?: boolean | null;
  response_format?: ResponseFormat | null;
  /** Put first when the call has no system message */
  system_prompt?: string | null;
  reasoning_effort?: "low" | "medium" | "high" | null;
  timeout_ms?: number | null;
  evaluation_enabled?: boolean | null;
  /** Needs evaluation_enabled */
  apply_corrections?: boolean | null;
  /** Needs apply_corrections */
  safe_mode?: boolean | null;
  fallback_config?: CallFallback | null;
  /** Merged into the metadata of each request */
  metadata?: Record<string, unknown> | null;
}

export interface IntentsResetConfigInput {
  application_id: number;
  intent_id: number;
}

export interface IntentsListRequestsInput {
  application_id: number;
  intent_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
}

export interface IntentsListModelsInput {
  application_id: number;
  intent_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
}

export interface IntentsListSessionsInput {
  application_id: number;
  intent_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
}

export interface IntentsListDatasetsInput {
  application_id: number;
  intent_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
}

export interface IntentGroupsListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface IntentGroupsCreateInput {
  intent_group_name: string;
  description?: string | null;
  meta?: Record<string, unknown>;
}

export interface IntentGroupsGetInput {
  intent_group_id: number;
}

export interface IntentGroupsUpdateInput {
  intent_group_id: number;
  description?: string | null;
  meta?: Record<string, unknown>;
}

export interface IntentGroupsDeleteInput {
  intent_group_id: number;
}

export interface IntentGroupsGetConfigInput {
  intent_group_id: number;
}

export interface IntentGroupsUpdateConfigInput {
  intent_group_id: number;
  model?: string | null;
  temperature?: number | null;
  top_p?: number | null;
  max_tokens?: number | null;
  n?: number | null;
  stop?: string[] | null;
  presence_penalty?: number | null;
  frequency_penalty?: number | null;
  logprobs?: boolean | null;
  response_format?: ResponseFormat | null;
  /** Put first when the call has no system message */
  system_prompt?: string | null;
  reasoning_effort?: "low" | "medium" | "high" | null;
  timeout_ms?: number | null;
  evaluation_enabled?: boolean | null;
  /** Needs evaluation_enabled */
  apply_corrections?: boolean | null;
  /** Needs apply_corrections */
  safe_mode?: boolean | null;
  fallback_config?: CallFallback | null;
  /** Merged into the metadata of each request */
  metadata?: Record<string, unknown> | null;
}

export interface IntentGroupsListIntentsInput {
  intent_group_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface IntentGroupsListRequestsInput {
  intent_group_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface IntentGroupsListModelsInput {
  intent_group_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface IntentGroupsListTestSetsInput {
  intent_group_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface IntentGroupsListDatasetsInput {
  intent_group_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface IntentGroupsListCompositionsInput {
  intent_group_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface IntentGroupsListFinetuneRunsInput {
  intent_group_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface ModelsListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  model_type?: "BASE" | "FINETUNED";
  provider_id?: number;
  intent_group_id?: number;
  trainable?: boolean;
  status?: "ENABLED" | "DISABLED";
}

export interface ModelsListAvailableInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface ModelsCreateInput {
  model_name: string;
  display_name?: string;
  provider_id: number;
  provider_model?: string;
  context_window?: number | null;
  input_price_per_mtok?: number | null;
  output_price_per_mtok?: number | null;
  /** Default: true. */
  supports_tools?: boolean;
  /** Default: true. */
  supports_json_schema?: boolean;
  /** Default: false. */
  trainable?: boolean;
  /** Default: "ENABLED". */
  status?: "ENABLED" | "DISABLED";
}

export interface ModelsGetInput {
  model_id: string;
}

export interface ModelsUpdateInput {
  model_id: number;
  display_name?: string;
  provider_model?: string;
  context_window?: number | null;
  input_price_per_mtok?: number | null;
  output_price_per_mtok?: number | null;
  supports_tools?: boolean;
  supports_json_schema?: boolean;
  trainable?: boolean;
}

export interface ModelsDeleteInput {
  model_id: number;
}

export interface ModelsEnableInput {
  model_id: number;
}

export interface ModelsDisableInput {
  model_id: number;
}

export interface ModelsGetUsageInput {
  model_id: number;
  start_date?: number;
  end_date?: number;
  /** Default: "day". */
  bucket?: "hour" | "day" | "week";
}

export interface ModelsListProvidersInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface ModelsCreateProviderInput {
  provider_name: string;
  kind: "openai_compatible" | "simulated";
  base_url?: string | null;
  api_key?: string | null;
  default_headers?: Record<string, string>;
  /** Default: 60000. */
  timeout_ms?: number;
  /** Default: "ENABLED". */
  status?: "ENABLED" | "DISABLED";
}

export interface ModelsGetProviderInput {
  provider_id: number;
}

export interface ModelsUpdateProviderInput {
  provider_id: number;
  provider_name?: string;
  base_url?: string | null;
  api_key?: string | null;
  default_headers?: Record<string, string>;
  timeout_ms?: number;
  status?: "ENABLED" | "DISABLED";
}

export interface ModelsDeleteProviderInput {
  provider_id: number;
}

export interface ModelsTestProviderInput {
  provider_id: number;
  model?: string;
}

export interface ChatCreateInput {
  messages: ChatMessage[];
  model?: string | null;
  temperature?: number | null;
  top_p?: number | null;
  n?: number | null;
  stream?: boolean | null;
  stream_options?: Record<string, unknown> | null;
  stop?: string | string[] | null;
  max_tokens?: number | null;
  max_completion_tokens?: number | null;
  presence_penalty?: number | null;
  frequency_penalty?: number | null;
  logprobs?: boolean | null;
  top_logprobs?: number | null;
  response_format?: ResponseFormat | null;
  tools?: Record<string, unknown>[] | null;
  tool_choice?: "none" | "auto" | "required" | Record<string, unknown> | null;
  parallel_tool_calls?: boolean | null;
  seed?: number | null;
  user?: string | null;
  reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | null;
  /** Name or reference name; an unknown one is created */
  application?: string;
  /** Name of the intent; an unknown one is created */
  intent?: string;
  evaluation_enabled?: boolean | null;
  apply_corrections?: boolean | null;
  safe_mode?: boolean | null;
  fallback_config?: CallFallback | null;
  /** Default: false. */
  return_evaluation?: boolean;
  input?: unknown;
  secrets?: Record<string, string>;
  session_id?: string;
  metadata?: Record<string, unknown> | null;
  reference_id?: string | null;
  [key: string]: unknown;
}

export interface ChatStoreCompletionInput {
  chat_completion_request: CallMadeElsewhere;
  chat_completion_response: AnswerMadeElsewhere;
  timing?: Timing | null;
}

export interface ChatStoreCompletionsInput {
  items: StoreCompletion[];
}

export interface RequestsListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
  application_id?: number;
  intent_id?: number;
  intent_group_id?: number;
  session_id?: string;
  model?: string;
  request_type?: "PROD" | "RERUN" | "SYNTHETIC" | "MANUAL";
  evaluation_status?: "PENDING" | "PASS" | "FAULT" | "ERROR" | "NA";
  is_corrected?: boolean;
  tag_ids?: number[];
  /** Searches messages, answers and corrections. Of a part over 256 kB, which is kept in object storage, it covers the first 2,000 characters of each text; the first 200 or 20 when the part has so many texts that these would still be over 256 kB; and nothing when even those would be */
  text?: string;
  origin?: "CHAT" | "AGENT" | "WORKFLOW" | "MONITOR" | "TEST" | "EVALUATION" | "EXTERNAL";
  origin_id?: string;
  reference_id?: string;
  status?: "COMPLETED" | "FAILED";
  fallback_used?: boolean;
  /** Default: false. */
  include_body?: boolean;
}

export interface RequestsSearchInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
  application_id?: number;
  intent_id?: number;
  intent_group_id?: number;
  session_id?: string;
  model?: string;
  request_type?: "PROD" | "RERUN" | "SYNTHETIC" | "MANUAL";
  evaluation_status?: "PENDING" | "PASS" | "FAULT" | "ERROR" | "NA";
  is_corrected?: boolean;
  tag_ids?: number[];
  /** Searches messages, answers and corrections. Of a part over 256 kB, which is kept in object storage, it covers the first 2,000 characters of each text; the first 200 or 20 when the part has so many texts that these would still be over 256 kB; and nothing when even those would be */
  text?: string;
  origin?: "CHAT" | "AGENT" | "WORKFLOW" | "MONITOR" | "TEST" | "EVALUATION" | "EXTERNAL";
  origin_id?: string;
  reference_id?: string;
  status?: "COMPLETED" | "FAILED";
  fallback_used?: boolean;
  /** Default: false. */
  include_body?: boolean;
}

export interface RequestsGetInput {
  request_id: string;
}

export interface RequestsDeleteInput {
  request_id: string;
}

export interface RequestsGetResponseInput {
  request_id: string;
}

export interface RequestsCorrectInput {
  request_id: string;
  choices: CorrectedChoice[];
  note?: string | null;
}

export interface RequestsRemoveCorrectionInput {
  request_id: string;
}

export interface RequestsRerunInput {
  request_id: string;
  model?: string;
  messages?: Message[];
  config?: Config;
}

export interface RequestsEvaluateInput {
  request_id: string;
  /** Sentinels of the group of the request, also disabled ones; default: its enabled ones */
  sentinel_ids?: number[];
}

export interface RequestsListEvaluationsInput {
  request_id: string;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: "id" | "-id" | "date_created" | "-date_created" | "date_updated" | "-date_updated";
  start_date?: number;
  end_date?: number;
}

export interface SessionsListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
  application_id?: number;
  intent_id?: number;
  has_fault?: boolean;
  has_feedback?: boolean;
}

export interface SessionsSearchInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
  application_id?: number;
  intent_id?: number;
  has_fault?: boolean;
  has_feedback?: boolean;
  metadata?: Record<string, unknown>;
  /** Looks into messages and answers of the requests of a session. Of a part over 256 kB, which is kept in object storage, it covers the first 2,000 characters of each text; the first 200 or 20 when the part has so many texts that these would still be over 256 kB; and nothing when even those would be */
  text?: string;
}

export interface SessionsGetInput {
  session_id: string;
}

export interface SessionsUpdateInput {
  session_id: string;
  metadata?: Record<string, unknown>;
}

export interface SessionsDeleteInput {
  session_id: string;
}

export interface SessionsListRequestsInput {
  session_id: string;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface SessionsListTimelineInput {
  session_id: string;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: "id" | "-id" | "date_created" | "-date_created" | "date_updated" | "-date_updated";
}

export interface SessionsGetFeedbackInput {
  session_id: string;
}

export interface SessionsGiveFeedbackInput {
  session_id: string;
  feedback_score?: number | null;
  feedback_text?: string | null;
}

export interface SessionsDeleteFeedbackInput {
  session_id: string;
}

export interface TagsListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface TagsCreateInput {
  tag_name: string;
  color?: string | null;
  description?: string | null;
}

export interface TagsGetInput {
  tag_id: number;
}

export interface TagsUpdateInput {
  tag_id: number;
  tag_name?: string;
  color?: string | null;
  description?: string | null;
}

export interface TagsDeleteInput {
  tag_id: number;
}

export interface TagsListRequestsInput {
  tag_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface TagsListRequestTagsInput {
  request_id: string;
}

export interface TagsAddRequestTagInput {
  request_id: string;
  tag_id: number;
}

export interface TagsRemoveRequestTagInput {
  request_id: string;
  tag_id: number;
}

export interface TagsListRulesInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  tag_id?: number;
  enabled?: boolean;
}

export interface TagsCreateRuleInput {
  rule_name: string;
  tag_id: number;
  application_id?: number | null;
  intent_group_id?: number | null;
  /** Default: "CONDITIONS". */
  method?: "CONDITIONS" | "LLM";
  /** CONDITIONS: paths into the Request; the text is that of its messages and its answer */
  conditions?: ConditionGroup | null;
  /** LLM: which requests get the tag */
  prompt?: string | null;
  /** Default: true. */
  apply_to_new?: boolean;
  /** Default: true. */
  enabled?: boolean;
}

export interface TagsGetRuleInput {
  rule_id: number;
}

export interface TagsUpdateRuleInput {
  rule_id: number;
  rule_name?: string;
  tag_id?: number;
  application_id?: number | null;
  intent_group_id?: number | null;
  method?: "CONDITIONS" | "LLM";
  /** CONDITIONS: paths into the Request; the text is that of its messages and its answer */
  conditions?: ConditionGroup | null;
  /** LLM: which requests get the tag */
  prompt?: string | null;
  apply_to_new?: boolean;
  enabled?: boolean;
}

export interface TagsDeleteRuleInput {
  rule_id: number;
}

export interface TagsEnableRuleInput {
  rule_id: number;
}

export interface TagsDisableRuleInput {
  rule_id: number;
}

export interface TagsPreviewRuleInput {
  rule_id: number;
  application_id?: number;
  intent_id?: number;
  intent_group_id?: number;
  session_id?: string;
  model?: string;
  request_type?: "PROD" | "RERUN" | "SYNTHETIC" | "MANUAL";
  evaluation_status?: "PENDING" | "PASS" | "FAULT" | "ERROR" | "NA";
  is_corrected?: boolean;
  tag_ids?: number[];
  /** Searches messages, answers and corrections. Of a part over 256 kB, which is kept in object storage, it covers the first 2,000 characters of each text; the first 200 or 20 when the part has so many texts that these would still be over 256 kB; and nothing when even those would be */
  text?: string;
  start_date?: number;
  end_date?: number;
  /** Only this request is judged */
  request_id?: string;
  /** The newest requests that the filter selects Default: 25. */
  limit?: number;
}

export interface TagsListRunsInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  status?: "PENDING" | "RUNNING" | "COMPLETED" | "FAILED" | "CANCELLED";
}

export interface TagsCreateRunInput {
  rule_ids: number[];
  /** Synthetic requests are left out unless `request_type` asks for them */
  filters?: RequestFilter;
}

export interface TagsGetRunInput {
  run_id: number;
}

export interface TagsCancelRunInput {
  run_id: number;
}

export interface SentinelsListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  intent_group_id?: number;
  severity?: number;
  state?: "ENABLED" | "DISABLED";
}

export interface SentinelsCreateInput {
  sentinel_name: string;
  severity: number;
  intent_group_id: number;
  sentinel_directive: SentinelDirective;
  /** Known keys: `model` (default: the judge model of the company), `temperature`, `sample_rate` (percent) */
  meta?: Record<string, unknown>;
  /** Default: "ENABLED". */
  state?: "ENABLED" | "DISABLED";
}

export interface SentinelsGenerateInput {
  intent_group_id: number;
  prompt: string;
}

export interface SentinelsGetInput {
  sentinel_id: number;
}

export interface SentinelsUpdateInput {
  sentinel_id: number;
  sentinel_name?: string;
  severity?: number;
  sentinel_directive?: DirectiveChange;
  /** Known keys: `model` (default: the judge model of the company), `temperature`, `sample_rate` (percent) */
  meta?: Record<string, unknown>;
}

export interface SentinelsDeleteInput {
  sentinel_id: number;
}

export interface SentinelsEnableInput {
  sentinel_id: number;
}

export interface SentinelsDisableInput {
  sentinel_id: number;
}

export interface SentinelsTestInput {
  sentinel_id: number;
  request_id?: string;
  messages?: Message[];
  /** The judged answer: a text or a message */
  response?: unknown;
}

export interface SentinelsListResultsInput {
  sentinel_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
  status?: "PASS" | "FAULT" | "ERROR" | "NA";
}

export interface SentinelsListIntentGroupSentinelsInput {
  intent_group_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: "id" | "-id" | "date_created" | "-date_created" | "date_updated" | "-date_updated";
}

export interface EvaluationsListResultsInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  status?: "PASS" | "FAULT" | "ERROR" | "NA";
  sentinel_id?: number;
  application_id?: number;
  intent_id?: number;
  intent_group_id?: number;
  severity?: number;
  failure_class?: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal";
  start_date?: number;
  end_date?: number;
}

export interface EvaluationsSearchResultsInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  status?: "PASS" | "FAULT" | "ERROR" | "NA";
  sentinel_id?: number;
  application_id?: number;
  intent_id?: number;
  intent_group_id?: number;
  severity?: number;
  failure_class?: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal";
  start_date?: number;
  end_date?: number;
}

export interface EvaluationsListResultsOfRequestInput {
  request_id: string;
}

export interface EvaluationsListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  status?: "PENDING" | "RUNNING" | "DONE" | "ERROR" | "CANCELLED";
  application_id?: number;
  intent_id?: number;
}

export interface EvaluationsCreateInput {
  name?: string | null;
  application_id: number;
  intent_id: number;
  start_date: number;
  end_date: number;
  /** Sentinels of the group of the intent */
  sentinel_ids: number[];
  /** Directives of this run by the id of their sentinel */
  sentinel_overrides?: Record<string, SentinelDirective>;
  /** At most so many requests are judged: the newest ones */
  request_limit?: number | null;
}

export interface EvaluationsEstimateInput {
  name?: string | null;
  application_id: number;
  intent_id: number;
  start_date: number;
  end_date: number;
  /** Sentinels of the group of the intent */
  sentinel_ids: number[];
  /** Directives of this run by the id of their sentinel */
  sentinel_overrides?: Record<string, SentinelDirective>;
  /** At most so many requests are judged: the newest ones */
  request_limit?: number | null;
}

export interface EvaluationsGetInput {
  evaluation_id: number;
}

export interface EvaluationsDeleteInput {
  evaluation_id: number;
}

export interface EvaluationsCancelInput {
  evaluation_id: number;
}

export interface EvaluationsResetFailedInput {
  evaluation_id: number;
  /** Only failed judgements of these classes; default: all */
  classes?: ("quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal")[];
}

export interface EvaluationsListRunResultsInput {
  evaluation_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: "id" | "-id" | "date_created" | "-date_created" | "date_updated" | "-date_updated";
  status?: "PASS" | "FAULT" | "ERROR" | "NA";
  sentinel_id?: number;
  failure_class?: "quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal";
}

export interface ReportsListFaultsInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: "id" | "-id" | "date_created" | "-date_created" | "date_updated" | "-date_updated";
  start_date?: number;
  end_date?: number;
  application_id?: number;
  intent_id?: number;
  /** Default: "json". */
  format?: "json" | "csv";
  intent_group_id?: number;
  sentinel_id?: number;
  severity?: number;
  corrected?: boolean;
}

export interface ReportsSummarizeFaultsInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: "id" | "-id" | "date_created" | "-date_created" | "date_updated" | "-date_updated";
  start_date?: number;
  end_date?: number;
  application_id?: number;
  intent_id?: number;
  /** Default: "json". */
  format?: "json" | "csv";
  intent_group_id?: number;
  sentinel_id?: number;
  severity?: number;
  corrected?: boolean;
  /** Default: "sentinel". */
  group_by?: "sentinel" | "intent" | "application" | "day";
}

export interface ReportsListFallbacksInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: "id" | "-id" | "date_created" | "-date_created" | "date_updated" | "-date_updated";
  start_date?: number;
  end_date?: number;
  application_id?: number;
  intent_id?: number;
  /** Default: "json". */
  format?: "json" | "csv";
  model?: string;
}

export interface ReportsSummarizeFallbacksInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: "id" | "-id" | "date_created" | "-date_created" | "date_updated" | "-date_updated";
  start_date?: number;
  end_date?: number;
  application_id?: number;
  intent_id?: number;
  /** Default: "json". */
  format?: "json" | "csv";
  model?: string;
  /** Default: "primary_model". */
  group_by?: "primary_model" | "fallback_model" | "reason" | "day";
}

export interface SearchDocumentsInput {
  /** Default: "all". */
  surface?: "api" | "cli" | "all";
  /** Default: 5. */
  limit?: number;
  q: string;
}

export interface SearchDocumentsByBodyInput {
  /** Default: "all". */
  surface?: "api" | "cli" | "all";
  /** Default: 5. */
  limit?: number;
  query: string;
}

export interface SearchAskInput {
  question: string;
  context?: HelpContext;
}

export interface SearchFindInput {
  /** The beginning of a name or of a word in it, or a whole id */
  q: string;
  types?: ("application" | "intent" | "intent_group" | "agent" | "agent_action" | "agent_task" | "mcp_server" | "workflow" | "workflow_run" | "monitor" | "sentinel" | "session" | "request" | "dataset" | "composition" | "finetune_run" | "test_set" | "test_run" | "evaluation_criteria" | "evaluation_run" | "model" | "model_provider" | "tag" | "tag_rule" | "tag_run" | "api_key" | "webhook")[];
  /** Default: 25. */
  limit?: number;
}

export interface AnalyticsGetRequestVolumeInput {
  start_date?: number;
  end_date?: number;
  /** Default: "day". */
  bucket?: "hour" | "day" | "week";
  application_id?: number;
  intent_id?: number;
  intent_group_id?: number;
  agent_id?: number;
  model?: string;
  request_type?: "PROD" | "RERUN" | "SYNTHETIC" | "MANUAL";
  /** Default: "none". */
  group_by?: "none" | "application" | "intent" | "intent_group" | "model" | "agent" | "release" | "workflow";
}

export interface AnalyticsGetFaultRateInput {
  start_date?: number;
  end_date?: number;
  /** Default: "day". */
  bucket?: "hour" | "day" | "week";
  application_id?: number;
  intent_id?: number;
  intent_group_id?: number;
  agent_id?: number;
  model?: string;
  request_type?: "PROD" | "RERUN" | "SYNTHETIC" | "MANUAL";
  /** Default: "none". */
  group_by?: "none" | "application" | "intent" | "intent_group" | "model" | "agent" | "release" | "workflow";
}

export interface AnalyticsGetLatencyInput {
  start_date?: number;
  end_date?: number;
  /** Default: "day". */
  bucket?: "hour" | "day" | "week";
  application_id?: number;
  intent_id?: number;
  intent_group_id?: number;
  agent_id?: number;
  model?: string;
  request_type?: "PROD" | "RERUN" | "SYNTHETIC" | "MANUAL";
  /** Default: "none". */
  group_by?: "none" | "application" | "intent" | "intent_group" | "model" | "agent" | "release" | "workflow";
}

export interface AnalyticsGetUsageInput {
  start_date?: number;
  end_date?: number;
  /** Default: "day". */
  bucket?: "hour" | "day" | "week";
  application_id?: number;
  intent_id?: number;
  intent_group_id?: number;
  agent_id?: number;
  model?: string;
  request_type?: "PROD" | "RERUN" | "SYNTHETIC" | "MANUAL";
  /** Default: "none". */
  group_by?: "none" | "application" | "intent" | "intent_group" | "model" | "agent" | "release" | "workflow";
}

export interface AnalyticsGetSummaryInput {
  start_date?: number;
  end_date?: number;
  /** Default: "day". */
  bucket?: "hour" | "day" | "week";
  application_id?: number;
  intent_id?: number;
  intent_group_id?: number;
  agent_id?: number;
  model?: string;
  request_type?: "PROD" | "RERUN" | "SYNTHETIC" | "MANUAL";
  /** Default: "none". */
  group_by?: "none" | "application" | "intent" | "intent_group" | "model" | "agent" | "release" | "workflow";
}

export interface AgentsListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  application_id?: number;
  status?: ("ENABLED" | "DISABLED")[];
  kind?: ("HOSTED" | "EXTERNAL")[];
  execution_mode?: ("reasoning" | "route")[];
  model?: string[];
}

export interface AgentsCreateInput {
  application_id: number;
  agent_name: string;
  /** EXTERNAL for an agent that runs elsewhere: it has no draft and cannot be invoked Default: "HOSTED". */
  kind?: "HOSTED" | "EXTERNAL";
  description?: string | null;
  /** Default: "ENABLED". */
  status?: "ENABLED" | "DISABLED";
  /** Default: "reasoning". */
  execution_mode?: "reasoning" | "route";
  model?: string | null;
  system_prompt?: string | null;
  strategy_prompt_addendum?: string | null;
  agent_config?: AgentConfig;
  /** Default: 10. */
  max_iterations?: number;
  max_cost?: number | null;
  response_format?: ResponseFormat | null;
  base_url?: string | null;
  meta?: Record<string, unknown>;
  /** MCP servers whose tools the agent may call */
  mcp_servers?: number[];
}

export interface AgentsGetInput {
  agent_id: number;
}

export interface AgentsUpdateInput {
  agent_id: number;
  application_id?: number;
  agent_name?: string;
  /** EXTERNAL for an agent that runs elsewhere: it has no draft and cannot be invoked */
  kind?: "HOSTED" | "EXTERNAL";
  description?: string | null;
  status?: "ENABLED" | "DISABLED";
  execution_mode?: "reasoning" | "route";
  model?: string | null;
  system_prompt?: string | null;
  strategy_prompt_addendum?: string | null;
  agent_config?: AgentConfig;
  max_iterations?: number;
  max_cost?: number | null;
  response_format?: ResponseFormat | null;
  base_url?: string | null;
  meta?: Record<string, unknown>;
  /** MCP servers whose tools the agent may call */
  mcp_servers?: number[];
}

export interface AgentsDeleteInput {
  agent_id: number;
  /** Detaches the agent from the intents that it serves and the monitors that watch it Default: false. */
  force?: boolean;
}

export interface AgentsEnableInput {
  agent_id: number;
}

export interface AgentsDisableInput {
  agent_id: number;
}

export interface AgentsListActionsInput {
  agent_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  enabled?: boolean;
}

export interface AgentsCreateActionInput {
  agent_id: number;
  action_name: string;
  action_type: "llm" | "api" | "webhook" | "maitai_workflow";
  description: string;
  /** Default: true. */
  enabled?: boolean;
  action_config?: LlmActionConfig | ApiActionConfig | WebhookActionConfig | WorkflowActionConfig | null;
  meta?: Record<string, unknown>;
  /** Default: false. */
  is_default?: boolean;
  /** Default: "gather_info". */
  action_result_type?: "gather_info" | "complete_task";
  /** Default: "foreground". */
  invocation_mode?: "foreground" | "background";
}

export interface AgentsGetActionInput {
  action_id: number;
}

export interface AgentsUpdateActionInput {
  action_id: number;
  action_name?: string;
  action_type?: "llm" | "api" | "webhook" | "maitai_workflow";
  description?: string;
  enabled?: boolean;
  action_config?: LlmActionConfig | ApiActionConfig | WebhookActionConfig | WorkflowActionConfig | null;
  meta?: Record<string, unknown>;
  is_default?: boolean;
  action_result_type?: "gather_info" | "complete_task";
  invocation_mode?: "foreground" | "background";
}

export interface AgentsDeleteActionInput {
  action_id: number;
}

export interface AgentsEnableActionInput {
  action_id: number;
}

export interface AgentsDisableActionInput {
  action_id: number;
}

export interface AgentsTestActionInput {
  action_id: number;
  arguments?: Record<string, unknown>;
  secrets?: Record<string, string>;
}

export interface AgentsListSubAgentsInput {
  agent_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "position". */
  sort?: string;
}

export interface AgentsAddSubAgentInput {
  agent_id: number;
  child_agent_id: number;
  version?: string | null;
  release?: string | null;
  /** Default: "gather_info". */
  action_result_type?: "gather_info" | "complete_task";
}

export interface AgentsUpdateSubAgentInput {
  agent_id: number;
  child_agent_id: number;
  version?: string | null;
  release?: string | null;
  action_result_type?: "gather_info" | "complete_task";
}

export interface AgentsRemoveSubAgentInput {
  agent_id: number;
  child_agent_id: number;
}

export interface AgentsGetRoutingInput {
  agent_id: number;
}

export interface AgentsUpdateRoutingInput {
  agent_id: number;
  type?: "rules" | "llm";
  default?: Route;
}

export interface AgentsListRoutingRulesInput {
  agent_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "position". */
  sort?: string;
}

export interface AgentsCreateRoutingRuleInput {
  agent_id: number;
  label: string;
  condition_expression?: string | null;
  conditions: RoutingCondition[];
  route: Route;
  /** Default: true. */
  enabled?: boolean;
  position?: number;
}

export interface AgentsGetRoutingRuleInput {
  agent_id: number;
  rule_id: number;
}

export interface AgentsUpdateRoutingRuleInput {
  agent_id: number;
  rule_id: number;
  position?: number;
  label?: string;
  condition_expression?: string | null;
  conditions?: RoutingCondition[];
  route?: Route;
  enabled?: boolean;
}

export interface AgentsDeleteRoutingRuleInput {
  agent_id: number;
  rule_id: number;
}

export interface AgentsReorderRoutingRuleInput {
  agent_id: number;
  rule_id: number;
  position?: number;
}

export interface AgentsTestRoutingInput {
  agent_id: number;
  messages: Message[];
  state?: Record<string, unknown>;
}

export interface AgentsListFormFieldsInput {
  agent_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "position". */
  sort?: string;
}

export interface AgentsCreateFormFieldInput {
  agent_id: number;
  field_key: string;
  label: string;
  field_type: "string" | "number" | "boolean" | "date" | "enum" | "object" | "array";
  description?: string | null;
  /** Default: false. */
  required?: boolean;
  enum_values?: string[] | null;
  default_value?: unknown | null;
  /** Default: "all". */
  read_scope?: "all" | "self";
  /** Default: "all". */
  write_scope?: "all" | "self";
  position?: number;
}

export interface AgentsGetFormFieldInput {
  agent_id: number;
  field_id: number;
}

export interface AgentsUpdateFormFieldInput {
  agent_id: number;
  field_id: number;
  position?: number;
  field_key?: string;
  label?: string;
  field_type?: "string" | "number" | "boolean" | "date" | "enum" | "object" | "array";
  description?: string | null;
  required?: boolean;
  enum_values?: string[] | null;
  default_value?: unknown | null;
  read_scope?: "all" | "self";
  write_scope?: "all" | "self";
}

export interface AgentsDeleteFormFieldInput {
  agent_id: number;
  field_id: number;
}

export interface AgentsReorderFormFieldInput {
  agent_id: number;
  field_id: number;
  position?: number;
}

export interface AgentsCloneInput {
  agent_id: number;
  agent_name: string;
  application_id?: number;
}

export interface AgentsImportInput {
  application: ManifestApplication;
  agents: ManifestAgent[];
  /** Default: "error". */
  on_conflict?: "error" | "update";
  /** Default: false. */
  prune?: boolean;
}

export interface AgentsExportInput {
  agent_id: number;
  version?: string;
}

export interface AgentsPublishVersionInput {
  agent_id: number;
  /** Default: "minor". */
  increment?: "major" | "minor" | "patch";
  /** Default: "". */
  version_notes?: string;
  /** Only for an EXTERNAL agent, and required there: the number of the version that runs elsewhere */
  version?: string;
}

export interface AgentsListVersionsInput {
  agent_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface AgentsDiffVersionsInput {
  agent_id: number;
  from: string;
  /** Default: "draft". */
  to?: string;
}

export interface AgentsGetVersionInput {
  agent_id: number;
  version: string;
  /** Default: true. */
  include_snapshot?: boolean;
}

export interface AgentsRestoreVersionInput {
  agent_id: number;
  version: string;
}

export interface AgentsListReleasesInput {
  agent_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface AgentsCreateReleaseInput {
  agent_id: number;
  name: string;
  version: string;
  /** Default: false. */
  is_default?: boolean;
  gate_policy?: GatePolicy | null;
  mcp_enabled?: boolean;
  override_reason?: string;
}

export interface AgentsGetReleaseInput {
  agent_id: number;
  release_name: string;
}

export interface AgentsUpdateReleaseInput {
  agent_id: number;
  release_name: string;
  name?: string;
  version?: string;
  is_default?: boolean;
  gate_policy?: GatePolicy | null;
  mcp_enabled?: boolean;
  override_reason?: string;
}

export interface AgentsDeleteReleaseInput {
  agent_id: number;
  release_name: string;
}

export interface AgentsCheckReleaseInput {
  agent_id: number;
  release_name: string;
  version: string;
}

export interface AgentsListReleaseMovesInput {
  agent_id: number;
  release_name: string;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface ReleasesListAllInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  parent_type?: ("agent" | "workflow" | "monitor")[];
  parent_id?: number;
}

export interface AgentsInvokeInput {
  agent_id: number;
  message?: string;
  messages?: Message[];
  version?: string;
  release?: string;
  session_id?: string;
  max_iterations?: number;
  secrets?: Record<string, string>;
  /** Default: true. */
  wait?: boolean;
  response_format?: ResponseFormat | null;
  /** Default: false. */
  stream?: boolean;
  state?: Record<string, unknown>;
  metadata?: Record<string, unknown>;
  max_cost?: number | null;
}

export interface AgentsListTasksInput {
  agent_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
  status?: ("QUEUED" | "RUNNING" | "WAITING_WEBHOOK" | "COMPLETED" | "FAILED" | "CANCELLED")[];
  failure_class?: ("quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal")[];
  error_code?: ("max_iterations" | "budget_exceeded" | "secrets_unavailable" | "output_schema" | "interrupted" | "script_error" | "egress_denied" | "webhook_ttl" | "provider_error" | "timeout" | "depth_exceeded" | "cancelled" | "rule_too_costly" | "model_not_found" | "application_disabled" | "invalid_config")[];
  trigger?: ("API" | "CHAT" | "WORKFLOW" | "TEST" | "SUB_AGENT" | "MONITOR" | "MCP" | "EXTERNAL")[];
  session_id?: string;
  release?: string;
  version?: string;
  /** Found in messages and output */
  text?: string;
  min_duration_ms?: number;
  min_cost?: number;
  /** Adds messages and output Default: false. */
  include_body?: boolean;
}

export interface AgentsListAllTasksInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
  status?: ("QUEUED" | "RUNNING" | "WAITING_WEBHOOK" | "COMPLETED" | "FAILED" | "CANCELLED")[];
  failure_class?: ("quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal")[];
  error_code?: ("max_iterations" | "budget_exceeded" | "secrets_unavailable" | "output_schema" | "interrupted" | "script_error" | "egress_denied" | "webhook_ttl" | "provider_error" | "timeout" | "depth_exceeded" | "cancelled" | "rule_too_costly" | "model_not_found" | "application_disabled" | "invalid_config")[];
  trigger?: ("API" | "CHAT" | "WORKFLOW" | "TEST" | "SUB_AGENT" | "MONITOR" | "MCP" | "EXTERNAL")[];
  session_id?: string;
  release?: string;
  version?: string;
  /** Found in messages and output */
  text?: string;
  min_duration_ms?: number;
  min_cost?: number;
  /** Adds messages and output Default: false. */
  include_body?: boolean;
  agent_id?: number;
}

export interface AgentsGetAnyTaskInput {
  task_id: string;
  /** Default: 0. */
  wait_seconds?: number;
}

export interface AgentsGetTaskInput {
  agent_id: number;
  task_id: string;
  /** Default: 0. */
  wait_seconds?: number;
}

export interface AgentsListTaskTimelineInput {
  agent_id: number;
  task_id: string;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  /** Adds the events of all sub-agents, in the order they happened Default: false. */
  include_children?: boolean;
}

export interface AgentsStreamTaskInput {
  agent_id: number;
  task_id: string;
}

export interface AgentsCancelTaskInput {
  agent_id: number;
  task_id: string;
}

export interface AgentsListSessionsInput {
  agent_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface AgentsGetSessionInput {
  agent_id: number;
  session_id: string;
}

export interface AgentsDeleteSessionInput {
  agent_id: number;
  session_id: string;
}

export interface AgentsUpdateSessionStateInput {
  agent_id: number;
  session_id: string;
  state: Record<string, unknown>;
}

export interface AgentsListSessionTimelineInput {
  agent_id: number;
  session_id: string;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface AgentsListSessionTasksInput {
  agent_id: number;
  session_id: string;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  /** Default: false. */
  include_body?: boolean;
}

export interface AgentsGetSessionFeedbackInput {
  agent_id: number;
  session_id: string;
}

export interface AgentsSetSessionFeedbackInput {
  agent_id: number;
  session_id: string;
  feedback_score?: number | null;
  feedback_text?: string | null;
}

export interface AgentsDeleteSessionFeedbackInput {
  agent_id: number;
  session_id: string;
}

export interface AgentsAnswerHookInput {
  hook_key: string;
  payload: unknown;
}

export interface McpServersListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface McpServersCreateInput {
  /** The beginning of the names of its tools, unique in the company */
  name: string;
  url: string;
  /** Sent with every call; values may hold `{{secrets.NAME}}` */
  headers?: Record<string, string>;
  /** The only tools that agents see; empty for all */
  include_tools?: string[];
  /** Tools that agents do not see */
  exclude_tools?: string[];
}

export interface McpServersGetInput {
  mcp_server_id: number;
}

export interface McpServersUpdateInput {
  mcp_server_id: number;
  /** The beginning of the names of its tools, unique in the company */
  name?: string;
  url?: string;
  /** Sent with every call; values may hold `{{secrets.NAME}}` */
  headers?: Record<string, string>;
  /** The only tools that agents see; empty for all */
  include_tools?: string[];
  /** Tools that agents do not see */
  exclude_tools?: string[];
}

export interface McpServersDeleteInput {
  mcp_server_id: number;
}

export interface McpServersRefreshInput {
  mcp_server_id: number;
  secrets?: Record<string, string>;
}

export interface EvaluationCriteriaListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  criteria_type?: "BOOLEAN" | "NUMERIC";
  method?: "LLM" | "EXACT" | "JSON_FIELDS" | "CONTAINS" | "REGEX" | "JSON_SCHEMA" | "SCRIPT" | "STEPS" | "LATENCY" | "COST";
  enabled?: boolean;
}

export interface EvaluationCriteriaCreateInput {
  name: string;
  description?: string | null;
  criteria_type: "BOOLEAN" | "NUMERIC";
  method: "LLM" | "EXACT" | "JSON_FIELDS" | "CONTAINS" | "REGEX" | "JSON_SCHEMA" | "SCRIPT" | "STEPS" | "LATENCY" | "COST";
  prompt?: string | null;
  config?: CriteriaConfig;
  /** Default 1 (BOOLEAN) or 3 (NUMERIC) */
  pass_threshold?: number;
  /** Default: 1. */
  weight?: number;
  /** Default: true. */
  enabled?: boolean;
}

export interface EvaluationCriteriaValidateInput {
  /** Default: "javascript". */
  language?: "javascript" | "typescript" | "python";
  script: string;
}

export interface EvaluationCriteriaGetInput {
  criteria_id: number;
}

export interface EvaluationCriteriaUpdateInput {
  criteria_id: number;
  name?: string;
  description?: string | null;
  method?: "LLM" | "EXACT" | "JSON_FIELDS" | "CONTAINS" | "REGEX" | "JSON_SCHEMA" | "SCRIPT" | "STEPS" | "LATENCY" | "COST";
  prompt?: string | null;
  config?: CriteriaConfig;
  /** Default 1 (BOOLEAN) or 3 (NUMERIC) */
  pass_threshold?: number;
  weight?: number;
  enabled?: boolean;
}

export interface EvaluationCriteriaDeleteInput {
  criteria_id: number;
}

export interface EvaluationCriteriaEnableInput {
  criteria_id: number;
}

export interface EvaluationCriteriaDisableInput {
  criteria_id: number;
}

export interface EvaluationCriteriaTestInput {
  criteria_id: number;
  input?: unknown | null;
  expected_output?: Expected | null;
  actual_output: Expected;
  /** SCRIPT: the `meta` of an item */
  metadata?: unknown;
  /** LATENCY, SCRIPT: what the item took */
  latency_ms?: number | null;
  /** COST, SCRIPT: US dollars; null = unknown */
  cost?: number | null;
  /** STEPS, SCRIPT: the task or workflow run whose steps are read */
  source_ref?: SourceRef | null;
}

export interface TestSetsListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  tag?: string;
  consumer_kind?: "MODEL" | "WORKFLOW" | "AGENT" | "EXTERNAL";
}

export interface TestSetsCreateInput {
  name: string;
  description?: string | null;
  consumer_kinds?: ("MODEL" | "WORKFLOW" | "AGENT" | "EXTERNAL")[];
  criteria_ids?: number[];
  tags?: string[];
  meta?: Record<string, unknown>;
}

export interface TestSetsGetInput {
  test_set_id: number;
}

export interface TestSetsUpdateInput {
  test_set_id: number;
  name?: string;
  description?: string | null;
  consumer_kinds?: ("MODEL" | "WORKFLOW" | "AGENT" | "EXTERNAL")[];
  criteria_ids?: number[];
  tags?: string[];
  meta?: Record<string, unknown>;
}

export interface TestSetsDeleteInput {
  test_set_id: number;
}

export interface TestSetsCloneInput {
  test_set_id: number;
  name: string;
}

export interface TestSetsListItemsInput {
  test_set_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "position". */
  sort?: string;
}

export interface TestSetsSearchItemsInput {
  test_set_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "position". */
  sort?: string;
  source_type?: "MANUAL" | "REQUEST" | "WORKFLOW_RUN" | "AGENT_TASK";
  /** Whether the item has an override */
  has_sub?: boolean;
  /** Found in input, expected output or override */
  text?: string;
}

export interface TestSetsCreateItemInput {
  test_set_id: number;
  input: TestInput;
  expected_output?: Expected | null;
  meta?: Record<string, unknown>;
}

export interface TestSetsGetItemInput {
  test_set_id: number;
  item_id: number;
}

export interface TestSetsUpdateItemInput {
  test_set_id: number;
  item_id: number;
  input?: TestInput;
  expected_output?: Expected | null;
  meta?: Record<string, unknown>;
}

export interface TestSetsDeleteItemInput {
  test_set_id: number;
  item_id: number;
}

export interface TestSetsGetResponseSubInput {
  test_set_id: number;
  item_id: number;
}

export interface TestSetsSetResponseSubInput {
  test_set_id: number;
  item_id: number;
  expected_output: Expected;
  note?: string | null;
}

export interface TestSetsDeleteResponseSubInput {
  test_set_id: number;
  item_id: number;
}

export interface MonitorsListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  status?: ("DRAFT" | "ACTIVE" | "PAUSED")[];
  target_type?: ("intent" | "workflow" | "agent")[];
}

export interface MonitorsCreateInput {
  name: string;
  /** Default: "". */
  description?: string;
  config?: MonitorConfig;
  meta?: Record<string, unknown>;
  alert_rules?: AlertRule[];
  /** A published version that judges the same samples; its verdicts count nowhere */
  shadow_version?: string | null;
}

export interface MonitorsGetInput {
  monitor_id: number;
  /** Default: true. */
  include_targets?: boolean;
}

export interface MonitorsUpdateInput {
  monitor_id: number;
  name?: string;
  description?: string;
  config?: MonitorConfig;
  meta?: Record<string, unknown>;
  alert_rules?: AlertRule[];
  /** A published version that judges the same samples; its verdicts count nowhere */
  shadow_version?: string | null;
}

export interface MonitorsDeleteInput {
  monitor_id: number;
}

export interface MonitorsActivateInput {
  monitor_id: number;
}

export interface MonitorsPauseInput {
  monitor_id: number;
}

export interface MonitorsValidateInput {
  monitor_id: number;
  /** Checked in place of the draft */
  config?: Record<string, unknown>;
}

export interface MonitorsListTargetsInput {
  monitor_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  target_type?: ("intent" | "workflow" | "agent")[];
  enabled?: boolean;
}

export interface MonitorsAttachTargetInput {
  monitor_id: number;
  target_type: "intent" | "workflow" | "agent";
  target_id: number;
  /** Default: 100. */
  sample_rate?: number;
  /** Default: true. */
  enabled?: boolean;
}

export interface MonitorsGetTargetInput {
  monitor_id: number;
  monitor_target_id: number;
}

export interface MonitorsUpdateTargetInput {
  monitor_id: number;
  monitor_target_id: number;
  sample_rate?: number;
  enabled?: boolean;
}

export interface MonitorsDetachTargetInput {
  monitor_id: number;
  monitor_target_id: number;
}

export interface MonitorsEnableTargetInput {
  monitor_id: number;
  monitor_target_id: number;
}

export interface MonitorsDisableTargetInput {
  monitor_id: number;
  monitor_target_id: number;
}

export interface MonitorsListByTargetInput {
  target_type: "intent" | "workflow" | "agent";
  target_id: number;
  /** Default: false. */
  enabled_only?: boolean;
}

export interface MonitorsPublishVersionInput {
  monitor_id: number;
  /** Default: "minor". */
  increment?: "major" | "minor" | "patch";
  /** Default: "". */
  version_notes?: string;
}

export interface MonitorsListVersionsInput {
  monitor_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface MonitorsDiffVersionsInput {
  monitor_id: number;
  from: string;
  /** Default: "draft". */
  to?: string;
}

export interface MonitorsGetVersionInput {
  monitor_id: number;
  version: string;
  /** Default: true. */
  include_snapshot?: boolean;
}

export interface MonitorsRestoreVersionInput {
  monitor_id: number;
  version: string;
}

export interface MonitorsListReleasesInput {
  monitor_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface MonitorsCreateReleaseInput {
  monitor_id: number;
  name: string;
  version: string;
  /** Default: false. */
  is_default?: boolean;
  gate_policy?: GatePolicy | null;
  mcp_enabled?: boolean;
  override_reason?: string;
}

export interface MonitorsGetReleaseInput {
  monitor_id: number;
  release_name: string;
}

export interface MonitorsUpdateReleaseInput {
  monitor_id: number;
  release_name: string;
  name?: string;
  version?: string;
  is_default?: boolean;
  gate_policy?: GatePolicy | null;
  mcp_enabled?: boolean;
  override_reason?: string;
}

export interface MonitorsDeleteReleaseInput {
  monitor_id: number;
  release_name: string;
}

export interface MonitorsCheckReleaseInput {
  monitor_id: number;
  release_name: string;
  version: string;
}

export interface MonitorsListReleaseMovesInput {
  monitor_id: number;
  release_name: string;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface TestSetsImportRequestInput {
  test_set_id: number;
  request_id: string;
  /** Default: true. */
  use_correction?: boolean;
  meta?: Record<string, unknown>;
}

export interface TestSetsImportWorkflowRunInput {
  test_set_id: number;
  workflow_run_id: string;
  meta?: Record<string, unknown>;
}

export interface TestSetsImportAgentTaskInput {
  test_set_id: number;
  agent_task_id: string;
  /** Default: "agent_first_user_message". */
  flatten_variant?: "agent_first_user_message" | "agent_first_user_message_with_system_prompt";
  meta?: Record<string, unknown>;
}

export interface TestSetsImportBulkInput {
  test_set_id: number;
  sources: ImportSource[];
}

export interface LegacyListTestSetsInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: "id" | "-id" | "date_created" | "-date_created" | "date_updated" | "-date_updated";
  /** Default: "request". */
  type?: "request" | "workflow";
}

export interface LegacyCreateTestSetInput {
  name: string;
  intent_group_id?: number | null;
}

export interface LegacyGetTestSetInput {
  id: number;
}

export interface LegacyUpdateTestSetInput {
  id: number;
  name?: string;
  intent_group_id?: number | null;
}

export interface LegacyDeleteTestSetInput {
  id: number;
}

export interface LegacyListTestSetRequestsInput {
  id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: "id" | "-id" | "date_created" | "-date_created" | "date_updated" | "-date_updated";
}

export interface LegacyAddTestSetRequestsInput {
  id: number;
  request_ids: string[];
}

export interface LegacySetResponseInput {
  id: number;
  request_id: number;
  message_content: string;
  tool_calls?: ToolCall[];
}

export interface WorkflowsListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  application_id?: number;
  status?: ("ENABLED" | "DISABLED")[];
  execution_mode?: ("sync" | "async" | "stream")[];
  language?: ("javascript" | "typescript" | "python")[];
}

export interface WorkflowsCreateInput {
  workflow_ref_name: string;
  /** By default the reference name */
  workflow_name?: string;
  /** Default: "". */
  description?: string;
  application_id?: number | null;
  /** Binds to the application of this name and creates it when it does not exist; null unbinds */
  application_name?: string | null;
  /** Default: "javascript". */
  language?: "javascript" | "typescript" | "python";
  script: string;
  /** Default: "sync". */
  execution_mode?: "sync" | "async" | "stream";
  /** A script with transform_session(session); an empty one removes it */
  transform_session?: string | null;
  input_schema?: Record<string, unknown> | null;
  output_schema?: Record<string, unknown> | null;
  /** Default: false. */
  allow_inproc_nesting?: boolean;
  inproc_nested_refs?: string[];
  /** Default: 300. */
  timeout_seconds?: number;
  /** Default: 128. */
  memory_mb?: number;
  /** Default: "ENABLED". */
  status?: "ENABLED" | "DISABLED";
  meta?: Record<string, unknown>;
}

export interface WorkflowsGetInput {
  workflow_id: number;
  /** Default: false. */
  include_script?: boolean;
}

export interface WorkflowsGetByRefInput {
  workflow_ref_name: string;
  /** Default: false. */
  include_script?: boolean;
}

export interface WorkflowsUpdateInput {
  workflow_id: number;
  /** By default the reference name */
  workflow_name?: string;
  description?: string;
  application_id?: number | null;
  /** Binds to the application of this name and creates it when it does not exist; null unbinds */
  application_name?: string | null;
  language?: "javascript" | "typescript" | "python";
  script?: string;
  execution_mode?: "sync" | "async" | "stream";
  /** A script with transform_session(session); an empty one removes it */
  transform_session?: string | null;
  input_schema?: Record<string, unknown> | null;
  output_schema?: Record<string, unknown> | null;
  allow_inproc_nesting?: boolean;
  inproc_nested_refs?: string[];
  timeout_seconds?: number;
  memory_mb?: number;
  status?: "ENABLED" | "DISABLED";
  meta?: Record<string, unknown>;
}

export interface WorkflowsDeleteInput {
  workflow_id: number;
  /** Detaches the workflow from the intents that it serves Default: false. */
  force?: boolean;
}

export interface WorkflowsEnableInput {
  workflow_id: number;
}

export interface WorkflowsDisableInput {
  workflow_id: number;
}

export interface WorkflowsValidateScriptInput {
  script: string;
  /** Default: "javascript". */
  language?: "javascript" | "typescript" | "python";
  transform_session?: string | null;
  input_schema?: Record<string, unknown> | null;
  output_schema?: Record<string, unknown> | null;
}

export interface WorkflowsGetDefaultScriptInput {
  /** Default: "javascript". */
  language?: "javascript" | "typescript" | "python";
}

export interface WorkflowsPublishVersionInput {
  workflow_id: number;
  /** Default: "minor". */
  bump_type?: "major" | "minor" | "patch";
  /** Default: "". */
  version_notes?: string;
}

export interface WorkflowsListVersionsInput {
  workflow_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface WorkflowsDiffVersionsInput {
  workflow_id: number;
  from: string;
  /** Default: "draft". */
  to?: string;
}

export interface WorkflowsGetVersionInput {
  workflow_id: number;
  version: string;
  /** Default: true. */
  include_snapshot?: boolean;
}

export interface WorkflowsRestoreVersionInput {
  workflow_id: number;
  version: string;
}

export interface WorkflowsListReleasesInput {
  workflow_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface WorkflowsCreateReleaseInput {
  workflow_id: number;
  name: string;
  version: string;
  /** Default: false. */
  is_default?: boolean;
  gate_policy?: GatePolicy | null;
  mcp_enabled?: boolean;
  override_reason?: string;
}

export interface WorkflowsGetReleaseInput {
  workflow_id: number;
  release_name: string;
}

export interface WorkflowsUpdateReleaseInput {
  workflow_id: number;
  release_name: string;
  name?: string;
  version?: string;
  is_default?: boolean;
  gate_policy?: GatePolicy | null;
  mcp_enabled?: boolean;
  override_reason?: string;
}

export interface WorkflowsDeleteReleaseInput {
  workflow_id: number;
  release_name: string;
}

export interface WorkflowsCheckReleaseInput {
  workflow_id: number;
  release_name: string;
  version: string;
}

export interface WorkflowsListReleaseMovesInput {
  workflow_id: number;
  release_name: string;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface WorkflowsUploadInput {
  workflow_ref_name: string;
  /** By default the reference name */
  workflow_name?: string;
  description?: string;
  application_id?: number | null;
  /** Binds to the application of this name and creates it when it does not exist; null unbinds */
  application_name?: string | null;
  language?: "javascript" | "typescript" | "python";
  script?: string;
  execution_mode?: "sync" | "async" | "stream";
  /** A script with transform_session(session); an empty one removes it */
  transform_session?: string | null;
  input_schema?: Record<string, unknown> | null;
  output_schema?: Record<string, unknown> | null;
  allow_inproc_nesting?: boolean;
  inproc_nested_refs?: string[];
  timeout_seconds?: number;
  memory_mb?: number;
  status?: "ENABLED" | "DISABLED";
  meta?: Record<string, unknown>;
  artifacts?: ArtifactBody[];
  /** Default: false. */
  publish_version?: boolean;
  /** Default: "minor". */
  bump_type?: "major" | "minor" | "patch";
  /** Default: "". */
  version_notes?: string;
}

export interface WorkflowsImportInput {
  workflows: ManifestWorkflow[];
  /** Default: "error". */
  on_conflict?: "error" | "update";
}

export interface WorkflowsExportInput {
  workflow_id: number;
  version?: string;
}

export interface WorkflowsExecuteInput {
  workflow_id: number;
  input?: unknown;
  messages?: Message[];
  params?: Record<string, unknown>;
  version?: string;
  release?: string;
  session_id?: string;
  secrets?: Record<string, string>;
  metadata?: Record<string, unknown>;
  /** By default the execution_mode of the workflow */
  mode?: "sync" | "async" | "stream";
}

export interface WorkflowsListRunsInput {
  workflow_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
  status?: ("QUEUED" | "RUNNING" | "COMPLETED" | "FAILED" | "TIMED_OUT" | "CANCELLED")[];
  failure_class?: ("quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal")[];
  error_code?: ("max_iterations" | "budget_exceeded" | "secrets_unavailable" | "output_schema" | "interrupted" | "script_error" | "egress_denied" | "webhook_ttl" | "provider_error" | "timeout" | "depth_exceeded" | "cancelled" | "rule_too_costly" | "model_not_found" | "application_disabled" | "invalid_config")[];
  trigger?: ("API" | "CHAT" | "AGENT" | "TEST" | "MONITOR" | "NESTED")[];
  session_id?: string;
  release?: string;
  version?: string;
  /** Found in input, messages and output */
  text?: string;
  min_duration_ms?: number;
  min_cost?: number;
  /** Adds input, messages, params and outputs Default: false. */
  include_body?: boolean;
}

export interface WorkflowsSearchRunsInput {
  workflow_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
  status?: ("QUEUED" | "RUNNING" | "COMPLETED" | "FAILED" | "TIMED_OUT" | "CANCELLED")[];
  failure_class?: ("quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal")[];
  error_code?: ("max_iterations" | "budget_exceeded" | "secrets_unavailable" | "output_schema" | "interrupted" | "script_error" | "egress_denied" | "webhook_ttl" | "provider_error" | "timeout" | "depth_exceeded" | "cancelled" | "rule_too_costly" | "model_not_found" | "application_disabled" | "invalid_config")[];
  trigger?: ("API" | "CHAT" | "AGENT" | "TEST" | "MONITOR" | "NESTED")[];
  session_id?: string;
  release?: string;
  version?: string;
  /** Found in input, messages and output */
  text?: string;
  min_duration_ms?: number;
  min_cost?: number;
  /** Adds input, messages, params and outputs Default: false. */
  include_body?: boolean;
}

export interface WorkflowsListAllRunsInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
  status?: ("QUEUED" | "RUNNING" | "COMPLETED" | "FAILED" | "TIMED_OUT" | "CANCELLED")[];
  failure_class?: ("quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal")[];
  error_code?: ("max_iterations" | "budget_exceeded" | "secrets_unavailable" | "output_schema" | "interrupted" | "script_error" | "egress_denied" | "webhook_ttl" | "provider_error" | "timeout" | "depth_exceeded" | "cancelled" | "rule_too_costly" | "model_not_found" | "application_disabled" | "invalid_config")[];
  trigger?: ("API" | "CHAT" | "AGENT" | "TEST" | "MONITOR" | "NESTED")[];
  session_id?: string;
  release?: string;
  version?: string;
  /** Found in input, messages and output */
  text?: string;
  min_duration_ms?: number;
  min_cost?: number;
  /** Adds input, messages, params and outputs Default: false. */
  include_body?: boolean;
  workflow_id?: number;
}

export interface WorkflowsGetRunInput {
  run_id: string;
  /** Default: 0. */
  wait_seconds?: number;
}

export interface WorkflowsListRunLogsInput {
  run_id: string;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: "id" | "-id" | "date_created" | "-date_created" | "date_updated" | "-date_updated";
}

export interface WorkflowsListRunTimelineInput {
  run_id: string;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  /** Adds the events of all nested runs, in the order they happened Default: false. */
  include_children?: boolean;
}

export interface WorkflowsStreamRunInput {
  run_id: string;
}

export interface WorkflowsCancelRunInput {
  run_id: string;
}

export interface WorkflowsRerunRunInput {
  run_id: string;
  version?: string;
  release?: string;
  secrets?: Record<string, string>;
}

export interface TestSetsExportInput {
  test_set_id: number;
  /** Default: "jsonl". */
  format?: "jsonl" | "csv";
}

export interface TestSetsImportFileInput {
  test_set_id: number;
  /** The content of the file. */
  file: string | Uint8Array | Blob | ReadableStream<Uint8Array>;
  /** Default: "application/jsonl". */
  media_type?: "application/jsonl" | "application/x-ndjson" | "text/csv" | "text/plain";
}

export interface MonitorsListAllRunsInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
  outcome?: ("PASS" | "WARNING" | "FAULT" | "ERROR")[];
  failure_class?: ("quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal")[];
  monitor_target_id?: number[];
  source_type?: ("request" | "workflow_run" | "agent_task")[];
  version?: string;
  /** The release whose version judged */
  release?: string;
  /** Found in output, trace and error message */
  text?: string;
  /** Only runs of shadow versions, or none of them */
  shadow?: boolean;
  min_duration_ms?: number;
  min_cost?: number;
  /** Adds output and trace Default: false. */
  include_body?: boolean;
  monitor_id?: number;
}

export interface MonitorsListRunsBySourceInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  source_type: "request" | "workflow_run" | "agent_task";
  source_id: string;
  /** Default: false. */
  include_body?: boolean;
}

export interface MonitorsGetAnyRunInput {
  run_id: number;
}

export interface MonitorsListRunsInput {
  monitor_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
  outcome?: ("PASS" | "WARNING" | "FAULT" | "ERROR")[];
  failure_class?: ("quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal")[];
  monitor_target_id?: number[];
  source_type?: ("request" | "workflow_run" | "agent_task")[];
  version?: string;
  /** The release whose version judged */
  release?: string;
  /** Found in output, trace and error message */
  text?: string;
  /** Only runs of shadow versions, or none of them */
  shadow?: boolean;
  min_duration_ms?: number;
  min_cost?: number;
  /** Adds output and trace Default: false. */
  include_body?: boolean;
}

export interface MonitorsGetRunInput {
  monitor_id: number;
  run_id: number;
}

export interface MonitorsRetryRunInput {
  monitor_id: number;
  run_id: number;
}

export interface MonitorsPreviewConfigInput {
  payload?: Record<string, unknown>;
  source_type?: "request" | "workflow_run" | "agent_task";
  source_id?: string;
  /** Default: "adhoc". */
  use?: "adhoc";
  config: MonitorConfig;
}

export interface MonitorsPreviewInput {
  monitor_id: number;
  payload?: Record<string, unknown>;
  source_type?: "request" | "workflow_run" | "agent_task";
  source_id?: string;
  /** Default: "draft". */
  use?: "draft" | "version" | "release" | "adhoc";
  version?: string;
  release?: string;
  config?: MonitorConfig;
}

export interface MonitorsSampleTargetInput {
  target_type: "intent" | "workflow" | "agent";
  target_id: number;
}

export interface MonitorsGetCompanyActivityInput {
  start_date?: number;
  end_date?: number;
  /** Default: "day". */
  bucket?: "hour" | "day";
  outcome?: ("PASS" | "WARNING" | "FAULT" | "ERROR")[];
  /** Default: "monitor". */
  group_by?: "monitor";
}

export interface MonitorsGetActivityInput {
  monitor_id: number;
  start_date?: number;
  end_date?: number;
  /** Default: "day". */
  bucket?: "hour" | "day";
  outcome?: ("PASS" | "WARNING" | "FAULT" | "ERROR")[];
  monitor_target_id?: number[];
  /** Default: "none". */
  group_by?: "none" | "version";
}

export interface MonitorsGetMetricsInput {
  monitor_id: number;
  start_date?: number;
  end_date?: number;
  /** Default: "day". */
  bucket?: "hour" | "day";
  outcome?: ("PASS" | "WARNING" | "FAULT" | "ERROR")[];
  monitor_target_id?: number[];
}

export interface MonitorsListAlertsInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  start_date?: number;
  end_date?: number;
  monitor_id?: number;
  status?: ("open" | "acknowledged" | "resolved")[];
}

export interface MonitorsAcknowledgeAlertInput {
  alert_id: number;
}

export interface MonitorsResolveAlertInput {
  alert_id: number;
}

export interface MonitorsListChecksInput {
  monitor_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface MonitorsCreateCheckInput {
  monitor_id: number;
  version: string;
  test_set_id: number;
}

export interface MonitorsGetCheckInput {
  monitor_id: number;
  check_id: number;
}

export interface TestRunsCreateInput {
  test_set_id: number;
  name?: string | null;
  description?: string | null;
  meta?: Record<string, unknown>;
  consumer_kind: "MODEL" | "WORKFLOW" | "AGENT" | "EXTERNAL";
  consumer_config: ModelConsumer | WorkflowConsumer | AgentConsumer | ExternalConsumer;
  criteria_ids?: number[];
  /** Default: false. */
  auto_score?: boolean;
  /** Default: 1. */
  repeats?: number;
}

export interface TestRunsListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  test_set_id?: number;
  consumer_kind?: ("MODEL" | "WORKFLOW" | "AGENT" | "EXTERNAL")[];
  consumer_id?: number;
  status?: ("CREATED" | "RUNNING" | "COMPLETED")[];
}

export interface TestRunsListRunsOfTestSetInput {
  test_set_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface TestRunsGetInput {
  id: number;
}

export interface TestRunsUpdateInput {
  id: number;
  name?: string | null;
  description?: string | null;
  meta?: Record<string, unknown>;
}

export interface TestRunsDeleteInput {
  id: number;
}

export interface TestRunsPrepareInput {
  id: number;
}

export interface TestRunsExecuteInput {
  id: number;
  /** Default: 4. */
  concurrency?: number;
  secrets?: Record<string, string>;
}

export interface TestRunsGetProgressInput {
  id: number;
}

export interface TestRunsStreamInput {
  id: number;
}

export interface TestRunsScoreInput {
  id: number;
  criteria_ids?: number[];
}

export interface TestRunsCancelInput {
  id: number;
}

export interface TestRunsResetFailedInput {
  id: number;
  classes?: ("provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal")[];
  secrets?: Record<string, string>;
}

export interface TestRunsListRunItemsInput {
  id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "id". */
  sort?: string;
  status?: ("PENDING" | "RUNNING" | "COMPLETED" | "FAILED")[];
  outcome?: ("PASS" | "FAIL" | "ERROR")[];
  failure_class?: ("quality" | "provider" | "timeout" | "sandbox" | "adapter" | "judge" | "internal")[];
  matched?: boolean;
}

export interface TestRunsGetRunItemInput {
  id: number;
  item_id: number;
}

export interface TestRunsListItemScoresInput {
  id: number;
  item_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface TestRunsListItemAttemptsInput {
  id: number;
  item_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface TestRunsCompareInput {
  test_run_ids: number[];
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  direction?: "worse" | "better" | "error" | "changed";
  confidence?: number;
}

export interface TestRunsPreviewAdaptedInputInput {
  test_set_item_id: number;
  consumer_kind: "MODEL" | "WORKFLOW" | "AGENT" | "EXTERNAL";
  consumer_config: ModelConsumer | WorkflowConsumer | AgentConsumer | ExternalConsumer;
}

export interface TestRunsRunTestSetInput {
  test_set_id: number;
  name?: string | null;
  description?: string | null;
  meta?: Record<string, unknown>;
  consumer_kind: "MODEL" | "WORKFLOW" | "AGENT" | "EXTERNAL";
  consumer_config: ModelConsumer | WorkflowConsumer | AgentConsumer | ExternalConsumer;
  criteria_ids?: number[];
  /** Default: true. */
  auto_score?: boolean;
  /** Default: 1. */
  repeats?: number;
  /** Default: 4. */
  concurrency?: number;
  secrets?: Record<string, string>;
  /** Default: 60. */
  wait_seconds?: number;
  /** The release of the agent or workflow whose gate judges the version; without a version in consumer_config, also the version that is run */
  release?: string;
  /** The run to compare with; by default the newest earlier one of the same set and consumer */
  baseline_run_id?: number;
}

export interface TestRunsExportInput {
  id: number;
  /** Default: "jsonl". */
  format?: "jsonl" | "csv" | "junit";
}

export interface LegacyListTestRunsInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: "id" | "-id" | "date_created" | "-date_created" | "date_updated" | "-date_updated";
  /** Default: "request". */
  type?: "request" | "workflow";
  test_set_id?: number;
}

export interface LegacyCreateTestRunInput {
  test_set_id: number;
  /** Default: "request". */
  type?: "request" | "workflow";
  description?: string | null;
  config: Record<string, unknown>;
}

export interface LegacyGetTestRunInput {
  id: number;
}

export interface LegacyDeleteTestRunInput {
  id: number;
}

export interface LegacyListRunItemsInput {
  id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: "id" | "-id" | "date_created" | "-date_created" | "date_updated" | "-date_updated";
  outcome?: ("passed" | "failed" | "error")[];
  matched?: boolean;
}

export interface LegacyScoreTestRunInput {
  id: number;
}

export interface LegacyCompareTestRunsInput {
  test_run_ids: number[];
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  direction?: "worse" | "better" | "error" | "changed";
  confidence?: number;
}

export interface WorkflowsPreviewTransformInput {
  workflow_id: number;
  session?: Record<string, unknown>;
  session_id?: string;
  version?: string;
  release?: string;
}

export interface SessionsPreviewTransformInput {
  session_id: string;
  workflow_id: number;
  version?: string;
  release?: string;
}

export interface WorkflowsListArtifactsInput {
  workflow_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  run_id?: string;
}

export interface WorkflowsPutArtifactInput {
  workflow_id: number;
  key: string;
  content_base64?: string;
  /** By default that of the file */
  content_type?: string;
  /** The content of the file, in place of content_base64. */
  file?: string | Uint8Array | Blob;
}

export interface WorkflowsGetArtifactInput {
  workflow_id: number;
  artifact_id: number;
}

export interface WorkflowsDeleteArtifactInput {
  workflow_id: number;
  artifact_id: number;
}

export interface WorkflowsGetArtifactContentInput {
  workflow_id: number;
  artifact_id: number;
}

export interface WorkflowsListRunArtifactsInput {
  run_id: string;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface DatasetsListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  intent_group_id?: number;
  status?: "DRAFT" | "READY" | "ARCHIVED";
}

export interface DatasetsCreateInput {
  dataset_name: string;
  description?: string | null;
  intent_group_id: number;
  application_id?: number | null;
  tags?: string[];
  meta?: Record<string, unknown>;
}

export interface DatasetsGetInput {
  dataset_id: number;
}

export interface DatasetsUpdateInput {
  dataset_id: number;
  dataset_name?: string;
  description?: string | null;
  tags?: string[];
  meta?: Record<string, unknown>;
}

export interface DatasetsDeleteInput {
  dataset_id: number;
}

export interface DatasetsArchiveInput {
  dataset_id: number;
}

export interface DatasetsUnarchiveInput {
  dataset_id: number;
}

export interface DatasetsAddRequestsInput {
  dataset_id: number;
  request_ids?: string[];
  items?: DatasetItem[];
  /** Takes the correction of a request when there is one Default: true. */
  use_correction?: boolean;
}

export interface DatasetsAddRequestsByFilterInput {
  dataset_id: number;
  application_id?: number;
  intent_id?: number;
  intent_group_id?: number;
  session_id?: string;
  model?: string;
  request_type?: "PROD" | "RERUN" | "SYNTHETIC" | "MANUAL";
  evaluation_status?: "PENDING" | "PASS" | "FAULT" | "ERROR" | "NA";
  is_corrected?: boolean;
  tag_ids?: number[];
  /** Searches messages, answers and corrections. Of a part over 256 kB, which is kept in object storage, it covers the first 2,000 characters of each text; the first 200 or 20 when the part has so many texts that these would still be over 256 kB; and nothing when even those would be */
  text?: string;
  start_date?: number;
  end_date?: number;
  /** Default: 1000. */
  max?: number;
}

export interface DatasetsSearchAddedRequestsInput {
  dataset_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  /** Found in messages or answer */
  text?: string;
  source?: "REQUEST" | "UPLOAD" | "MANUAL" | "AUGMENTED";
  /** Rows of requests with any of the tags */
  tag_ids?: number[];
  is_corrected?: boolean;
  start_date?: number;
  end_date?: number;
}

export interface DatasetsSearchAvailableRequestsInput {
  dataset_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  application_id?: number;
  intent_id?: number;
  intent_group_id?: number;
  session_id?: string;
  model?: string;
  request_type?: "PROD" | "RERUN" | "SYNTHETIC" | "MANUAL";
  evaluation_status?: "PENDING" | "PASS" | "FAULT" | "ERROR" | "NA";
  is_corrected?: boolean;
  tag_ids?: number[];
  /** Searches messages, answers and corrections. Of a part over 256 kB, which is kept in object storage, it covers the first 2,000 characters of each text; the first 200 or 20 when the part has so many texts that these would still be over 256 kB; and nothing when even those would be */
  text?: string;
  start_date?: number;
  end_date?: number;
}

export interface DatasetsGetRequestInput {
  dataset_id: number;
  dataset_request_id: number;
}

export interface DatasetsUpdateRequestInput {
  dataset_id: number;
  dataset_request_id: number;
  messages?: TrainingMessage[];
  response?: TrainingResponse;
  meta?: Record<string, unknown>;
}

export interface DatasetsDeleteRequestInput {
  dataset_id: number;
  dataset_request_id: number;
}

export interface DatasetsUploadRowsInput {
  dataset_id: number;
  /** The content of the file. */
  file: string | Uint8Array | Blob | ReadableStream<Uint8Array>;
  /** Default: "application/jsonl". */
  media_type?: "application/jsonl" | "application/x-ndjson" | "text/csv" | "text/plain";
}

export interface DatasetsExportInput {
  dataset_id: number;
}

export interface DatasetsListAugmentationsInput {
  dataset_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
}

export interface DatasetsCreateAugmentationInput {
  dataset_id: number;
  type: "reasoning" | "variation";
  schema?: ReasoningField[];
  /** Variations of each row Default: 1. */
  count?: number;
  /** By default the default_model of the company */
  model?: string;
}

export interface DatasetsGetAugmentationInput {
  dataset_id: number;
  augmentation_id: number;
}

export interface CompositionsListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  intent_group_id?: number;
  status?: "DRAFT" | "READY";
}

export interface CompositionsCreateInput {
  composition_name: string;
  description?: string | null;
  intent_group_id: number;
  entries?: CompositionEntry[];
  /** Default: 0.1. */
  validation_split?: number;
  /** Default: 0. */
  seed?: number;
  exclude_test_set_ids?: number[];
}

export interface CompositionsGetInput {
  composition_id: number;
}

export interface CompositionsUpdateInput {
  composition_id: number;
  composition_name?: string;
  description?: string | null;
  entries?: CompositionEntry[];
  validation_split?: number;
  seed?: number;
  exclude_test_set_ids?: number[];
}

export interface CompositionsDeleteInput {
  composition_id: number;
}

export interface CompositionsAddDatasetInput {
  composition_id: number;
  /** The share of the rows that is used: 0.5 is half of them, 2 is each of them twice Default: 1. */
  weight?: number;
  max_requests?: number | null;
  dataset_id: number;
}

export interface CompositionsUpdateDatasetInput {
  composition_id: number;
  dataset_id: number;
  /** The share of the rows that is used: 0.5 is half of them, 2 is each of them twice */
  weight?: number;
  max_requests?: number | null;
}

export interface CompositionsRemoveDatasetInput {
  composition_id: number;
  dataset_id: number;
}

export interface CompositionsPreviewInput {
  composition_id: number;
  /** Default: 5. */
  sample_size?: number;
}

export interface CompositionsExportInput {
  composition_id: number;
  /** Default: "train". */
  split?: "train" | "validation";
}

export interface FinetuneRunsListInput {
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "-id". */
  sort?: string;
  status?: "CREATED" | "VALIDATING" | "QUEUED" | "RUNNING" | "COMPLETED" | "FAILED" | "CANCELLED";
  intent_group_id?: number;
  composition_id?: number;
}

export interface FinetuneRunsCreateInput {
  /** By default the name of the composition and the date */
  run_name?: string;
  composition_id: number;
  base_model: string;
  hyperparameters?: Hyperparameters;
}

export interface FinetuneRunsGetInput {
  finetune_run_id: number;
}

export interface FinetuneRunsDeleteInput {
  finetune_run_id: number;
}

export interface FinetuneRunsListFinetuneEventsInput {
  finetune_run_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "id". */
  sort?: string;
}

export interface FinetuneRunsListFinetuneMetricsInput {
  finetune_run_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "id". */
  sort?: string;
}

export interface FinetuneRunsListFinetuneCheckpointsInput {
  finetune_run_id: number;
  /** Default: 0. */
  offset?: number;
  /** Default: 25. */
  limit?: number;
  search?: string;
  /** Default: "id". */
  sort?: string;
}

export interface FinetuneRunsCancelInput {
  finetune_run_id: number;
}

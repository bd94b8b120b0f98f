import type { ListedWorkflowRun } from '@signalbox/sdk';
import type { Filter } from '../../rules/filters.js';

/** Does not compile until a value added to the API is offered here. */
const valuesOf = <Value extends string>(all: Record<Value, true>): Value[] => Object.keys(all) as Value[];

const CLASSES = valuesOf<NonNullable<ListedWorkflowRun['failure_class']>>({
  quality: true,
  provider: true,
  timeout: true,
  sandbox: true,
  adapter: true,
  judge: true,
  internal: true,
});
const CODES = valuesOf<NonNullable<ListedWorkflowRun['error_code']>>({
  max_iterations: true,
  budget_exceeded: true,
  secrets_unavailable: true,
  output_schema: true,
  interrupted: true,
  script_error: true,
  egress_denied: true,
  webhook_ttl: true,
  provider_error: true,
  timeout: true,
  depth_exceeded: true,
  cancelled: true,
  rule_too_costly: true,
  model_not_found: true,
  application_disabled: true,
  invalid_config: true,
});
const text: Filter = { name: 'text', label: 'Text', kind: 'text', isMain: true };
const session: Filter = { name: 'session_id', label: 'Session', kind: 'text' };

const ofRuns = (states: string[], triggers: string[]): Filter[] => [
  { name: 'status', label: 'State', kind: 'choices', values: states, isMain: true },
  { name: 'failure_class', label: 'Failure', kind: 'choices', values: CLASSES, isMain: true },
  { name: 'error_code', label: 'Error code', kind: 'choices', values: CODES },
  { name: 'trigger', label: 'Trigger', kind: 'choices', values: triggers },
  session,
  { name: 'release', label: 'Release', kind: 'text' },
  { name: 'version', label: 'Version', kind: 'text' },
  { name: 'min_duration_ms', label: 'At least (ms)', kind: 'number' },
  { name: 'min_cost', label: 'Cost at least ($)', kind: 'number' },
];

export const TASK_FILTERS: Filter[] = [
  text,
  { name: 'agent_id', label: 'Agent', kind: 'names', of: 'agents', isMain: true },
  ...ofRuns(
    ['QUEUED', 'RUNNING', 'WAITING_WEBHOOK', 'COMPLETED', 'FAILED', 'CANCELLED'],
    ['API', 'CHAT', 'WORKFLOW', 'TEST', 'SUB_AGENT', 'MONITOR', 'MCP', 'EXTERNAL'],
  ),
];

export const WORKFLOW_RUN_FILTERS: Filter[] = [
  text,
  { name: 'workflow_id', label: 'Workflow', kind: 'names', of: 'workflows', isMain: true },
  ...ofRuns(
    ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED'],
    ['API', 'CHAT', 'AGENT', 'TEST', 'MONITOR', 'NESTED'],
  ),
];

const YES_NO = ['true', 'false'];
export const REQUEST_FILTERS: Filter[] = [
  text,
  { name: 'application_id', label: 'Application', kind: 'names', of: 'applications', isMain: true },
  { name: 'status', label: 'State', kind: 'choice', values: ['COMPLETED', 'FAILED'], isMain: true },
  { name: 'model', label: 'Model', kind: 'text', isMain: true },
  {
    name: 'evaluation_status',
    label: 'Verdict',
    kind: 'choice',
    values: ['PENDING', 'PASS', 'FAULT', 'ERROR', 'NA'],
  },
  {
    name: 'origin',
    label: 'Made by',
    kind: 'choice',
    values: ['CHAT', 'AGENT', 'WORKFLOW', 'MONITOR', 'TEST', 'EVALUATION', 'EXTERNAL'],
  },
  { name: 'request_type', label: 'Type', kind: 'choice', values: ['PROD', 'RERUN', 'SYNTHETIC', 'MANUAL'] },
  { name: 'is_corrected', label: 'Corrected', kind: 'choice', values: YES_NO },
  { name: 'fallback_used', label: 'Fallback', kind: 'choice', values: YES_NO },
  session,
  { name: 'reference_id', label: 'Reference', kind: 'text' },
  { name: 'origin_id', label: 'Task or run', kind: 'text' },
  { name: 'intent_id', label: 'Intent id', kind: 'number' },
  { name: 'intent_group_id', label: 'Intent group id', kind: 'number' },
];

export const RUN_ORDERS = [
  ['-id', 'newest'],
  ['id', 'oldest'],
  ['-duration_ms', 'slowest'],
  ['-cost', 'dearest'],
] as const;
export const REQUEST_ORDERS = [
  ['-id', 'newest'],
  ['id', 'oldest'],
  ['-response_time_ms', 'slowest'],
  ['-cost', 'dearest'],
  ['-total_tokens', 'most tokens'],
] as const;

import type { RunTimelineEvent, TimelineEvent } from '@signalbox/contracts';

/** A call of an action, a sub-agent, a tool, a member of `ctx` or a workflow. */
export interface ToolCall {
  tool: string;
  /** JSON; null when unknown. */
  arguments: unknown;
  output: unknown;
  status: 'SUCCESS' | 'ERROR' | 'OPEN';
  error: string | null;
  duration_ms: number | null;
}

/** Includes descendants. */
export interface ItemSteps {
  status: string;
  /** In the order in which they began. */
  calls: ToolCall[];
  /** Failures other than of calls, such as of a model, as sentences. */
  failures: string[];
}

const callOf = (tool: string, given: Partial<ToolCall> = {}): ToolCall => ({
  tool,
  arguments: null,
  output: null,
  status: 'OPEN',
  error: null,
  duration_ms: null,
  ...given,
});

/** Hosted or traced. */
export function stepsOfTask(status: string, events: readonly TimelineEvent[]): ItemSteps {
  const steps: ItemSteps = { status, calls: [], failures: [] };
  /** Calls without a result, by task, step and action. Without a step, results arrive in the order of the calls. */
  const open = new Map<string, ToolCall[]>();
  for (const event of events) {
    const { type, task_id, step = '', action_name = '' } = event;
    const key = `${task_id}/${step}/${action_name}`;
    if (type === 'action_invoked') {
      const call = callOf(action_name, { arguments: event.arguments ?? null });
      steps.calls.push(call);
      open.set(key, [...(open.get(key) ?? []), call]);
    } else if (type === 'action_result') {
      const [call = callOf(action_name), ...later] = open.get(key) ?? [];
      if (!open.get(key)?.length) steps.calls.push(call);
      open.set(key, later);
      const isGood = event.status === 'SUCCESS';
      Object.assign(call, {
        output: event.output ?? null,
        status: isGood ? 'SUCCESS' : 'ERROR',
        error: isGood ? null : (event.message ?? textOf(event.output) ?? event.failure_class ?? 'it failed'),
        duration_ms: event.duration_ms ?? null,
      });
    } else if (type === 'sub_agent_invoked') steps.calls.push(subAgentCall(event));
    else addFailure(steps, event);
  }
  return steps;
}

function subAgentCall({ child_agent_name = '', result }: TimelineEvent): ToolCall {
  if (!result) return callOf(child_agent_name);
  const isGood = result.status === 'COMPLETED';
  return callOf(child_agent_name, {
    output: result.output ?? null,
    status: isGood ? 'SUCCESS' : 'ERROR',
    error: isGood ? null : (result.error_message ?? `it is ${result.status}`),
  });
}

/** Of the last attempt. */
export function stepsOfRun(status: string, events: readonly RunTimelineEvent[]): ItemSteps {
  const steps: ItemSteps = { status, calls: [], failures: [] };
  const children = new Map<string, ToolCall>();
  for (const event of events) {
    const { type, about, duration_ms = null } = event;
    if (type === 'call') {
      const isGood = event.status === 'SUCCESS';
      const error = isGood ? null : (textOf((about as { error?: unknown } | null)?.error) ?? 'it failed');
      steps.calls.push(
        callOf(event.member ?? '', {
          arguments: about ?? null,
          status: isGood ? 'SUCCESS' : 'ERROR',
          error,
          duration_ms,
        }),
      );
    } else if (type === 'run_restart' && event.parent_run_id === null) {
      steps.calls = [];
      steps.failures = [];
    } else if (type === 'step') steps.calls.push(callOf(event.name ?? '', { status: 'SUCCESS', duration_ms }));
    else if (type === 'child_run') addChild(steps, children, event);
    else addFailure(steps, event);
  }
  return steps;
}

/** One event says that it begins, another one how it has ended. */
function addChild(steps: ItemSteps, known: Map<string, ToolCall>, event: RunTimelineEvent): void {
  const { child_run_id = '', ref = '', status } = event;
  const call = known.get(child_run_id) ?? callOf(ref);
  if (!known.has(child_run_id)) steps.calls.push(call);
  known.set(child_run_id, call);
  if (status === 'COMPLETED') call.status = 'SUCCESS';
  else if (status !== 'QUEUED' && status !== 'RUNNING')
    Object.assign(call, { status: 'ERROR', error: `it is ${status ?? 'unknown'}` });
}

function addFailure(steps: ItemSteps, event: TimelineEvent | RunTimelineEvent): void {
  if (event.type === 'error') steps.failures.push(event.message ?? 'an error');
  if (event.type === 'model_answered' && event.failure_class)
    steps.failures.push(`a call of a model failed: ${event.failure_class}`);
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

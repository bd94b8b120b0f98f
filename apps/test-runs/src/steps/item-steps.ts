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
    else steps.failures.push(...failuresIn(event));
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

/** Of the last attempt, with what nested runs did that it has found ended. */
export function stepsOfRun(status: string, events: readonly RunTimelineEvent[]): ItemSteps {
  const made = new MadeByRuns();
  for (const event of events) made.take(event);
  return { status, ...made.steps };
}

/** Of a run and those below it. */
class MadeByRuns {
  /** The call of a nested run belongs to that run, any other one to the run that made it. */
  private calls: { run: string; call: ToolCall }[] = [];
  private failures: { run: string; failure: string }[] = [];
  private readonly children = new Map<string, ToolCall>();
  private readonly ended = new Set<string>();
  /** Nested runs that a restart has interrupted: they are called once the script calls them again. */
  private interrupted = new Set<string>();

  get steps(): Omit<ItemSteps, 'status'> {
    return { calls: this.calls.map(({ call }) => call), failures: this.failures.map(({ failure }) => failure) };
  }

  take(event: RunTimelineEvent): void {
    const { type, run_id: run, parent_run_id: parent, name = '' } = event;
    if (type === 'run_restart' && parent === null) return this.restart();
    // Also of an interrupted run that was not called again.
    if (type === 'run_end') return void this.ended.add(run);
    this.goesOn(run);
    if (type === 'call') this.calls.push({ run, call: memberCall(event) });
    else if (type === 'step')
      this.calls.push({ run, call: callOf(name, { status: 'SUCCESS', duration_ms: event.duration_ms ?? null }) });
    else if (type === 'child_run') this.addChild(event);
    else for (const failure of failuresIn(event)) this.failures.push({ run, failure });
  }

  private restart(): void {
    const hasEnded = ({ run }: { run: string }): boolean => this.ended.has(run);
    this.calls = this.calls.filter(hasEnded);
    this.failures = this.failures.filter(hasEnded);
    this.interrupted = new Set([...this.children.keys()].filter((run) => !this.ended.has(run)));
  }

  private goesOn(run: string): void {
    const call = this.interrupted.delete(run) ? this.children.get(run) : undefined;
    if (call) this.calls.push({ run, call });
  }

  /** One event says that it begins, another one how it has ended. */
  private addChild({ child_run_id: run = '', ref = '', status }: RunTimelineEvent): void {
    this.goesOn(run);
    const call = this.children.get(run) ?? callOf(ref);
    if (!this.children.has(run)) this.calls.push({ run, call });
    this.children.set(run, call);
    if (status === 'COMPLETED') call.status = 'SUCCESS';
    else if (status !== 'QUEUED' && status !== 'RUNNING')
      Object.assign(call, { status: 'ERROR', error: `it is ${status ?? 'unknown'}` });
  }
}

function memberCall({ member = '', about, status, duration_ms }: RunTimelineEvent): ToolCall {
  const isGood = status === 'SUCCESS';
  const error = isGood ? null : (textOf((about as { error?: unknown } | null)?.error) ?? 'it failed');
  const result = { status: isGood ? 'SUCCESS' : 'ERROR', error, duration_ms: duration_ms ?? null } as const;
  return callOf(member, { arguments: about ?? null, ...result });
}

function failuresIn(event: TimelineEvent | RunTimelineEvent): string[] {
  if (event.type === 'error') return [event.message ?? 'an error'];
  if (event.type === 'model_answered' && event.failure_class)
    return [`a call of a model failed: ${event.failure_class}`];
  return [];
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** An event of a timeline, as the API lists it. */
export interface TimelineEvent {
  type: string;
  timestamp: number;
  seq?: number | null;
  [field: string]: unknown;
}

/** One step of a run: what was started, with what came back. */
export interface Step {
  key: string;
  kind: string;
  title: string;
  at: number;
  durationMs: number | null;
  state: string | null;
  /** Whose failure it was, where an error of the same run says so. */
  failureClass: string | null;
  parts: TimelineEvent[];
}

const ENDS: Record<string, string> = {
  action_result: 'action_invoked',
  model_answered: 'model_called',
  run_end: 'run_start',
  task_end: 'task_start',
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const ownerOf = (event: TimelineEvent): string => text(event.task_id) || text(event.run_id);

/** What pairs the beginning of a step with its end. */
function pairOf(event: TimelineEvent): string {
  const begins = ENDS[event.type] ?? event.type;
  const owner = ownerOf(event);
  const id =
    begins === 'model_called' ? event.step : begins === 'action_invoked' ? (event.step ?? event.action_id) : '';
  return `${begins}/${owner}/${String(id ?? '')}`;
}

const TITLES: Record<string, (event: TimelineEvent) => string> = {
  call: (event) => `Call ${text(event.member)}`,
  child_run: (event) => `Workflow ${text(event.ref) || text(event.child_run_id)}`,
  action_invoked: (event) => `Action ${text(event.action_name) || String(event.action_id ?? '')}`,
  error: (event) => `Error: ${text(event.message)}`,
  log: (event) => `Log: ${text(event.message)}`,
  message: (event) => (event.role === 'user' ? 'Message of the user' : 'Answer'),
  model_called: (event) => `Model ${text(event.model)}`,
  routing: () => 'Routing',
  run_restart: () => 'Begun again on another worker',
  run_start: () => 'Run',
  state_update: () => 'State changed',
  step: (event) => `Step ${text(event.name)}`,
  sub_agent_invoked: (event) => `Sub-agent ${text(event.child_agent_name) || String(event.child_agent_id ?? '')}`,
  task_start: () => 'Task',
  waiting_webhook: () => 'Waiting for a callback',
};

const stateOf = (event: TimelineEvent): string | null =>
  event.type === 'error' ? 'ERROR' : text(event.status) || (event.failure_class ? 'ERROR' : null);

/** The steps of a timeline in their order; an end joins its beginning, and one without a beginning stands alone. */
export function stepsOf(events: readonly TimelineEvent[]): Step[] {
  const steps: Step[] = [];
  const open = new Map<string, Step>();
  const failures = new Map<string, string>();
  events.forEach((event, n) => {
    const pair = pairOf(event);
    const owner = ownerOf(event);
    if (text(event.failure_class)) failures.set(owner, text(event.failure_class));
    const begun = event.type in ENDS ? open.get(pair) : undefined;
    if (begun) {
      begun.parts.push(event);
      begun.state = stateOf(event) ?? begun.state;
      if (begun.state === 'FAILED') begun.failureClass = failures.get(owner) ?? null;
      begun.durationMs = typeof event.duration_ms === 'number' ? event.duration_ms : event.timestamp - begun.at;
      open.delete(pair);
      return;
    }
    const title = TITLES[event.type]?.(event) ?? event.type.replaceAll('_', ' ');
    const durationMs = typeof event.duration_ms === 'number' ? event.duration_ms : null;
    const step = {
      key: `${n}`,
      kind: event.type,
      title,
      at: event.timestamp,
      durationMs,
      state: stateOf(event),
      failureClass: null,
      parts: [event],
    };
    steps.push(step);
    open.set(pair, step);
  });
  return steps;
}

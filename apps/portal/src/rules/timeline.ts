export interface TimelineEvent {
  type: string;
  timestamp: number;
  seq?: number | null;
  [field: string]: unknown;
}

/** Its start joined with its end. */
export interface Step {
  key: string;
  kind: string;
  title: string;
  at: number;
  durationMs: number | null;
  state: string | null;
  /** Where an error of the same run names it. */
  failureClass: string | null;
  /** The task of the step, and the one that it started. */
  taskId: string;
  childTaskId: string | null;
  requestId: string | null;
  tokens: number | null;
  /** Positions of its events, whose texts are loaded on demand. */
  offsets: number[];
  /** Kept only for a whole timeline. */
  events: readonly TimelineEvent[];
}

const ENDS: Record<string, string> = {
  action_result: 'action_invoked',
  model_answered: 'model_called',
  run_end: 'run_start',
  task_end: 'task_start',
};
const TITLE_CHARS = 160;
const NO_EVENTS: readonly TimelineEvent[] = [];

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const ownerOf = (event: TimelineEvent): string => text(event.task_id) || text(event.run_id);

/** Joins the start of a step with its end; old traces have only names of actions. */
function pairOf(event: TimelineEvent): string {
  const begins = ENDS[event.type] ?? event.type;
  const id =
    begins === 'model_called'
      ? event.step
      : begins === 'action_invoked'
        ? (event.step ?? event.action_id ?? event.action_name)
        : '';
  return `${begins}/${ownerOf(event)}/${String(id ?? '')}`;
}

/** Actions without a step: several of one name may be open, and end in order. */
const isQueued = ({ type, step }: TimelineEvent): boolean => type === 'action_invoked' && step == null;

const TITLES: Record<string, (event: TimelineEvent) => string> = {
  call: (event) => `Call ${text(event.member)}`,
  child_run: (event) => `Workflow ${text(event.ref) || text(event.child_run_id)}`,
  action_invoked: (event) => `Action ${text(event.action_name) || String(event.action_id ?? '')}`,
  action_result: (event) => `Action ${text(event.action_name) || String(event.action_id ?? '')}`,
  error: (event) => `Error: ${text(event.message)}`,
  log: (event) => `Log: ${text(event.message)}`,
  message: (event) => {
    const who = event.role === 'user' ? 'Message of the user' : 'Answer';
    const said = text(event.content)
      .slice(0, 2 * TITLE_CHARS)
      .replace(/\s+/g, ' ')
      .trim();
    return said === '' ? who : `${who}: ${said}`;
  },
  model_answered: () => 'Model',
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

function stateOf(event: TimelineEvent): string | null {
  if (event.type === 'error') return 'ERROR';
  const result = event.result as { status?: string } | undefined;
  return text(event.status) || text(result?.status) || (event.failure_class ? 'ERROR' : null);
}

const durationOf = ({ duration_ms }: TimelineEvent): number | null =>
  typeof duration_ms === 'number' ? duration_ms : null;

/** Keeps nothing of the original text in memory. */
function titleOf(event: TimelineEvent): string {
  const title = TITLES[event.type]?.(event) ?? event.type.replaceAll('_', ' ');
  const cut = title.length > TITLE_CHARS ? `${title.slice(0, TITLE_CHARS - 1)}…` : title;
  // A slice of a string references the whole; a copy does not.
  return JSON.parse(JSON.stringify(cut)) as string;
}

function begunBy(event: TimelineEvent, offset: number): Step {
  return {
    key: `${offset}`,
    kind: event.type,
    title: titleOf(event),
    at: event.timestamp,
    durationMs: durationOf(event),
    state: stateOf(event),
    failureClass: null,
    taskId: ownerOf(event),
    childTaskId: text(event.child_task_id) || null,
    requestId: text(event.request_id) || null,
    tokens: null,
    offsets: [offset],
    events: NO_EVENTS,
  };
}

/**
 * Steps of a timeline that arrives in pages. An end joins its start, or stands alone. Texts are dropped: thirty
 * thousand steps stay a few megabytes.
 */
export class Steps {
  readonly list: Step[] = [];
  size = 0;
  private readonly open = new Map<string, Step[]>();
  private readonly starters = new Map<string, Step>();
  /** Class of the latest error, by task or run. */
  private readonly failures = new Map<string, string>();
  private readonly texts = new Map<string, string>();

  constructor(private readonly keepsEvents = false) {}

  add(events: readonly TimelineEvent[]): void {
    for (const event of events) this.addOne(event, this.size++);
  }

  private addOne(event: TimelineEvent, offset: number): void {
    if (event.type === 'task_end') this.endStarter(event);
    const owner = ownerOf(event);
    if (text(event.failure_class)) this.failures.set(owner, text(event.failure_class));
    const pair = pairOf(event);
    const begun = event.type in ENDS ? this.open.get(pair)?.shift() : undefined;
    if (!begun) {
      const step = begunBy(event, offset);
      step.taskId = this.once(step.taskId);
      step.title = this.once(step.title);
      step.kind = this.once(step.kind);
      step.state = step.state && this.once(step.state);
      if (this.keepsEvents) step.events = [event];
      this.list.push(step);
      this.open.set(pair, isQueued(event) ? [...(this.open.get(pair) ?? []), step] : [step]);
      if (step.childTaskId !== null) this.starters.set(step.childTaskId, step);
      return;
    }
    const usage = event.usage as { total_tokens?: number } | null | undefined;
    begun.offsets.push(offset);
    if (this.keepsEvents) begun.events = [...begun.events, event];
    const state = stateOf(event);
    if (state !== null) begun.state = this.once(state);
    if (begun.state === 'FAILED') begun.failureClass = this.failures.get(owner) ?? null;
    else if (begun.state === 'ERROR') begun.failureClass = text(event.failure_class) || null;
    begun.durationMs = durationOf(event) ?? event.timestamp - begun.at;
    begun.tokens = usage?.total_tokens ?? null;
  }

  private once(text: string): string {
    const known = this.texts.get(text);
    if (known === undefined) this.texts.set(text, text);
    return known ?? text;
  }

  /** The step that started a task ends with it. */
  private endStarter(event: TimelineEvent): void {
    const starter = this.starters.get(ownerOf(event));
    if (!starter) return;
    starter.state = stateOf(event) ?? starter.state;
    starter.durationMs ??= event.timestamp - starter.at;
  }
}

export function stepsOf(events: readonly TimelineEvent[]): Step[] {
  const steps = new Steps(true);
  steps.add(events);
  return steps.list;
}

import { Injectable } from '@nestjs/common';
import { type Caller, type ExternalTask, type ExternalTrace, type Message } from '@signalbox/contracts';
import { Database, type FeedbackColumns, type Tx, writeFeedback } from '@signalbox/database';
import { type CommittedEvents, type RunEvent, RunNotifications } from '@signalbox/runs';
import { taskLifecycle, type TaskRecord, TaskRuns } from '../tasks/index.js';
import { AgentVersions } from '../versions/index.js';
import {
  DELETE_TIMELINE,
  FIND_TASK,
  INSERT_TIMELINE,
  LOCK_TASKS,
  NEXT_STEP,
  OPEN_SESSION,
  RECORD_OF_TASK,
  UPSERT_TASK,
  TOLD_COLUMNS,
} from './external-tasks.sql.js';

interface KnownTask {
  id: string;
  status: string;
  parent_task_id: string | null;
  parent_step: number | null;
  last_seq: number;
}

type Session = FeedbackColumns & { id: number };

type Trace = Omit<ExternalTrace, 'tasks'>;

/** What has become of a task with what is known of it now. */
interface TaskState {
  status: 'RUNNING' | 'COMPLETED' | 'FAILED';
  completed_at: number | null;
  output: string | null;
  failure_class: string | null;
  error_message: string | null;
}

const MAX_VERSIONS = 1000;

/**
 * Tasks that run elsewhere. Each is written whole whenever more of its trace has arrived; it is RUNNING until its trace is
 * closed, and again when the trace is reopened.
 *
 * SQL: a task is one upsert, and its timeline is replaced.
 */
@Injectable()
export class ExternalTasks {
  constructor(
    private readonly db: Database,
    private readonly runs: TaskRuns,
    private readonly versions: AgentVersions,
    private readonly notifications: RunNotifications,
  ) {}

  /** Stores the tasks of a trace; `agents` has the id of the agent of each name. */
  async record(caller: Caller, { tasks, ...trace }: ExternalTrace, agents: ReadonlyMap<string, number>) {
    const committed: CommittedEvents[] = [];
    const stored = await this.db.withCompany(caller, async (tx) => {
      committed.length = 0;
      // In one order, so that two writes of related tasks do not wait for each other.
      await tx.query(LOCK_TASKS, [tx.companyId, tasks.map(({ id }) => id)]);
      const rows = [];
      for (const task of tasks) {
        const agent_id = agents.get(task.agent_name) ?? 0;
        committed.push(...(await this.recordTask(tx, trace, task, agent_id)));
        rows.push({ id: task.id, agent_id });
      }
      return { tasks: rows };
    });
    this.notifications.publish(committed);
    return stored;
  }

  private async recordTask(tx: Tx, trace: Trace, task: ExternalTask, agentId: number): Promise<CommittedEvents[]> {
    const known = await knownTask(tx, task.id);
    // The agent was deleted, or the task cancelled with it.
    if (known?.status === 'CANCELLED') return [];
    const session = await openSession(tx, agentId, task.session_id);
    const version = await this.versionOf(tx, agentId, task);
    const state = stateOf(trace, task);
    const step = await parentStep(tx, task, known);
    await upsert(tx, trace, task, { agentId, session: session.id, step, state, ...version });
    await replaceTimeline(tx, task, session.id, state);
    if (trace.is_closed) await giveFeedback(tx, task, session);
    return this.announce(tx, task, known, { agentId, state, version: version.version });
  }

  /** The version, which is made when it is new; one too many is kept as it was reported. */
  private async versionOf(tx: Tx, agentId: number, { version, reported_version }: ExternalTask) {
    if (version === null) return { version, reported_version };
    const isKept = await this.versions.addReported(tx, agentId, version, MAX_VERSIONS);
    return isKept ? { version, reported_version } : { version: null, reported_version: version };
  }

  /** The lifecycle events of the changes of a task, and the events of its stream, which ends once. */
  private async announce(
    tx: Tx,
    task: ExternalTask,
    known: KnownTask | null,
    { agentId, state, version }: { agentId: number; state: TaskState; version: string | null },
  ): Promise<CommittedEvents[]> {
    const hasEnded = state.status !== 'RUNNING' && (known === null || known.status === 'RUNNING');
    const [record] = await tx.query<TaskRecord>(RECORD_OF_TASK, [tx.companyId, task.id]);
    if (record && known === null) tx.emit(...taskLifecycle('start', { ...record, status: 'RUNNING' }));
    if (record && hasEnded) tx.emit(...taskLifecycle(state.status === 'FAILED' ? 'fail' : 'complete', record));
    const started: RunEvent = {
      event: {
        type: 'task.started',
        data: { agent_id: agentId, session_id: task.session_id, ...(version === null ? {} : { version }) },
      },
    };
    const events = [
      ...(known === null ? [started] : []),
      ...(hasEnded && (known?.last_seq ?? 0) <= 1 ? [endOf(task, state)] : []),
    ];
    if (events.length === 0) return [];
    return [await this.runs.writes.log(tx, { id: task.id, last_seq: known?.last_seq ?? 0 }, events)];
  }
}

async function knownTask(tx: Tx, id: string): Promise<KnownTask | null> {
  const [known] = await tx.query<KnownTask>(FIND_TASK, [tx.companyId, id]);
  return known ?? null;
}

/** A step of the parent for the task: the one that it has, else one that no other task has. */
async function parentStep(tx: Tx, { parent_task_id }: ExternalTask, known: KnownTask | null): Promise<number | null> {
  if (parent_task_id === null) return null;
  if (known?.parent_task_id === parent_task_id) return known.parent_step;
  const [next] = await tx.query<{ step: number }>(NEXT_STEP, [tx.companyId, parent_task_id]);
  return next?.step ?? null;
}

async function openSession(tx: Tx, agentId: number, sessionId: string): Promise<Session> {
  const [session] = await tx.query<Session>(OPEN_SESSION, [tx.companyId, agentId, sessionId]);
  if (!session) throw new Error('an upsert returned no session');
  return session;
}

function stateOf({ is_closed }: Trace, task: ExternalTask): TaskState {
  const output = task.output && JSON.stringify(task.output);
  const open = { failure_class: null, error_message: null };
  if (!is_closed) return { status: 'RUNNING', completed_at: null, output, ...open };
  const completed_at = Math.max(task.started_at, task.ended_at);
  const { failure_class, error_message } = task;
  if (failure_class === null) return { status: 'COMPLETED', completed_at, output, ...open };
  return { status: 'FAILED', completed_at, output, failure_class, error_message };
}

interface Place {
  agentId: number;
  session: number;
  step: number | null;
  state: TaskState;
  version: string | null;
  reported_version: string | null;
}

async function upsert(tx: Tx, trace: Trace, task: ExternalTask, place: Place): Promise<void> {
  const { state } = place;
  const { usage } = task;
  const row: Record<(typeof TOLD_COLUMNS)[number], unknown> = {
    agent_id: place.agentId,
    parent_task_id: task.parent_task_id,
    parent_step: place.step,
    session_no: place.session,
    session_id: task.session_id,
    status: state.status,
    version: place.version,
    reported_version: place.reported_version,
    release: task.release,
    application_id: trace.application.id,
    input_messages: JSON.stringify(task.input_messages),
    output: state.output,
    metadata: JSON.stringify(task.metadata),
    model: task.model,
    iterations: task.iterations,
    prompt_tokens: usage.prompt_tokens,
    completion_tokens: usage.completion_tokens,
    total_tokens: usage.total_tokens,
    cost: usage.cost,
    failure_class: state.failure_class,
    error_message: state.error_message,
    started_at: task.started_at,
    completed_at: state.completed_at,
    trigger: trace.is_test ? 'TEST' : 'EXTERNAL',
    depth: task.parent_task_id === null ? 0 : 1,
  };
  await tx.query(UPSERT_TASK, [
    tx.companyId,
    task.id,
    Math.min(task.started_at, Date.now()),
    ...TOLD_COLUMNS.map((name) => row[name]),
  ]);
}

/** Spans arrive in any order, so the timeline is written anew, in the order of what happened. */
async function replaceTimeline(tx: Tx, task: ExternalTask, session: number, state: TaskState): Promise<void> {
  const at = task.started_at;
  const end = Math.max(at, task.ended_at);
  const events = [
    { type: 'task_start', at, data: { status: 'RUNNING' } },
    ...messagesOf(task).map((data) => ({ type: 'message', at, data })),
    ...task.timeline,
    ...endEvents(state, task).map((event) => ({ ...event, at: end })),
  ];
  await tx.query(DELETE_TIMELINE, [tx.companyId, task.id]);
  await tx.query(INSERT_TIMELINE, [
    tx.companyId,
    task.id,
    session,
    events.map(({ type }) => type),
    events.map(({ data }) => JSON.stringify(data)),
    events.map((event) => event.at),
  ]);
}

const messagesOf = ({ input_messages }: ExternalTask): { role: unknown; content: unknown }[] =>
  input_messages.map(({ role, content }) => ({ role, content: content ?? '' }));

function endEvents({ status, failure_class, error_message }: TaskState, { output }: ExternalTask) {
  if (status === 'RUNNING') return [];
  const end = { type: 'task_end', data: { status } };
  if (status === 'FAILED') return [{ type: 'error', data: { message: error_message ?? '', failure_class } }, end];
  return [end, { type: 'message', data: { role: 'assistant', content: (output as Message | null)?.content ?? '' } }];
}

function endOf({ id, output, usage, session_id, model, ended_at }: ExternalTask, state: TaskState): RunEvent {
  const { failure_class, error_message } = state;
  if (state.status === 'FAILED')
    return {
      event: { type: 'task.failed', data: { failure_class, error_code: null, message: error_message ?? '' } },
    };
  const message = output ?? { role: 'assistant', content: '' };
  const created = Math.floor(ended_at / 1000);
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const result = { id, task_id: id, session_id, object: 'chat.completion', created, model, choices, usage };
  return { event: { type: 'task.completed', data: { result } } };
}

/** The evaluation becomes the feedback on the session, unless a user has given some. */
async function giveFeedback(tx: Tx, { feedback }: ExternalTask, session: Session): Promise<void> {
  if (feedback === null || session.feedback_key_id !== null) return;
  const score = feedback.score === null ? null : Math.round(feedback.score);
  if (session.feedback_score === score && session.feedback_text === feedback.text) return;
  await writeFeedback(tx, 'agents.sessions', session, { score, text: feedback.text });
}

import { Injectable } from '@nestjs/common';
import type { Caller, ExternalTask } from '@signalbox/contracts';
import { arrayParameter, Database, type FeedbackColumns, type Tx, writeFeedback } from '@signalbox/database';
import { type CommittedEvents, RunNotifications } from '@signalbox/runs';
import { taskLifecycle, type TaskRecord, TaskRuns } from '../tasks/index.js';
import { AgentVersions } from '../versions/index.js';
import { erasedTasks, withoutContent } from './erased-tasks.js';
import {
  endOf,
  type PlacedTask,
  rowOf,
  startOf,
  stateOf,
  timelinesOf,
  type ReportedTask,
} from './external-task-rows.js';
import {
  DELETE_TIMELINES,
  INSERT_TIMELINES,
  LAST_STEPS,
  LOCK_TASKS,
  OPEN_SESSIONS,
  REPORTED_COLUMNS,
  UPSERT_TASKS,
} from './external-tasks.sql.js';

interface KnownTask {
  id: string;
  status: string;
  session_no: number;
  /** The session was deleted. */
  is_erased: boolean;
  parent_task_id: string | null;
  parent_step: number | null;
  last_seq: number;
}

type Session = FeedbackColumns & { id: number; agent_id: number };

interface StoredTask extends PlacedTask {
  known: KnownTask | undefined;
  hasEnded: boolean;
  isErased: boolean;
  /** Null when the session was deleted. */
  sessionRow: Session | null;
  events: CommittedEvents;
}

const MAX_VERSIONS = 1000;

const keyOf = (...parts: (string | number)[]): string => JSON.stringify(parts);

/**
 * Tasks that run elsewhere. Each is written whole whenever more of its trace has arrived; it is RUNNING until its trace
 * is closed, and again when the trace is reopened.
 *
 * SQL: the tasks of several traces are one upsert, and their timelines are replaced together.
 */
@Injectable()
export class ExternalTasks {
  constructor(
    private readonly db: Database,
    private readonly runs: TaskRuns,
    private readonly versions: AgentVersions,
    private readonly notifications: RunNotifications,
  ) {}

  /** All of them or none; a parent precedes its children. */
  async record(caller: Caller, reported: readonly ReportedTask[]): Promise<void> {
    if (reported.length === 0) return;
    const committed = await this.db.withCompany(caller, (tx) => this.recordIn(tx, reported));
    this.notifications.publish(committed);
  }

  private async recordIn(tx: Tx, reported: readonly ReportedTask[]): Promise<CommittedEvents[]> {
    const known = await lockTasks(tx, reported);
    // The agent was deleted, or the task cancelled with it.
    const alive = reported.filter(({ task }) => known.get(task.id)?.status !== 'CANCELLED');
    if (alive.length === 0) return [];
    const stored = await this.place(tx, alive, known);
    const records = await upsert(tx, stored);
    await replaceTimelines(
      tx,
      stored.filter(({ isErased }) => !isErased),
    );
    for (const each of stored) if (each.trace.is_closed) await giveFeedback(tx, each);
    announce(tx, stored, records);
    const committed = stored.map(({ events }) => events).filter(({ events }) => events.length > 0);
    await this.runs.writes.storeNumbered(tx, committed);
    return committed;
  }

  private async place(
    tx: Tx,
    reported: readonly ReportedTask[],
    known: ReadonlyMap<string, KnownTask>,
  ): Promise<StoredTask[]> {
    const erased = erasedTasks(reported, known);
    const keepsSession = ({ task: { id } }: ReportedTask): boolean => erased.has(id) && known.has(id);
    const opened = reported.filter((each) => !keepsSession(each));
    const sessions = await openSessions(tx, opened);
    const kept = await this.keepVersions(tx, reported);
    const stepOf = await parentSteps(tx, reported, known);
    return reported.map((whole): StoredTask => {
      const isErased = erased.has(whole.task.id);
      const each = isErased ? withoutContent(whole) : whole;
      const { task, agentId } = each;
      const sessionRow = (!keepsSession(each) && sessions.get(keyOf(agentId, task.session_id))) || null;
      const session = sessionRow?.id ?? known.get(task.id)?.session_no;
      if (session === undefined) throw new Error('an upsert returned no session');
      const isKept = task.version === null || kept.has(keyOf(agentId, task.version));
      const version = isKept ? task.version : null;
      const reported_version = isKept ? task.reported_version : task.version;
      const place = { version, reported_version, session, step: stepOf(task), state: stateOf(each) };
      const events = this.eventsOf({ ...each, ...place }, known.get(task.id));
      return { ...each, ...place, isErased, sessionRow, ...events };
    });
  }

  /** Creates missing versions up to the limit, and returns those that exist then. */
  private async keepVersions(tx: Tx, reported: readonly ReportedTask[]): Promise<Set<string>> {
    const named = new Map(
      reported.map(({ agentId, task: { version } }) => [keyOf(agentId, version ?? ''), { agentId, version }]),
    );
    const kept = new Set<string>();
    for (const { agentId, version } of [...named.values()].sort((a, b) => a.agentId - b.agentId))
      if (version !== null && (await this.versions.addReported(tx, agentId, version, MAX_VERSIONS)))
        kept.add(keyOf(agentId, version));
    return kept;
  }

  private eventsOf(
    { task, agentId, state, version }: Omit<PlacedTask, 'last_seq'>,
    known: KnownTask | undefined,
  ): Pick<StoredTask, 'known' | 'hasEnded' | 'events' | 'last_seq'> {
    const hasEnded = state.status !== 'RUNNING' && (known === undefined || known.status === 'RUNNING');
    const run = { id: task.id, last_seq: known?.last_seq ?? 0 };
    const events = this.runs.writes.numbered(run, [
      ...(known ? [] : [startOf(agentId, task.session_id, version)]),
      ...(hasEnded && (known?.last_seq ?? 0) <= 1 ? [endOf(task, state)] : []),
    ]);
    return { known, hasEnded, events, last_seq: run.last_seq };
  }
}

async function lockTasks(tx: Tx, reported: readonly ReportedTask[]): Promise<Map<string, KnownTask>> {
  const rows = await tx.query<KnownTask>(LOCK_TASKS, [tx.companyId, reported.map(({ task }) => task.id)]);
  return new Map(rows.map((row) => [row.id, row]));
}

async function openSessions(tx: Tx, reported: readonly ReportedTask[]): Promise<Map<string, Session>> {
  if (reported.length === 0) return new Map();
  const named = new Map(reported.map((each) => [keyOf(each.agentId, each.task.session_id), each]));
  const rows = await tx.query<Session>(OPEN_SESSIONS, [
    tx.companyId,
    [...named.values()].map(({ agentId }) => agentId),
    [...named.values()].map(({ task }) => task.session_id),
  ]);
  return new Map(rows.map((row) => [keyOf(row.agent_id, row.session_id), row]));
}

/** The step that the task has already, else one that no other task has. */
async function parentSteps(
  tx: Tx,
  reported: readonly ReportedTask[],
  known: ReadonlyMap<string, KnownTask>,
): Promise<(task: ExternalTask) => number | null> {
  const isNew = ({ id, parent_task_id }: ExternalTask): boolean =>
    parent_task_id !== null && known.get(id)?.parent_task_id !== parent_task_id;
  const parents = new Set(reported.flatMap(({ task }) => (isNew(task) ? [task.parent_task_id] : [])));
  const values = [tx.companyId, [...parents]];
  const rows = parents.size > 0 ? await tx.query<{ id: string | null; step: number }>(LAST_STEPS, values) : [];
  const last = new Map(rows.map(({ id, step }) => [id, step]));
  return (task) => {
    const { id, parent_task_id } = task;
    if (parent_task_id === null) return null;
    if (!isNew(task)) return known.get(id)?.parent_step ?? null;
    const step = (last.get(parent_task_id) ?? 0) + 1;
    last.set(parent_task_id, step);
    return step;
  };
}

async function upsert(tx: Tx, stored: readonly StoredTask[]): Promise<Map<string, TaskRecord>> {
  const rows = stored.map(rowOf);
  const names = Object.keys(REPORTED_COLUMNS) as (keyof typeof REPORTED_COLUMNS)[];
  const records = await tx.query<TaskRecord>(UPSERT_TASKS, [
    tx.companyId,
    stored.map(({ task }) => task.id),
    stored.map(({ task }) => Math.min(task.started_at, Date.now())),
    ...names.map((name) =>
      arrayParameter(
        REPORTED_COLUMNS[name],
        rows.map((row) => row[name]),
      ),
    ),
  ]);
  return new Map(records.map((record) => [record.id, record]));
}

/** Spans arrive in any order, so the timelines are written anew. */
async function replaceTimelines(tx: Tx, stored: readonly StoredTask[]): Promise<void> {
  const known = stored.flatMap((each) => (each.known ? [each.known.id] : []));
  if (known.length > 0) await tx.query(DELETE_TIMELINES, [tx.companyId, known]);
  const rows = timelinesOf(stored);
  await tx.query(INSERT_TIMELINES, [
    tx.companyId,
    rows.map(({ id }) => id),
    rows.map(({ session }) => session),
    rows.map(({ type }) => type),
    rows.map(({ data }) => JSON.stringify(data)),
    arrayParameter(
      'bigint',
      rows.map(({ at }) => at),
    ),
  ]);
}

function announce(tx: Tx, stored: readonly StoredTask[], records: ReadonlyMap<string, TaskRecord>): void {
  const recordsOf = (tasks: readonly StoredTask[]): TaskRecord[] =>
    tasks.flatMap(({ task }) => records.get(task.id) ?? []);
  const started = recordsOf(stored.filter(({ known }) => !known));
  const ended = recordsOf(stored.filter(({ hasEnded }) => hasEnded));
  tx.emitTogether(started.flatMap((record) => taskLifecycle('start', { ...record, status: 'RUNNING' })));
  // Events of one kind share messages.
  for (const [trigger, status] of [
    ['complete', 'COMPLETED'],
    ['fail', 'FAILED'],
  ] as const)
    tx.emitTogether(
      ended.filter((record) => record.status === status).flatMap((record) => taskLifecycle(trigger, record)),
    );
}

/** Unless a user has given feedback. */
async function giveFeedback(tx: Tx, { task: { feedback }, sessionRow: session }: StoredTask): Promise<void> {
  if (feedback === null || session === null || session.feedback_key_id !== null) return;
  const score = feedback.score === null ? null : Math.round(feedback.score);
  if (session.feedback_score === score && session.feedback_text === feedback.text) return;
  await writeFeedback(tx, 'agents.sessions', session, { score, text: feedback.text });
  // Another task of the same session may follow.
  Object.assign(session, { feedback_score: score, feedback_text: feedback.text, feedback_at: Date.now() });
}

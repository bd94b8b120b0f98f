import type { Tx } from '@signalbox/database';
import { writeLog } from './run-log.js';
import type { CommittedEvents, LockedRun, RunKind } from '../run-kind.js';
import { moveRun } from './run-transitions.js';

const RUNNING = 'RUNNING';
const WAITING = 'WAITING_WEBHOOK';

/**
 * Locks the ancestors that are suspended until this run has ended, topmost first: all writes that lock related runs use
 * this order. An ancestor that has ended, and those above it, do not wait.
 */
export async function lockAncestors<Run extends LockedRun, Trigger extends string, RunRecord extends object>(
  tx: Tx,
  { statements }: RunKind<Run, Trigger, RunRecord>,
  runId: string,
): Promise<Run[]> {
  const { lockAncestors: lock } = statements.writes;
  if (!lock) return [];
  const rows = await tx.query<Run>(lock, [tx.companyId, runId]);
  const ended = rows.findLastIndex(({ status }) => status !== RUNNING && status !== WAITING);
  return rows.slice(ended + 1);
}

/** The run begins to wait for a callback; returns the events to publish. */
export async function suspendAncestors<Run extends LockedRun, Trigger extends string, RunRecord extends object>(
  tx: Tx,
  kind: RunKind<Run, Trigger, RunRecord>,
  above: readonly Run[],
  runId: string,
  until: { hook_expires_at: number | undefined },
): Promise<CommittedEvents[]> {
  const committed: CommittedEvents[] = [];
  for (const [at, run] of above.entries()) {
    if (run.status !== RUNNING) continue;
    await moveRun(tx, kind, run, 'wait' as Trigger, { hook_expires_at: until.hook_expires_at ?? null });
    const note = kind.eventTemplates.waiting?.(until, { [`child_${kind.tables.key}`]: above[at + 1]?.id ?? runId });
    if (note) committed.push({ id: run.id, events: await writeLog(tx, kind, run, [note]) });
  }
  return committed;
}

export async function resumeAncestors(
  tx: Tx,
  { statements }: Pick<RunKind, 'statements'>,
  above: readonly LockedRun[],
): Promise<void> {
  const waiting = above.filter(({ status }) => status === WAITING);
  if (waiting.length === 0 || !statements.hooks) return;
  await tx.query(statements.hooks.resume, [tx.companyId, waiting.map(({ id }) => id)]);
}

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
  { tables, columns }: RunKind<Run, Trigger, RunRecord>,
  runId: string,
): Promise<Run[]> {
  const { runs, parent } = tables;
  if (!parent) return [];
  const rows = await tx.query<Run>(
    `WITH RECURSIVE ancestors AS (
       SELECT c.${parent} AS id FROM ${runs} c WHERE c.company_id = $1 AND c.id = $2
       UNION ALL
       SELECT c.${parent} FROM ancestors a JOIN ${runs} c ON c.company_id = $1 AND c.id = a.id)
     SELECT ${columns} FROM ${runs} t WHERE t.company_id = $1 AND t.id IN (SELECT id FROM ancestors)
     ORDER BY t.depth FOR NO KEY UPDATE OF t`,
    [tx.companyId, runId],
  );
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
  { tables }: Pick<RunKind, 'tables'>,
  above: readonly LockedRun[],
): Promise<void> {
  const waiting = above.filter(({ status }) => status === WAITING);
  if (waiting.length === 0) return;
  await tx.query(
    `UPDATE ${tables.runs} SET status = '${RUNNING}', hook_expires_at = NULL
     WHERE company_id = $1 AND id = ANY ($2::uuid[])`,
    [tx.companyId, waiting.map(({ id }) => id)],
  );
}

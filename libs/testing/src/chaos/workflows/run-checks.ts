import { sameJson } from '@signalbox/contracts';
import type { Pool } from 'pg';
import { type AcceptedPlan, NESTED, outputOf } from './plan.js';

interface RunRow {
  id: string;
  parent: string | null;
  status: string;
  error: string;
  output: unknown;
  last_seq: number;
  seqs: number[];
  ended: string[];
  emitted: string[];
  kept: string[];
  timeline_ends: number;
}

const RUNS = `SELECT t.id, t.parent_run_id AS parent, t.status, concat_ws(': ', t.error_code, t.error_message) AS error,
    t.output, t.last_seq,
    (SELECT coalesce(array_agg(e.seq ORDER BY e.seq), '{}') FROM workflows.run_events e
      WHERE e.company_id = t.company_id AND e.run_id = t.id) AS seqs,
    (SELECT coalesce(array_agg(e.type ORDER BY e.seq), '{}') FROM workflows.run_events e
      WHERE e.company_id = t.company_id AND e.run_id = t.id
        AND e.type IN ('run.completed', 'run.failed', 'run.timed_out', 'run.cancelled')) AS ended,
    (SELECT coalesce(array_agg(o.payload::json ->> 'event' ORDER BY o.id), '{}') FROM workflows.outbox o
      WHERE o.company_id = t.company_id AND o.payload::json -> 'resource' ->> 'id' = t.id::text
        AND o.subject LIKE 'events.%') AS emitted,
    (SELECT coalesce(array_agg(k.name ORDER BY k.name), '{}') FROM workflows.run_results k
      WHERE k.company_id = t.company_id AND k.run_id = t.id) AS kept,
    (SELECT count(*)::int FROM workflows.run_timeline l
      WHERE l.company_id = t.company_id AND l.run_id = t.id AND l.type = 'run_end') AS timeline_ends
  FROM workflows.runs t WHERE t.company_id = $1`;

const TERMINAL: Record<string, string> = {
  COMPLETED: 'completed',
  FAILED: 'failed',
  TIMED_OUT: 'timed_out',
  CANCELLED: 'cancelled',
};

/** As the state table allows. */
const ALLOWED = /^queued,((cancelled|failed)|started,(completed|failed|timed_out|cancelled))$/;

export async function runFaults(sql: Pool, companyId: number, accepted: readonly AcceptedPlan[]): Promise<string[]> {
  const { rows } = await sql.query<RunRow>(RUNS, [companyId]);
  const known = new Map(rows.map((row) => [row.id, row]));
  const wanted = new Set(accepted.map(({ runId }) => runId));
  const strangers = rows.filter(({ id, parent }) => parent === null && !wanted.has(id));
  return [
    ...(wanted.size === accepted.length ? [] : ['two calls returned the same run']),
    ...strangers.map(({ id }) => `run ${id} was started and belongs to no call`),
    ...rows.flatMap(recordFaults),
    ...accepted.flatMap((plan) => {
      const run = known.get(plan.runId);
      return run ? outcomeFaults(plan, run, familyOf(run, rows)) : [`run ${plan.runId} was accepted and is gone`];
    }),
  ];
}

function familyOf({ id }: RunRow, rows: readonly RunRow[]): RunRow[] {
  const children = rows.filter(({ parent }) => parent === id);
  return children.flatMap((child) => [child, ...familyOf(child, rows)]);
}

/** Row, stream and lifecycle events must agree, once. */
function recordFaults({ id, status, last_seq, seqs, ended, emitted, timeline_ends }: RunRow): string[] {
  const end = TERMINAL[status];
  if (end === undefined) return [`run ${id} is still ${status}`];
  const moved = emitted.map((event) => event.replace('workflow_run.', '')).join();
  const faults: string[] = [];
  if (ended.join() !== `run.${end}`) faults.push(`its stream ends with ${ended.join() || 'nothing'}`);
  if (seqs.length !== last_seq || seqs.some((seq, at) => seq !== at + 1)) faults.push('it has a gap in its events');
  if (!ALLOWED.test(moved) || !moved.endsWith(end)) faults.push(`it moved along ${moved}`);
  if (timeline_ends !== 1) faults.push(`its timeline has ${timeline_ends} ends`);
  return faults.map((fault) => `run ${id} is ${status}, and ${fault}`);
}

/** Without a secret or a cancellation a run completes, whatever is killed. */
function outcomeFaults({ at, secret, stopped }: AcceptedPlan, run: RunRow, family: RunRow[]): string[] {
  const name = `run ${at} (${run.id})`;
  if (run.status === 'CANCELLED' && stopped) return [];
  if (stopped) return [`${name} was cancelled and is ${run.status}`];
  const lost = run.status === 'FAILED' && run.error.startsWith('secrets_unavailable');
  if (secret !== null && lost) return [];
  if (run.status !== 'COMPLETED') return [`${name} is ${run.status}: ${run.error}`];
  const open = family.filter(({ status }) => status !== 'COMPLETED');
  return [
    ...(sameJson(run.output, outputOf(at)) ? [] : [`${name} returned ${JSON.stringify(run.output)}`]),
    ...(run.kept.join() === 'first,values' ? [] : [`${name} has kept ${run.kept.join()}`]),
    ...(family.length === NESTED ? [] : [`${name} has ${family.length} nested runs instead of ${NESTED}`]),
    ...open.map(({ id, status, error }) => `${name} completed, and its nested run ${id} is ${status}: ${error}`),
  ];
}

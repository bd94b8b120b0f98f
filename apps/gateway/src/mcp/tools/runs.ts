import { setTimeout as pause } from 'node:timers/promises';
import {
  notFound,
  nullIfNotFound,
  type Task,
  tasks,
  type TestRun,
  testRuns,
  type WorkflowRun,
  workflowRuns,
} from '@signalbox/contracts';
import type { PlatformCalls } from '../platform-calls.js';

export type FoundRun =
  | { kind: 'task'; run: Task; ended: boolean }
  | { kind: 'workflow_run'; run: WorkflowRun; ended: boolean }
  | { kind: 'test_run'; run: TestRun; ended: boolean };

/** The longest wait that the services allow. */
const MAX_POLL_SECONDS = 30;
const REPLY_MS = 3000;
const POLL_MS = 1000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Of tasks, workflow runs and test runs; a task that waits for a callback has not ended. */
const ENDED: readonly string[] = ['COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED'];

/** A number is the id of a test run. Throws 404. Waits for the end of the run for at most `waitSeconds`. */
export async function findRun(calls: PlatformCalls, id: string, waitSeconds = 0): Promise<FoundRun> {
  const until = Date.now() + Math.min(waitSeconds * 1000, calls.leftMs - REPLY_MS);
  const left = (): number => Math.max(0, Math.min(MAX_POLL_SECONDS, Math.floor((until - Date.now()) / 1000)));
  let found = await read(calls, id, left());
  while (!found.ended && Date.now() < until) {
    if (found.kind === 'test_run') await pause(POLL_MS);
    if (left() === 0) break;
    found = await read(calls, id, left());
  }
  return found;
}

async function read(calls: PlatformCalls, id: string, wait_seconds: number): Promise<FoundRun> {
  if (/^[1-9]\d{0,9}$/.test(id)) {
    const run = await calls.call(testRuns.endpoints.getTestRun, { id: Number(id) });
    return { kind: 'test_run', run, ended: ENDED.includes(run.status) };
  }
  if (!UUID.test(id)) throw notFound('run');
  const run = await calls.call(tasks.endpoints.getAnyTask, { task_id: id, wait_seconds }).catch(nullIfNotFound);
  if (run) return { kind: 'task', run, ended: ENDED.includes(run.status) };
  const workflowRun = await calls
    .call(workflowRuns.endpoints.getRun, { run_id: id, wait_seconds })
    .catch(nullIfNotFound);
  if (!workflowRun) throw notFound('run');
  return { kind: 'workflow_run', run: workflowRun, ended: ENDED.includes(workflowRun.status) };
}

/** Consists of words of the platform only, so it needs no fence. */
export function stateOf({ kind, run }: FoundRun): string {
  if (kind === 'test_run') {
    const { total_items, completed_items, failed_items, match_rate } = run;
    const rate = match_rate === null ? 'not scored' : `match rate ${match_rate}`;
    return `${kind} ${run.id} is ${run.status}: ${completed_items} completed, ${failed_items} failed of ${total_items} items, ${rate}`;
  }
  const failure = run.failure_class === null ? '' : `, class ${run.failure_class}, code ${run.error_code ?? 'none'}`;
  return `${kind} ${run.id} is ${run.status}${failure}`;
}

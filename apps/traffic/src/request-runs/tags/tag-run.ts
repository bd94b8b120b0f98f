import { emission, type RequestFilter, type TagRun, trafficEvents } from '@signalbox/contracts';
import { RUN_TRANSITIONS, type RunStatus, type RunTrigger, type States, statesOf } from '@signalbox/runs/rules';
import type { AppliedRule } from '../../tags/index.js';

export interface RunningTagRun {
  id: string;
  no: number;
  status: RunStatus;
  last_seq: number;
  has_secrets: boolean;
  rules: AppliedRule[];
  filters: RequestFilter;
  upto: number | null;
  cursor: number;
  judgements: number;
  errors: number;
  last_error: string | null;
}

export type TagRunAct = 'count' | 'judge' | 'complete' | 'fail';

export interface BatchResult {
  cursor: number;
  processed: number;
  judgements: number;
  errors: number;
  last_error: string | null;
  matches: { tag_id: number; request_id: string; date_created: number }[];
}

const states = statesOf('tag run', RUN_TRANSITIONS);

/** Refusals name the serial number, which clients know. */
export const tagRunStates: States<RunStatus, RunTrigger> = {
  isTerminal: states.isTerminal,
  move: (run, trigger) => states.move({ ...run, id: String((run as Partial<RunningTagRun>).no ?? run.id) }, trigger),
};

/** Requests are counted once, then judged in batches. A run fails when nothing could be judged. */
export function nextAct({
  upto,
  cursor,
  judgements,
  errors,
}: Pick<RunningTagRun, 'upto' | 'cursor' | 'judgements' | 'errors'>): TagRunAct {
  if (upto === null) return 'count';
  if (cursor < upto) return 'judge';
  return judgements > 0 && errors === judgements ? 'fail' : 'complete';
}

export function tagRunLifecycle(trigger: RunTrigger | null, run: TagRun) {
  if (trigger === 'complete') return [emission(trafficEvents, 'tag_run.completed', run.id, run)];
  if (trigger === 'fail') return [emission(trafficEvents, 'tag_run.failed', run.id, run)];
  return trigger === 'cancel' ? [emission(trafficEvents, 'tag_run.cancelled', run.id, run)] : [];
}

import type { FieldProblem, GatePolicy, ReleaseVerdict } from '@signalbox/contracts';
import { wilson } from '../run-comparison/index.js';

/** The run that decides; for a monitor its newest check. */
export interface GatedRun {
  noun: 'test run' | 'check';
  no: number;
  completed_at: number;
  scored_at: number | null;
  cancelled_at: number | null;
  scoring: { scored: number; total: number } | null;
  total: number;
  matched: number;
  mismatched: number;
  errors: number;
  hasCriteriaOfSet: boolean;
  /** Items of the set that were added, removed or changed after the run, or overridden after it was scored. */
  stale: number;
  /** Only the first. */
  stale_items: number[];
}

const percent = (share: number): string => `${Math.round(share * 10_000) / 100} %`;

export const nothingMatches = (noun: GatedRun['noun']): ReleaseVerdict => ({
  passed: false,
  unmet: [{ field: 'test_run', message: `no ${noun} matches` }],
});

/** docs/api/versions-and-releases.md. While a run is being scored, its other conditions are unknown. */
export function gateVerdict(run: GatedRun, policy: GatePolicy, now: number): ReleaseVerdict {
  const pending = beingScored(run);
  if (pending) return { passed: false, unmet: [pending], test_run_id: run.no };
  const unmet = [
    cancelled(run),
    scored(run),
    criteria(run),
    items(run),
    matchRate(run, policy),
    errorRate(run, policy),
    age(run, policy, now),
  ].filter((problem) => problem !== null);
  const verdict = {
    passed: unmet.length === 0,
    unmet,
    ...(run.stale_items.length > 0 ? { stale_items: run.stale_items } : {}),
  };
  return run.noun === 'check' ? verdict : { ...verdict, test_run_id: run.no };
}

function cancelled({ noun, no, cancelled_at }: GatedRun): FieldProblem | null {
  return cancelled_at === null ? null : { field: 'test_run', message: `${noun} ${no} was cancelled` };
}

function beingScored({ noun, no, cancelled_at, scoring }: GatedRun): FieldProblem | null {
  if (scoring === null || cancelled_at !== null) return null;
  const { scored, total } = scoring;
  return { field: 'scored', message: `${noun} ${no} is being scored: ${scored} of ${total} items until now` };
}

function scored({
  noun,
  no,
  scored_at,
  completed_at,
  total,
  matched,
  mismatched,
  errors,
}: GatedRun): FieldProblem | null {
  const field = 'scored';
  if (scored_at === null || matched + mismatched === 0) return { field, message: `${noun} ${no} has no scored item` };
  if (scored_at < completed_at) return { field, message: `${noun} ${no} was not scored after it was completed` };
  const unscored = noun === 'check' ? 0 : total - matched - mismatched - errors;
  return unscored > 0 ? { field, message: `${noun} ${no} has ${unscored} unscored items` } : null;
}

function criteria({ noun, no, scored_at, hasCriteriaOfSet }: GatedRun): FieldProblem | null {
  if (scored_at === null || hasCriteriaOfSet) return null;
  return { field: 'criteria', message: `${noun} ${no} was not scored by the criteria that its test set has now` };
}

function items({ noun, no, stale, stale_items }: GatedRun): FieldProblem | null {
  if (stale === 0) return null;
  const named =
    stale_items.length > 0 ? `: ${stale_items.join(', ')}${stale > stale_items.length ? ' and more' : ''}` : '';
  return { field: 'items', message: `${stale} items of the test set have changed since ${noun} ${no}${named}` };
}

function matchRate({ noun, no, matched, mismatched }: GatedRun, policy: GatePolicy): FieldProblem | null {
  const { min_match_rate: least, confidence } = policy;
  const n = matched + mismatched;
  if (n === 0) return null;
  const rate = confidence == null ? matched / n : wilson(matched, n, confidence).low;
  if (rate >= least) return null;
  const named = confidence == null ? 'match rate' : `match rate at ${percent(confidence)} confidence`;
  return {
    field: 'match_rate',
    message: `the ${named} of ${noun} ${no} is ${percent(rate)}, below ${percent(least)}`,
  };
}

function errorRate({ noun, no, errors, total }: GatedRun, { max_error_rate: most }: GatePolicy): FieldProblem | null {
  const rate = total > 0 ? errors / total : 0;
  if (rate <= most) return null;
  return {
    field: 'error_rate',
    message: `the error rate of ${noun} ${no} is ${percent(rate)}, above ${percent(most)}`,
  };
}

function age({ noun, no, completed_at }: GatedRun, { max_age_ms }: GatePolicy, now: number): FieldProblem | null {
  if (completed_at >= now - max_age_ms) return null;
  return { field: 'age', message: `${noun} ${no} was completed more than ${max_age_ms} ms ago` };
}

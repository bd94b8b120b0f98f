import type { FieldProblem, GatePolicy, ReleaseVerdict } from '@signalbox/contracts';
import { wilson } from '../comparison/intervals.js';

/** The newest completed run of a version over the set of a policy; for a monitor its newest check. */
export interface GatedRun {
  noun: 'test run' | 'check';
  no: number;
  completed_at: number;
  scored_at: number | null;
  total: number;
  matched: number;
  mismatched: number;
  errors: number;
}

const percent = (share: number): string => `${Math.round(share * 10_000) / 100} %`;

/** The verdict of a gate that finds no run. */
export const nothingMatches = (noun: GatedRun['noun']): ReleaseVerdict => ({
  passed: false,
  unmet: [{ field: 'test_run', message: `no ${noun} matches` }],
});

/** The verdict of a gate (api.md 1.14): passed, or every condition that is not met. */
export function gateVerdict(run: GatedRun, policy: GatePolicy, now: number): ReleaseVerdict {
  const unmet = [scored(run), matchRate(run, policy), errorRate(run, policy), age(run, policy, now)].filter(
    (problem) => problem !== null,
  );
  const verdict = { passed: unmet.length === 0, unmet };
  return run.noun === 'check' ? verdict : { ...verdict, test_run_id: run.no };
}

function scored({ noun, no, scored_at, matched, mismatched }: GatedRun): FieldProblem | null {
  if (scored_at !== null && matched + mismatched > 0) return null;
  return { field: 'scored', message: `${noun} ${no} has no scored item` };
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

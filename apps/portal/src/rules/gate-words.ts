import type { GatePolicy, GateResult } from '@signalbox/sdk';
import { percent } from './formats.js';

const DAY_MS = 86_400_000;

export type Standing =
  { kind: 'here' } | { kind: 'free' } | { kind: 'checked'; result: GateResult } | { kind: 'checking' };

export function conditionsOf(policy: GatePolicy): string[] {
  const { test_set_id, min_match_rate, max_age_ms, max_error_rate = 0, confidence } = policy;
  const sure = confidence ? ` with ${percent(confidence)} confidence` : '';
  return [
    `test set ${test_set_id} was run on exactly this version and is judged`,
    `at least ${percent(min_match_rate)} of its items match${sure}`,
    max_error_rate === 0 ? 'no item ended in an error' : `at most ${percent(max_error_rate)} ended in an error`,
    `the run is younger than ${age(max_age_ms)}`,
  ];
}

function age(ms: number): string {
  if (ms >= DAY_MS) return plural(ms / DAY_MS, 'day');
  return ms >= 3_600_000 ? plural(ms / 3_600_000, 'hour') : plural(ms / 60_000, 'minute');
}

function plural(amount: number, unit: string): string {
  const n = Number(amount.toFixed(1));
  return `${n} ${unit}${n === 1 ? '' : 's'}`;
}

export function standingWords(standing: Standing): { state: string; reason: string } {
  switch (standing.kind) {
    case 'here':
      return { state: 'HERE', reason: '' };
    case 'free':
      return { state: 'MAY_MOVE', reason: 'no gate' };
    case 'checking':
      return { state: 'CHECKING', reason: '' };
    case 'checked': {
      const { passed, reasons } = standing.result;
      return passed ? { state: 'MAY_MOVE', reason: 'gate is green' } : { state: 'BLOCKED', reason: reasons.join('; ') };
    }
  }
}

export function shownVersions<V extends { version: string }>(versions: V[], released: string[], most: number): V[] {
  return versions.filter(({ version }, at) => at < most || released.includes(version));
}

const DRAFT_RUNS = 'A call that names neither a release nor a version runs the draft, as before.';

/** What a release is used for once it is the default. */
export const DEFAULT_WORDS: Readonly<Record<'agent' | 'workflow' | 'monitor', string>> = {
  agent: `Traffic that can name no version, such as that of an intent with this agent, will use it. ${DRAFT_RUNS}`,
  workflow: `It is marked as the one to be used. ${DRAFT_RUNS}`,
  monitor: 'Its version judges production from then on.',
};

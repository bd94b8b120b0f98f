import { createHash } from 'node:crypto';
import type { CriteriaMethod } from '@signalbox/contracts';
import { derivedUuid } from '@signalbox/platform';
import type { Observed } from './output.js';
import type { Criterion } from './judges.js';
import type { Output } from './output.js';

const sha256 = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Without the name, so that a renamed criterion is the same. */
const definitionOf = ({ id, criteria_type, method, prompt, config, pass_threshold, weight }: Criterion) => [
  id,
  criteria_type,
  method,
  prompt,
  config,
  pass_threshold,
  weight,
];

export const definitionsSha256 = (criteria: readonly Criterion[]): string => sha256(criteria.map(definitionOf));

export interface JudgedInputs {
  outputs: readonly (Output | null)[];
  expected: Output | null;
  criteria: readonly Criterion[] | null;
  /** The model that judges by each criterion; null for those that need none. */
  judges: readonly (string | null)[];
  /** How each output came about. */
  observed: readonly Observed[];
}

/** These judge more than outputs. */
const OBSERVING: ReadonlySet<string> = new Set<CriteriaMethod>(['SCRIPT', 'STEPS', 'LATENCY', 'COST']);

/** Equal hashes are not judged again. */
export function judgedSha256({ outputs, expected, criteria, judges, observed }: JudgedInputs): string {
  // Only where it matters, so that scores by other criteria keep their hash.
  const more = criteria?.some(({ method }) => OBSERVING.has(method)) ? [observed] : [];
  return sha256([outputs, expected, criteria && criteria.map(definitionOf), judges, ...more]);
}

/** Follows from what is judged and the number of failed attempts. */
export const judgementId = (parts: readonly (string | number)[]): string => derivedUuid(JSON.stringify(parts), 4);

const keyOf = (ids: readonly number[]): string => [...new Set(ids)].sort((one, other) => one - other).join(',');

export const sameCriteria = (one: readonly number[], other: readonly number[]): boolean => keyOf(one) === keyOf(other);

/** Empty for the criteria of the run, else the sorted ids. */
export const criteriaKey = (own: readonly number[], given: readonly number[] | null): string =>
  given === null || sameCriteria(given, own) ? '' : keyOf(given);

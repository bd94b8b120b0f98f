import { createHash } from 'node:crypto';
import type { CriteriaMethod } from '@signalbox/contracts';
import type { Observed } from './output.js';
import type { Criterion } from './judges.js';
import type { Output } from './output.js';

const sha256 = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** What a criterion judges by. Its name decides nothing, so that a renamed one is the same. */
const definitionOf = ({ id, criteria_type, method, prompt, config, pass_threshold, weight }: Criterion) => [
  id,
  criteria_type,
  method,
  prompt,
  config,
  pass_threshold,
  weight,
];

/** Hash of the definitions of enabled criteria, in the order of their ids. */
export const definitionsSha256 = (criteria: readonly Criterion[]): string => sha256(criteria.map(definitionOf));

/** What a judgement follows from. */
export interface JudgedInputs {
  outputs: readonly (Output | null)[];
  expected: Output | null;
  /** Null for a run without criteria. */
  criteria: readonly Criterion[] | null;
  /** The model that judges by each criterion; null for those that need none. */
  judges: readonly (string | null)[];
  /** How each output came about. */
  observed: readonly Observed[];
}

/** The methods that judge more than outputs. */
const OBSERVING: ReadonlySet<string> = new Set<CriteriaMethod>(['SCRIPT', 'STEPS', 'LATENCY', 'COST']);

/** Hash of what a judgement follows from: equal ones are not judged again. */
export function judgedSha256({ outputs, expected, criteria, judges, observed }: JudgedInputs): string {
  // Only where it matters, so that scores by other criteria keep the hash that they have.
  const more = criteria?.some(({ method }) => OBSERVING.has(method)) ? [observed] : [];
  return sha256([outputs, expected, criteria && criteria.map(definitionOf), judges, ...more]);
}

/** The id of the call of a judge, which follows from what it judges and how often it has failed to. */
export function judgementId(parts: readonly (string | number)[]): string {
  const hex = sha256(parts);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Names the criteria of a scoring: empty for those of the run, else the sorted ids. */
export function criteriaKey(own: readonly number[], given: readonly number[] | null): string {
  const key = (ids: readonly number[]): string => [...new Set(ids)].sort((one, other) => one - other).join(',');
  return given === null || key(given) === key(own) ? '' : key(given);
}

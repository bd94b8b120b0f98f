import { type ArgumentCheck, invalidField, type StepCheck, type StepCheckKind } from '@signalbox/contracts';

type Key = Exclude<keyof StepCheck, 'kind'>;

/** Unknown keys are refused, required ones must be present. */
const KEYS: Record<StepCheckKind, { required: readonly Key[]; optional: readonly Key[] }> = {
  called: { required: ['tool'], optional: ['arguments', 'min_times', 'max_times'] },
  not_called: { required: ['tool'], optional: ['arguments'] },
  order: { required: ['tools'], optional: [] },
  no_failed_step: { required: [], optional: [] },
  status: { required: ['status'], optional: [] },
};

const COMPARISONS = ['equals', 'contains', 'matches'] as const;

/** 400 naming the first invalid check. */
export function requireStepChecks(checks: readonly StepCheck[]): void {
  for (const [index, check] of checks.entries()) requireCheck(`config.checks[${index}]`, check);
}

function requireCheck(field: string, check: StepCheck): void {
  const { required, optional } = KEYS[check.kind];
  const accepted: readonly string[] = ['kind', ...required, ...optional];
  const foreign = givenKeys(check).find((key) => !accepted.includes(key));
  if (foreign !== undefined) throw invalidField(`${field}.${foreign}`, `is not used by the check ${check.kind}`);
  const missing = required.find((key) => check[key] === undefined);
  if (missing !== undefined) throw invalidField(`${field}.${missing}`, `is required by the check ${check.kind}`);
  const { min_times: least = 1, max_times: most = Infinity } = check;
  if (most < least) throw invalidField(`${field}.max_times`, `must not be below min_times, which is ${least}`);
  for (const [index, each] of (check.arguments ?? []).entries())
    requireComparison(`${field}.arguments[${index}]`, each);
}

function requireComparison(field: string, check: ArgumentCheck): void {
  const given = COMPARISONS.filter((key) => check[key] !== undefined);
  if (given.length !== 1) throw invalidField(field, `must have exactly one of ${COMPARISONS.join(', ')}`);
}

const givenKeys = (check: object): string[] =>
  Object.entries(check).flatMap(([key, value]) => (value === undefined ? [] : [key]));

export const patternsOf = (checks: readonly StepCheck[]): string[] =>
  checks.flatMap(({ arguments: wanted = [] }) =>
    wanted.flatMap(({ matches }) => (matches === undefined ? [] : [matches])),
  );

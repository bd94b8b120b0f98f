import {
  type CriteriaConfig,
  type CriteriaMethod,
  type CriteriaType,
  emits,
  type EvaluationCriteria,
  invalidField,
} from '@signalbox/contracts';
import { requireStepChecks } from './step-check-rules.js';

export type CriterionState = Pick<
  EvaluationCriteria,
  'criteria_type' | 'method' | 'prompt' | 'config' | 'pass_threshold' | 'enabled'
>;

export type CriterionChange = Partial<Omit<CriterionState, 'criteria_type'>> & {
  name?: string;
  description?: string | null;
  weight?: number;
};

const TEXT = { case_sensitive: true, trim: true } as const;

/** Accepted keys and their defaults; `undefined` marks a key without one. */
const KEYS: Record<CriteriaMethod, CriteriaConfig> = {
  LLM: { model: null },
  EXACT: { ...TEXT, numeric_tolerance: 0 },
  JSON_FIELDS: { ...TEXT, numeric_tolerance: 0, ignore_paths: [], required_paths: [] },
  CONTAINS: { ...TEXT, value: undefined as never },
  REGEX: { case_sensitive: true, pattern: undefined as never },
  JSON_SCHEMA: { schema: undefined as never },
  SCRIPT: { language: 'javascript', script: undefined as never, timeout_ms: 5000, with_steps: false },
  STEPS: { checks: undefined as never },
  LATENCY: { max_latency_ms: undefined as never },
  COST: { max_cost: undefined as never },
};

const REQUIRED: Partial<Record<CriteriaMethod, keyof CriteriaConfig>> = {
  CONTAINS: 'value',
  REGEX: 'pattern',
  JSON_SCHEMA: 'schema',
  SCRIPT: 'script',
  STEPS: 'checks',
  LATENCY: 'max_latency_ms',
  COST: 'max_cost',
};

const THRESHOLDS: Record<CriteriaType, { initial: number; min: number; max: number }> = {
  BOOLEAN: { initial: 1, min: 0, max: 1 },
  NUMERIC: { initial: 3, min: 1, max: 5 },
};

/** With the defaults of the method; 400 for a key of another method or a missing one. */
export function configFor(method: CriteriaMethod, config: CriteriaConfig): CriteriaConfig {
  const accepted = KEYS[method];
  const foreign = Object.keys(config).find((key) => !(key in accepted));
  if (foreign) throw invalidField(`config.${foreign}`, `is not used by the method ${method}`);
  const required = REQUIRED[method];
  if (required && config[required] === undefined)
    throw invalidField(`config.${required}`, `is required by the method ${method}`);
  requireStepChecks(config.checks ?? []);
  return Object.fromEntries(
    Object.entries({ ...accepted, ...config }).filter(([, value]) => value !== undefined),
  ) as CriteriaConfig;
}

/** 400 when type, method, prompt and threshold do not fit together. */
export function checkCriterion({ criteria_type, method, prompt, pass_threshold }: CriterionState): void {
  if (criteria_type === 'NUMERIC' && method !== 'LLM')
    throw invalidField('method', `must be LLM: ${method} yields a BOOLEAN score`);
  if (method === 'LLM' && !prompt?.trim()) throw invalidField('prompt', 'is required by the method LLM');
  const { min, max } = THRESHOLDS[criteria_type];
  if (pass_threshold < min || pass_threshold > max)
    throw invalidField('pass_threshold', `must be from ${min} to ${max} for the type ${criteria_type}`);
}

export function newCriterion<Body extends Omit<CriterionState, 'pass_threshold'> & { pass_threshold?: number }>(
  body: Body,
) {
  const criterion = {
    ...body,
    config: configFor(body.method, body.config),
    pass_threshold: body.pass_threshold ?? THRESHOLDS[body.criteria_type].initial,
  };
  checkCriterion(criterion);
  return criterion;
}

/** A new method without a configuration starts with its defaults. */
export function updateCriterion(criterion: CriterionState, change: CriterionChange) {
  if (Object.keys(change).length === 0) return {};
  const after = { ...criterion, ...change };
  const { method } = after;
  const kept = change.config ?? (method === criterion.method ? criterion.config : {});
  const config = configFor(method, kept);
  checkCriterion({ ...after, config });
  return { set: { ...change, config }, events: [emits('evaluation_criteria.updated')] };
}

export function switchCriterion(criterion: Pick<CriterionState, 'enabled'>, enabled: boolean) {
  if (criterion.enabled === enabled) return {};
  return {
    set: { enabled },
    events: [emits('evaluation_criteria.updated')],
    action: enabled ? 'enable' : 'disable',
  };
}

import type { CriteriaConfig, CriteriaMethod } from '@signalbox/contracts';
import { configFor, type CriterionState, newCriterion, switchCriterion, updateCriterion } from './criterion.js';

const criterion = (change: Partial<CriterionState> = {}): CriterionState => ({
  criteria_type: 'BOOLEAN',
  method: 'EXACT',
  prompt: null,
  config: {},
  pass_threshold: 1,
  enabled: true,
  ...change,
});
const refusal = (field: string) =>
  expect.objectContaining({ status: 400, extras: { details: [expect.objectContaining({ field })] } });

describe('the configuration of a criterion', () => {
  it.each<[CriteriaMethod, CriteriaConfig, CriteriaConfig]>([
    ['LLM', {}, { model: null }],
    ['EXACT', { trim: false }, { case_sensitive: true, trim: false, numeric_tolerance: 0 }],
    [
      'JSON_FIELDS',
      { ignore_paths: ['id'] },
      { case_sensitive: true, trim: true, numeric_tolerance: 0, ignore_paths: ['id'], required_paths: [] },
    ],
    ['CONTAINS', { value: 'yes' }, { value: 'yes', case_sensitive: true, trim: true }],
    ['REGEX', { pattern: '^a' }, { pattern: '^a', case_sensitive: true }],
    ['JSON_SCHEMA', { schema: { type: 'object' } }, { schema: { type: 'object' } }],
    ['SCRIPT', { script: 's' }, { language: 'javascript', script: 's', timeout_ms: 5000, with_steps: false }],
    ['STEPS', { checks: [{ kind: 'no_failed_step' }] }, { checks: [{ kind: 'no_failed_step' }] }],
    ['LATENCY', { max_latency_ms: 800 }, { max_latency_ms: 800 }],
    ['COST', { max_cost: 0 }, { max_cost: 0 }],
  ])('of %s has the defaults of the method', (method, given, stored) => {
    expect(configFor(method, given)).toEqual(stored);
  });

  it.each<[CriteriaMethod, CriteriaConfig, string]>([
    ['EXACT', { pattern: 'x' }, 'config.pattern'],
    ['LLM', { value: 'x' }, 'config.value'],
    ['REGEX', {}, 'config.pattern'],
    ['CONTAINS', {}, 'config.value'],
    ['JSON_SCHEMA', {}, 'config.schema'],
    ['SCRIPT', { language: 'python' }, 'config.script'],
    ['EXACT', { script: 's' }, 'config.script'],
    ['STEPS', {}, 'config.checks'],
    ['STEPS', { checks: [{ kind: 'called' }] }, 'config.checks[0].tool'],
    ['STEPS', { checks: [{ kind: 'no_failed_step' }, { kind: 'order', tool: 'a' }] }, 'config.checks[1].tool'],
    ['STEPS', { checks: [{ kind: 'order' }] }, 'config.checks[0].tools'],
    ['STEPS', { checks: [{ kind: 'status' }] }, 'config.checks[0].status'],
    ['STEPS', { checks: [{ kind: 'not_called', tool: 'a', min_times: 1 }] }, 'config.checks[0].min_times'],
    ['STEPS', { checks: [{ kind: 'called', tool: 'a', min_times: 3, max_times: 2 }] }, 'config.checks[0].max_times'],
    ['STEPS', { checks: [{ kind: 'called', tool: 'a', arguments: [{}] }] }, 'config.checks[0].arguments[0]'],
    [
      'STEPS',
      { checks: [{ kind: 'called', tool: 'a', arguments: [{ path: 'x', equals: null, contains: 'y' }] }] },
      'config.checks[0].arguments[0]',
    ],
    ['LATENCY', {}, 'config.max_latency_ms'],
    ['COST', { max_latency_ms: 1 }, 'config.max_latency_ms'],
  ])('of %s refuses %j', (method, given, field) => {
    expect(() => configFor(method, given)).toThrow(refusal(field));
  });
});

describe('a criterion', () => {
  it('starts with the threshold of its type', () => {
    expect(newCriterion({ ...criterion(), pass_threshold: undefined as never }).pass_threshold).toBe(1);
    const numeric = criterion({ criteria_type: 'NUMERIC', method: 'LLM', prompt: 'Is it kind?' });
    expect(newCriterion({ ...numeric, pass_threshold: undefined as never }).pass_threshold).toBe(3);
  });

  it.each<[string, Partial<CriterionState>]>([
    ['method', { criteria_type: 'NUMERIC', method: 'EXACT', pass_threshold: 3 }],
    ['method', { criteria_type: 'NUMERIC', method: 'SCRIPT', config: { script: 's' }, pass_threshold: 3 }],
    ['prompt', { method: 'LLM', prompt: ' ' }],
    ['pass_threshold', { pass_threshold: 1.5 }],
    ['pass_threshold', { criteria_type: 'NUMERIC', method: 'LLM', prompt: 'x', pass_threshold: 0.5 }],
  ])('is refused for its %s: %j', (field, change) => {
    expect(() => newCriterion(criterion(change))).toThrow(refusal(field));
  });

  it('drops the configuration of the former method when its method changes', () => {
    const change = updateCriterion(criterion({ config: { trim: false } }), { method: 'LLM', prompt: 'Is it kind?' });
    expect(change.set).toMatchObject({ method: 'LLM', config: { model: null } });
    const kept = updateCriterion(criterion({ config: { trim: false } }), { name: 'x' });
    expect(kept.set).toMatchObject({ name: 'x', config: { trim: false } });
    expect(updateCriterion(criterion(), {})).toEqual({});
  });

  it('is not changed by the state it has', () => {
    expect(switchCriterion({ enabled: true }, true)).toEqual({});
    expect(switchCriterion({ enabled: true }, false)).toMatchObject({ set: { enabled: false }, action: 'disable' });
  });
});

import type { AlertRule, Condition, MonitorConfig } from '@signalbox/sdk';
import { isJsonObject } from './json-object.js';

export function readObject<T>(text: string): { value: T } | { problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return { value: value as T };
    return { problem: 'It has to be a JSON object.' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'It is not JSON.' };
  }
}

export const FIRST_OPERATORS = {
  contains: 'contains',
  not_contains: 'does not contain',
  length_lt: 'is shorter than (characters)',
  length_gt: 'is longer than (characters)',
  equals: 'is exactly',
  matches: 'matches the pattern',
  is_empty: 'is empty',
  does_not_exist: 'is not there',
} as const;
export type FirstOperator = keyof typeof FIRST_OPERATORS;

export const isUnary = (operator: string): boolean => operator === 'is_empty' || operator === 'does_not_exist';

export const judgeConfig = (modelId: number, sentence: string): MonitorConfig => ({
  runner: { resource_type: 'model', resource_id: modelId, input: { prompt: sentence } },
  result: { default_outcome: 'PASS' },
});

export function ruleConfig(path: string, operator: FirstOperator, value: string): MonitorConfig {
  const compared = operator.startsWith('length_') ? Number(value) : value;
  const condition: Condition = {
    kind: 'condition',
    source: 'json',
    path,
    operator,
    ...(isUnary(operator) ? {} : { value: compared }),
  };
  return {
    runner: { resource_type: 'direct' },
    result: { fault: { kind: 'group', op: 'AND', children: [condition] }, default_outcome: 'PASS' },
  };
}

const MINUTE = 60_000;

/** Shares are entered in percent, windows in minutes. */
export function alertRuleOf({
  metric = 'fault_rate',
  threshold = '',
  window = '60',
  min_runs = '1',
}: Record<string, string>): AlertRule {
  const isCount = metric === 'consecutive_faults';
  return {
    metric: metric as AlertRule['metric'],
    threshold: isCount ? Number(threshold) : Number(threshold) / 100,
    window_ms: Number(window) * MINUTE,
    min_runs: Number(min_runs),
  };
}

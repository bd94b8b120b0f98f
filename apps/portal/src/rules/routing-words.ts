import type { Route, RoutingCondition } from '@signalbox/sdk';
import { oneLine } from './formats.js';

type Operator = RoutingCondition['operator'];

export const OPERATORS: Record<Operator, string> = {
  contains: 'contains',
  equals: 'equals',
  not_equals: 'does not equal',
  like: 'is like',
  matches: 'matches',
  gt: 'is greater than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  is_null: 'is empty',
  is_not_null: 'is not empty',
  classify: 'is about',
  not_classify: 'is not about',
  sem_match: 'means',
};

export const TAKES_NO_VALUE: ReadonlySet<Operator> = new Set(['is_null', 'is_not_null']);

export function conditionWords({ target_type, variable_path, operator, value }: RoutingCondition): string {
  const subject = variable_path ? `${target_type} ${variable_path}` : `the ${target_type}`;
  if (TAKES_NO_VALUE.has(operator)) return `${subject} ${OPERATORS[operator]}`;
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return `${subject} ${OPERATORS[operator]} «${oneLine(text, 60)}»`;
}

export interface Names {
  agents: ReadonlyMap<number, string>;
  actions: ReadonlyMap<number, string>;
}

export function routeWords({ type, agent_id, action_id }: Route, { agents, actions }: Names): string {
  if (type === 'agent') return `${agents.get(agent_id ?? 0) ?? `agent ${agent_id}`} answers`;
  if (type === 'action') return `${actions.get(action_id ?? 0) ?? `action ${action_id}`} runs`;
  return type === 'llm' ? 'the agent thinks by itself' : 'nothing happens';
}

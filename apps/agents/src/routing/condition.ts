import { areEqual, asText, holdsValue, orderOf, type TextTest, valueAt } from '@signalbox/conditions';
import { type Message, MODEL_OPERATORS, type RoutingCondition, type RoutingRule } from '@signalbox/contracts';
import { satisfies, type Verdict } from './expression.js';

export interface RoutingContext {
  messages: Message[];
  request: Record<string, unknown>;
  state: Record<string, unknown>;
}

export function textOf({ content }: Pick<Message, 'content'>): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : [])).join('\n');
}

export function subjectOf({ target_type, variable_path }: RoutingCondition, context: RoutingContext): unknown {
  if (target_type === 'state') return variable_path ? valueAt(context.state, variable_path) : context.state;
  if (target_type === 'request') return variable_path ? valueAt(context.request, variable_path) : context.request;
  const last = context.messages.findLast((message) => message.role === 'user');
  if (!last) return undefined;
  return variable_path ? valueAt(last, variable_path) : textOf(last);
}

export function textTestOf(condition: RoutingCondition, context: RoutingContext): TextTest | null {
  const { operator, value } = condition;
  if (operator !== 'like' && operator !== 'matches' && operator !== 'contains') return null;
  const subject = subjectOf(condition, context);
  if (subject == null || (operator === 'contains' && typeof subject !== 'string')) return null;
  return { operator, pattern: asText(value), text: asText(subject) };
}

export const needsModel = (condition: RoutingCondition): boolean => MODEL_OPERATORS.includes(condition.operator);

/**
 * For conditions that need no model. A missing value fails all but `is_null` and `not_equals`. `passed` is the result
 * of the condition's text test.
 */
export function plainVerdict(condition: RoutingCondition, context: RoutingContext, passed: boolean): boolean {
  const subject = subjectOf(condition, context);
  const { operator, value } = condition;
  const order = (): number => orderOf(subject, value) ?? NaN;
  switch (operator) {
    case 'is_null':
      return subject == null;
    case 'is_not_null':
      return subject != null;
    case 'equals':
      return areEqual(subject, value);
    case 'not_equals':
      return !areEqual(subject, value);
    case 'gt':
      return order() > 0;
    case 'gte':
      return order() >= 0;
    case 'lt':
      return order() < 0;
    case 'lte':
      return order() <= 0;
    case 'contains':
      return typeof subject === 'string' ? passed : holdsValue(subject, value);
    case 'like':
    case 'matches':
      return passed;
    case 'classify':
    case 'not_classify':
    case 'sem_match':
      return false;
  }
}

/** Null while undecided conditions decide it. A disabled condition counts as true. */
export function ruleMatches(
  rule: Pick<RoutingRule, 'conditions' | 'condition_expression'>,
  verdicts: readonly Verdict[],
): Verdict {
  return satisfies(
    rule.condition_expression,
    rule.conditions.map((condition, index) => (condition.enabled ? (verdicts[index] ?? null) : true)),
  );
}

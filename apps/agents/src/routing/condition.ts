import { type Message, MODEL_OPERATORS, type RoutingCondition, type RoutingRule } from '@signalbox/contracts';
import { satisfies } from './expression.js';

/** What conditions look at. */
export interface RoutingContext {
  messages: Message[];
  request: Record<string, unknown>;
  state: Record<string, unknown>;
}

/** Whether a text matches a pattern of the linear-time kind. */
export type Matches = (pattern: string, text: string) => boolean;

/** The text of a message, its text parts joined. */
export function textOf({ content }: Pick<Message, 'content'>): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : [])).join('\n');
}

/** The value at a dotted path with `[n]`; undefined when it leads nowhere. Only own properties are followed. */
export function valueAt(root: unknown, path: string): unknown {
  let at = root;
  for (const part of path
    .replace(/\[(\d+)\]/g, '.$1')
    .split('.')
    .filter(Boolean)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<string, unknown>)[part];
  }
  return at;
}

/** The value a condition is about: the last user message, a part of the request, or a part of the session state. */
export function subjectOf({ target_type, variable_path }: RoutingCondition, context: RoutingContext): unknown {
  if (target_type === 'state') return variable_path ? valueAt(context.state, variable_path) : context.state;
  if (target_type === 'request') return variable_path ? valueAt(context.request, variable_path) : context.request;
  const last = context.messages.findLast((message) => message.role === 'user');
  if (!last) return undefined;
  return variable_path ? valueAt(last, variable_path) : textOf(last);
}

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);
/** A value as text: itself when it is text, else its JSON. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function equal(subject: unknown, value: unknown): boolean {
  // Values of a request often arrive as text; 5 and "5" are meant to be the same.
  return (
    same(subject, value) ||
    (subject !== undefined && typeof subject !== typeof value && asText(subject) === asText(value))
  );
}

function compare(subject: unknown, value: unknown): number | null {
  const [left, right] = [subject, value].map((side) =>
    typeof side === 'string' && side.trim() !== '' && Number.isFinite(Number(side)) ? Number(side) : side,
  );
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  return null;
}

/** `LIKE` with `%` and `_`, without regard to case, in time linear in the text for each `%`. */
export function like(text: string, pattern: string): boolean {
  const [t, p] = [[...text.toLowerCase()], [...pattern.toLowerCase()]];
  let [at, on, star, mark] = [0, 0, -1, 0];
  while (at < t.length) {
    if (on < p.length && p[on] === '%') {
      star = on++;
      mark = at;
    } else if (on < p.length && (p[on] === '_' || p[on] === t[at])) {
      at++;
      on++;
    } else if (star >= 0) {
      on = star + 1;
      at = ++mark;
    } else return false;
  }
  while (p[on] === '%') on++;
  return on === p.length;
}

function contains(subject: unknown, value: unknown): boolean {
  if (Array.isArray(subject)) return subject.some((item) => equal(item, value));
  if (typeof subject === 'string') return subject.toLowerCase().includes(asText(value).toLowerCase());
  return typeof subject === 'object' && subject !== null && typeof value === 'string' && Object.hasOwn(subject, value);
}

/** True when a model has to decide the condition. */
export const needsModel = (condition: RoutingCondition): boolean => MODEL_OPERATORS.includes(condition.operator);

/** The verdict of a condition that needs no model; a missing value fails all but `is_null` and `not_equals`. */
export function plainVerdict(condition: RoutingCondition, context: RoutingContext, matches: Matches): boolean {
  const subject = subjectOf(condition, context);
  const { operator, value } = condition;
  const order = compare(subject, value);
  switch (operator) {
    case 'is_null':
      return subject == null;
    case 'is_not_null':
      return subject != null;
    case 'equals':
      return equal(subject, value);
    case 'not_equals':
      return !equal(subject, value);
    case 'gt':
      return order !== null && order > 0;
    case 'gte':
      return order !== null && order >= 0;
    case 'lt':
      return order !== null && order < 0;
    case 'lte':
      return order !== null && order <= 0;
    case 'like':
      return subject != null && like(asText(subject), asText(value));
    case 'contains':
      return contains(subject, value);
    case 'matches':
      return subject != null && matches(asText(value), asText(subject));
    case 'classify':
    case 'not_classify':
    case 'sem_match':
      return false;
  }
}

/** Whether a rule matches, given the verdict of each of its conditions; a disabled condition holds. */
export function ruleMatches(
  rule: Pick<RoutingRule, 'conditions' | 'condition_expression'>,
  verdicts: readonly boolean[],
): boolean {
  return satisfies(
    rule.condition_expression,
    rule.conditions.map((condition, index) => !condition.enabled || (verdicts[index] ?? false)),
  );
}

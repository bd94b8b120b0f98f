import { invalidField, type Route, type RoutingRule } from '@signalbox/contracts';
import { parseExpression } from './expression.js';

export type RuleBody = Omit<RoutingRule, 'id' | 'agent_id' | 'position' | 'date_created' | 'date_updated'>;

export function checkRule({
  conditions,
  condition_expression,
}: Pick<RuleBody, 'conditions' | 'condition_expression'>): void {
  if (condition_expression !== null && condition_expression.trim() !== '')
    parseExpression(condition_expression, conditions.length);
  conditions.forEach(({ operator, value }, index) => {
    if (operator === 'matches' && typeof value !== 'string')
      throw invalidField(`conditions[${index}].value`, 'must be a string for matches');
  });
}

export const patternsOf = ({ conditions }: Pick<RuleBody, 'conditions'>): string[] =>
  conditions.flatMap(({ operator, value }) => (operator === 'matches' && typeof value === 'string' ? [value] : []));

/** A route to an unknown action becomes `none`. */
export function remapRoute(route: Route, actions: ReadonlyMap<number, number>): Route {
  if (route.action_id == null) return route;
  const action_id = actions.get(route.action_id);
  return action_id === undefined ? { type: 'none' } : { ...route, action_id };
}

export function actionIdMap(
  before: readonly { id: number; action_name: string }[],
  now: readonly { id: number; action_name: string }[],
): Map<number, number> {
  const byName = new Map(now.map(({ action_name, id }) => [action_name, id]));
  return new Map(before.map(({ id, action_name }) => [id, byName.get(action_name) ?? id]));
}

import {
  type ConditionGroup,
  conditionsOf,
  emits,
  type InputOf,
  invalidField,
  type RecordedRequest,
  type TagRule,
  type tagRules,
} from '@signalbox/contracts';

type Body = InputOf<typeof tagRules.endpoints.createTagRule>;
type Change = Omit<InputOf<typeof tagRules.endpoints.updateTagRule>, 'rule_id'>;

export type AppliedRule = Pick<
  TagRule,
  'id' | 'tag_id' | 'application_id' | 'intent_group_id' | 'method' | 'conditions' | 'prompt'
>;

type RuleState = Pick<TagRule, 'method' | 'conditions' | 'prompt' | 'enabled'>;

/** 400 when a rule lacks what its method needs. Fields of the other method are allowed. */
function requireComplete({ method, conditions, prompt }: Pick<RuleState, 'method' | 'conditions' | 'prompt'>): void {
  if (method === 'CONDITIONS' && !conditions) throw invalidField('conditions', 'is required by the method CONDITIONS');
  if (method === 'LLM' && !prompt?.trim()) throw invalidField('prompt', 'is required by the method LLM');
}

export function newTagRule(body: Body) {
  const { application_id = null, intent_group_id = null, conditions = null, prompt = null } = body;
  const rule = { ...body, application_id, intent_group_id, conditions, prompt };
  requireComplete(rule);
  return rule;
}

/** An empty update emits nothing. */
export function updateTagRule(rule: RuleState, change: Change) {
  const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Change;
  if (Object.keys(set).length === 0) return {};
  requireComplete({ ...rule, ...set });
  return { set, events: [emits('tag_rule.updated')] };
}

export function switchTagRule({ enabled: before }: Pick<RuleState, 'enabled'>, enabled: boolean) {
  if (before === enabled) return {};
  return { set: { enabled }, events: [emits('tag_rule.updated')], action: enabled ? 'enable' : 'disable' };
}

export const patternsOf = (group: ConditionGroup | null | undefined): string[] =>
  group
    ? conditionsOf(group).flatMap(({ condition: { operator, value } }) =>
        operator === 'matches' ? [value as string] : [],
      )
    : [];

export const isInScope = (
  { application_id, intent_group_id }: Pick<AppliedRule, 'application_id' | 'intent_group_id'>,
  request: Pick<RecordedRequest, 'application_id' | 'intent_group_id'>,
): boolean =>
  (application_id === null || application_id === request.application_id) &&
  (intent_group_id === null || intent_group_id === request.intent_group_id);

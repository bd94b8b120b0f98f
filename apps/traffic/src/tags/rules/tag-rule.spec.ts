import type { ConditionGroup } from '@signalbox/contracts';
import { isInScope, newTagRule, patternsOf, switchTagRule, updateTagRule } from './tag-rule.js';

const conditions: ConditionGroup = {
  kind: 'group',
  op: 'AND',
  children: [
    { kind: 'condition', source: 'text', operator: 'matches', value: 'late|lost' },
    {
      kind: 'group',
      op: 'OR',
      children: [{ kind: 'condition', source: 'json', path: 'model', operator: 'equals', value: 'm' }],
    },
  ],
};
const body = { rule_name: 'late', tag_id: 1, method: 'CONDITIONS' as const, apply_to_new: true, enabled: true };

describe('a tag rule', () => {
  it('needs what its method works with', () => {
    expect(newTagRule({ ...body, conditions })).toMatchObject({ application_id: null, prompt: null });
    expect(() => newTagRule(body)).toThrow('conditions is required by the method CONDITIONS');
    expect(() => newTagRule({ ...body, method: 'LLM', prompt: ' ' })).toThrow('prompt is required by the method LLM');
  });

  it('is judged as it will be after an update', () => {
    const rule = { method: 'CONDITIONS' as const, conditions, prompt: null, enabled: true };
    expect(() => updateTagRule(rule, { method: 'LLM' })).toThrow('prompt is required by the method LLM');
    expect(updateTagRule(rule, { method: 'LLM', prompt: 'Late orders' }).set).toEqual({
      method: 'LLM',
      prompt: 'Late orders',
    });
    expect(updateTagRule(rule, {})).toEqual({});
  });

  it('is enabled and disabled once', () => {
    expect(switchTagRule({ enabled: true }, false)).toMatchObject({ set: { enabled: false }, action: 'disable' });
    expect(switchTagRule({ enabled: true }, true)).toEqual({});
  });

  it('names its patterns at any depth', () => {
    expect(patternsOf(conditions)).toEqual(['late|lost']);
    expect(patternsOf(null)).toEqual([]);
  });

  it('applies to its application and group only', () => {
    const request = { application_id: 1, intent_group_id: 2 };
    expect(isInScope({ application_id: null, intent_group_id: null }, request)).toBe(true);
    expect(isInScope({ application_id: 1, intent_group_id: 2 }, request)).toBe(true);
    expect(isInScope({ application_id: 1, intent_group_id: 3 }, request)).toBe(false);
    expect(isInScope({ application_id: 2, intent_group_id: null }, request)).toBe(false);
  });
});

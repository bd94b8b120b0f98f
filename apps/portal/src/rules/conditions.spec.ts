import type { ConditionGroup } from '@signalbox/sdk';
import { conditionTree, conditionWords } from './conditions.js';

const GROUP: ConditionGroup = {
  kind: 'group',
  op: 'AND',
  children: [
    { kind: 'condition', id: 'short', source: 'json', path: 'output.content', operator: 'length_lt', value: 5 },
    {
      kind: 'group',
      op: 'OR',
      negate: true,
      children: [{ kind: 'condition', source: 'text', operator: 'contains', value: 'sorry' }],
    },
  ],
};

describe('the tree of conditions', () => {
  it('says each condition with the value that it met, in their order', () => {
    const trace = [
      { id: 'short', actual: 'abc', result: true },
      { id: '1.0', actual: 'so sorry', result: true },
    ];
    expect(conditionTree(GROUP, trace)).toEqual({
      kind: 'group',
      words: 'all of',
      children: [
        {
          kind: 'condition',
          words: 'output.content is shorter than 5',
          name: 'short',
          met: { actual: 'abc', result: true },
        },
        {
          kind: 'group',
          words: 'not one of',
          children: [
            {
              kind: 'condition',
              words: 'the text contains "sorry"',
              name: null,
              met: { actual: 'so sorry', result: true },
            },
          ],
        },
      ],
    });
  });

  it('uses no trace of another configuration', () => {
    const tree = conditionTree(GROUP, [{ id: 'other', actual: 1, result: false }]);
    expect(tree.children[0]).toMatchObject({ met: null });
  });

  it('says conditions that compare with nothing', () => {
    expect(conditionWords({ kind: 'condition', source: 'json', path: 'a.b', operator: 'exists' })).toBe('a.b is there');
  });
});

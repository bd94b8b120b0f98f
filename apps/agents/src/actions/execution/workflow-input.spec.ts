import { workflowInput } from './workflow-input.js';

const given = { order: { id: '7', lines: [{ sku: 'a' }] }, input: { whole: true } };

it.each([
  ['without a mapping', {}, { whole: true }],
  ['with a mapping', { id: 'order.id', first: 'order.lines[0].sku', none: 'order.note' }, { id: '7', first: 'a' }],
])('the input of a workflow %s', (_, mapping, expected) =>
  expect(workflowInput(mapping as Record<string, string>, given)).toEqual(expected),
);

it('is empty when the model gives none', () => expect(workflowInput({}, {})).toEqual({}));

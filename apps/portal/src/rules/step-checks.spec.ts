import type { StepCheck } from '@signalbox/sdk';
import { checkOf, draftOf, NEW_CHECK } from './step-checks.js';

describe('a check on steps in a form', () => {
  it.each<StepCheck>([
    { kind: 'called', tool: 'a' },
    { kind: 'called', tool: 'a', min_times: 2, max_times: 3 },
    {
      kind: 'called',
      tool: 'a',
      arguments: [
        { path: 'x[0].y', equals: 7 },
        { equals: { a: [null] } },
        { contains: '7' },
        { path: 'z', matches: '^7' },
      ],
    },
    { kind: 'not_called', tool: 'a', arguments: [{ path: 'x', equals: 'seven' }] },
    { kind: 'order', tools: ['a', 'b'] },
    { kind: 'no_failed_step' },
    { kind: 'status', status: 'FAILED' },
  ])('is as it was: %j', (check) => {
    expect(checkOf(draftOf(check))).toEqual(check);
  });

  it('takes a text that is no JSON as it is', () => {
    const draft = {
      ...NEW_CHECK,
      tool: ' a ',
      arguments: [{ path: '', comparison: 'equals' as const, value: 'seven' }],
    };
    expect(checkOf(draft)).toEqual({ kind: 'called', tool: 'a', arguments: [{ equals: 'seven' }] });
  });
});

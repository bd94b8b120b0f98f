import { actionBegins, stepTells } from './happenings.js';
import type { ActionStep } from './conversation.js';
import type { RunAction } from './next.js';

const call = (text: string): RunAction => ({
  kind: 'action',
  step_no: 2,
  call: { id: 'c', type: 'function', function: { name: 'find', arguments: text } },
  chosen: { tool: 'find', action: { id: 5, action_name: 'Find' } as NonNullable<RunAction['chosen']>['action'] },
});
const step: ActionStep = {
  kind: 'action',
  step_no: 2,
  call_id: 'c',
  status: 'ERROR',
  outcomeOnly: false,
  background: false,
  output: null,
  error_message: 'no',
  usage: null,
};

describe('what a task tells', () => {
  it('is the beginning of an action with its arguments, or their text when they are no JSON', () => {
    expect(actionBegins(call('{"a":1}'))[0]!.event!.data).toEqual({
      action_id: 5,
      action_name: 'Find',
      arguments: { a: 1 },
    });
    expect(actionBegins(call('{'))[0]!.event!.data['arguments']).toBe('{');
    expect(actionBegins({ ...call(''), chosen: undefined })).toEqual([]);
  });

  it('is the result of an action, the reason on the timeline', () => {
    const [told] = stepTells(step, call('{}'), 7);
    expect(told!.event).toEqual({ type: 'action.completed', data: { action_id: 5, status: 'ERROR', duration_ms: 7 } });
    expect(told!.timeline!.data).toMatchObject({ message: 'no', status: 'ERROR' });
  });

  it('is an error when a call named no action, and nothing yet of a background action', () => {
    expect(stepTells(step, { ...call(''), chosen: undefined }, 0)[0]!.timeline!.type).toBe('error');
    expect(stepTells({ ...step, background: true, status: 'PENDING' }, call(''), 0)).toEqual([]);
  });

  it('is what the model said, when it said something', () => {
    const model = { kind: 'model' as const, step_no: 1, model: 'm', usage: null, problem: null };
    expect(stepTells({ ...model, message: { role: 'assistant', content: 'hi' } }, null, 1)).toHaveLength(1);
    expect(stepTells({ ...model, message: { role: 'assistant', content: null } }, null, 1)).toEqual([]);
  });
});

import { actionBegins, stepEvents } from './step-events.js';
import type { Message } from '@signalbox/contracts';
import type { ActionStep, ModelStep, Step } from '../model/conversation.js';
import type { RunAction } from './next.js';
import type { DeliveredText } from '../../models/index.js';

const eventsOf = (step: Step, executedCall: RunAction | null, duration_ms: number) =>
  stepEvents({ step, executedCall, duration_ms });

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

describe('the events of a step', () => {
  it('include the start of an action with its arguments, or their text when they are no JSON', () => {
    expect(actionBegins(call('{"a":1}'))[0]!.event!.data).toEqual({
      action_id: 5,
      action_name: 'Find',
      arguments: { a: 1 },
    });
    expect(actionBegins(call('{'))[0]!.event!.data['arguments']).toBe('{');
    expect(actionBegins({ ...call(''), chosen: undefined })).toEqual([]);
  });

  it('include the result of an action, with the reason on the timeline', () => {
    const [written] = eventsOf(step, call('{}'), 7);
    expect(written!.event).toEqual({
      type: 'action.completed',
      data: { action_id: 5, status: 'ERROR', duration_ms: 7 },
    });
    expect(written!.timeline!.data).toMatchObject({ message: 'no', status: 'ERROR' });
  });

  it('are an error for a call of an unknown action, and empty for a pending background action', () => {
    expect(eventsOf(step, { ...call(''), chosen: undefined }, 0)[0]!.timeline!.type).toBe('error');
    expect(eventsOf({ ...step, background: true, status: 'PENDING' }, call(''), 0)).toEqual([]);
  });

  const model = (content: string | null, more: Partial<Message> = {}): ModelStep => ({
    kind: 'model',
    step_no: 1,
    model: 'm',
    usage: null,
    problem: null,
    message: { role: 'assistant', content, ...more },
  });

  it('include the message of the model unless it is empty', () => {
    const said = (content: string | null, answers: boolean) =>
      stepEvents({ step: model(content), executedCall: null, duration_ms: 1 }, answers).slice(2);
    expect(said('hi', false)).toEqual([{ timeline: { type: 'message', data: { role: 'assistant', content: 'hi' } } }]);
    expect(said(null, false)).toEqual([]);
    expect(said('hi', true)).toEqual([]);
  });

  it('include the model call before its answer', () => {
    const request = { request_id: 'r', finish_reason: 'stop' };
    const [called, answered] = stepEvents({ step: model('hi'), executedCall: null, duration_ms: 500, request });
    expect(called).toMatchObject({
      timeline: { type: 'model_called', data: { step: 1, model: 'm', request_id: 'r' } },
    });
    expect(Date.now() - (called?.at ?? 0)).toBeGreaterThanOrEqual(500);
    expect(answered?.timeline).toEqual({
      type: 'model_answered',
      data: { step: 1, usage: null, duration_ms: 500, finish_reason: 'stop' },
    });
    const poor = stepEvents({ step: { ...model('hi'), problem: 'no JSON' }, executedCall: null, duration_ms: 1 });
    expect(poor[1]?.timeline?.data['failure_class']).toBe('quality');
  });

  it('include the undelivered part of the text before tool calls', () => {
    const tool_calls = [{ id: 'c', type: 'function' as const, function: { name: 'find', arguments: '{}' } }];
    const events = (delivered?: DeliveredText, isJson = false) =>
      stepEvents({
        step: model('let me see', { tool_calls }),
        executedCall: null,
        duration_ms: 1,
        isJson,
        ...(delivered ? { delivered } : {}),
      }).flatMap(({ event }) => (event ? [event.data] : []));
    expect(events()).toEqual([{ content: 'let me see', step: 1 }]);
    expect(events({ text: 'let me', stale: false })).toEqual([{ content: ' see', step: 1 }]);
    expect(events({ text: '', stale: true })).toEqual([{ content: 'let me see', step: 1, restart: true }]);
    expect(events({ text: '', stale: false }, true)).toEqual([]);
  });
});

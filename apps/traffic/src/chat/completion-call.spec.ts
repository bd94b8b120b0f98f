import { emptyRecord } from '../request-records/index.js';
import { CompletionCall, parse } from '@signalbox/contracts';
import { extrasOf, parametersOfCall, replyOf } from './completion-call.js';

const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, cost: 0.5 };
const facts = {
  record: emptyRecord(1),
  requestId: 'r',
  sessionId: 's',
  model: 'm',
  usage,
  fallbackReason: null,
  firstTokenMs: null,
  responseMs: 7,
  evaluation: null,
  correctionApplied: false,
};

describe('a chat completion', () => {
  it('forwards the given parameters, including unknown keys, without fields of the platform', () => {
    const call = parse(CompletionCall, {
      model: 'm',
      messages: [{ role: 'assistant', content: 'x', refusal: null }],
      temperature: 0,
      top_p: null,
      session_id: 's',
      secrets: { A: 'b' },
      x_vendor: { deep: [1] },
    });
    expect(parametersOfCall(call)).toEqual({
      messages: [{ role: 'assistant', content: 'x', refusal: null }],
      temperature: 0,
      x_vendor: { deep: [1] },
    });
  });

  it('cannot override a declared parameter by the field for unknown ones', () => {
    const call = parse(CompletionCall, {
      messages: [{ role: 'user', content: 'x' }],
      $rest: { stream: true, temperature: 99, y: 1 },
    });
    expect(parametersOfCall(call)).toEqual({ messages: [{ role: 'user', content: 'x' }], y: 1 });
  });

  it('returns the keys of the platform together with those of the provider', () => {
    const reply = replyOf({ usage: { prompt_tokens: 1, details: {} }, id: 'c' } as { usage: object }, facts);
    expect(reply).toEqual({
      id: 'c',
      model: 'm',
      usage: { ...usage, details: {} },
      request_id: 'r',
      session_id: 's',
      correction_applied: false,
      fallback_used: false,
      fallback_reason: null,
      first_token_time_ms: null,
      response_time_ms: 7,
    });
    expect(extrasOf({ ...facts, evaluation: [], fallbackReason: 'provider_failed' })).toMatchObject({
      evaluate_response: [],
      fallback_used: true,
    });
  });
});

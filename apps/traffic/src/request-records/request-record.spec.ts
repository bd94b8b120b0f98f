import { type FinishedCall, recordOf } from './request-record.js';

const call: FinishedCall = {
  requestId: '00000000-0000-4000-8000-000000000001',
  companyId: 7,
  place: { applicationId: null, intentId: null, intentGroupId: null },
  sessionId: null,
  inSession: false,
  referenceId: null,
  requestType: 'PROD',
  inferenceLocation: 'SERVER',
  model: 'm',
  provider: 'p',
  metadata: {},
  params: { messages: [{ role: 'user', content: 'a\0b\ud800' }] },
  answer: null,
  failure: { failureClass: 'provider', message: 'no\0thing' },
  fallback: null,
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, cost: null },
  firstTokenMs: null,
  responseMs: 5,
  began: 1_760_000_000_123,
};

describe('the record of a call', () => {
  it('replaces characters that cannot be stored', () => {
    const { params, status, error_message, response } = recordOf(call);
    expect(params).toBe('{"messages":[{"role":"user","content":"a\\ufffdb\\ufffd"}]}');
    expect({ status, error_message, response }).toEqual({
      status: 'FAILED',
      error_message: 'no\ufffdthing',
      response: null,
    });
  });
});

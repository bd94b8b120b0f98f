import { correct, type KnownRequest, requireCorrected } from './recorded-request.js';

const request: KnownRequest = { request_id: 'r', status: 'COMPLETED', has_response: true, corrected_response: null };
const given = { choices: [{ message: { role: 'assistant' as const, content: 'x' } }], keyId: 3, now: 5 };

describe('a recorded request', () => {
  it('can be corrected while it has an answer, including a partial one', () => {
    const expected = { choices: given.choices, note: null, key_id: 3, date_updated: 5 };
    expect(correct(request, given)).toEqual(expected);
    expect(correct({ ...request, status: 'FAILED' }, given)).toEqual(expected);
    expect(() => correct({ ...request, status: 'FAILED', has_response: false }, given)).toThrow(
      'request r is FAILED and has no response',
    );
  });

  it('refuses the removal of a missing correction', () => {
    expect(() => requireCorrected(request)).toThrow('request r is not corrected');
    expect(() => requireCorrected({ ...request, corrected_response: correct(request, given) })).not.toThrow();
  });
});

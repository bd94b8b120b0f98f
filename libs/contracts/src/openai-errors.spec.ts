import { ApiError, type Detail, invalid, invalidField } from './errors.js';
import { openAiError } from './openai-errors.js';

describe('an error in the OpenAI shape', () => {
  it('names the field and the problem of the body', () => {
    expect(openAiError(invalidField('messages', 'is required'))).toEqual({
      status: 400,
      message: 'messages is required',
      details: [{ field: 'messages', message: 'is required' }],
      type: 'invalid_request_error',
      code: 'invalid_body',
      param: 'messages',
    });
  });

  it.each([
    [new ApiError('missing_company', 'company_id is missing'), 401, 'authentication_error', 'company_missing'],
    [new ApiError('not_found', 'x', { code: 'model_not_found' }), 404, 'not_found_error', 'model_not_found'],
    [
      new ApiError('conflict', 'x', { code: 'application_disabled' }),
      409,
      'invalid_request_error',
      'application_disabled',
    ],
    [new ApiError('in_progress', 'x'), 409, 'invalid_request_error', 'idempotency_in_progress'],
    [
      new ApiError('refused', 'x', { code: 'idempotency_conflict' }),
      422,
      'invalid_request_error',
      'idempotency_conflict',
    ],
    [new ApiError('rate_limited', 'x'), 429, 'rate_limit_error', 'rate_limited'],
    [
      new ApiError('bad_upstream', 'x', { code: 'provider_not_configured' }),
      502,
      'provider_error',
      'provider_not_configured',
    ],
    [new ApiError('timeout', 'x'), 504, 'timeout_error', 'provider_timeout'],
    [new ApiError('internal', 'x'), 500, 'server_error', 'internal'],
  ])('maps %s to %i %s %s', (error, status, type, code) => {
    expect(openAiError(error)).toMatchObject({ status, type, code });
  });

  it.each<[string, Detail[], string]>([
    ['one problem', [{ field: 'name', message: 'is required' }], 'name is required'],
    [
      'several',
      [
        { field: 'a', message: 'is wrong' },
        { field: 'b', message: '' },
      ],
      'a is wrong (and 1 more)',
    ],
    ['none', [], 'the request is not valid'],
  ])('puts the problem into its message: %s', (_what, details, message) => {
    expect(invalid(details).message).toBe(message);
  });
});

import { whyOf } from './why.js';

const failure = (change: object) => ({ failure_class: null, error_code: null, error_message: null, ...change });

describe('the sentence that says why', () => {
  it.each([
    [
      { failure_class: 'provider', error_code: 'provider_error', error_message: '429 too many' },
      'answered with an error. «429 too many»',
    ],
    [{ failure_class: 'quality', error_code: 'max_iterations' }, 'after the most steps that it may take.'],
    [{ failure_class: 'internal', error_code: 'new_code' }, 'could not finish it: new code.'],
    [{ failure_class: 'timeout' }, 'A time limit elapsed.'],
    [{}, 'It failed.'],
  ])('%j', (change, end) => expect(whyOf(failure(change)).endsWith(end)).toBe(true));
});

import { fail } from './next.js';

it('a failure of the loop has the class quality', () => {
  expect(fail('max_iterations', 'too many')).toEqual({
    kind: 'fail',
    failure_class: 'quality',
    error_code: 'max_iterations',
    message: 'too many',
  });
});

import { RuleTooCostlyError } from './costly-rule.js';

it('the error of a costly rule names the rule, its condition and the problem, and is 422', () => {
  const error = new RuleTooCostlyError({ label: 'slow' }, 1, 'it takes too long');
  expect(error.message).toBe("condition 1 of the routing rule 'slow' cannot be evaluated: it takes too long");
  expect(error.status).toBe(422);
});

import { parseExpression, satisfies } from './expression.js';

describe('a condition expression', () => {
  it.each([
    [null, [true, true], true],
    [null, [true, false], false],
    ['', [], true],
    ['0', [true, false], true],
    ['0 AND 1', [true, false], false],
    ['0 or 1', [false, true], true],
    ['0 AND (1 OR 2)', [true, false, true], true],
    ['0 AND 1 OR 2', [false, false, true], true],
    ['0 AND (1 OR 2)', [false, false, true], false],
    ['NOT 0 AND 1', [false, true], true],
    ['NOT (0 AND 1)', [true, true], false],
    ['((0))', [true], true],
  ])('%s over %j is %s', (expression, verdicts, expected) => {
    expect(satisfies(expression, verdicts)).toBe(expected);
  });

  it.each([
    [null, [true, null], null],
    [null, [null, false], false],
    ['0 AND 1', [false, null], false],
    ['0 AND 1', [null, true], null],
    ['0 OR 1', [null, true], true],
    ['0 OR 1', [null, false], null],
    ['NOT 0', [null], null],
    ['NOT (0 AND 1) OR 2', [null, false, null], true],
  ])('%s over %j, of which some are undecided, is %s', (expression, verdicts, expected) => {
    expect(satisfies(expression, verdicts)).toBe(expected);
  });

  it.each(['AND', '0 AND', '(0', '0)', '0 1', '0 XOR 1', 'NOT', '0; 1', '-1', '('.repeat(60) + '0' + ')'.repeat(60)])(
    'refuses %s',
    (text) => {
      const message = 'condition_expression must combine condition indexes with AND, OR, NOT and parentheses';
      expect(() => parseExpression(text, 3)).toThrow(message);
    },
  );

  it('refuses the index of a condition that does not exist', () => {
    const message = 'condition_expression names condition 9, but there are 3';
    expect(() => parseExpression('0 AND 9', 3)).toThrow(message);
  });
});

import { isHigherVersion, nextVersion } from './next-version.js';

describe('the next version', () => {
  it.each([
    [null, 'major', '1.0.0'],
    [null, 'minor', '1.0.0'],
    [null, 'patch', '1.0.0'],
    ['1.0.0', 'patch', '1.0.1'],
    ['1.0.0', 'minor', '1.1.0'],
    ['1.0.0', 'major', '2.0.0'],
    ['1.2.3', 'patch', '1.2.4'],
    ['1.2.3', 'minor', '1.3.0'],
    ['1.2.3', 'major', '2.0.0'],
    ['1.9.9', 'patch', '1.9.10'],
    ['1.9.9', 'minor', '1.10.0'],
    ['9.10.11', 'major', '10.0.0'],
  ] as const)('after %s by %s is %s', (latest, increment, next) => {
    expect(nextVersion(latest, increment)).toBe(next);
  });
});

describe('a version', () => {
  it.each([
    ['1.0.1', '1.0.0', true],
    ['1.10.0', '1.9.9', true],
    ['2.0.0', '1.99.99', true],
    ['1.0.0', '1.0.0', false],
    ['1.9.9', '1.10.0', false],
    ['0.9.9', '1.0.0', false],
  ])('%s is higher than %s: %s', (version, other, isHigher) => {
    expect(isHigherVersion(version, other)).toBe(isHigher);
  });
});

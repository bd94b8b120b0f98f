import { BuildCopy, DELIBERATE_VIOLATIONS } from '@signalbox/testing';

let copy: BuildCopy;
beforeAll(async () => {
  copy = await BuildCopy.make();
}, 60_000);
afterAll(() => copy.remove());

const specs = new Set(DELIBERATE_VIOLATIONS.map(({ spec }) => spec));

describe('a deliberate violation', () => {
  it('is absent from the unchanged build: every test that detects one passes', async () => {
    const { passed, output } = await copy.judgeUnchanged(DELIBERATE_VIOLATIONS);
    expect([passed, passed ? '' : output]).toEqual([true, '']);
    expect(output).toMatch(new RegExp(`Test Suites: ${specs.size} passed`));
    // One test for each, and a test with two cases.
    expect(output).toMatch(/Tests: .*\b6 passed/);
  }, 60_000);

  it.each(DELIBERATE_VIOLATIONS.map((violation) => [violation.name, violation] as const))(
    'is detected: %s',
    async (_name, violation) => {
      const { passed, output } = await copy.judge(violation);
      expect(passed).toBe(false);
      // The spec has to run and fail by its assertion, not merely to crash.
      expect(output).toMatch(/Tests: +\d+ failed/);
    },
    60_000,
  );
});

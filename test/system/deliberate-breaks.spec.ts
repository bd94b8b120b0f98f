import { BuildCopy, DELIBERATE_VIOLATIONS } from '@signalbox/testing';

let copy: BuildCopy;
beforeAll(async () => {
  copy = await BuildCopy.make();
}, 60_000);
afterAll(() => copy.remove());

const specs = [...new Map(DELIBERATE_VIOLATIONS.map((violation) => [violation.spec, violation])).values()];

describe('a deliberate violation', () => {
  it.each(specs.map((violation) => [violation.spec, violation] as const))(
    '%s passes on the unchanged build',
    async (_spec, violation) => {
      const { passed, output } = await copy.judge(violation, { sound: true });
      expect([passed, passed ? '' : output]).toEqual([true, '']);
    },
    60_000,
  );

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

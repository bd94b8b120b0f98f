import { BuildCopy, PLANTED_BREAKS } from '@signalbox/testing';

let copy: BuildCopy;
beforeAll(async () => {
  copy = await BuildCopy.make();
}, 60_000);
afterAll(() => copy.remove());

const specs = [...new Map(PLANTED_BREAKS.map((planted) => [planted.spec, planted])).values()];

describe('a planted break', () => {
  it.each(specs.map((planted) => [planted.spec, planted] as const))(
    '%s passes on the sound build',
    async (_spec, planted) => {
      const { passed, output } = await copy.judge(planted, { sound: true });
      expect([passed, passed ? '' : output]).toEqual([true, '']);
    },
    60_000,
  );

  it.each(PLANTED_BREAKS.map((planted) => [planted.name, planted] as const))(
    'is noticed: %s',
    async (_name, planted) => {
      const { passed, output } = await copy.judge(planted);
      expect(passed).toBe(false);
      // The spec has to run and fail in its own words, not merely to crash.
      expect(output).toMatch(/Tests: +\d+ failed/);
    },
    60_000,
  );
});

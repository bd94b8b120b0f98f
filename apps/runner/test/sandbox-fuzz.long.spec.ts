import { fuzzSandbox } from './fuzz/sandbox-fuzz.js';
import { SystemCalls } from './fuzz/system-calls.js';

/** A seed repeats a run; without one, each run generates other scripts. */
const SEED = Number(process.env['SANDBOX_FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const MINUTES = Number(process.env['SANDBOX_FUZZ_MINUTES'] ?? 4);

// The short form, in `npm test`, is sandbox-fuzz.spec.ts.
describe('generated scripts, for minutes', () => {
  it.each([true, false])(
    'escape nowhere, with their system calls followed: %s',
    async (systemCalls) => {
      const limits = { javascript: Infinity, python: Infinity, timeMs: MINUTES * 30_000 };
      const report = await fuzzSandbox({ seed: SEED, ...limits, systemCalls });
      const { escapes, faults, ...counts } = report;
      process.stdout.write(`seed ${SEED} ${JSON.stringify(counts)}\n`);
      expect({ seed: SEED, escapes, faults }).toEqual({ seed: SEED, escapes: [], faults: [] });
      expect(counts.completed).toBeGreaterThan(counts.scripts / 3);
      if (systemCalls && SystemCalls.isInstalled) expect(counts.traced).toBeGreaterThan(4);
    },
    MINUTES * 30_000 + 120_000,
  );
});

import { fuzz } from '@signalbox/testing/fuzz';

// Always the same requests: a fixed seed belongs to a test, other seeds to the command.
it('replies to 1,000 generated requests as documented', async () => {
  const report = await fuzz({ requests: 1000, seed: 20_250 });
  expect(report.problems).toEqual([]);
  expect(Object.keys(report.kinds).sort()).toEqual(['chain', 'mutated', 'raw', 'valid']);
  // A fuzzer whose requests are all unauthorized proves nothing.
  expect((report.statuses[200] ?? 0) / report.requests).toBeGreaterThan(0.2);
  expect(report.statuses[400] ?? 0).toBeGreaterThan(200);
}, 120_000);

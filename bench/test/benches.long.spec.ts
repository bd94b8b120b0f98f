import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BENCHES } from '../src/benches.js';

const RUN = fileURLToPath(new URL('../src/run.js', import.meta.url));
/** Two build millions of rows before they measure, the others install another base: run by hand. */
const BY_HAND = ['analytics', 'size', 'test-run', 'test-run-latency'];

// The short form, in `npm test`, is benches.spec.ts. No figure is asserted here either: one round says little.
it('runs each bench at its real size, with right answers', async () => {
  const names = BENCHES.map(({ name }) => name).filter((name) => !BY_HAND.includes(name));
  const running = promisify(execFile)(process.execPath, [RUN, ...names, '--rounds=1'], { timeout: 580_000 });
  const ended = await running.catch((error: { stdout: string; stderr: string; code: number }) => error);
  const complaint = 'code' in ended ? `${ended.code}: ${ended.stderr.slice(-2000)}${ended.stdout}` : undefined;
  expect(complaint).toBeUndefined();
  console.log(ended.stdout);
}, 600_000);

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { timeScale } from '@signalbox/testing';
import { BENCHES } from '../src/benches.js';

const RUN = fileURLToPath(new URL('../src/run.js', import.meta.url));

// No figure is asserted: a machine that runs tests is never idle. A wrong or missing reply fails the run.
describe('every bench', () => {
  let printed = '';
  let problem: string | undefined = 'it did not end';
  beforeAll(async () => {
    const running = promisify(execFile)(process.execPath, [RUN, 'all', '--tiny'], {
      timeout: Math.ceil(1_500_000 * timeScale()),
    });
    const ended = await running.catch((error: { stdout: string; stderr: string; code: number }) => error);
    printed = ended.stdout;
    // The tables name the side with wrong replies.
    problem = 'code' in ended ? `${ended.code}: ${ended.stderr.slice(-2000)}${printed}` : undefined;
  }, 1_600_000);

  it.each(BENCHES.map(({ name }) => name))('runs %s with tiny sizes', (name) => {
    const [, after = ''] = printed.split(`\n${name}\n`);
    const next = BENCHES.map((bench) => after.indexOf(`\n${bench.name}\n`)).filter((at) => at >= 0);
    expect(after.slice(0, Math.min(...next, after.length))).toMatch(/must [≥≤] [\d.]+|CPU µs each/);
  });

  it('finds every reply correct', () => expect(problem).toBeUndefined());
});

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BENCHES } from '../src/benches.js';

const RUN = fileURLToPath(new URL('../src/run.js', import.meta.url));

// No figure is asserted: a machine that runs tests has no quiet moment. A wrong or missing answer fails the run.
describe('every bench', () => {
  let said = '';
  let complaint: unknown = 'it did not end';
  beforeAll(async () => {
    const running = promisify(execFile)(process.execPath, [RUN, 'all', '--tiny'], { timeout: 280_000 });
    const ended = await running.catch((error: { stdout: string; stderr: string; code: number }) => error);
    said = ended.stdout;
    complaint = 'code' in ended ? ended.stderr.slice(-2000) || ended.code : undefined;
  }, 300_000);

  it.each(BENCHES.map(({ name }) => name))('runs %s with tiny sizes', (name) => {
    const [, after = ''] = said.split(`\n${name}\n`);
    const next = BENCHES.map((bench) => after.indexOf(`\n${bench.name}\n`)).filter((at) => at >= 0);
    expect(after.slice(0, Math.min(...next, after.length))).toMatch(/must [≥≤] [\d.]+/);
  });

  it('finds every answer right', () => expect(complaint).toBeUndefined());
});

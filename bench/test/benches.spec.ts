import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BENCHES } from '../src/benches.js';

const RUN = fileURLToPath(new URL('../src/run.js', import.meta.url));

// No figure is asserted: a machine that runs tests has no quiet moment. A wrong or missing answer fails the run.
describe('every bench', () => {
  it.each(BENCHES.map(({ name }) => name))(
    'runs %s with tiny sizes and finds every answer right',
    async (name) => {
      const { stdout } = await promisify(execFile)(process.execPath, [RUN, name, '--tiny'], { timeout: 90_000 });
      expect(stdout).toMatch(/must [≥≤] [\d.]+/);
    },
    100_000,
  );
});

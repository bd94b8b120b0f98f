import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastWords } from '../src/launcher/supervisor/service-process.js';

const folder = mkdtempSync(join(tmpdir(), 'last-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the end of a log, as the launcher shows it', () => {
  it('has the error of a service that could not start, not its source or its stack', async () => {
    const log = join(folder, 'runner.log');
    const frames = Array.from({ length: 6 }, (_, at) => `    at step${at} (/services/runner.js:1:${at})`);
    const thrown = ['/services/runner.js:1', 'x'.repeat(200_000), `${' '.repeat(100_000)}^`, ''];
    const said = 'Error: settings: WORK_LEASE_SECONDS must be seconds from 5 to 300';
    writeFileSync(log, ['an earlier line', ...thrown, said, ...frames, '', 'Node.js v20', ''].join('\n'));
    expect(await lastWords(log)).toBe(['an earlier line', '/services/runner.js:1', said, 'Node.js v20'].join('\n'));
  });

  it('is empty without a log', async () => expect(await lastWords(join(folder, 'none'))).toBe(''));
});

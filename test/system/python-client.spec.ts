import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Platform, ROOT } from '@signalbox/testing';

const run = promisify(execFile);
const CLIENT = join(ROOT, 'clients/python');
const README_FILES = ['clients/python/README.md', 'README.md', 'docs/sdk/python.md', 'docs/sdk/webhooks.md'];

let platform: Platform;
let environment: NodeJS.ProcessEnv;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'test-runs', 'gateway']);
  const { key } = await platform.company();
  environment = {
    PATH: process.env.PATH,
    PYTHONPATH: CLIENT,
    PYTHONDONTWRITEBYTECODE: '1',
    SIGNALBOX_API_KEY: key,
    SIGNALBOX_URL: platform.baseUrl,
  };
}, 120_000);
afterAll(() => platform.stop(), 40_000);

const python = (words: string[], program = 'python3') =>
  run(program, ['-W', 'error', ...words], { cwd: CLIENT, env: environment });

/** A Python with httpx; the one of the distribution may have it when another comes first. */
const withHttpx = ['python3', '/usr/bin/python3'].find(
  (program) => spawnSync(program, ['-c', 'import httpx']).status === 0,
);
const warn = (): void =>
  void process.stderr.write('THE ASYNCHRONOUS PYTHON CLIENT WAS NOT RUN: no Python here has httpx\n');

/** The Python examples of a page that need nothing but the client. */
async function examples(file: string): Promise<string[]> {
  const text = await readFile(join(ROOT, file), 'utf8');
  const blocks = [...text.matchAll(/^```python\n(.*?)^```$/gms)].map(([, code = '']) => code);
  return blocks.filter((code) => code.includes('import signalbox'));
}

describe('the Python client', () => {
  it.each([
    ['test_client.py', 7],
    ['test_failures.py', 38],
    ['test_types.py', 2],
    ['test_webhooks.py', 5],
    ['test_async.py', 26],
  ])(
    'passes %s',
    async (file, count) => {
      if (file === 'test_async.py' && withHttpx === undefined) return warn();
      const { stderr } = await python([join('tests', file)], file === 'test_async.py' ? withHttpx : undefined);
      expect(stderr).toMatch(new RegExp(`^Ran ${count} tests in .*\\n\\nOK\\n$`, 'm'));
    },
    90_000,
  );

  it('runs every example of its pages', async () => {
    const outputs: string[] = [];
    for (const code of (await Promise.all(README_FILES.map(examples))).flat()) {
      if (code.includes('AsyncClient') && withHttpx === undefined) warn();
      else outputs.push((await python(['-c', code], withHttpx)).stdout);
    }
    expect(outputs.length).toBeGreaterThanOrEqual(2);
    expect(outputs[0]).toMatch(/hello.*\ntask\.started\n(.*\n)*task\.completed\nHelper\n$/);
    expect(outputs).toContainEqual(expect.stringMatching(/^agent\.created 7\n$/));
    expect(outputs).toContainEqual(expect.stringMatching(/^agent\.created 8\n204\n$/));
    if (withHttpx !== undefined)
      expect(outputs).toContainEqual(
        expect.stringMatching(/one\n.*two\ntask\.started\n(.*\n)*task\.completed\nHelper\n$/),
      );
    expect(outputs[1]).toMatch(/^\d+ 0 10\n404 agent not found [0-9a-f-]{36}\napplication\/jsonl.* \d+\n$/);
  }, 60_000);
});

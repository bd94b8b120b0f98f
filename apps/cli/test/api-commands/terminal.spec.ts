import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { SIGNALBOX } from '../command-line.js';
import { company, folder, json, platform, signalbox } from './fixture.js';

describe('a command that destroys something for ever', () => {
  const runOf = async (): Promise<string> => {
    const set = await json<{ id: number }>(['test-sets', 'create', `Destroyed ${Math.random()}`]);
    const words = ['test-runs', 'create', String(set.id), '--consumer-kind', 'MODEL'];
    return String((await json<{ id: number }>([...words, '--consumer-config', '{"model":"simulated-echo"}'])).id);
  };

  it('is refused without a terminal, and done with --yes', async () => {
    const id = await runOf();
    const refused = await signalbox(['test-runs', 'delete', id]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('repeat it with --yes') as string });
    expect((await signalbox(['test-runs', 'get', id])).code).toBe(0);
    expect((await signalbox(['test-runs', 'delete', id, '--yes'])).code).toBe(0);
    expect((await signalbox(['test-runs', 'get', id])).code).toBe(4);
  });

  it.each([
    ['no', 2, 0],
    ['yes', 0, 4],
  ])(
    'asks on a terminal, and takes %s',
    async (answer, code, then) => {
      const id = await runOf();
      const command = `${process.execPath} ${SIGNALBOX} test-runs delete ${id}`;
      const env = { SIGNALBOX_API_KEY: company.key, SIGNALBOX_URL: platform.baseUrl, PATH: process.env.PATH };
      const terminal = spawn('script', ['-qec', command, '/dev/null'], { env });
      let asked = '';
      terminal.stdout.on('data', (part: Buffer) => {
        const before = asked;
        asked += part.toString();
        if (!before.includes('go on: ') && asked.includes('go on: ')) terminal.stdin.write(`${answer}\n`);
      });
      const ended = await new Promise((resolve) => terminal.on('close', resolve));
      expect([ended, asked]).toEqual([code, expect.stringContaining('This destroys the test run') as string]);
      expect((await signalbox(['test-runs', 'get', id])).code).toBe(then);
    },
    30_000,
  );
});

describe('completion', () => {
  it('works in bash', async () => {
    const { stdout } = await signalbox(['completion', 'bash']);
    const path = join(folder, 'signalbox');
    rmSync(path, { recursive: true, force: true });
    const script = `signalbox() { ${process.execPath} ${SIGNALBOX} "$@"; }
${stdout}
COMP_WORDS=(signalbox agents publ); COMP_CWORD=2; _signalbox; echo "\${COMPREPLY[@]}"`;
    const bash = spawn('bash', ['--norc', '-c', script], { env: { PATH: process.env.PATH ?? '' } });
    let text = '';
    bash.stdout.on('data', (part: Buffer) => void (text += part.toString()));
    await new Promise((resolve) => bash.on('close', resolve));
    expect(text).toBe('publish-version\n');
  });
});

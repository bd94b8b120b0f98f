import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type HttpTarget, ROOT, startHttpTarget } from '@signalbox/testing';

interface Packed {
  filename: string;
  files: { path: string; size: number }[];
}

const run = promisify(execFile);
const MOST_BYTES = 80_000;
const npm = (folder: string, ...words: string[]): string =>
  execFileSync('npm', [...words, '--offline', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  });

let folder: string;
let packed: Packed;
let target: HttpTarget;
beforeAll(async () => {
  target = await startHttpTarget({ script: () => ({ body: '{"data":{"id":7,"agent_name":"Helper"}}' }) });
  folder = mkdtempSync(join(tmpdir(), 'empty-project-'));
  writeFileSync(join(folder, 'package.json'), '{"name":"empty","private":true,"type":"module"}');
  [packed] = JSON.parse(npm(ROOT, 'pack', '-w', 'libs/sdk', '--json', '--pack-destination', folder)) as [Packed];
  npm(folder, 'install', `./${packed.filename}`);
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await target.close();
});

describe('the packed client', () => {
  it('has no dependencies, no source and no test, and stays below 80 kB without its types', () => {
    const code = packed.files.filter(({ path }) => !path.endsWith('.d.ts'));
    expect(code.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(MOST_BYTES);
    const wanted = /^(package\.json|README\.md|dist\/src\/.*\.(js|d\.ts))$/;
    expect(packed.files.map(({ path }) => path).filter((path) => !wanted.test(path))).toEqual([]);
    expect(npm(folder, 'ls', '--all', '--parseable').trim().split('\n')).toHaveLength(2);
  });

  it('calls the platform from an empty project', async () => {
    writeFileSync(
      join(folder, 'use.mjs'),
      `import { createClient } from '@signalbox/sdk';
const client = createClient({ apiKey: 'k', baseUrl: process.argv[2] });
console.log((await client.agents.get({ agent_id: 7 })).agent_name);`,
    );
    const { stdout } = await run(process.execPath, ['use.mjs', target.url], { cwd: folder });
    expect(stdout).toBe('Helper\n');
    expect(target.calls[0]?.headers['x-service-api-key']).toBe('k');
  });

  it('refuses wrong input when it compiles', () => {
    const client = `import { createClient } from '@signalbox/sdk';\nconst client = createClient({ apiKey: 'k' });\n`;
    const texts = {
      'right.ts': 'export const name: Promise<string> = client.agents.get({ agent_id: 1 }).then((a) => a.agent_name);',
      'wrong.ts': "void client.agents.get({ agent_id: 'one' });",
    };
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), client + text);
    const options = '--pretty false --noEmit --strict --module nodenext --target es2023 --lib es2023,dom'.split(' ');
    const compiler = [`${ROOT}node_modules/typescript/bin/tsc`, ...options, ...Object.keys(texts)];
    const { stdout } = spawnSync(process.execPath, compiler, { cwd: folder, encoding: 'utf8' });
    const errors = stdout.split('\n').filter((line) => line.includes('error TS'));
    expect(errors).toEqual([expect.stringMatching(/^wrong\.ts.*Type 'string' is not assignable/)]);
  }, 120_000);
});

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Platform } from '@signalbox/testing';
import { REPOSITORY } from '../../src/launcher/services.js';

const run = promisify(execFile);

let platform: Platform;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'external-agent-'));
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'test-runs', 'gateway']);
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await platform?.stop();
});

it('watches an agent in another process, finds its regression, refuses its release and lets the mended one through', async () => {
  const { key } = await platform.company();
  const { stdout } = await run(process.execPath, [join(REPOSITORY, 'examples/external-agent/demo.mjs')], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      XDG_CONFIG_HOME: folder,
      SIGNALBOX_API_KEY: key,
      SIGNALBOX_URL: platform.baseUrl,
      AGENT_PORT: '0',
    },
  });
  const parts = stdout.split('\n## ');
  expect(parts.map((part) => part.split(':')[0]?.trim())).toEqual([
    '',
    'Watched',
    'Tested',
    'A regression',
    'Refused',
    'Let through',
  ]);
  const [, watched, tested, regressed, refused, released] = parts;
  expect(watched?.match(/^ +COMPLETED +1\.0\.0 +EXTERNAL/gm)).toHaveLength(3);
  expect(tested).toMatch(/8 of 8|100 %/);
  expect(regressed?.match(/^ +COMPLETED +1\.1\.0 +EXTERNAL/gm)).toHaveLength(3);
  expect(regressed).toContain('look_up was not called');
  expect(refused).toContain('version 1.1.0 may not run under release production:');
  expect(refused).toMatch(/409|match rate of test run \d+ is 0 %/);
  expect(released).toContain('version 1.1.1 may run under release production');
  expect(released).toContain('The demo is complete.');
}, 240_000);

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Platform } from '@signalbox/testing';
import { REPOSITORY } from '../../src/launcher/services.js';

const run = promisify(execFile);
const GUIDES = readdirSync(join(REPOSITORY, 'docs/guides')).filter((file) => file !== 'README.md');
const PAGES = ['docs/getting-started.md', 'docs/sdk/command-line.md', ...GUIDES.map((file) => `docs/guides/${file}`)];
/** Commands that start a platform; the pages are tried against one that runs already. */
const STARTS = /^npm (start|run demo)|\/admin-key/;

/** The shell commands of a page, as one script. */
function commandsOf(page: string): string {
  const text = readFileSync(join(REPOSITORY, page), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  const lines = blocks.join('\n').split('\n');
  return lines.filter((line) => !STARTS.test(line) && !line.includes('login <')).join('\n');
}

let platform: Platform;
let environment: NodeJS.ProcessEnv;
/** Where the commands write their files. */
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'documents-'));
  platform = await Platform.shared([
    'accounts',
    'traffic',
    'agents',
    'workflows',
    'runner',
    'monitors',
    'test-runs',
    'training',
    'gateway',
  ]);
  const { key } = await platform.company();
  environment = { PATH: process.env.PATH, SIGNALBOX_API_KEY: key, SIGNALBOX_URL: platform.baseUrl };
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await platform?.stop();
}, 40_000);

describe('the commands of', () => {
  it.each(PAGES)(
    '%s succeed',
    async (page) => {
      const script = `set -e -o pipefail
signalbox() { ${process.execPath} ${join(REPOSITORY, 'apps/cli/bin/signalbox.mjs')} "$@"; }
npx() { shift; signalbox "$@"; }
timeout() { shift; signalbox() { :; }; "$@"; }
${commandsOf(page)}
echo "# end"`;
      const { stdout } = await run('bash', ['--norc', '-c', script], { env: environment, cwd: folder });
      expect(stdout).toMatch(/# end\n$/);
    },
    240_000,
  );
});

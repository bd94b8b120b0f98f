import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type HttpTarget, Platform, startHttpTarget } from '@signalbox/testing';
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

/** The server of tools that a page asks, as far as the protocol goes there. */
function mcpReply(body: string): { status: number; body?: string; headers?: Record<string, string> } {
  const { id, method, params } = JSON.parse(body) as {
    id?: number;
    method: string;
    params?: { protocolVersion?: string };
  };
  if (id === undefined) return { status: 202 };
  const inputSchema = { type: 'object', properties: { order: { type: 'string' } } };
  const tools = ['find_order', 'delete_order'].map((name) => ({ name, description: 'Of the shop', inputSchema }));
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: params?.protocolVersion ?? '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'shop', version: '1' },
    },
    'tools/list': { tools },
  };
  const result = results[method];
  const reply = result ? { result } : { error: { code: -32_601, message: 'Method not found' } };
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, body: JSON.stringify({ jsonrpc: '2.0', id, ...reply }) };
}

let platform: Platform;
let shop: HttpTarget;
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
  shop = await startHttpTarget({ script: ({ body }) => mcpReply(body.toString()) });
  const { key } = await platform.company();
  environment = { PATH: process.env.PATH, SIGNALBOX_API_KEY: key, SIGNALBOX_URL: platform.baseUrl, SHOP_MCP: shop.url };
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all([platform?.stop(), shop?.close()]);
});

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

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Platform, type TestCompany } from '@signalbox/testing';
import { startCommand } from '../command-line.js';

export let platform: Platform;
export let company: TestCompany;
export let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'api-commands-'));
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'test-runs', 'gateway']);
  company = await platform.company();
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await platform.stop();
});

/** Runs a command with the key of the company, unless the environment says otherwise. */
export function signalbox(
  words: string[],
  { stdin = '', env = {} }: { stdin?: string; env?: Record<string, string> } = {},
) {
  const environment = { SIGNALBOX_API_KEY: company.key, SIGNALBOX_URL: platform.baseUrl, XDG_CONFIG_HOME: folder };
  return startCommand(words, folder, { ...environment, ...env }, stdin).ended;
}

/** What a command prints as JSON. */
export async function json<T>(words: string[]): Promise<T> {
  const { code, stdout, stderr } = await signalbox([...words, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

/** An agent `Helper` of an application `Shop`; returns its id. */
export async function newHelper(): Promise<number> {
  const api = platform.api(company.key);
  const { id } = await api.data<{ id: number }>('POST', '/applications', { application_name: 'Shop' });
  const agent = { application_id: id, agent_name: 'Helper' };
  return (await api.data<{ id: number }>('POST', '/agents', agent)).id;
}

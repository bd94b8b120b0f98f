import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Task } from '@signalbox/sdk';
import type { DemoContext } from '../context.js';

const PROGRAM = fileURLToPath(new URL('../../../../bin/signalbox.mjs', import.meta.url));
const COLUMNS = 'id,status,trigger,duration_ms';

const run = promisify(execFile);

/** A generated command as a user types it, without the program's name. */
const wordsOf = (agentId: number, count: number): string[] => [
  'agents',
  'list-tasks',
  String(agentId),
  '--limit',
  String(count),
  '--trigger',
  'API',
  '--columns',
  COLUMNS,
];

/** Lists the newest tasks by the command line in another process; returns whether it lists those given. */
export async function listByCommand(
  { baseUrl, key, progress, step }: DemoContext,
  agentId: number,
  tasks: readonly Task[],
): Promise<boolean> {
  const words = wordsOf(agentId, tasks.length);
  const environment = { ...process.env, SIGNALBOX_URL: baseUrl, SIGNALBOX_API_KEY: key };
  const table = await step(
    `The same tasks by "npx signalbox ${words.join(' ')}"`,
    async () => (await run(process.execPath, [PROGRAM, ...words], { env: environment })).stdout.trimEnd(),
    (text) => (listsAll(text, tasks) ? 'it lists all of them' : 'it lists others'),
  );
  for (const line of table.split('\n')) progress.log(`   ${line}`);
  return listsAll(table, tasks);
}

const listsAll = (table: string, tasks: readonly Task[]): boolean => tasks.every(({ id }) => table.includes(id));

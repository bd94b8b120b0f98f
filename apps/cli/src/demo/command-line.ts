import { runApiCommand } from '../client/run-command.js';
import type { DemoContext } from './context.js';

const wordsOf = (agentId: number, count: number): string[] => [
  ...['agents', 'list-tasks', String(agentId)],
  ...['--limit', String(count), '--trigger', 'API', '--columns', 'id,status,trigger,duration_ms'],
];

export async function listByCommand(context: DemoContext, agentId: number, count: number): Promise<boolean> {
  const { baseUrl, key, progress, step } = context;
  const words = wordsOf(agentId, count);
  const code = await step(
    'The newest tasks by the command line',
    () => {
      progress.end();
      return runApiCommand(words, { SIGNALBOX_URL: baseUrl, SIGNALBOX_API_KEY: key });
    },
    (exit) => `"npx signalbox ${words.join(' ')}" has printed them and ended with ${exit}`,
  );
  return code === 0;
}

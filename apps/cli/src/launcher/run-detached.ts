import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { MasterKeys, NatsUser } from '@signalbox/servers';
import { REPOSITORY } from './services.js';

export type DetachedTask =
  | { what: 'users'; keys: MasterKeys }
  | { what: 'first-company'; natsUrl: string; company: string }
  | { what: 'sign-in-link'; natsUrl: string; origin: string };

export type DetachedResult = { output: NatsUser[] | string } | { error: string };

const PROGRAM = join(REPOSITORY, 'dist/services/detached.js');

/**
 * Uses the bus library in a short-lived process: without it the launcher, which runs as long as the platform, needs
 * less than half the memory.
 */
function runDetached(task: DetachedTask): Promise<NatsUser[] | string> {
  return new Promise((resolve, reject) => {
    // Secrets travel over the channel: arguments and environments can be read by other users.
    const child = fork(PROGRAM, [], { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.once('error', reject);
    child.once('exit', () => reject(new Error('the process ended without a result')));
    child.once('message', (result: DetachedResult) => {
      if ('error' in result) reject(new Error(result.error));
      else resolve(result.output);
    });
    child.send(task);
  });
}

export async function usersOfTheBus(keys: MasterKeys): Promise<NatsUser[]> {
  return (await runDetached({ what: 'users', keys })) as NatsUser[];
}

export async function keyOfFirstCompany(natsUrl: string, company: string): Promise<string> {
  return (await runDetached({ what: 'first-company', natsUrl, company })) as string;
}

/** For the first company; works once. */
export async function firstSignInLink(natsUrl: string, origin: string): Promise<string> {
  return (await runDetached({ what: 'sign-in-link', natsUrl, origin })) as string;
}

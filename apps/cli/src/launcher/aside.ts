import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { NatsUser } from '@signalbox/servers';

/** What can be done aside, and what it takes. */
export type Question =
  { what: 'users'; masterKey: string } | { what: 'first-company'; natsUrl: string; company: string };

/** What comes back: an answer, or why there is none. */
export type Reply = { answer: NatsUser[] | string } | { complaint: string };

const PROGRAM = fileURLToPath(new URL('aside-program.js', import.meta.url));

/**
 * Does in a process of its own what needs the bus library, once: the launcher lives as long as the platform, and
 * without that library it is less than half the size.
 */
function aside(question: Question): Promise<NatsUser[] | string> {
  return new Promise((resolve, reject) => {
    // Secrets travel over the channel: arguments and environments can be read by others.
    const child = fork(PROGRAM, [], { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.once('error', reject);
    child.once('exit', () => reject(new Error('the process ended without an answer')));
    child.once('message', (reply: Reply) => {
      if ('complaint' in reply) reject(new Error(reply.complaint));
      else resolve(reply.answer);
    });
    child.send(question);
  });
}

/** The users of the bus, as the contracts give them. */
export async function usersOfTheBus(masterKey: string): Promise<NatsUser[]> {
  return (await aside({ what: 'users', masterKey })) as NatsUser[];
}

/** The admin key of the first company. */
export async function keyOfFirstCompany(natsUrl: string, company: string): Promise<string> {
  return (await aside({ what: 'first-company', natsUrl, company })) as string;
}

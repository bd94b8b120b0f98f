import type { Endpoint } from '@signalbox/contracts';

/**
 * What a process of a service does: the `api` replies to calls, a `worker` executes what lasts and relays and consumes
 * events; without a division each process does `all` of it.
 */
export type ProcessRole = 'all' | 'api' | 'worker';

/** Nest token of the role of the process. */
export const PROCESS_ROLE = Symbol('role of the process');

export const isServedBy = (role: ProcessRole, { onWorkers = false }: Pick<Endpoint, 'onWorkers'>): boolean =>
  role === 'all' || (role === 'worker') === onWorkers;

/** The role that the command line of a service names; `all` without a word. */
export function processRoleOf(word: string | undefined): ProcessRole {
  const role = (['all', 'api', 'worker'] as const).find((each) => each === (word ?? 'all'));
  if (role === undefined) throw new Error(`there is no role "${word}"`);
  return role;
}

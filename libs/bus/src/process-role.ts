import type { Endpoint } from '@signalbox/contracts';

/**
 * `api` replies to calls, `worker` executes long work and relays and consumes events; an undivided service does `all`.
 */
export type ProcessRole = 'all' | 'api' | 'worker';

export const PROCESS_ROLE = Symbol('role of the process');

export const isServedBy = (role: ProcessRole, { onWorkers = false }: Pick<Endpoint, 'onWorkers'>): boolean =>
  role === 'all' || (role === 'worker') === onWorkers;

export function processRoleOf(word: string | undefined): ProcessRole {
  const role = (['all', 'api', 'worker'] as const).find((each) => each === (word ?? 'all'));
  if (role === undefined) throw new Error(`there is no role "${word}"`);
  return role;
}

import { completions, type Contract, CONTRACTS } from '@signalbox/contracts';

/** The purpose of a process with HTTP routes: its user on the bus, and the contracts it mounts. */
export interface Role {
  name: 'gateway' | 'completions';
  contracts: readonly Contract[];
}

/** Nest token of the role of the process. */
export const ROLE = Symbol('role');

const GATEWAY: Role = { name: 'gateway', contracts: CONTRACTS };
const COMPLETIONS: Role = { name: 'completions', contracts: [completions] };

/** The role that the command line names; the whole API by default. */
export function roleOf(word: string | undefined): Role {
  const role = [GATEWAY, COMPLETIONS].find(({ name }) => name === (word ?? GATEWAY.name));
  if (role === undefined) throw new Error(`there is no role "${word}"`);
  return role;
}

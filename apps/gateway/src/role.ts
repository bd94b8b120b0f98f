import { completions, type Contract, CONTRACTS } from '@signalbox/contracts';

/** Its name is the process's user on NATS; its contracts are those that the process serves. */
export interface Role {
  name: 'gateway' | 'completions';
  contracts: readonly Contract[];
}

export const ROLE = Symbol('role');

const GATEWAY: Role = { name: 'gateway', contracts: CONTRACTS };
const COMPLETIONS: Role = { name: 'completions', contracts: [completions] };

export function roleOf(word: string | undefined): Role {
  const role = [GATEWAY, COMPLETIONS].find(({ name }) => name === (word ?? GATEWAY.name));
  if (role === undefined) throw new Error(`there is no role "${word}"`);
  return role;
}

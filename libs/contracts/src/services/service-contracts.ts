import { type Contract, defineContract } from '../contract.js';
import { deadLettersOf } from '../dead-letters.js';
import { OneOf, Optional } from '../fields/fields.js';
import { namesOf } from '../resources/index.js';
import { EmptyInput } from '../shapes.js';

/** The health of a service and its dependencies. */
export class ServiceHealth {
  @OneOf(['ok', 'down']) status!: 'ok' | 'down';
  @OneOf(['ok', 'down']) postgres!: 'ok' | 'down';
  /** Down while a stream of the bus cannot be used: events and audit entries wait, and calls are served. */
  @OneOf(['ok', 'down']) @Optional() nats?: 'ok' | 'down';
  /** Only for services that store objects; a service without its store still serves. */
  @OneOf(['ok', 'down']) @Optional() object_store?: 'ok' | 'down';
}

/** Internal: the health endpoint of one service. */
export const healthOf = (service: string) =>
  defineContract(
    { name: `health-${service}`, service, tag: 'Internal' },
    { check: { summary: `Whether ${service} works`, input: EmptyInput, output: ServiceHealth } },
  );

const SERVING = ['accounts', 'traffic', 'agents', 'workflows', 'monitors', 'test-runs', 'training'];

/** The health contracts of all services that serve endpoints. */
export const HEALTH = SERVING.map(healthOf);

/** The contracts of the dead letters of all services that serve endpoints. */
export const DEAD_LETTER_CONTRACTS = SERVING.map(deadLettersOf);

/** The services whose resources `/find` finds. */
const NAMED = ['accounts', 'traffic', 'agents', 'workflows', 'monitors', 'test-runs', 'training'];

/** The contracts by which `/find` reaches their resources. */
export const NAMES = NAMED.map(namesOf);

/** Internal contracts that every service serves under its name. */
export const SERVICE_CONTRACTS: readonly Contract[] = [...HEALTH, ...DEAD_LETTER_CONTRACTS, ...NAMES];

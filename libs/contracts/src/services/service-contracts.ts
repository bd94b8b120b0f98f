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

/** Internal: the health endpoint of a service, or of its workers. */
const healthUnder = (name: string, service: string) =>
  defineContract(
    { name: `health-${name}`, service, tag: 'Internal' },
    {
      check: {
        summary: `Whether ${name} works`,
        input: EmptyInput,
        output: ServiceHealth,
        placement: { onWorkers: name !== service },
      },
    },
  );

export const healthOf = (service: string) => healthUnder(service, service);

/** The services that may be divided into an API and workers. */
const DIVIDED = ['agents'];

/** The name of the workers of a service, as processes and reports have it. */
export const workersOf = (service: string): string => `${service}-worker`;

/** Internal: the health endpoint of the workers of a service; undefined for one that is never divided. */
export const workerHealthOf = (service: string): ReturnType<typeof healthUnder> | undefined =>
  DIVIDED.includes(service) ? healthUnder(workersOf(service), service) : undefined;

const SERVING = ['accounts', 'traffic', 'agents', 'workflows', 'monitors', 'test-runs', 'training'];

/** The health contracts of all services that serve endpoints, and of their workers. */
export const HEALTH = [...SERVING.map(healthOf), ...DIVIDED.map((service) => healthUnder(workersOf(service), service))];

/** The process whose health a contract reports: a service, or its workers. */
export const processOf = ({ name }: (typeof HEALTH)[number]): string => name.replace(/^health-/, '');

export const DEAD_LETTER_CONTRACTS = SERVING.map(deadLettersOf);

/** The services whose resources `/find` finds. */
const NAMED = ['accounts', 'traffic', 'agents', 'workflows', 'monitors', 'test-runs', 'training'];

/** The contracts by which `/find` reaches their resources. */
export const NAMES = NAMED.map(namesOf);

/** Internal contracts that every service serves under its name. */
export const SERVICE_CONTRACTS: readonly Contract[] = [...HEALTH, ...DEAD_LETTER_CONTRACTS, ...NAMES];

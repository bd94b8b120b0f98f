import {
  type Consumption,
  type Contract,
  CONTRACTS,
  EVENTS,
  SERVICE_CONTRACTS,
  type ServiceDeclaration,
  SERVICES,
} from '@signalbox/contracts';

/** The resource types whose events a service publishes. */
export function eventResourcesOf({ events }: ServiceDeclaration): string[] {
  return [...new Set(Object.keys(events?.declared ?? {}).map((event) => event.split('.')[0] ?? ''))];
}

/** Whether a bus user is a service with a database; its calls never carry administrator rights. */
export const isService = (user: string): boolean => SERVICES.some(({ name, database }) => name === user && database);

/** The contracts that a service implements. */
export const servedBy = (service: string): Contract[] =>
  [...CONTRACTS, ...SERVICE_CONTRACTS].filter((contract) => contract.service === service);

/** The consumers that a service declares. */
export const consumptionsOf = (service: string): readonly Consumption[] =>
  SERVICES.find(({ name }) => name === service)?.consumes ?? [];

/** Why a service cannot have a consumer, null when it can: the service declares it, and another publishes what it receives. */
export function consumptionFault(service: string, { durable, filter, events }: Consumption): string | null {
  const declared = SERVICES.find(({ name }) => name === service);
  if (declared && !declared.consumes.some((each) => each.durable === durable && each.filter === filter))
    return `service ${service} does not declare the consumer ${durable} of ${filter}`;
  if (events && !EVENTS.includes(events)) return `no service publishes ${filter}, which ${durable} consumes`;
  return null;
}

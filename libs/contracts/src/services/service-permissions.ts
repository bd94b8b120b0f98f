import type { Contract } from '../contract.js';
import type { Consumption, Events } from '../events.js';
import { CONTRACTS } from '../resources/index.js';
import { SERVICE_CONTRACTS } from './service-contracts.js';
import { type ServiceDeclaration, SERVICES } from './services.js';

/** The resource types whose events a service publishes. */
export function eventResourcesOf({ events }: ServiceDeclaration): string[] {
  return [...new Set(Object.keys(events?.declared ?? {}).map((event) => event.split('.')[0] ?? ''))];
}

/** Whether a service may write audit entries of a resource type: its own types, and those that no service declares. */
export function mayAudit(service: string, resourceType: string): boolean {
  const owners = SERVICES.filter((each) => eventResourcesOf(each).includes(resourceType));
  const sender = SERVICES.find((each) => each.name === service);
  return (
    owners.length === 0 ||
    sender?.audits?.includes(resourceType) === true ||
    owners.some(({ name }) => name === service)
  );
}

/** Whether a bus user is a service with a database; its calls never carry administrator rights. */
export const isService = (user: string): boolean => SERVICES.some(({ name, database }) => name === user && database);

/** The contracts that a service implements. */
export const servedBy = (service: string): Contract[] =>
  [...CONTRACTS, ...SERVICE_CONTRACTS].filter((contract) => contract.service === service);

/** The events that services publish, by service. */
export const EVENTS: readonly Events[] = SERVICES.flatMap(({ events }) => (events ? [events] : []));

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

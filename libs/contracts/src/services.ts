import { type Contract, defineContract } from './contract.js';
import type { Events } from './events.js';
import { OneOf, Optional } from './fields.js';
import { Nothing } from './shapes.js';
import {
  accountEvents,
  agentAnswers,
  agentEvents,
  agentLinks,
  agents,
  applications,
  chat,
  companies,
  CONTRACTS,
  identities,
  operator,
  requestRecords,
  tasks,
  trafficEvents,
  trafficLinks,
} from './resources/index.js';

/** A process of the platform: what it may call and hear; what it serves follows from the contracts. */
export interface ServiceDeclaration {
  name: string;
  /** Contracts this process may call. */
  calls: readonly Contract[];
  /** Events this process publishes. */
  events?: Events;
  /** Filters of the subjects it consumes from the event stream. */
  consumes: readonly string[];
  /** True when it owns a Postgres schema. */
  database: boolean;
}

const publicContracts = CONTRACTS.filter((contract) =>
  Object.values(contract.endpoints).some((endpoint) => endpoint.path !== null),
);

/** Whether a service and what it stands on work. */
export class ServiceHealth {
  @OneOf(['ok', 'down']) status!: 'ok' | 'down';
  @OneOf(['ok', 'down']) postgres!: 'ok' | 'down';
  /** Only from services that store objects; a service without its store still serves. */
  @OneOf(['ok', 'down']) @Optional() object_store?: 'ok' | 'down';
}

/** Internal: each service answers for itself. */
export const healthOf = (service: string) =>
  defineContract(
    { name: `health-${service}`, service, tag: 'Internal' },
    { check: { summary: `Whether ${service} works`, input: Nothing, output: ServiceHealth } },
  );

const SERVING = ['accounts', 'traffic', 'agents'];

/** The health contracts of all services that serve endpoints. */
export const HEALTH = SERVING.map(healthOf);

/** Every process of the platform; bus permissions and the launcher's list follow from it. */
export const SERVICES: readonly ServiceDeclaration[] = [
  { name: 'gateway', calls: [...publicContracts, identities, ...HEALTH], consumes: [], database: false },
  { name: 'accounts', calls: [trafficLinks], events: accountEvents, consumes: ['audit.*'], database: true },
  {
    name: 'traffic',
    calls: [identities, agents, agentLinks, tasks, chat, agentAnswers, requestRecords],
    events: trafficEvents,
    consumes: [],
    database: true,
  },
  {
    name: 'agents',
    calls: [identities, companies, applications, chat, trafficLinks],
    events: agentEvents,
    consumes: ['events.*.application.updated', 'events.*.application.deleted'],
    database: true,
  },
  { name: 'cli', calls: [operator], consumes: [], database: false },
];

/** The contracts a service honours. */
export const servedBy = (service: string): Contract[] =>
  [...CONTRACTS, ...HEALTH].filter((contract) => contract.service === service);

/** The events that services publish, by service. */
export const EVENTS: readonly Events[] = SERVICES.flatMap(({ events }) => (events ? [events] : []));

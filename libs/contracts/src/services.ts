import { type Contract, defineContract } from './contract.js';
import { deadLettersOf } from './dead-letters.js';
import { type Consumption, consumption, type EventEnvelope, type Events } from './events.js';
import { OneOf, Optional } from './fields/fields.js';
import { EmptyInput } from './shapes.js';
import {
  accountEvents,
  agentAnswers,
  agentEvents,
  agentLinks,
  agents,
  agentTests,
  applications,
  type AuditEntry,
  chat,
  chatSessions,
  companies,
  completions,
  CONTRACTS,
  finetuneFiles,
  finetuneJobs,
  identities,
  intentGroups,
  intents,
  models,
  monitorEvents,
  monitorLinks,
  requestPayloads,
  requestSources,
  runPayloads,
  taskPayloads,
  namesOf,
  operator,
  releaseGates,
  requestRecords,
  requests,
  scripts,
  tasks,
  testSetItems,
  testSets,
  testEvents,
  testSetInputs,
  trafficEvents,
  trafficLinks,
  trainingEvents,
  trainingLinks,
  workflowEvents,
  workflowInvocations,
  workflowLinks,
  workflowRuns,
  workflows,
} from './resources/index.js';

/** A process of the platform with its permissions on the bus; what it serves follows from the contracts. */
export interface ServiceDeclaration {
  name: string;
  /** Contracts this process may call. */
  calls: readonly Contract[];
  /** Events this process publishes. */
  events?: Events;
  /** Subscriptions of this process to the event stream. */
  consumes: readonly Consumption[];
  /** Resource types of other services for whose events this process writes audit entries too. */
  audits?: readonly string[];
  /** True when the service owns a Postgres schema. */
  database: boolean;
}

const publicContracts = CONTRACTS.filter((contract) =>
  Object.values(contract.endpoints).some((endpoint) => endpoint.path !== null),
);

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

/** An entry of the audit log in the form in which services write it to their outbox. */
export type CollectedEntry = Omit<AuditEntry, 'id'>;

/** What accounts consumes: the audit entries of every service, and all events for the webhooks. */
export const accountConsumers = {
  webhookEvents: { durable: 'accounts-webhooks', filter: 'events.>' } as Consumption<EventEnvelope>,
  auditEntries: { durable: 'accounts-audit-log', filter: 'audit.>' } as Consumption<CollectedEntry>,
};

/** What agents consumes: the names and the end of the applications that agents are bound to. */
export const agentConsumers = {
  applicationUpdated: consumption(trafficEvents, 'application.updated', 'agents-application-names'),
  applicationDeleted: consumption(trafficEvents, 'application.deleted', 'agents-applications-gone'),
};

/** What monitors consumes: the sources it samples, and names and the end of what its targets are. */
export const monitorConsumers = {
  intentDeleted: consumption(trafficEvents, 'intent.deleted', 'monitors-intents-gone'),
  agentUpdated: consumption(agentEvents, 'agent.updated', 'monitors-agent-names'),
  requestCompleted: consumption(trafficEvents, 'request.completed', 'monitors-requests'),
  taskCompleted: consumption(agentEvents, 'agent_task.completed', 'monitors-tasks'),
  agentDeleted: consumption(agentEvents, 'agent.deleted', 'monitors-agents-gone'),
  workflowRunCompleted: consumption(workflowEvents, 'workflow_run.completed', 'monitors-workflow-runs'),
  workflowUpdated: consumption(workflowEvents, 'workflow.updated', 'monitors-workflow-names'),
  workflowDeleted: consumption(workflowEvents, 'workflow.deleted', 'monitors-workflows-gone'),
};

/** What workflows consumes: the names and the end of the applications that workflows are bound to. */
export const workflowConsumers = {
  applicationUpdated: consumption(trafficEvents, 'application.updated', 'workflows-application-names'),
  applicationDeleted: consumption(trafficEvents, 'application.deleted', 'workflows-applications-gone'),
};

/** Every process of the platform; bus permissions and the launcher's list follow from it. */
export const SERVICES: readonly ServiceDeclaration[] = [
  { name: 'gateway', calls: [...publicContracts, identities, ...HEALTH], consumes: [], database: false },
  {
    name: 'accounts',
    calls: [trafficLinks],
    events: accountEvents,
    consumes: Object.values(accountConsumers),
    database: true,
  },
  {
    name: 'traffic',
    calls: [
      identities,
      agents,
      agentLinks,
      tasks,
      chat,
      agentAnswers,
      requestRecords,
      monitorLinks,
      trainingLinks,
      finetuneFiles,
      workflows,
      workflowLinks,
      ...NAMES,
      workflowInvocations,
    ],
    events: trafficEvents,
    consumes: [],
    database: true,
  },
  {
    name: 'agents',
    calls: [
      identities,
      companies,
      applications,
      chat,
      trafficLinks,
      monitorLinks,
      releaseGates,
      workflowLinks,
      workflowInvocations,
      workflowRuns,
    ],
    events: agentEvents,
    consumes: Object.values(agentConsumers),
    audits: ['session'],
    database: true,
  },
  {
    name: 'test-runs',
    calls: [
      identities,
      trafficLinks,
      applications,
      intents,
      intentGroups,
      models,
      requests,
      chat,
      tasks,
      agentLinks,
      agentTests,
      monitorLinks,
      workflowInvocations,
      workflowLinks,
      workflowRuns,
    ],
    events: testEvents,
    consumes: [],
    database: true,
  },
  {
    name: 'training',
    calls: [identities, trafficLinks, intents, intentGroups, requestSources, testSetInputs, finetuneJobs, chat],
    events: trainingEvents,
    consumes: [],
    database: true,
  },
  {
    name: 'monitors',
    calls: [
      identities,
      agents,
      chat,
      models,
      requestPayloads,
      runPayloads,
      taskPayloads,
      trafficLinks,
      releaseGates,
      testSetItems,
      testSets,
      workflowInvocations,
      workflowLinks,
    ],
    events: monitorEvents,
    consumes: Object.values(monitorConsumers),
    database: true,
  },
  {
    name: 'workflows',
    calls: [
      identities,
      applications,
      chat,
      trafficLinks,
      agentLinks,
      agentAnswers,
      tasks,
      scripts,
      chatSessions,
      requests,
      monitorLinks,
      releaseGates,
    ],
    events: workflowEvents,
    consumes: Object.values(workflowConsumers),
    database: true,
  },
  // Executes scripts in child processes. It has no database and calls nothing (docs/decisions/048).
  { name: 'runner', calls: [], consumes: [], database: false },
  // Serves only the routes of chat completions, in its own process (docs/decisions/023).
  { name: 'completions', calls: [completions, identities, ...HEALTH], consumes: [], database: false },
  { name: 'cli', calls: [operator, ...DEAD_LETTER_CONTRACTS], consumes: [], database: false },
];

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

/** Why a service cannot have a consumer, null when it can: the service declares it, and another publishes what it receives. */
export function consumptionFault(service: string, { durable, filter, events }: Consumption): string | null {
  const declared = SERVICES.find(({ name }) => name === service);
  if (declared && !declared.consumes.some((each) => each.durable === durable && each.filter === filter))
    return `service ${service} does not declare the consumer ${durable} of ${filter}`;
  if (events && !EVENTS.includes(events)) return `no service publishes ${filter}, which ${durable} consumes`;
  return null;
}

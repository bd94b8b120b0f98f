import type { Contract } from '../contract.js';
import type { Consumption, Events } from '../events.js';
import {
  accountEvents,
  agentAnswers,
  agentEvents,
  agentLinks,
  agents,
  agentTests,
  agentVersions,
  applications,
  chat,
  chatSessions,
  companies,
  completions,
  CONTRACTS,
  externalTasks,
  finetuneFiles,
  finetuneJobs,
  identities,
  portalLogins,
  intentGroups,
  intents,
  models,
  monitorEvents,
  monitorLinks,
  requestPayloads,
  requestSources,
  runPayloads,
  taskPayloads,
  operator,
  otelIngest,
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
  workflowVersions,
} from '../resources/index.js';
import { accountConsumers, agentConsumers, monitorConsumers, workflowConsumers } from './consumers.js';
import { DEAD_LETTER_CONTRACTS, HEALTH, NAMES } from './service-contracts.js';

/** A process of the platform with its permissions on the bus; what it serves follows from the contracts. */
export interface ServiceDeclaration {
  name: string;
  calls: readonly Contract[];
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

/** Every process of the platform; bus permissions and the launcher's list follow from it. */
export const SERVICES: readonly ServiceDeclaration[] = [
  {
    name: 'gateway',
    calls: [...publicContracts, identities, portalLogins, otelIngest, ...HEALTH],
    consumes: [],
    database: false,
  },
  {
    name: 'accounts',
    calls: [trafficLinks],
    events: accountEvents,
    consumes: Object.values(accountConsumers),
    // Calls of the server of this platform, which the gateway records there.
    audits: ['mcp_server'],
    database: true,
  },
  {
    name: 'traffic',
    calls: [
      identities,
      agents,
      agentLinks,
      externalTasks,
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
      agents,
      agentTests,
      agentVersions,
      externalTasks,
      otelIngest,
      scripts,
      monitorLinks,
      workflowInvocations,
      workflowLinks,
      workflowRuns,
      workflowVersions,
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
      workflowRuns,
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

/** The events that services publish, by service. */
export const EVENTS: readonly Events[] = SERVICES.flatMap(({ events }) => (events ? [events] : []));

import type { Case } from './case.js';
import type { ConformanceFixtures } from '../fixtures.js';

const application: Case = async (fixtures) => ({ application_id: await fixtures.idOf(fixtures.application()) });
const newApplication: Case = async (fixtures) => ({ application_id: await fixtures.idOf(fixtures.newApplication()) });
const pathOf = async (created: Promise<Record<string, unknown>>) => {
  const { application_id, id } = await created;
  return { application_id, intent_id: id };
};
const intent: Case = (fixtures) => pathOf(fixtures.intent());
const newIntent: Case = (fixtures) => pathOf(fixtures.newIntent());
const group: Case = async (fixtures) => ({ intent_group_id: await fixtures.idOf(fixtures.intentGroup()) });
const newGroup: Case = async (fixtures) => ({ intent_group_id: await fixtures.idOf(fixtures.newIntentGroup()) });
const config = { temperature: 0.5, model: 'simulated-echo', apply_corrections: null, metadata: { team: 'a' } };
const span = { start_date: 1, end_date: 2 };

const and =
  (of: Case, more: (fixtures: ConformanceFixtures) => object): Case =>
  async (fixtures) => ({ ...(await of(fixtures)), ...more(fixtures) });

export const APPLICATION_CASES: Readonly<Record<string, Case>> = {
  'applications.listApplications': () => ({ state: 'ENABLED' }),
  'applications.createApplication': (fixtures) => ({ application_name: fixtures.fresh('Shop'), config }),
  'applications.getApplication': application,
  'applications.updateApplication': and(application, () => ({ description: 'changed', session_summaries: false })),
  'applications.deleteApplication': and(newApplication, () => ({ force: true })),
  'applications.getApplicationConfig': application,
  'applications.updateApplicationConfig': and(application, () => config),
  'applications.resetApplicationConfig': newApplication,
  'applications.listApplicationModels': application,
  'applications.listApplicationSessions': and(application, () => span),
  'applications.listApplicationAgents': application,
  'application-workflows.listApplicationWorkflows': application,
  'application-workflows.listApplicationWorkflowRuns': and(application, () => ({ status: 'COMPLETED', ...span })),
  'intents.listIntents': application,
  'intents.createIntent': async (fixtures) => ({
    ...(await application(fixtures)),
    action_type: fixtures.fresh('ask'),
    agent_id: await fixtures.idOf(fixtures.agent()),
    config,
  }),
  'intents.getIntent': intent,
  'intents.updateIntent': async (fixtures) => ({
    ...(await intent(fixtures)),
    agent_id: await fixtures.idOf(fixtures.agent()),
  }),
  'intents.deleteIntent': newIntent,
  'intents.getIntentConfig': intent,
  'intents.updateIntentConfig': and(intent, () => config),
  'intents.resetIntentConfig': newIntent,
  'intents.listIntentRequests': and(intent, () => span),
  'intents.listIntentModels': and(intent, () => span),
  'intents.listIntentSessions': and(intent, () => span),
  'intent-groups.listIntentGroups': () => ({ limit: 2 }),
  'intent-groups.createIntentGroup': (fixtures) => ({ intent_group_name: fixtures.fresh('ask') }),
  'intent-groups.getIntentGroup': group,
  'intent-groups.updateIntentGroup': and(group, () => ({ description: 'changed' })),
  'intent-groups.deleteIntentGroup': newGroup,
  'intent-groups.getIntentGroupConfig': group,
  'intent-groups.updateIntentGroupConfig': and(group, () => config),
  'intent-groups.listIntentGroupIntents': group,
  'intent-groups.listIntentGroupRequests': group,
  'intent-groups.listIntentGroupModels': group,
};

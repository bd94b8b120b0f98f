import type { Case } from './case.js';
import type { ConformanceFixtures } from './world.js';

const application: Case = async (world) => ({ application_id: await world.idOf(world.application()) });
const newApplication: Case = async (world) => ({ application_id: await world.idOf(world.newApplication()) });
const pathOf = async (made: Promise<Record<string, unknown>>) => {
  const { application_id, id } = await made;
  return { application_id, intent_id: id };
};
const intent: Case = (world) => pathOf(world.intent());
const newIntent: Case = (world) => pathOf(world.newIntent());
const group: Case = async (world) => ({ intent_group_id: await world.idOf(world.intentGroup()) });
const newGroup: Case = async (world) => ({ intent_group_id: await world.idOf(world.newIntentGroup()) });
const config = { temperature: 0.5, model: 'simulated-echo', apply_corrections: null, metadata: { team: 'a' } };
const span = { start_date: 1, end_date: 2 };

const and =
  (of: Case, more: (world: ConformanceFixtures) => object): Case =>
  async (world) => ({ ...(await of(world)), ...more(world) });

/** Valid inputs for applications, intents, intent groups and what is below them. */
export const PLACE_CASES: Readonly<Record<string, Case>> = {
  'applications.listApplications': () => ({ state: 'ENABLED' }),
  'applications.createApplication': (world) => ({ application_name: world.fresh('Shop'), config }),
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
  'intents.createIntent': async (world) => ({
    ...(await application(world)),
    action_type: world.fresh('ask'),
    agent_id: await world.idOf(world.agent()),
    config,
  }),
  'intents.getIntent': intent,
  'intents.updateIntent': async (world) => ({ ...(await intent(world)), agent_id: await world.idOf(world.agent()) }),
  'intents.deleteIntent': newIntent,
  'intents.getIntentConfig': intent,
  'intents.updateIntentConfig': and(intent, () => config),
  'intents.resetIntentConfig': newIntent,
  'intents.listIntentRequests': and(intent, () => span),
  'intents.listIntentModels': and(intent, () => span),
  'intents.listIntentSessions': and(intent, () => span),
  'intent-datasets.listIntentDatasets': intent,
  'intent-groups.listIntentGroups': () => ({ limit: 2 }),
  'intent-groups.createIntentGroup': (world) => ({ intent_group_name: world.fresh('ask') }),
  'intent-groups.getIntentGroup': group,
  'intent-groups.updateIntentGroup': and(group, () => ({ description: 'changed' })),
  'intent-groups.deleteIntentGroup': newGroup,
  'intent-groups.getIntentGroupConfig': group,
  'intent-groups.updateIntentGroupConfig': and(group, () => config),
  'intent-groups.listIntentGroupIntents': group,
  'intent-groups.listIntentGroupRequests': group,
  'intent-groups.listIntentGroupModels': group,
  'intent-group-sentinels.listIntentGroupSentinels': group,
  'intent-group-test-sets.listIntentGroupTestSets': group,
  'intent-group-training.listIntentGroupDatasets': group,
  'intent-group-training.listIntentGroupCompositions': group,
  'intent-group-training.listIntentGroupFinetuneRuns': group,
};

import { testSetItems } from '@signalbox/contracts';
import type { Case } from './case.js';
import type { ConformanceFixtures } from '../fixtures.js';
import { completedRunId } from './workflow-cases.js';

const criteria: Case = async (fixtures) => ({ criteria_id: await fixtures.idOf(fixtures.criteria()) });
const newCriteria: Case = async (fixtures) => ({ criteria_id: await fixtures.idOf(fixtures.newCriteria()) });

const set: Case = async (fixtures) => ({ test_set_id: await fixtures.idOf(fixtures.testSet()) });
const item: Case = async (fixtures) => ({
  ...(await set(fixtures)),
  item_id: await fixtures.idOf(fixtures.testSetItem()),
});
const newItem: Case = async (fixtures) => ({
  ...(await set(fixtures)),
  item_id: await fixtures.idOf(fixtures.newTestSetItem()),
});
const override = { expected_output: { json: { answer: 42 } }, note: 'seen by a person' };

async function overridden(fixtures: ConformanceFixtures): Promise<Record<string, unknown>> {
  const input = await newItem(fixtures);
  await fixtures.call(testSetItems.endpoints.setResponseSub, { ...input, ...override });
  return input;
}

const request: Case = async (fixtures) => ({
  ...(await set(fixtures)),
  request_id: (await fixtures.request()).request_id,
});
const taskOf = async (fixtures: ConformanceFixtures) => (await fixtures.task()).task_id;

const legacySet: Case = async (fixtures) => ({ id: await fixtures.idOf(fixtures.testSet()) });

export const TEST_SET_CASES: Readonly<Record<string, Case>> = {
  'evaluation-criteria.listCriteria': () => ({ method: 'EXACT', enabled: true }),
  'evaluation-criteria.createCriteria': (fixtures) => ({
    name: fixtures.fresh('Field'),
    criteria_type: 'BOOLEAN',
    method: 'JSON_FIELDS',
    config: { ignore_paths: ['id'] },
  }),
  'evaluation-criteria.getCriteria': criteria,
  'evaluation-criteria.updateCriteria': async (fixtures) => ({ ...(await criteria(fixtures)), description: 'changed' }),
  'evaluation-criteria.deleteCriteria': newCriteria,
  'evaluation-criteria.enableCriteria': criteria,
  'evaluation-criteria.disableCriteria': newCriteria,
  'test-sets.listTestSets': () => ({ tag: 'golden', consumer_kind: 'MODEL' }),
  'test-sets.createTestSet': async (fixtures) => ({
    name: fixtures.fresh('Golden'),
    consumer_kinds: ['MODEL', 'AGENT'],
    criteria_ids: [await fixtures.idOf(fixtures.criteria())],
    tags: ['golden'],
  }),
  'test-sets.getTestSet': set,
  'test-sets.updateTestSet': async (fixtures) => ({ ...(await set(fixtures)), description: 'changed' }),
  'test-sets.deleteTestSet': async (fixtures) => ({ test_set_id: await fixtures.idOf(fixtures.newTestSet()) }),
  'test-sets.cloneTestSet': async (fixtures) => ({ ...(await set(fixtures)), name: fixtures.fresh('Copy') }),
  'test-set-items.listTestSetItems': set,
  'test-set-items.searchTestSetItems': async (fixtures) => ({
    ...(await set(fixtures)),
    source_type: 'MANUAL',
    has_sub: false,
    text: 'hello',
  }),
  'test-set-items.createTestSetItem': async (fixtures) => ({
    ...(await set(fixtures)),
    input: { input: { order: 7 } },
    expected_output: { json: { status: 'sent' } },
  }),
  'test-set-items.getTestSetItem': item,
  'test-set-items.updateTestSetItem': async (fixtures) => ({ ...(await item(fixtures)), meta: { reviewed: true } }),
  'test-set-items.deleteTestSetItem': newItem,
  'test-set-items.getResponseSub': overridden,
  'test-set-items.setResponseSub': async (fixtures) => ({ ...(await newItem(fixtures)), ...override }),
  'test-set-items.deleteResponseSub': overridden,
  'test-set-files.exportTestSet': set,
  'test-set-files.importTestSetFile': async (fixtures) => ({
    ...(await set(fixtures)),
    content: '{"input":{"input":1},"expected_output":{"text":"one"}}\n',
  }),
  'intent-group-test-sets.listIntentGroupTestSets': async (fixtures) => ({
    intent_group_id: await fixtures.idOf(fixtures.intentGroup()),
  }),
  'legacy-test-sets.listLegacyTestSets': () => ({ type: 'workflow' }),
  'legacy-test-sets.createLegacyTestSet': async (fixtures) => ({
    name: fixtures.fresh('Golden'),
    intent_group_id: await fixtures.idOf(fixtures.intentGroup()),
  }),
  'legacy-test-sets.getLegacyTestSet': legacySet,
  'legacy-test-sets.updateLegacyTestSet': async (fixtures) => ({
    ...(await legacySet(fixtures)),
    intent_group_id: await fixtures.idOf(fixtures.intentGroup()),
  }),
  'legacy-test-sets.deleteLegacyTestSet': async (fixtures) => ({ id: await fixtures.idOf(fixtures.newTestSet()) }),
  'legacy-test-sets.listLegacyTestSetRequests': legacySet,
  'legacy-test-sets.addLegacyTestSetRequests': async (fixtures) => ({
    ...(await legacySet(fixtures)),
    request_ids: [(await fixtures.request()).request_id],
  }),
  'legacy-test-sets.setLegacyResponse': async (fixtures) => ({
    ...(await legacySet(fixtures)),
    request_id: await fixtures.idOf(fixtures.testSetItem()),
    message_content: 'better',
  }),
  'test-set-imports.importRequest': async (fixtures) => ({
    ...(await request(fixtures)),
    meta: { from: 'production' },
  }),
  'test-set-imports.importAgentTask': async (fixtures) => ({
    ...(await set(fixtures)),
    agent_task_id: await taskOf(fixtures),
    flatten_variant: 'agent_first_user_message_with_system_prompt',
  }),
  'test-set-imports.importWorkflowRun': async (fixtures) => ({
    ...(await set(fixtures)),
    workflow_run_id: await completedRunId(fixtures),
  }),
  'test-set-imports.importBulk': async (fixtures) => ({
    test_set_id: await fixtures.idOf(fixtures.newTestSet()),
    sources: [{ source_type: 'AGENT_TASK', source_id: await taskOf(fixtures) }],
  }),
};

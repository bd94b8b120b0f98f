import { testRuns } from '@signalbox/contracts';
import type { Case } from './case.js';
import type { ConformanceFixtures } from '../fixtures.js';

const run: Case = async (fixtures) => ({ id: await fixtures.idOf(fixtures.testRun()) });
const newRun: Case = async (fixtures) => ({ id: await fixtures.idOf(fixtures.newTestRun()) });
const completed: Case = async (fixtures) => ({ id: await fixtures.idOf(fixtures.completedTestRun()) });
const created: Case = async (fixtures) => ({
  test_set_id: await fixtures.idOf(fixtures.testSet()),
  consumer_kind: 'MODEL',
  consumer_config: { model: 'simulated-echo', temperature: 0 },
  criteria_ids: [await fixtures.idOf(fixtures.criteria())],
});

async function prepared(fixtures: ConformanceFixtures): Promise<Record<string, unknown>> {
  const input = await newRun(fixtures);
  await fixtures.call(testRuns.endpoints.prepareTestRun, input);
  return input;
}

async function item(fixtures: ConformanceFixtures): Promise<Record<string, unknown>> {
  const { id } = await completed(fixtures);
  const items = (await fixtures.call(testRuns.endpoints.listRunItems, { id })) as unknown as { id: number }[];
  return { id, item_id: items[0]?.id };
}

export const TEST_RUN_CASES: Readonly<Record<string, Case>> = {
  'evaluation-criteria.validateCriteria': () => ({ script: 'function score() {\n  return true;\n}' }),
  'evaluation-criteria.testCriteria': async (fixtures) => ({
    criteria_id: await fixtures.idOf(fixtures.criteria()),
    input: { messages: [] },
    expected_output: { text: 'yes' },
    actual_output: { text: 'yes' },
  }),
  'test-runs.createTestRun': created,
  'evaluated-runs.runTestSet': async (fixtures) => ({ ...(await created(fixtures)), wait_seconds: 20 }),
  'test-run-files.exportTestRun': completed,
  'test-runs.listTestRuns': async (fixtures) => ({
    test_set_id: await fixtures.idOf(fixtures.testSet()),
    consumer_kind: ['MODEL'],
    status: ['CREATED', 'COMPLETED'],
  }),
  'test-runs.listRunsOfTestSet': async (fixtures) => ({ test_set_id: await fixtures.idOf(fixtures.testSet()) }),
  'test-runs.getTestRun': run,
  'test-runs.updateTestRun': async (fixtures) => ({ ...(await run(fixtures)), name: 'Named', meta: { by: 'test' } }),
  'test-runs.deleteTestRun': newRun,
  'test-runs.prepareTestRun': newRun,
  'test-runs.executeTestRun': async (fixtures) => ({ ...(await prepared(fixtures)), concurrency: 2 }),
  'test-runs.cancelTestRun': prepared,
  'test-runs.getTestRunProgress': run,
  'test-runs.streamTestRun': completed,
  'test-runs.scoreTestRun': async (fixtures) => ({
    ...(await completed(fixtures)),
    criteria_ids: [await fixtures.idOf(fixtures.criteria())],
  }),
  'test-runs.resetFailed': async (fixtures) => ({ ...(await completed(fixtures)), classes: ['provider'] }),
  'test-runs.listRunItems': async (fixtures) => ({ ...(await completed(fixtures)), status: ['COMPLETED'] }),
  'test-runs.getRunItem': item,
  'test-runs.listItemScores': item,
  'test-runs.listItemAttempts': item,
  'test-runs.compareTestRuns': async (fixtures) => ({
    test_run_ids: [await fixtures.idOf(fixtures.completedTestRun()), await fixtures.idOf(fixtures.testRun())],
    confidence: 0.95,
  }),
  'legacy-test-runs.listLegacyTestRuns': async (fixtures) => ({
    test_set_id: await fixtures.idOf(fixtures.testSet()),
    type: 'request',
  }),
  'legacy-test-runs.createLegacyTestRun': async (fixtures) => ({
    test_set_id: await fixtures.idOf(fixtures.testSet()),
    config: { model: 'simulated-echo' },
  }),
  'legacy-test-runs.getLegacyTestRun': run,
  'legacy-test-runs.deleteLegacyTestRun': newRun,
  'legacy-test-runs.listLegacyRunItems': async (fixtures) => ({ ...(await completed(fixtures)), outcome: ['passed'] }),
  'legacy-test-runs.scoreLegacyTestRun': completed,
  'legacy-test-runs.compareLegacyTestRuns': async (fixtures) => ({
    test_run_ids: [await fixtures.idOf(fixtures.completedTestRun()), await fixtures.idOf(fixtures.testRun())],
  }),
  'test-runs.previewAdaptedInput': async (fixtures) => ({
    test_set_item_id: await fixtures.idOf(fixtures.testSetItem()),
    consumer_kind: 'MODEL',
    consumer_config: { model: 'simulated-echo' },
  }),
};

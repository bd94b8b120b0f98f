import { evaluations, requests, sentinels } from '@signalbox/contracts';
import { eventually } from '../../platform/platform.js';
import type { Case } from './case.js';
import type { ConformanceFixtures } from '../fixtures.js';

const group: Case = async (fixtures) => ({ intent_group_id: await fixtures.idOf(fixtures.intentGroup()) });
const request: Case = async (fixtures) => ({ request_id: (await fixtures.request()).request_id });

const directive = {
  instruction: 'The answer is polite.',
  examples: [{ example_type: 'PASS', example_body: 'Hello!' }],
};
const newSentinel = async (fixtures: ConformanceFixtures) =>
  fixtures.call(sentinels.endpoints.createSentinel, {
    sentinel_name: fixtures.fresh('sentinel'),
    severity: 2,
    sentinel_directive: directive,
    ...(await group(fixtures)),
  });
const sentinel: Case = async (fixtures) => ({
  sentinel_id: await fixtures.idOf(fixtures.once('sentinel', () => newSentinel(fixtures))),
});

const judgedBy = (count: number) => async (fixtures: ConformanceFixtures) => {
  const input = await request(fixtures);
  const { application_id, intent_id, intent_group_id } = await fixtures.call(requests.endpoints.getRequest, input);
  const create = () =>
    fixtures.call(sentinels.endpoints.createSentinel, {
      sentinel_name: fixtures.fresh('sentinel'),
      severity: 1,
      state: 'DISABLED',
      sentinel_directive: directive,
      intent_group_id,
    });
  const made = await Promise.all(Array.from({ length: count }, create));
  const dates = { start_date: Date.now() - 86_400_000, end_date: Date.now() + 86_400_000 };
  return { application_id, intent_id, ...dates, sentinel_ids: made.map(({ id }) => id) };
};
const newEvaluation = (fixtures: ConformanceFixtures) => fixtures.once('evaluationInput', () => judgedBy(1)(fixtures));
const run: Case = async (fixtures) => {
  const create = async () => fixtures.call(evaluations.endpoints.createEvaluation, await newEvaluation(fixtures));
  return { evaluation_id: await fixtures.idOf(fixtures.once('evaluation', create)) };
};
/** Twenty sentinels in sequence, so that the run lasts longer than the call that cancels it. */
const openRun: Case = async (fixtures) => {
  const input = await fixtures.once('slowEvaluationInput', () => judgedBy(20)(fixtures));
  return { evaluation_id: await fixtures.idOf(fixtures.call(evaluations.endpoints.createEvaluation, input)) };
};
const endedRun: Case = async (fixtures) => {
  const path = await run(fixtures);
  await eventually('the evaluation run ends', async () => {
    const { completed_at } = await fixtures.call(evaluations.endpoints.getEvaluation, path);
    return completed_at === null ? undefined : true;
  });
  return path;
};
const deletedRun: Case = async (fixtures) => {
  const path = await openRun(fixtures);
  await fixtures.call(evaluations.endpoints.cancelEvaluation, path);
  return path;
};

export const EVALUATION_CASES: Readonly<Record<string, Case>> = {
  'sentinels.listSentinels': async (fixtures) => ({ ...(await group(fixtures)), state: 'ENABLED' }),
  'sentinels.createSentinel': async (fixtures) => ({
    sentinel_name: fixtures.fresh('sentinel'),
    severity: 4,
    ...(await group(fixtures)),
    sentinel_directive: directive,
    meta: { sample_rate: 50 },
  }),
  'sentinels.generateSentinel': async (fixtures) => ({ ...(await group(fixtures)), prompt: 'Watch for rude answers.' }),
  'sentinels.getSentinel': sentinel,
  'sentinels.updateSentinel': async (fixtures) => ({
    ...(await sentinel(fixtures)),
    sentinel_directive: { correction: { type: 'STATIC', instruction: 'Please ask again.' } },
  }),
  'sentinels.deleteSentinel': async (fixtures) => ({ sentinel_id: await fixtures.idOf(newSentinel(fixtures)) }),
  'sentinels.enableSentinel': sentinel,
  'sentinels.disableSentinel': async (fixtures) => ({ sentinel_id: await fixtures.idOf(newSentinel(fixtures)) }),
  'sentinels.testSentinel': async (fixtures) => ({ ...(await sentinel(fixtures)), ...(await request(fixtures)) }),
  'sentinels.listSentinelResults': async (fixtures) => ({ ...(await sentinel(fixtures)), status: 'PASS' }),
  'sentinels.listIntentGroupSentinels': group,
  'evaluation-results.listEvaluationResults': async (fixtures) => ({ ...(await sentinel(fixtures)), severity: 2 }),
  'evaluation-results.searchEvaluationResults': () => ({ status: 'FAULT' }),
  'evaluation-results.listResultsOfRequest': request,
  'requests.evaluateRequest': request,
  'evaluations.listEvaluations': () => ({ status: 'DONE' }),
  'evaluations.createEvaluation': newEvaluation,
  'evaluations.estimateEvaluation': newEvaluation,
  'evaluations.getEvaluation': run,
  'evaluations.deleteEvaluation': deletedRun,
  'evaluations.cancelEvaluation': openRun,
  'evaluations.resetFailed': endedRun,
  'evaluations.listRunResults': run,
  'reports.listFaults': async (fixtures) => ({ ...(await sentinel(fixtures)), corrected: false }),
  'reports.summarizeFaults': () => ({ group_by: 'day' }),
  'reports.listFallbacks': () => ({ model: 'simulated-echo' }),
  'reports.summarizeFallbacks': async (fixtures) => ({
    application_id: await fixtures.idOf(fixtures.application()),
    group_by: 'reason',
  }),
};

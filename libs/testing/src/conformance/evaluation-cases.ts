import { sentinels } from '@signalbox/contracts';
import type { Case } from './case.js';
import type { ConformanceFixtures } from './fixtures.js';

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

/** Valid inputs for sentinels and their results. */
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
};

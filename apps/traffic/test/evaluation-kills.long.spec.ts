import { evaluateThroughKills } from './evaluation-kills.js';
import { JudgedCompany } from './judged-company.js';
import { startTraffic, type Traffic } from './traffic.js';

const REQUESTS = 1000;
/** More than the lost workers in a row after which a run without progress is given up (docs/api/failures.md). */
const KILLS = 10;

let traffic: Traffic;
beforeAll(async () => {
  traffic = await startTraffic({ durable: true });
}, 120_000);
afterAll(() => traffic.stop());

it('an evaluation of 1,000 requests judges each once, through ten kills of its service', async () => {
  const company = await JudgedCompany.make(traffic);
  const { id } = await company.places.application('default');
  const intent = await company.places.intent(id, 'ask');
  const chaos = { intent, requests: REQUESTS, kills: KILLS, limitMs: 300_000 };
  const { run, ...seen } = await evaluateThroughKills(company, chaos);
  expect(run).toMatchObject({
    status: 'DONE',
    total_requests: REQUESTS,
    evaluated_requests: REQUESTS,
    pass_count: REQUESTS,
    error_count: 0,
  });
  expect(seen).toMatchObject({ results: REQUESTS, judged: REQUESTS, passed: REQUESTS, ended: 1 });
  expect(seen.modelCalls).toBeGreaterThanOrEqual(REQUESTS);
  expect(seen.modelCalls).toBeLessThanOrEqual(seen.mostCalls);
}, 900_000);

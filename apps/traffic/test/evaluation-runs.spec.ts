import { companies, evaluations, type InputOf, type Intent, requests } from '@signalbox/contracts';
import { eventually, type ModelRequest } from '@signalbox/testing';
import { directive, JudgedCompany } from './judged-company.js';
import { LIST, refusal, startTraffic, type Traffic } from './traffic.js';

let traffic: Traffic;
let company: JudgedCompany;
let intent: Intent;
beforeAll(async () => {
  traffic = await startTraffic();
}, 90_000);
afterAll(() => traffic.stop());
beforeEach(async () => {
  company = await JudgedCompany.make(traffic);
  const { id } = await company.places.application('default');
  intent = await company.places.intent(id, 'ask');
  traffic.world.calls.length = 0;
});

const { endpoints: e } = evaluations;
type Body = InputOf<typeof e.createEvaluation>;

const bodyOf = (sentinel_ids: number[], change: Partial<Body> = {}): Body => ({
  application_id: intent.application_id,
  intent_id: intent.id,
  start_date: Date.now() - 3_600_000,
  end_date: Date.now() + 3_600_000,
  sentinel_ids,
  sentinel_overrides: {},
  ...change,
});
const create = (sentinel_ids: number[], change: Partial<Body> = {}) =>
  company.bus.call(e.createEvaluation, bodyOf(sentinel_ids, change), company.caller());
const get = (evaluation_id: number) => company.bus.call(e.getEvaluation, { evaluation_id }, company.caller());
const ended = (id: number) =>
  eventually('the run ends', async () => {
    const run = await get(id);
    return run.completed_at === null ? undefined : run;
  });
const resultsOf = async (evaluation_id: number, change: object = {}) => {
  const input = { ...LIST, sort: 'id', evaluation_id, ...change };
  return (await company.bus.call(e.listRunResults, input, company.caller())).data;
};
/** Records requests with these answers and without an evaluation; returns their ids. */
async function recorded(...answers: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const answer of answers) {
    company.script(() => ({ verdict: 'PASS' }), answer);
    ids.push((await company.ask('hello', { evaluation_enabled: false })).request_id);
  }
  return ids;
}
const says = (request: ModelRequest, text: string): boolean => String(request.messages[1]?.content).includes(text);

describe('an evaluation run', () => {
  it('judges the recorded requests of an intent in its range', async () => {
    const [good, bad] = await recorded('Welcome', 'Go away');
    await company.places.complete({ model: 'm', intent: 'other' });
    company.script((request) => ({ verdict: says(request, 'Go away') ? 'FAULT' : 'PASS' }));
    const { id: sentinel_id } = await company.sentinel('polite', { state: 'DISABLED' });
    const { id, status } = await create([sentinel_id], { name: 'August' });
    expect(status).toBe('PENDING');
    expect(await ended(id)).toMatchObject({
      name: 'August',
      status: 'DONE',
      total_requests: 2,
      evaluated_requests: 2,
      pass_count: 1,
      fault_count: 1,
      na_count: 0,
      error_count: 0,
      errors_by_class: {},
      pass_rate: 0.5,
      error_message: null,
    });
    expect(await resultsOf(id)).toMatchObject([
      { request_id: good, status: 'PASS', results: [{ sentinel_id, evaluation_id: id, status: 'PASS' }] },
      { request_id: bad, status: 'FAULT', results: [{ sentinel_id, evaluation_id: id, status: 'FAULT' }] },
    ]);
    expect((await resultsOf(id, { status: 'FAULT' })).map(({ request_id }) => request_id)).toEqual([bad]);
    // Its verdicts are those of the requests, which nothing had judged.
    expect(await company.request(bad ?? '')).toMatchObject({ evaluation_status: 'FAULT' });
    expect((await company.places.events('evaluation_run')).map(({ event }) => event)).toEqual([
      'evaluation_run.created',
      'evaluation_run.completed',
    ]);
    expect((await get(id)).cost).toBeGreaterThan(0);
  });

  it('judges the newest requests up to its limit, with directives that apply to the run alone', async () => {
    const [, second, third] = await recorded('one', 'two', 'three');
    company.script((request) => ({
      verdict: String(request.messages[0]?.content).includes('strict') ? 'FAULT' : 'PASS',
    }));
    const { id: sentinel_id } = await company.sentinel('polite', { state: 'DISABLED' });
    const sentinel_overrides = { [sentinel_id]: directive({ instruction: 'Be strict.' }) };
    const run = await create([sentinel_id], { request_limit: 2, sentinel_overrides });
    expect(await ended(run.id)).toMatchObject({ total_requests: 2, fault_count: 2, sentinel_overrides });
    expect((await resultsOf(run.id)).map(({ request_id }) => request_id)).toEqual([second, third]);
    expect(await company.request(third ?? '')).toMatchObject({ evaluation_status: 'NA' });
  });

  it('fails when nothing could be judged, and repeats failed judgements in their place', async () => {
    const [first, second] = await recorded('one', 'two');
    company.script((request) => (says(request, 'one') ? 'nonsense' : { verdict: 'PASS' }));
    const { id: sentinel_id } = await company.sentinel('polite', { state: 'DISABLED' });
    const run = await create([sentinel_id]);
    expect(await ended(run.id)).toMatchObject({
      status: 'DONE',
      error_count: 1,
      errors_by_class: { judge: 1 },
      pass_rate: 1,
    });
    const before = await resultsOf(run.id, { status: 'ERROR' });
    expect(before).toMatchObject([{ request_id: first }]);
    const reset = (input: object) =>
      company.bus.call(e.resetFailed, { evaluation_id: run.id, ...input }, company.caller());
    expect(await reset({ classes: ['timeout'] })).toMatchObject({ status: 'DONE' });
    traffic.world.calls.length = 0;
    company.script(() => ({ verdict: 'FAULT' }));
    expect(await reset({})).toMatchObject({ status: 'RUNNING', completed_at: null });
    expect(await ended(run.id)).toMatchObject({
      status: 'DONE',
      evaluated_requests: 2,
      pass_count: 1,
      fault_count: 1,
      error_count: 0,
      errors_by_class: {},
    });
    expect(company.judgeCalls()).toHaveLength(1);
    const after = await resultsOf(run.id);
    expect(after.map(({ status, results }) => [status, results[0]?.id])).toEqual(
      expect.arrayContaining([['FAULT', before[0]?.results[0]?.id]]),
    );
    expect(await company.request(first ?? '')).toMatchObject({ evaluation_status: 'FAULT' });
    expect(await company.request(second ?? '')).toMatchObject({ evaluation_status: 'PASS' });

    company.script(() => 'nonsense');
    const failed = await ended((await create([sentinel_id])).id);
    expect(failed).toMatchObject({ status: 'ERROR', error_count: 2 });
    expect(failed.error_message).toContain('none of its judgements succeeded: model m did not reply');
    const again = company.bus.call(e.resetFailed, { evaluation_id: failed.id }, company.caller());
    expect(await refusal(again)).toMatchObject({
      status: 409,
      message: `evaluation run ${failed.id} is ERROR: it cannot reset`,
    });
  });

  it('is cancelled while it runs, and deleted when it has ended', async () => {
    await recorded('one');
    let release = () => undefined as void;
    const asked = new Promise<void>((resolve) => {
      traffic.world.answerWith(async () => {
        resolve();
        await new Promise<void>((go) => (release = go));
        return '{"verdict":"PASS"}';
      });
    });
    const { id: sentinel_id } = await company.sentinel('polite', { state: 'DISABLED' });
    const { id } = await create([sentinel_id]);
    await asked;
    const path = { evaluation_id: id };
    const remove = () => company.bus.call(e.deleteEvaluation, path, company.caller());
    expect(await refusal(remove())).toMatchObject({ status: 409 });
    expect(await company.bus.call(e.cancelEvaluation, path, company.caller())).toMatchObject({ status: 'CANCELLED' });
    release();
    expect(await refusal(company.bus.call(e.cancelEvaluation, path, company.caller()))).toMatchObject({ status: 409 });
    expect(await resultsOf(id)).toEqual([]);
    expect(await remove()).toEqual({ id, deleted: true });
    expect(await refusal(get(id))).toMatchObject({ status: 404 });
    const { data } = await company.bus.call(e.listEvaluations, LIST, company.caller());
    expect(data).toEqual([]);
  });

  it('is estimated without judging', async () => {
    await recorded('one', 'two');
    const { id } = await company.sentinel('polite', { state: 'DISABLED' });
    const echo = await company.sentinel('echo', { state: 'DISABLED', meta: { model: 'simulated-echo' } });
    const estimate = (ids: number[]) => company.bus.call(e.estimateEvaluation, bodyOf(ids), company.caller());
    const one = await estimate([id]);
    expect(one).toMatchObject({ request_count: 2, judgement_count: 2 });
    expect(one.estimated_cost).toBeGreaterThan(0);
    const both = await estimate([id, echo.id]);
    expect(both.judgement_count).toBe(4);
    expect(both.estimated_cost).toBe(one.estimated_cost);
    expect(company.judgeCalls()).toEqual([]);
  });

  it('is refused for what does not belong together', async () => {
    const { id } = await company.sentinel('polite', { state: 'DISABLED' });
    const other = await company.places.intent(intent.application_id, 'other');
    const there = await JudgedCompany.make(traffic);
    const foreign = await there.sentinel('polite');
    const overrides = { [foreign.id]: directive() };
    for (const [change, status] of [
      [{ intent_id: other.id }, 400],
      [{ sentinel_overrides: overrides }, 400],
      [{ sentinel_ids: [foreign.id] }, 404],
      [{ intent_id: 2_147_483_647 }, 404],
      [{ application_id: 2_147_483_647 }, 404],
      [{ start_date: 2, end_date: 1 }, 400],
      [{ sentinel_overrides: { [id]: directive({ qualification: { type: 'STATIC', instruction: '(' } }) } }, 422],
    ] as const)
      expect(await refusal(create([id], change as Partial<Body>))).toMatchObject({ status });
  });

  it('judges no deleted requests', async () => {
    const [first] = await recorded('one');
    const { id: sentinel_id } = await company.sentinel('polite', { state: 'DISABLED' });
    await company.bus.call(requests.endpoints.deleteRequest, { request_id: first ?? '' }, company.caller());
    const run = await create([sentinel_id]);
    expect(await ended(run.id)).toMatchObject({ status: 'DONE', total_requests: 0, pass_rate: null, cost: null });
  });
});

describe('evaluation runs of a company that keeps requests for two days', () => {
  const DAY_MS = 86_400_000;
  const endedBefore = async (days: number): Promise<number> => {
    const { id: sentinel_id } = await company.sentinel(`sentinel ${days}`, { state: 'DISABLED' });
    const { id } = await create([sentinel_id]);
    await ended(id);
    await traffic.platform.sql.query(
      'UPDATE traffic.evaluation_runs SET completed_at = completed_at - $3::bigint WHERE company_id = $1 AND no = $2',
      [company.places.companyId, id, days * DAY_MS],
    );
    return id;
  };

  it('are deleted after that, like their results with the requests; younger ones stay', async () => {
    const input = { settings: { retention_days: { requests: 2 } } };
    await company.bus.call(companies.endpoints.updateCompany, input, company.caller());
    await recorded('one');
    const [old, young] = [await endedBefore(3), await endedBefore(1)];
    await traffic.platform.service('traffic').kill('SIGTERM');
    await traffic.platform.service('traffic').start();
    await eventually('the old run is deleted', async () => (await refusal(get(old)))?.status === 404);
    expect(await get(young)).toMatchObject({ id: young, status: 'DONE', total_requests: 1 });
    const { rows } = await traffic.platform.sql.query(
      'SELECT DISTINCT no FROM traffic.evaluation_runs WHERE company_id = $1',
      [company.places.companyId],
    );
    expect(rows).toEqual([{ no: young }]);
  });
});

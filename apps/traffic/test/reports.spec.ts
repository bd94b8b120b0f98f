import { analytics, type AnalyticsQuery, reports, requests } from '@signalbox/contracts';
import { directive, JudgedCompany } from './judged-company.js';
import { LIST, refusal, startTraffic, type Traffic } from './traffic.js';

let traffic: Traffic;
let company: JudgedCompany;
/** Two applications with the intent `ask`. */
let shop: number;
let desk: number;
const ids = { rude: '', wrong: '', broken: '', forgotten: '' };
let polite: number;
let correct: number;

beforeAll(async () => {
  traffic = await startTraffic({ gateway: true });
  company = await JudgedCompany.make(traffic);
  shop = (await company.places.application('Shop')).id;
  desk = (await company.places.application('Desk')).id;
  polite = (await company.sentinel('polite', { severity: 4, ...instructed('polite') })).id;
  correct = (await company.sentinel('correct', { severity: 1, ...instructed('correct') })).id;
  await record();
}, 90_000);
afterAll(() => traffic.stop());

const instructed = (instruction: string) => ({ sentinel_directive: directive({ instruction }) });

/** Judged requests of all kinds; a request with two faults is one faulty request. */
async function record(): Promise<void> {
  const verdict = (answer: string, sentinel: string): object | string => {
    if (answer === 'rude and wrong') return { verdict: 'FAULT', reason: `not ${sentinel}` };
    if (answer === 'broken') return sentinel === 'polite' ? 'nonsense' : { verdict: 'PASS' };
    return { verdict: answer === 'wrong' && sentinel === 'correct' ? 'FAULT' : 'PASS' };
  };
  const say = async (application: string, answer: string) => {
    traffic.world.answerWith((request) => {
      if (!request.response_format) return answer;
      const isPolite = String(request.messages[0]?.content).endsWith('Instruction:\npolite');
      const reply = verdict(answer, isPolite ? 'polite' : 'correct');
      return typeof reply === 'string' ? reply : JSON.stringify(reply);
    });
    const { request_id } = await company.ask('hello', { application, return_evaluation: true });
    return request_id;
  };
  ids.rude = await say('Shop', 'rude and wrong');
  ids.wrong = await say('Desk', 'wrong');
  // The earlier results of a request that is judged again do not count.
  const again = await company.bus.call(requests.endpoints.evaluateRequest, { request_id: ids.wrong }, company.caller());
  expect(again).toHaveLength(2);
  ids.broken = await say('Desk', 'broken');
  await say('Desk', 'fine');
  await say('Shop', 'fine');
  ids.forgotten = await say('Shop', 'wrong');
  await company.bus.call(requests.endpoints.deleteRequest, { request_id: ids.forgotten }, company.caller());
  await company.bus.call(requests.endpoints.rerunRequest, { request_id: ids.wrong }, company.caller());
  const choices = [{ message: { role: 'assistant' as const, content: 'right' } }];
  await company.bus.call(requests.endpoints.correctRequest, { request_id: ids.wrong, choices }, company.caller());
  const fallback_config = { model: 'simulated-echo', strategy: 'reactive' as const, timeout_ms: 10_000 };
  traffic.world.answerWith(() => ({ error: { status: 400 } }));
  for (const application of ['Shop', 'Shop', 'Desk'])
    await company.ask('hello', { application, fallback_config, evaluation_enabled: false });
}

const SPAN = { start_date: Date.now() - 3_600_000, end_date: Date.now() + 3_600_000 };
const query = { ...LIST, ...SPAN, format: 'json' as const };
const { endpoints: e } = reports;
const faults = async (change: object = {}) =>
  (await company.bus.call(e.listFaults, { ...query, ...change }, company.caller())).data;
const summary = async (change: object = {}) =>
  (await company.bus.call(e.summarizeFaults, { ...query, group_by: 'sentinel', ...change }, company.caller())).data;
const fallbacks = async (change: object = {}) =>
  (await company.bus.call(e.listFallbacks, { ...query, ...change }, company.caller())).data;
const fallbackSummary = async (group_by: string, change: object = {}) =>
  (await company.bus.call(e.summarizeFallbacks, { ...query, group_by, ...change } as never, company.caller())).data;
const faultRate = (change: Partial<AnalyticsQuery> = {}) =>
  company.bus.call(
    analytics.endpoints.getFaultRate,
    { ...SPAN, bucket: 'day', group_by: 'none', ...change },
    company.caller(),
  );

describe('the report of faults', () => {
  it('lists each fault of each sentinel, also of deleted requests and not of reruns', async () => {
    const found = await faults();
    expect(found.map(({ request_id, sentinel_id, description }) => [request_id, sentinel_id, description])).toEqual(
      expect.arrayContaining([
        [ids.rude, polite, 'not polite'],
        [ids.rude, correct, 'not correct'],
        [ids.wrong, correct, ''],
        [ids.forgotten, correct, ''],
      ]),
    );
    expect(found).toHaveLength(4);
    expect((await faults({ severity: 4 })).map(({ request_id }) => request_id)).toEqual([ids.rude]);
    expect((await faults({ corrected: true })).map(({ request_id }) => request_id)).toEqual([ids.wrong]);
    expect(await faults({ application_id: desk })).toHaveLength(1);
    const second = await company.bus.call(e.listFaults, { ...query, limit: 3, offset: 3 }, company.caller());
    expect(second).toMatchObject({ data: [{}], pagination: { total: 4 } });
    const behind = await company.bus.call(e.listFaults, { ...query, offset: 9 }, company.caller());
    expect(behind).toMatchObject({ data: [], pagination: { total: 4 } });
  });

  it('counts failed judgements apart from faults', async () => {
    expect(await summary()).toEqual([
      { key: String(correct), label: 'correct', fault_count: 3, evaluated: 6, error_count: 0, fault_rate: 0.5 },
      { key: String(polite), label: 'polite', fault_count: 1, evaluated: 5, error_count: 1, fault_rate: 0.2 },
    ]);
  });

  it.each(['application', 'intent', 'day'] as const)('agrees with analytics by %s', async (group_by) => {
    const rows = await summary({ group_by });
    const counted = new Map(
      rows.map(({ key: name, fault_count: faults, evaluated, error_count: errors, fault_rate }) => [
        name,
        { evaluated, faults, errors, fault_rate },
      ]),
    );
    const { series } = await faultRate(group_by === 'day' ? {} : { group_by });
    const expected = series.flatMap(({ key: name, points }) =>
      points.map(
        ({ timestamp, ...point }) =>
          [group_by === 'day' ? new Date(timestamp).toISOString().slice(0, 10) : name, point] as const,
      ),
    );
    for (const [name, point] of expected) {
      // A span of two hours may cross midnight: the other day of each group is empty, and an empty day has no row.
      if (point.evaluated + point.errors > 0) expect(counted.get(name)).toEqual(point);
      else if (group_by === 'day') expect(counted.get(name)).toBeUndefined();
    }
    const total = (of: 'evaluated' | 'faults' | 'errors') =>
      [...counted.values()].reduce((sum, each) => sum + each[of], 0);
    const all = await faultRate();
    expect({ evaluated: total('evaluated'), faults: total('faults'), errors: total('errors') }).toEqual({
      evaluated: all.total.evaluated,
      faults: all.total.faults,
      errors: all.total.errors,
    });
    expect(all.total).toMatchObject({ evaluated: 5, faults: 3, errors: 1 });
  });
});

describe('the report of fallbacks', () => {
  it('lists the requests that a fallback model answered, with their strategy', async () => {
    const found = await fallbacks();
    expect(found).toHaveLength(3);
    expect(found[0]).toMatchObject({
      primary_model: 'm',
      fallback_model: 'simulated-echo',
      strategy: 'reactive',
      fallback_reason: 'provider_failed',
    });
    expect(await fallbacks({ application_id: desk })).toHaveLength(1);
    expect(await fallbacks({ model: 'm' })).toEqual([]);
  });

  it('agrees with the fallback rate of analytics', async () => {
    const { getSummary } = analytics.endpoints;
    const span = { ...SPAN, bucket: 'day' as const, group_by: 'none' as const };
    const all = await company.bus.call(getSummary, span, company.caller());
    const [reason] = await fallbackSummary('reason');
    expect(reason).toEqual({ key: 'provider_failed', label: 'provider_failed', count: 3, rate: all.fallback_rate });
    expect((await fallbackSummary('fallback_model'))[0]).toMatchObject({
      key: 'simulated-echo',
      rate: all.fallback_rate,
    });
    const atShop = await company.bus.call(getSummary, { ...span, application_id: shop }, company.caller());
    expect((await fallbackSummary('reason', { application_id: shop }))[0]?.rate).toBe(atShop.fallback_rate);
    // All requests were sent to the model first: nine that are no reruns, of which the fallback answered three.
    expect(await fallbackSummary('primary_model')).toEqual([{ key: 'm', label: 'm', count: 3, rate: 3 / 9 }]);
    const days = await fallbackSummary('day');
    expect(days.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    expect(days[0]?.key).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});

describe('a report as CSV', () => {
  const get = (path: string) => traffic.platform.api(company.key).send('GET', path);
  const csv = (path: string) => get(`${path}&format=csv&start_date=${SPAN.start_date}`);

  it('has all rows, outside of the envelope', async () => {
    const { status, headers, text } = await csv('/reports/faults?limit=1');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(head).toContain('"request_id","session_id","application_id"');
    expect(lines).toHaveLength(4);
    expect(lines.at(-1)).toContain(`"${ids.rude}"`);
    expect((await csv('/reports/faults/summary?group_by=day')).text).toMatch(/^"key","label","fault_count"/);
    expect((await csv('/reports/fallbacks?limit=1')).text.trimEnd().split('\r\n')).toHaveLength(4);
    expect((await csv('/reports/fallbacks/summary?limit=1')).text).toContain('"m","m","3",');
  });

  it('is refused like the report itself', async () => {
    expect((await csv('/reports/faults?severity=9')).status).toBe(400);
    expect((await get('/reports/faults?format=xml')).status).toBe(400);
    const reversed = { ...query, start_date: 2, end_date: 1 };
    expect(await refusal(company.bus.call(e.listFaults, reversed, company.caller()))).toMatchObject({ status: 400 });
  });
});

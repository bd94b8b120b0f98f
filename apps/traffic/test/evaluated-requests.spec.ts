import { applications, completions, requests, sentinels } from '@signalbox/contracts';
import { directive, formatOf, JudgedCompany } from './judged-company.js';
import { LIST, refusal, startTraffic, type Traffic } from './traffic.js';

let traffic: Traffic;
let company: JudgedCompany;
beforeAll(async () => {
  traffic = await startTraffic();
}, 90_000);
afterAll(() => traffic.stop());
beforeEach(async () => {
  company = await JudgedCompany.make(traffic);
  company.script(() => ({ verdict: 'PASS' }));
  traffic.world.calls.length = 0;
});

const evaluate = (request_id: string, sentinel_ids?: number[]) =>
  company.bus.call(
    requests.endpoints.evaluateRequest,
    { request_id, ...(sentinel_ids ? { sentinel_ids } : {}) },
    company.caller(),
  );
const rude = (request: { messages: { content?: unknown }[] }): boolean =>
  String(request.messages[1]?.content).includes('rude');

describe('new requests', () => {
  it('are judged after recording by the enabled sentinels of their group', async () => {
    company.script(
      (request) => ({ verdict: rude(request) ? 'FAULT' : 'PASS' }),
      () => 'rude',
    );
    const { id } = await company.sentinel('polite');
    const off = await company.sentinel('off', { state: 'DISABLED' });
    const { request_id, session_id } = await company.ask();
    const request = await company.evaluated(request_id);
    expect(request.evaluation_status).toBe('FAULT');
    const results = await company.results(request_id);
    expect(results).toMatchObject([{ sentinel_id: id, status: 'FAULT', evaluation_id: null, session_id }]);
    expect(results.map(({ sentinel_id }) => sentinel_id)).not.toContain(off.id);
    const listed = await company.bus.call(
      requests.endpoints.listRequestEvaluations,
      { ...LIST, request_id },
      company.caller(),
    );
    expect(listed.data).toEqual(results);
    const ofSentinel = { ...LIST, sentinel_id: id, status: 'FAULT' as const };
    const { data } = await company.bus.call(sentinels.endpoints.listSentinelResults, ofSentinel, company.caller());
    expect(data).toEqual(results);
    const [event] = await company.places.events('evaluation_result');
    expect(event).toMatchObject({ event: 'evaluation_result.created', data: { request_id, status: 'FAULT' } });
    expect(Object.keys(event?.data ?? {})).not.toContain('description');
    // The calls of judges are not judged.
    expect(company.judgeCalls()).toHaveLength(1);
  });

  it('are not judged when evaluation is turned off, by the call or by its configuration', async () => {
    await company.sentinel('polite');
    const application = await company.places.application('Quiet', { evaluation_enabled: false });
    const here = await company.ask('hello', { evaluation_enabled: false });
    const there = await company.ask('hello', { application: application.application_ref_name });
    const judged = await company.ask();
    await company.evaluated(judged.request_id);
    for (const { request_id } of [here, there])
      expect(await company.request(request_id)).toMatchObject({ evaluation_status: 'NA' });
    expect(company.judgeCalls()).toHaveLength(1);
  });

  it('are judged at the sample rate of a sentinel', async () => {
    await company.sentinel('never', { meta: { sample_rate: 0 } });
    const { request_id } = await company.ask();
    expect(await company.evaluated(request_id)).toMatchObject({ evaluation_status: 'NA' });
    expect(await company.results(request_id)).toEqual([]);
  });

  it('that clients store are judged too, and failed calls are not', async () => {
    await company.sentinel('polite');
    const { request_id } = await company.bus.call(
      completions.endpoints.storeCompletion,
      {
        chat_completion_request: {
          messages: [{ role: 'user', content: 'hello' }],
          model: 'elsewhere',
          intent: 'ask',
          return_evaluation: false,
        },
        chat_completion_response: { choices: [{ message: { role: 'assistant', content: 'hi' } }] },
      },
      company.caller(),
    );
    expect(await company.evaluated(request_id)).toMatchObject({ evaluation_status: 'PASS' });
    traffic.world.answerWith(() => ({ error: { status: 400 } }));
    await refusal(company.ask());
    const { data } = await company.bus.call(
      requests.endpoints.listRequests,
      { ...LIST, include_body: false, status: 'FAILED' },
      company.caller(),
    );
    expect(data.map((each) => each.evaluation_status)).toEqual(['NA']);
  });

  it('have faulty answers corrected where corrections are applied, and the result says how', async () => {
    company.script((request) =>
      formatOf(request) === 'correction' ? { corrected: 'Welcome!' } : { verdict: 'FAULT' },
    );
    const correction = { type: 'LLM' as const, instruction: 'Greet the user.' };
    await company.sentinel('polite', { sentinel_directive: directive({ correction }) });
    const plain = await company.ask();
    const applied = await company.ask('hello', { apply_corrections: true });
    await company.evaluated(plain.request_id);
    await company.evaluated(applied.request_id);
    expect(await company.results(plain.request_id)).toMatchObject([{ correction: null }]);
    expect(await company.results(applied.request_id)).toMatchObject([{ correction: 'Welcome!' }]);
    // The answer was sent before it was judged.
    expect(await company.request(applied.request_id)).toMatchObject({ correction_applied: false });
  });

  it('emit faults where the application or the intent has notifications', async () => {
    company.script(() => ({ verdict: 'FAULT' }));
    const { id } = await company.sentinel('polite');
    const quiet = await company.ask();
    await company.evaluated(quiet.request_id);
    const loud = await company.places.application('Loud');
    await company.bus.call(
      applications.endpoints.updateApplication,
      { application_id: loud.id, fault_notifications: true },
      company.caller(),
    );
    const faulty = await company.ask('hello', { application: loud.application_ref_name });
    await company.evaluated(faulty.request_id);
    const faults = (await company.places.events('request')).filter(({ event }) => event === 'request.fault');
    expect(faults).toMatchObject([{ data: { request_id: faulty.request_id, sentinel_id: id, severity: 3 } }]);
    expect(Object.keys(faults[0]?.data ?? {})).not.toContain('response');
  });
});

describe('a request that is evaluated on demand', () => {
  it('is judged by the enabled sentinels of its group, or by the named ones', async () => {
    const { request_id } = await company.ask();
    const polite = await company.sentinel('polite');
    const off = await company.sentinel('off', { state: 'DISABLED' });
    expect(await evaluate(request_id)).toMatchObject([{ sentinel_id: polite.id, request_id, status: 'PASS' }]);
    company.script(() => ({ verdict: 'FAULT' }));
    expect(await evaluate(request_id, [off.id])).toMatchObject([{ sentinel_id: off.id, status: 'FAULT' }]);
    expect(await company.request(request_id)).toMatchObject({ evaluation_status: 'FAULT' });
    expect(await company.results(request_id)).toHaveLength(2);
  });

  it('has the state of the newest result of each sentinel', async () => {
    const { request_id } = await company.ask();
    await company.sentinel('polite');
    const states = [];
    for (const reply of [{ verdict: 'FAULT' }, 'nonsense', { verdict: 'PASS' }]) {
      company.script(() => reply);
      await evaluate(request_id);
      states.push((await company.request(request_id)).evaluation_status);
    }
    expect(states).toEqual(['FAULT', 'ERROR', 'PASS']);
    expect(await company.results(request_id)).toHaveLength(3);
  });

  it('is refused without an answer, and for sentinels of another group', async () => {
    const { id } = await company.sentinel('polite');
    const other = await company.places.complete({ model: 'm', intent: 'other' });
    expect(await refusal(evaluate(other.request_id, [id]))).toMatchObject({ status: 400 });
    expect(await evaluate(other.request_id)).toEqual([]);
    traffic.world.answerWith(() => ({ error: { status: 400 } }));
    await refusal(company.ask('hello', { evaluation_enabled: false }));
    const { data } = await company.bus.call(
      requests.endpoints.listRequests,
      { ...LIST, include_body: false, status: 'FAILED' },
      company.caller(),
    );
    expect(await refusal(evaluate(data[0]?.request_id ?? '', [id]))).toMatchObject({ status: 409 });
  });

  it('keeps its verdicts but not their words when its content is deleted', async () => {
    company.script(() => ({ verdict: 'FAULT', reason: 'it says hello' }));
    await company.sentinel('polite');
    const { request_id } = await company.ask();
    await company.evaluated(request_id);
    await company.bus.call(requests.endpoints.deleteRequest, { request_id }, company.caller());
    expect(await refusal(company.results(request_id))).toMatchObject({ status: 404 });
    expect(await company.allResults()).toMatchObject([{ request_id, status: 'FAULT', description: '' }]);
  });
});

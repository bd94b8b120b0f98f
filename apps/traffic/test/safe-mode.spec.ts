import { chatSessions, completions, type CompletionCall } from '@signalbox/contracts';
import { eventually, type ModelRequest } from '@signalbox/testing';
import { directive, formatOf, JudgedCompany } from './judged-company.js';
import { LIST, startTraffic, type Traffic } from './traffic.js';

let traffic: Traffic;
let company: JudgedCompany;
beforeAll(async () => {
  traffic = await startTraffic({ gateway: true });
}, 90_000);
afterAll(() => traffic.stop());
beforeEach(async () => {
  company = await JudgedCompany.make(traffic);
  company.script(() => ({ verdict: 'PASS' }));
  traffic.world.calls.length = 0;
});

const SAFE: Partial<CompletionCall> = { apply_corrections: true, safe_mode: true };
const rude = (request: ModelRequest): boolean => String(request.messages[1]?.content).includes('Go away');
const fixed = (instruction: string) => ({
  sentinel_directive: directive({ correction: { type: 'STATIC' as const, instruction } }),
});
const textOf = (completion: { choices: unknown[] }) =>
  (completion.choices as { message: { content: string } }[]).map(({ message }) => message.content);

async function stream(more: Partial<CompletionCall>) {
  const call = { messages: [{ role: 'user' as const, content: 'hello' }], return_evaluation: false, ...more };
  const input = { model: 'm', intent: 'ask', stream: true, ...call };
  const { chunks } = await company.bus.stream(completions.endpoints.streamCompletion, input, company.caller());
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  const frames = text.split('\n\n').filter((frame) => frame !== '');
  const data = frames.filter((frame) => frame !== 'data: [DONE]').map((frame) => JSON.parse(frame.slice(6)) as Chunk);
  return {
    done: frames.at(-1) === 'data: [DONE]',
    content: data.flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? '')).join(''),
    last: data.at(-1),
  };
}
interface Chunk {
  request_id?: string;
  correction_applied?: boolean;
  evaluate_response?: { status: string }[];
  choices: { delta: { content?: string }; finish_reason: string | null }[];
}

describe('return_evaluation', () => {
  it('returns the results, which are stored under the same ids', async () => {
    company.script((request) => ({ verdict: rude(request) ? 'FAULT' : 'PASS', reason: 'because' }), 'Go away');
    const { id } = await company.sentinel('polite');
    const { request_id, evaluate_response, correction_applied } = await company.ask('hello', {
      return_evaluation: true,
    });
    expect(evaluate_response).toMatchObject([{ sentinel_id: id, request_id, status: 'FAULT', description: 'because' }]);
    expect(correction_applied).toBe(false);
    expect(await company.request(request_id)).toMatchObject({ evaluation_status: 'FAULT' });
    const stored = await company.results(request_id);
    expect(stored.map((each) => each.id)).toEqual(evaluate_response?.map((each) => each.id));
    expect(company.judgeCalls()).toHaveLength(1);
  });

  it('is an empty list without sentinels, and absent unless it is asked for', async () => {
    expect((await company.ask('hello', { return_evaluation: true })).evaluate_response).toEqual([]);
    await company.sentinel('polite');
    expect((await company.ask()).evaluate_response).toBeUndefined();
  });

  it('comes with the last chunk of a stream, whose content was sent before', async () => {
    company.script(() => ({ verdict: 'FAULT' }), 'Go away');
    await company.sentinel('polite', fixed('Welcome!'));
    const { done, content, last } = await stream({ return_evaluation: true, apply_corrections: true });
    expect({ done, content }).toEqual({ done: true, content: 'Go away' });
    expect(last).toMatchObject({ evaluate_response: [{ status: 'FAULT' }], correction_applied: false });
  });
});

describe('safe mode', () => {
  it('corrects a faulty answer before it is sent, and records the original', async () => {
    company.script((request) => ({ verdict: rude(request) ? 'FAULT' : 'PASS' }), 'Go away');
    await company.sentinel('polite', fixed('Welcome!'));
    const completion = await company.ask('hello', SAFE);
    expect(textOf(completion)).toEqual(['Welcome!']);
    expect(completion.correction_applied).toBe(true);
    const request = await company.evaluated(completion.request_id);
    expect(request).toMatchObject({ correction_applied: true, is_corrected: false, evaluation_status: 'FAULT' });
    expect(textOf(request.response as { choices: unknown[] })).toEqual(['Go away']);
    expect(await company.results(completion.request_id)).toMatchObject([{ correction: 'Welcome!' }]);
    company.script(() => ({ verdict: 'PASS' }), 'Hello!');
    const good = await company.ask('hello', SAFE);
    expect({ text: textOf(good), applied: good.correction_applied }).toEqual({ text: ['Hello!'], applied: false });
  });

  it('shows evaluations and corrections on the timeline of the session', async () => {
    company.script(() => ({ verdict: 'FAULT', reason: 'rude' }), 'Go away');
    const { id } = await company.sentinel('polite', fixed('Welcome!'));
    const { session_id, request_id } = await company.ask('hello', SAFE);
    const input = { ...LIST, session_id };
    const { data } = await company.bus.call(chatSessions.endpoints.listSessionTimeline, input, company.caller());
    const sentinel = { request_id, sentinel_id: id };
    expect(data).toMatchObject([
      { type: 'message', role: 'user', content: 'hello' },
      { type: 'message', role: 'assistant', content: 'Go away' },
      { type: 'evaluation', ...sentinel, status: 'FAULT', content: 'rude' },
      { type: 'correction', ...sentinel, role: 'assistant', content: 'Welcome!' },
    ]);
    const found = async (search: string) => {
      const query = { ...input, search };
      const { data: some } = await company.bus.call(
        chatSessions.endpoints.listSessionTimeline,
        query,
        company.caller(),
      );
      return some.map(({ type }) => type);
    };
    expect(await found('RUDE')).toEqual(['evaluation']);
    expect(await found('welcome!')).toEqual(['correction']);
    expect(await found('%')).toEqual([]);
    const { getSession } = chatSessions.endpoints;
    expect((await company.bus.call(getSession, { session_id }, company.caller())).fault_count).toBe(1);
  });

  it('corrects a streamed answer, of which nothing was sent', async () => {
    company.script(() => ({ verdict: 'FAULT' }), 'Go away');
    await company.sentinel('polite', fixed('Welcome!'));
    const { done, content, last } = await stream({ ...SAFE, return_evaluation: true });
    expect({ done, content }).toEqual({ done: true, content: 'Welcome!' });
    expect(last).toMatchObject({ correction_applied: true, evaluate_response: [{ status: 'FAULT' }] });
    expect(last?.choices[0]?.finish_reason).toBe('stop');
  });

  it('uses the correction of the most severe fault', async () => {
    company.script(() => ({ verdict: 'FAULT' }), 'Go away');
    await company.sentinel('mild', { severity: 1, ...fixed('mild') });
    await company.sentinel('fatal', { severity: 4, ...fixed('fatal') });
    await company.sentinel('error', { severity: 3, ...fixed('error') });
    expect(textOf(await company.ask('hello', SAFE))).toEqual(['fatal']);
  });

  it('sends the answer as it is when the judge fails', async () => {
    traffic.world.answerWith((request) => (formatOf(request) ? { error: { status: 400 } } : 'Go away'));
    await company.sentinel('polite', fixed('Welcome!'));
    const completion = await company.ask('hello', { ...SAFE, return_evaluation: true });
    expect(textOf(completion)).toEqual(['Go away']);
    expect(completion.evaluate_response).toMatchObject([{ status: 'ERROR', failure_class: 'provider' }]);
    expect(await company.request(completion.request_id)).toMatchObject({ evaluation_status: 'ERROR' });
  });

  it('has its judges receive no secrets of the call', async () => {
    const secret = 'secret-0123456789';
    company.script(
      () => ({ verdict: 'PASS' }),
      () => `the key is ${secret}`,
    );
    await company.sentinel('polite');
    await company.ask('hello', { ...SAFE, secrets: { KEY: secret } });
    expect(JSON.stringify(company.judgeCalls())).not.toContain(secret);
    expect(company.judgeCalls()).toHaveLength(1);
  });

  it('works in the process that the clients are connected to', async () => {
    company.script(() => ({ verdict: 'FAULT' }), 'Go away');
    await company.sentinel('polite', fixed('Welcome!'));
    const messages = [{ role: 'user', content: 'hello' }];
    const body = { model: 'm', intent: 'ask', messages, ...SAFE, return_evaluation: true };
    const api = traffic.platform.api(company.key);
    const completion: Awaited<ReturnType<typeof company.ask>> = await api.data('POST', '/chat/completions', body);
    expect(textOf(completion)).toEqual(['Welcome!']);
    expect(completion.evaluate_response).toMatchObject([{ status: 'FAULT', correction: 'Welcome!' }]);
    const stored = await eventually('the results are stored', async () => {
      const results = await company.allResults();
      return results.length > 0 ? results : undefined;
    });
    expect(stored[0]?.id).toBe(completion.evaluate_response?.[0]?.id);
  });

  it('is set by the configuration of the application', async () => {
    company.script(() => ({ verdict: 'FAULT' }), 'Go away');
    await company.sentinel('polite', fixed('Welcome!'));
    const { application_ref_name: application } = await company.places.application('Safe', {
      apply_corrections: true,
      safe_mode: true,
    });
    expect(textOf(await company.ask('hello', { application }))).toEqual(['Welcome!']);
  });
});

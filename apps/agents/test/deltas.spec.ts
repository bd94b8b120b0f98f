import { eventually, timeScale } from '@signalbox/testing';
import { type Frame, FrontDoor } from './http-client.js';
import { type TaskCompany, TaskWorld } from './task-world.js';

const TOKEN = 'tok-4f9c2d7b1e';
/** A text is appended to its task no more often than this. */
const APPENDED_EVERY_MS = 50;
const WORDS = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');

let outside: TaskWorld;
let company: TaskCompany;
let door: FrontDoor;
beforeAll(async () => {
  outside = await TaskWorld.start('gateway');
}, 120_000);
afterAll(() => outside.stop());
beforeEach(async () => {
  outside.provider.calls.length = 0;
  company = await outside.company();
  door = await FrontDoor.of(company);
});

/** True for the first call of a test. */
const isFirst = (): boolean => outside.provider.calls.length === 1;
/** Slower where everything is: what is heard of it meanwhile is asserted. */
const speak = (text: string, chunkDelayMs = 40) =>
  outside.provider.answerWith(() => ({ text, chunkDelayMs: chunkDelayMs * timeScale() }));
const agent = (change: Parameters<TaskCompany['world']['agent']>[0] = {}) =>
  company.world.agent({ model: 'm', ...change }).then(({ id }) => id);
const invoke = (id: number, more: object = {}) =>
  door.open(`/agents/${id}/invoke`, { body: { message: 'hi', stream: true, ...more } });
const textOf = (frames: Frame[]): string => frames.map(({ data }) => String(data['content'])).join('');
const dense = (frames: Frame[]) => expect(frames.map(({ id }) => id)).toEqual(frames.map((_, index) => index + 1));
const answerOf = (frames: Frame[]): unknown =>
  (frames.at(-1)?.data['result'] as { choices: { message: { content: string } }[] }).choices[0]?.message.content;

describe('what a model says', () => {
  it('is heard while it says it, in few rows, and can be read again from anywhere', async () => {
    speak(WORDS);
    const id = await agent();
    const stream = invoke(id);
    await stream.until('the first words are heard', () => stream.deltas.length > 0);
    expect(outside.provider.calls[0]!.endedAt).toBeNull();
    const taskId = String(stream.frames[0]!.data.task_id);
    const early = door.open(`/agents/${id}/tasks/${taskId}/stream`, { headers: { 'Last-Event-ID': '2' } });
    await Promise.all([stream.closed, early.closed]);
    const { frames, deltas } = stream;
    dense(frames);
    expect(textOf(deltas)).toBe(WORDS);
    expect(answerOf(frames)).toBe(WORDS);
    // The first part was read before the provider ended. From then on there is one row at most in each interval.
    const { startedAt, endedAt } = outside.provider.calls[0]!;
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.length).toBeLessThanOrEqual(3 + (endedAt! - startedAt) / APPENDED_EVERY_MS);
    expect(deltas.every(({ data }) => data['step'] === 1 && data['restart'] === undefined)).toBe(true);
    expect(early.frames).toEqual(frames.slice(2));
    expect(await door.follow(id, taskId)).toEqual(frames);
    for (const name of ['agents', 'gateway']) {
      await outside.platform.service(name).kill('SIGKILL');
      await outside.platform.service(name).start();
    }
    await eventually('it answers again', () =>
      door.send(`/agents/${id}`).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    expect(await door.follow(id, taskId, 4)).toEqual(frames.slice(4));
  }, 60_000);

  it('is heard by one who comes in the middle, with what was said before', async () => {
    speak(WORDS);
    const id = await agent();
    const { task_id } = await company.invoke(id, { wait: false });
    await eventually('some of it is said', () => (outside.provider.calls[0]?.chunks ?? 0) > 10);
    const stream = door.open(`/agents/${id}/tasks/${task_id}/stream`);
    await stream.until('the beginning is heard', () => stream.deltas.length > 1);
    expect(outside.provider.calls[0]!.endedAt).toBeNull();
    expect(String(stream.deltas[0]!.data['content']).length).toBeGreaterThan(30);
    await stream.closed;
    dense(stream.frames);
    expect(textOf(stream.deltas)).toBe(WORDS);
  });

  it('writes no rows without a subscriber', async () => {
    speak(WORDS, 10);
    const id = await agent();
    const { task_id } = await company.invoke(id, { wait: false });
    await company.ended(task_id);
    expect((await door.follow(id, task_id)).map(({ event }) => event)).toEqual([
      'task.started',
      'message.delta',
      'task.completed',
    ]);
    await company.invoke(id);
    expect(outside.provider.calls.map(({ body }) => (body as { stream?: boolean }).stream)).toEqual([true, false]);
  });

  it('before it acts is a separate message', async () => {
    outside.provider.answerWith(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: 'it costs 5', chunkDelayMs: 30 }
        : {
            text: 'let me look that up for you',
            toolCalls: [{ name: 'look_up', arguments: { id: '7' } }],
            chunkDelayMs: 60,
          },
    );
    const stream = invoke(await company.agent());
    await stream.closed;
    dense(stream.frames);
    const kinds = stream.frames.map(({ event, data }) => `${event} ${String(data['step'] ?? '')}`.trim());
    expect(kinds.filter((kind, index) => kind !== kinds[index - 1])).toEqual([
      'task.started',
      'message.delta 1',
      'action.started',
      'action.completed',
      'message.delta 3',
      'task.completed',
    ]);
    expect(textOf(stream.deltas.filter(({ data }) => data['step'] === 1))).toBe('let me look that up for you');
    expect(textOf(stream.deltas.filter(({ data }) => data['step'] === 3))).toBe('it costs 5');
    expect(answerOf(stream.frames)).toBe('it costs 5');
  });

  it('is sent without secrets, wherever they are cut', async () => {
    speak(`the token is ${TOKEN}, which is ${Buffer.from(TOKEN).toString('base64')} and again ${TOKEN}`, 70);
    const id = await company.agent({}, { auth: { type: 'bearer', token: '{{secrets.TOKEN}}' } });
    const stream = invoke(id, { secrets: { TOKEN } });
    await stream.closed;
    expect(stream.deltas.length).toBeGreaterThan(1);
    expect(textOf(stream.deltas)).toBe('the token is [secret], which is [secret] and again [secret]');
    expect(answerOf(stream.frames)).toBe(textOf(stream.deltas));
    expect(stream.text).not.toMatch(/tok-4f|f9c2d|b1e/);
  });

  it('is sent at its end when it has to be JSON', async () => {
    outside.provider.answerWith(() => ({
      text: isFirst() ? 'sorry, not JSON today at all' : '{"price":12345678901234567890}'.replace('1234567890123', ''),
      chunkDelayMs: 60,
    }));
    const stream = invoke(await agent(), { response_format: { type: 'json_object' } });
    await stream.closed;
    expect(stream.deltas.map(({ data }) => data['content'])).toEqual([answerOf(stream.frames)]);
    expect(stream.deltas[0]!.data['restart']).toBeUndefined();
  });

  it('is taken back when it breaks off, and said again', async () => {
    outside.provider.answerWith(() =>
      isFirst() ? { text: WORDS, chunkDelayMs: 60, cutAfterChunks: 6 } : { text: 'short and good', chunkDelayMs: 60 },
    );
    const stream = invoke(await agent());
    await stream.closed;
    dense(stream.frames);
    const at = stream.deltas.findIndex(({ data }) => data['restart'] === true);
    expect(at).toBeGreaterThan(0);
    expect(WORDS.startsWith(textOf(stream.deltas.slice(0, at)))).toBe(true);
    expect(textOf(stream.deltas.slice(at))).toBe('short and good');
    expect(answerOf(stream.frames)).toBe('short and good');
  });

  it('is taken back when its worker dies, and said again by the next one', async () => {
    speak(WORDS, 100);
    const id = await agent();
    const stream = invoke(id);
    await stream.until('some of it is heard', () => stream.deltas.length > 2);
    await outside.platform.service('agents').kill('SIGKILL');
    await outside.platform.sql.query(
      `UPDATE agents.work SET due_at = now(), lease_owner = NULL WHERE done_at IS NULL AND kind NOT LIKE '%@%'`,
    );
    const ANOTHER = `another answer: ${WORDS}`;
    speak(ANOTHER, 20);
    await outside.platform.service('agents').start();
    await stream.closed;
    dense(stream.frames);
    const at = stream.deltas.findIndex(({ data }) => data['restart'] === true);
    expect(at).toBeGreaterThan(2);
    expect(stream.deltas.length).toBeGreaterThan(at + 1);
    expect(textOf(stream.deltas.slice(at))).toBe(ANOTHER);
    expect(await door.follow(id, String(stream.frames[0]!.data.task_id))).toEqual(stream.frames);
  }, 60_000);

  it('continues after a restart of the service that calls the model', async () => {
    speak(WORDS, 100);
    const stream = invoke(await agent());
    await stream.until('some of it is heard', () => stream.deltas.length > 2);
    await outside.platform.service('traffic').kill('SIGKILL');
    speak('another answer', 10);
    await outside.platform.service('traffic').start();
    await stream.closed;
    dense(stream.frames);
    const at = stream.deltas.findIndex(({ data }) => data['restart'] === true);
    expect(textOf(stream.deltas.slice(at))).toBe('another answer');
    expect(answerOf(stream.frames)).toBe('another answer');
  }, 90_000);

  it('is not asked for to its end when the task is cancelled', async () => {
    speak(WORDS, 200);
    const id = await agent();
    const stream = invoke(id);
    await stream.until('some of it is heard', () => stream.deltas.length > 0);
    const taskId = String(stream.frames[0]!.data.task_id);
    expect((await door.send(`/agents/${id}/tasks/${taskId}/cancel`, { body: {} })).status).toBe(200);
    await stream.closed;
    expect(stream.frames.at(-1)!.event).toBe('task.cancelled');
    await eventually('the provider is left', () => outside.provider.calls[0]!.aborted);
    const recorded = async () => {
      const { rows } = await outside.platform.sql.query(
        'SELECT status, failure_class, error_message FROM traffic.requests WHERE reference_id = $1',
        [`${taskId}/1`],
      );
      return rows.length > 0 ? (rows as object[]) : undefined;
    };
    expect(await eventually('it is recorded', recorded)).toEqual([
      { status: 'FAILED', failure_class: null, error_message: 'client_disconnected' },
    ]);
  });
});

describe('an agent in place of a model', () => {
  const complete = (id: number, more: object = {}) =>
    door.open('/chat/completions', {
      body: { model: `agent:${id}`, messages: [{ role: 'user', content: 'hi' }], stream: true, ...more },
    });
  const chunksOf = (text: string) =>
    text
      .split('\n\n')
      .filter((frame) => frame.startsWith('data: {'))
      .map(
        (frame) =>
          JSON.parse(frame.slice(6)) as {
            error?: unknown;
            choices?: { delta: { content?: string }; finish_reason: string | null }[];
          },
      );
  const said = (text: string): string =>
    chunksOf(text)
      .map(({ choices }) => choices?.[0]?.delta.content ?? '')
      .join('');

  it('is heard while it says it', async () => {
    speak(WORDS);
    const stream = complete(await agent());
    await stream.until('the first words are heard', () => said(stream.text).length > 0);
    expect(outside.provider.calls[0]!.endedAt).toBeNull();
    await stream.closed;
    expect(said(stream.text)).toBe(WORDS);
    expect(stream.text.trimEnd().endsWith('data: [DONE]')).toBe(true);
    expect(chunksOf(stream.text).filter(({ choices }) => choices?.[0]?.finish_reason === 'stop')).toHaveLength(1);
    expect(stream.arrivals.length).toBeGreaterThan(1);
  });

  it('is heard as JSON alone when that is asked for, whatever its model says before it acts', async () => {
    outside.provider.answerWith(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? '{"price":5}'
        : { text: 'let me look that up', toolCalls: [{ name: 'look_up', arguments: { id: '7' } }] },
    );
    const stream = complete(await company.agent(), { response_format: { type: 'json_object' } });
    await stream.closed;
    expect(said(stream.text)).toBe('{"price":5}');
  });

  it('fails in the stream when it has to take back what was heard', async () => {
    outside.provider.answerWith(() =>
      isFirst() ? { text: WORDS, chunkDelayMs: 60, cutAfterChunks: 6 } : 'something else',
    );
    const stream = complete(await agent());
    await stream.closed;
    expect(WORDS.startsWith(said(stream.text))).toBe(true);
    expect(chunksOf(stream.text).at(-1)!.error).toMatchObject({ type: 'provider_error' });
    expect(stream.text).not.toContain('[DONE]');
  });

  it('refuses before the first word what cannot be asked', async () => {
    const stream = complete(999_999);
    expect((await stream.reply).status).toBe(404);
    const id = await agent();
    const needy = await company.agent(
      { agent_name: 'needy' },
      { auth: { type: 'bearer', token: '{{secrets.TOKEN}}' } },
    );
    expect((await complete(needy).reply).status).toBe(400);
    outside.provider.answerWith(() => ({ error: { status: 400 } }));
    expect((await complete(id).reply).status).toBe(502);
  });
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  AuthenticationError,
  type CallOptions,
  ConflictError,
  ConnectionError,
  createClient,
  NotFoundError,
  PermissionError,
  RateLimitError,
  type Signalbox,
  SignalboxError,
  TimeoutError,
} from '@signalbox/sdk';
import { type HttpTarget, startHttpTarget, type TargetReply } from '@signalbox/testing';

let target: HttpTarget;
let client: Signalbox;
beforeAll(async () => {
  target = await startHttpTarget();
  client = createClient({ apiKey: 'svk_test', baseUrl: target.url });
});
afterAll(() => target.close());
beforeEach(() => void target.calls.splice(0));

const json = (status: number, body: unknown, headers: Record<string, string> = {}): TargetReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const failure = (status: number, headers: Record<string, string> = {}): TargetReply =>
  json(status, { error: { status, message: 'no' } }, headers);
/** Ends before its last byte. */
const brokenOff = (body: string, contentType = 'application/json'): TargetReply => ({
  headers: { 'content-type': contentType, 'content-length': '1000', connection: 'close' },
  body,
});

/** Replies one after the other; the last one repeats. */
function answer(...replies: TargetReply[]): void {
  let next = 0;
  target.answerWith(() => replies[Math.min(next++, replies.length - 1)] ?? {});
}
const keys = (): unknown[] => target.calls.map(({ headers }) => headers['idempotency-key']);
const agent = json(200, { data: { id: 7 } });

describe('a call that fails', () => {
  it('is sent again after a lost connection, a POST under the same idempotency key', async () => {
    answer({ reset: true }, agent);
    expect(await client.agents.create({ application_id: 1, agent_name: 'a' })).toEqual({ id: 7 });
    expect(keys()).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys()[0]]);
    answer({ reset: true }, agent);
    expect(await client.agents.get({ agent_id: 7 })).toEqual({ id: 7 });
    expect(target.calls.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET', 'GET']);
  });

  it('is sent again after the 502 of a proxy that has lost the process, and not after one of the platform', async () => {
    const gone = { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad Gateway</h1>' };
    answer(gone, agent);
    expect(await client.agents.create({ application_id: 1, agent_name: 'a' })).toEqual({ id: 7 });
    expect(keys()).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys()[0]]);
    answer(failure(502, { 'x-request-id': 'r1' }), agent);
    await expect(client.agents.create({ application_id: 1, agent_name: 'a' })).rejects.toMatchObject({ status: 502 });
    answer(gone, agent);
    await expect(client.agents.delete({ agent_id: 7 })).rejects.toMatchObject({ status: 502 });
  });

  it('waits as long as Retry-After says, and not at all when that is too long', async () => {
    answer(failure(429, { 'retry-after': '1' }), agent);
    await client.agents.get({ agent_id: 7 });
    const [first, second] = target.calls;
    expect((second?.startedAt ?? 0) - (first?.startedAt ?? 0)).toBeGreaterThanOrEqual(990);
    answer(failure(429, { 'retry-after': '3600' }));
    await expect(client.agents.get({ agent_id: 7 })).rejects.toBeInstanceOf(RateLimitError);
    expect(target.calls).toHaveLength(3);
  });

  it('waits for the first try while the platform still works on it, however often it is asked', async () => {
    const running = failure(409, { 'retry-after': '0' });
    answer(running, running, running, running, failure(503, { 'retry-after': '0' }), agent);
    expect(await client.agents.create({ application_id: 1, agent_name: 'a' })).toEqual({ id: 7 });
    expect(new Set(keys()).size).toBe(1);
    answer(failure(409));
    await expect(client.agents.create({ application_id: 1, agent_name: 'a' })).rejects.toBeInstanceOf(ConflictError);
    expect(target.calls).toHaveLength(7);
  });

  it('is sent again when its reply breaks off', async () => {
    answer(brokenOff('{"data"'), agent);
    expect(await client.agents.create({ application_id: 1, agent_name: 'a' })).toEqual({ id: 7 });
    expect(keys()).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys()[0]]);
    answer(brokenOff('{"data"'));
    await expect(client.agents.delete({ agent_id: 7 })).rejects.toBeInstanceOf(ConnectionError);
    expect(target.calls).toHaveLength(3);
  });

  it('has run out of time when its first try still runs after that', async () => {
    answer({ hang: true }, failure(409, { 'retry-after': '0' }));
    const create = client.agents.create({ application_id: 1, agent_name: 'a' }, { timeoutMs: 500 });
    await expect(create).rejects.toBeInstanceOf(TimeoutError);
    expect([target.calls.length > 1, new Set(keys()).size]).toEqual([true, 1]);
  });

  it('is not sent again when it is a DELETE, a stored reply or a reply that stays the same', async () => {
    answer({ reset: true });
    await expect(client.agents.delete({ agent_id: 7 })).rejects.toBeInstanceOf(ConnectionError);
    answer(failure(503, { 'idempotent-replayed': 'true' }));
    await expect(client.agents.create({ application_id: 1, agent_name: 'a' })).rejects.toMatchObject({ status: 503 });
    answer(failure(404, { 'x-request-id': 'r-1' }));
    const refused: unknown = await client.agents.get({ agent_id: 7 }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(NotFoundError);
    expect(refused).toMatchObject({ status: 404, message: 'no', requestId: 'r-1' });
    expect(target.calls).toHaveLength(3);
  });

  it('ends with the last error after its retries', async () => {
    answer(failure(503));
    const once = { maxRetries: 1 };
    await expect(client.agents.get({ agent_id: 7 }, once)).rejects.toMatchObject({ status: 503, name: 'ServerError' });
    expect(target.calls).toHaveLength(2);
  });

  it('ends when its time is over or its signal aborted', async () => {
    answer({ hang: true });
    const short = { timeoutMs: 50, maxRetries: 0 };
    await expect(client.agents.get({ agent_id: 7 }, short)).rejects.toBeInstanceOf(TimeoutError);
    const stop = new AbortController();
    target.answerWith(() => {
      stop.abort(new Error('enough'));
      return { hang: true };
    });
    await expect(client.agents.get({ agent_id: 7 }, { signal: stop.signal })).rejects.toThrow('enough');
  });
});

const frame = (seq: number, type: string): string =>
  `id: ${seq}\nevent: ${type}\ndata: {"type":"${type}","seq":${seq}}\n\n`;
const stream = (...frames: string[]): TargetReply => ({
  headers: { 'content-type': 'text/event-stream' },
  body: `: ping\n\n${frames.join('')}`,
});

async function types(events: AsyncIterable<{ type: string }>): Promise<string[]> {
  const seen: string[] = [];
  for await (const { type } of events) seen.push(type);
  return seen;
}

describe('a stream that is lost', () => {
  const task = { agent_id: 7, task_id: 'a' };

  it('is opened again after the last event, and ends with the terminal one', async () => {
    answer(
      stream(frame(1, 'task.started')),
      { reset: true },
      stream(frame(2, 'message.delta'), frame(3, 'task.completed'), frame(4, 'never')),
    );
    const events = client.agents.streamTask(task, { maxRetries: 0 });
    expect(await types(events)).toEqual(['task.started', 'message.delta', 'task.completed']);
    expect(target.calls.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1', '1']);
  });

  it('of a POST is repeated under the same key, and known events are left out', async () => {
    answer(stream(frame(1, 'task.started')), stream(frame(1, 'task.started'), frame(2, 'task.failed')));
    const events = client.agents.invoke({ agent_id: 7, message: 'hello', stream: true });
    expect(await types(events)).toEqual(['task.started', 'task.failed']);
    expect(new Set(keys()).size).toBe(1);
  });

  it('without an end continues at its position, however often it ends without an event', async () => {
    const position = 'id: 7\n\n';
    const event = frame(9, 'agent.created');
    answer(
      stream(position),
      failure(503, { 'retry-after': '0' }),
      { reset: true },
      stream(position),
      stream(event),
      stream(frame(10, 'agent.deleted')),
    );
    const seen: string[] = [];
    for await (const { type } of client.webhooks.streamEvents({}, { maxRetries: 0 }) as AsyncIterable<{
      type: string;
    }>) {
      seen.push(type);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual(['agent.created', 'agent.deleted']);
    const ids = target.calls.map(({ headers }) => headers['last-event-id']);
    expect(ids).toEqual([undefined, '7', '7', '7', '7', '9']);
  });

  it('ends when the platform says that nothing is left of it', async () => {
    answer(stream('event: end\n\n'));
    expect(await types(client.agents.streamTask(task, { lastEventId: '5' }))).toEqual([]);
    expect(target.calls).toHaveLength(1);
  });

  it.each([
    [401, AuthenticationError],
    [403, PermissionError],
    [404, NotFoundError],
  ])('is an error when the platform ends it with %i, and is not opened again', async (status, kind) => {
    const error = `event: error\ndata: {"type":"error","status":${status},"timestamp":1}\n\n`;
    answer(stream(frame(1, 'run.progress'), frame(2, 'run.deleted'), error));
    const seen: string[] = [];
    const read = async (): Promise<void> => {
      for await (const { type } of client.agents.streamTask(task)) seen.push(type);
    };
    await expect(read()).rejects.toBeInstanceOf(kind);
    expect([seen, target.calls.length]).toEqual([['run.progress', 'run.deleted'], 1]);
  });

  it('is an error when the platform refuses it or stays away', async () => {
    answer(failure(404));
    await expect(types(client.agents.streamTask(task))).rejects.toBeInstanceOf(NotFoundError);
  });

  it('of a chat completion is an error, because the answer would be made twice', async () => {
    const chunk = 'data: {"id":"c","choices":[]}\n\n';
    answer({ headers: { 'content-type': 'text/event-stream' }, body: chunk });
    const chunks = client.chat.create({ messages: [{ role: 'user', content: 'a' }], stream: true });
    const read = () => types(chunks as unknown as AsyncIterable<{ type: string }>);
    await expect(read()).rejects.toThrow('ended before its last');
    answer(brokenOff(chunk, 'text/event-stream'));
    await expect(read()).rejects.toBeInstanceOf(ConnectionError);
    expect(target.calls).toHaveLength(2);
  });
});

describe('a signal that aborts', () => {
  const task = { agent_id: 7, task_id: 'a' };

  it.each<[string, (client: Signalbox, options: CallOptions) => unknown]>([
    ['a stream of events', ({ agents }, options) => agents.streamTask(task, options)],
    ['a chat completion', ({ chat }, options) => chat.create({ messages: [], stream: true }, options)],
    ['a file', async ({ testSets }, options) => (await testSets.export({ test_set_id: 1 }, options)).stream],
  ])('makes %s throw its reason', async (_what, open) => {
    const { client: streaming, closed } = await startOpenStreams(frame(1, 'task.started'));
    const stop = new AbortController();
    const reason = new Error('enough');
    const read = async (): Promise<void> => {
      for await (const _ of (await open(streaming, { signal: stop.signal })) as AsyncIterable<unknown>)
        setImmediate(() => stop.abort(reason));
    };
    await expect(read()).rejects.toBe(reason);
    await closed;
  });
});

/** Replies with events and leaves the reply open. */
async function startOpenStreams(...frames: string[]): Promise<{ client: Signalbox; closed: Promise<unknown> }> {
  let end = (): void => undefined;
  const closed = new Promise<void>((resolve) => (end = resolve));
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frames.join(''));
    request.socket.once('close', () => {
      end();
      server.close();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { client: createClient({ apiKey: 'k', baseUrl: `http://127.0.0.1:${port}` }), closed };
}

describe('what is closed', () => {
  const task = { agent_id: 7, task_id: 'a' };

  it('is a stream: the loop that waits for its next event ends, and so does the connection', async () => {
    const { client: streaming, closed } = await startOpenStreams(frame(1, 'task.started'));
    const events = streaming.agents.streamTask(task);
    const seen: string[] = [];
    for await (const { type } of events) {
      seen.push(type);
      setImmediate(() => events.close());
    }
    await closed;
    expect([seen, await types(events)]).toEqual([['task.started'], []]);
  });

  it('is a stream or a client whose block is left', async () => {
    const first = await startOpenStreams(frame(1, 'task.started'));
    {
      await using events = first.client.agents.streamTask(task);
      expect(await events[Symbol.asyncIterator]().next()).toMatchObject({ value: { type: 'task.started' } });
    }
    await first.closed;
    const second = await startOpenStreams('data: {"id":"c","choices":[]}\n\n');
    let ended: Promise<unknown>;
    {
      await using leaving = second.client;
      const chunks = leaving.chat.create({ messages: [], stream: true })[Symbol.asyncIterator]();
      await chunks.next();
      ended = chunks.next();
    }
    expect(await ended).toEqual({ value: undefined, done: true });
    await second.closed;
  });

  it('is a client: its calls fail at once, and are not sent again', async () => {
    const closing = createClient({ apiKey: 'k', baseUrl: target.url });
    target.answerWith(() => {
      setImmediate(() => closing.close());
      return { hang: true };
    });
    await expect(closing.agents.get({ agent_id: 7 })).rejects.toThrow('the client is closed');
    await expect(closing.agents.get({ agent_id: 7 })).rejects.toThrow('the client is closed');
    expect(target.calls).toHaveLength(1);
  });

  it('is a file that is not read to its end', async () => {
    answer({ body: 'x'.repeat(100) });
    const download = await client.testSets.export({ test_set_id: 1 });
    await download.close();
    await expect(download.text()).rejects.toThrow();
    const { client: streaming, closed } = await startOpenStreams('x');
    const opened = await streaming.testSets.export({ test_set_id: 1 });
    expect(opened.stream.locked).toBe(false);
    await opened.close();
    await closed;
  });
});

describe('a file', () => {
  it('that breaks off is a lost connection', async () => {
    answer(brokenOff('x'));
    const download = await client.testSets.export({ test_set_id: 1 });
    await expect(download.text()).rejects.toBeInstanceOf(ConnectionError);
    const { stream: content } = await client.testSets.export({ test_set_id: 1 });
    await expect(new Response(content).text()).rejects.toBeInstanceOf(ConnectionError);
  });
});

describe('calls one after the other', () => {
  it('share a connection', async () => {
    const ports = new Set<number | undefined>();
    const server = createServer((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('{"data":{"id":7}}');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const reusing = createClient({ apiKey: 'k', baseUrl: `http://127.0.0.1:${port}` });
    for (let call = 0; call < 10; call++) await reusing.agents.get({ agent_id: 7 });
    // The second call may be sent before the reply to the first has been read to its end.
    expect(ports.size).toBeLessThanOrEqual(2);
    server.closeAllConnections();
    server.close();
  });
});

/** A list of records, the newest first, that calls may change. */
class ScriptedList {
  ids: number[];
  readonly loads: string[] = [];

  constructor(count: number, record: (id: number) => object = (id) => ({ id })) {
    this.ids = Array.from({ length: count }, (_, at) => count - at);
    target.answerWith(({ path }) => {
      const query = new URL(path, target.url).searchParams;
      const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 25)];
      this.loads.push(`${offset}+${limit}`);
      const data = this.ids.slice(offset, offset + limit).map(record);
      return json(200, { data, pagination: { total: this.ids.length, offset, limit } });
    });
  }

  remove(...ids: number[]): void {
    this.ids = this.ids.filter((id) => !ids.includes(id));
  }
}

describe('a list', () => {
  const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => from - at);

  it('is one page when awaited and every page when gone through, without records that moved', async () => {
    const list = new ScriptedList(5);
    const page = await client.agents.list({ limit: 2 });
    expect(page).toEqual({ data: [{ id: 5 }, { id: 4 }], pagination: { total: 5, offset: 0, limit: 2 } });
    const ids: number[] = [];
    for await (const { id } of client.agents.list({ limit: 2 })) {
      // A record that is added moves all others by one.
      if (id === 5) list.ids.unshift(6);
      ids.push(id);
    }
    expect(ids).toEqual([5, 4, 3, 2, 1]);
  });

  it.each([1, 2, 3, 10, 100])('returns every record to a loop that deletes each, in pages of %i', async (limit) => {
    const list = new ScriptedList(23);
    const ids: number[] = [];
    for await (const { id } of client.agents.list({ limit })) {
      ids.push(id);
      list.remove(id);
    }
    expect(ids).toEqual(range(23, 1));
  });

  it('returns every record that stays, whatever is deleted and added meanwhile', async () => {
    const list = new ScriptedList(40);
    const ids: number[] = [];
    for await (const { id } of client.agents.list({ limit: 4 })) {
      ids.push(id);
      if (id === 37) list.remove(...range(40, 30));
      if (id === 25) list.remove(22, 25, 27);
      if (id === 20) list.ids.unshift(43, 42, 41);
      if (id === 12) list.remove(...range(29, 13));
    }
    expect(ids).toEqual(expect.arrayContaining([...range(29, 23), ...range(21, 1)]));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('returns every record of a session, and every session once', async () => {
    const all = range(7, 1).map((id) => `${id}`);
    new ScriptedList(7, (id) => ({ request_id: `${id}`, session_id: 'a' }));
    const faults = await client.reports.listFaults({ limit: 2 }).all();
    expect(faults.map(({ request_id }) => request_id)).toEqual(all);
    let loaded = 0;
    new ScriptedList(7, (id) => ({ session_id: `${id}`, cost: loaded++ }));
    const sessions = await client.sessions.list({ limit: 2 }).all();
    expect(sessions.map(({ session_id }) => session_id)).toEqual(all);
  });

  it.each<[string, (id: number) => string]>([
    ['equal', () => 'tick'],
    ['alternating', (id) => ['tick', 'tock'][id % 2] ?? ''],
  ])('returns every one of %s records without an id', async (_what, message) => {
    const list = new ScriptedList(50, (id) => ({ message: message(id) }));
    const logs = client.workflows.listRunLogs({ run_id: 'a', limit: 20 });
    expect((await logs.all()).map((each) => each.message)).toEqual(range(50, 1).map(message));
    expect(list.loads).toEqual(['0+20', '19+21', '39+21']);
  });

  it('returns records without an id once in a list that others are added to and deleted from', async () => {
    const list = new ScriptedList(12, (id) => ({ message: `${id}` }));
    const messages: string[] = [];
    for await (const { message } of client.workflows.listRunLogs({ run_id: 'a', limit: 4 })) {
      messages.push(message);
      if (message === '11') list.ids.unshift(14, 13);
      if (message === '7') list.remove(14, 13, 12, 11);
    }
    expect(messages).toEqual(range(12, 1).map(String));
  });

  it('begins at the asked offset and reads a list that does not change once', async () => {
    const list = new ScriptedList(10);
    const all = await client.agents.list({ limit: 4, offset: 3 }).all();
    expect(all.map(({ id }) => id)).toEqual(range(7, 1));
    expect(list.loads).toEqual(['3+4', '6+5']);
  });
});

describe('a reply that is none of the platform', () => {
  it('is an error when it redirects, and the key goes nowhere else', async () => {
    const other = await startHttpTarget();
    for (const status of [301, 302, 307, 308]) {
      answer({ status, headers: { location: `${other.url}/agents/7` } });
      await expect(client.agents.get({ agent_id: 7 })).rejects.toThrow(`redirects to ${other.url}/agents/7`);
    }
    expect([target.calls.length, other.calls.length]).toEqual([4, 0]);
    await other.close();
  });

  it('is an error of the client when it is not JSON', async () => {
    answer({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' });
    const failed = client.agents.get({ agent_id: 7 });
    await expect(failed).rejects.toBeInstanceOf(SignalboxError);
    await expect(failed).rejects.toThrow('not JSON');
  });
});

describe('the fields of a call', () => {
  it('may turn a list into a file', async () => {
    target.answerWith(() => ({ headers: { 'content-type': 'text/csv' }, body: 'request_id\r\n' }));
    const report = await client.reports.listFaults({ format: 'csv' });
    expect([report.contentType, await report.text()]).toEqual(['text/csv', 'request_id\r\n']);
  });

  it('become a form when a file is among them, with the same bytes on each try', async () => {
    answer({ reset: true }, agent);
    await client.workflows.putArtifact({
      workflow_id: 7,
      key: 'a.txt',
      file: new Blob(['héllo'], { type: 'text/plain' }),
    });
    const [first, second] = target.calls.map(({ body }) => body.toString());
    expect(second).toBe(first);
    const boundary = /boundary=(.*)$/.exec(target.calls[0]?.headers['content-type'] ?? '')?.[1];
    expect(first?.split(`--${boundary}`).map((part) => part.trim().split('\r\n\r\n'))).toEqual([
      [''],
      ['Content-Disposition: form-data; name="key"', 'a.txt'],
      ['Content-Disposition: form-data; name="file"; filename="file"\r\nContent-Type: text/plain', 'héllo'],
      ['--'],
    ]);
    await client.workflows.putArtifact({ workflow_id: 7, key: 'a.txt', content_base64: 'aA==' });
    expect(JSON.parse(target.calls[2]?.body.toString() ?? '')).toEqual({ key: 'a.txt', content_base64: 'aA==' });
  });

  it('are divided into path, query and body, lists in a query by repetition', async () => {
    answer(agent);
    await client.agents.list({ status: ['ENABLED', 'DISABLED'], search: 'a&b' });
    await client.agents.list({ status: null, search: null } as never);
    await client.sessions.update({ session_id: 'a/b', metadata: { k: 1 } });
    expect(target.calls.map(({ path }) => path)).toEqual([
      '/agents?status=ENABLED&status=DISABLED&search=a%26b',
      '/agents',
      '/sessions/a%2Fb',
    ]);
    expect(JSON.parse(target.calls[2]?.body.toString() ?? '')).toEqual({ metadata: { k: 1 } });
    await expect(client.agents.get({} as never)).rejects.toThrow('GET /agents/{agent_id} needs agent_id');
  });
});

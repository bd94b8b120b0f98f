import { ConflictError, ConnectionError, NotFoundError, RateLimitError, TimeoutError } from '@signalbox/sdk';
import { agent, answer, brokenOff, client, failure, json, keys, target } from './fixture.js';

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

  it('stores answers that were made elsewhere once: those without a request id get one', async () => {
    answer({ reset: true }, json(200, { data: [] }));
    const said = { choices: [{ message: { role: 'assistant', content: 'a' } }] } as never;
    const item = { chat_completion_request: { messages: [] }, chat_completion_response: said };
    const known = { ...item, chat_completion_request: { messages: [], request_id: 'known' } };
    await client.chat.storeCompletions({ items: [item, known] });
    const [first, second] = target.calls.map(({ body }) => body.toString());
    expect(second).toBe(first);
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
    const sent = { ...item, chat_completion_request: { messages: [], request_id: id } };
    expect(JSON.parse(first ?? '')).toEqual({ items: [sent, known] });
    await client.chat.storeCompletion(item);
    expect(JSON.parse(target.calls[2]?.body.toString() ?? '')).toEqual(sent);
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

import {
  AuthenticationError,
  type CallOptions,
  ConnectionError,
  NotFoundError,
  PermissionError,
  type Signalbox,
} from '@signalbox/sdk';
import type { TargetReply } from '@signalbox/testing';
import { answer, brokenOff, client, failure, keys, target } from './fixture.js';
import { frame, startOpenStreams, types } from './open-streams.js';

const stream = (...frames: string[]): TargetReply => ({
  headers: { 'content-type': 'text/event-stream' },
  body: `: ping\n\n${frames.join('')}`,
});

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

import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@signalbox/sdk';
import { answer, client, target } from './fixture.js';
import { frame, startOpenStreams, types } from './open-streams.js';

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

  it('is a client: a call that waits for its next try ends at once', async () => {
    const refusal = { status: 503, headers: { 'retry-after': '60' } };
    const closing = createClient({ apiKey: 'k', fetch: () => Promise.resolve(Response.json({}, refusal)) });
    const call = closing.agents.get({ agent_id: 7 });
    setTimeout(() => closing.close(), 100);
    const waiting = pause(30_000, 'it still waits', { ref: false });
    await expect(Promise.race([call, waiting])).rejects.toThrow('the client is closed');
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

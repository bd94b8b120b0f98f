import { eventually } from '@signalbox/testing';
import { FrontDoor, framesOf } from './http-client.js';
import { lookUpOnce, type TaskCompany, TaskWorld } from './task-world.js';

let outside: TaskWorld;
let company: TaskCompany;
let door: FrontDoor;
beforeAll(async () => {
  outside = await TaskWorld.start('gateway');
  company = await outside.company();
  door = await FrontDoor.of(company);
}, 60_000);
afterAll(() => outside.stop());
beforeEach(() => {
  outside.target.answerWith(() => ({}));
  lookUpOnce(outside.provider);
});

const ALL = ['task.started', 'action.started', 'action.completed', 'message.delta', 'task.completed'];
const send: FrontDoor['send'] = (path, options) => door.send(path, options);
const follow: FrontDoor['follow'] = (agentId, taskId, last) => door.follow(agentId, taskId, last);

describe('the stream of a task', () => {
  it('is the reply to an invocation that asks for it, dense from 1 and closed after its end', async () => {
    const agentId = await company.agent({ agent_name: 'one' });
    const reply = await send(`/agents/${agentId}/invoke`, { body: { message: 'hi', stream: true } });
    expect(reply.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const frames = framesOf(await reply.text());
    expect(frames.map(({ event }) => event)).toEqual(ALL);
    expect(frames.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    for (const { id, event, data } of frames)
      expect(data).toMatchObject({ type: event, seq: id, task_id: reply.headers.get('x-service-task-id') });
  });

  it('continues where a client disconnected, live, and does not stop the task', async () => {
    let letGo: () => void = () => undefined;
    outside.target.answerWith(async () => {
      await new Promise<void>((resolve) => (letGo = resolve));
      return {};
    });
    const agentId = await company.agent({ agent_name: 'two' });
    const abort = new AbortController();
    const reply = await send(`/agents/${agentId}/invoke`, {
      body: { message: 'hi', stream: true },
      signal: abort.signal,
    });
    const taskId = reply.headers.get('x-service-task-id') ?? '';
    const reader = reply.body!.getReader();
    let seen = '';
    await eventually('the action has started', async () => {
      seen += Buffer.from((await reader.read()).value ?? []).toString();
      return seen.includes('action.started');
    });
    abort.abort();
    const rest = await send(`/agents/${agentId}/tasks/${taskId}/stream`, { headers: { 'Last-Event-ID': '2' } });
    letGo();
    expect(framesOf(await rest.text()).map(({ id, event }) => [id, event])).toEqual([
      [3, 'action.completed'],
      [4, 'message.delta'],
      [5, 'task.completed'],
    ]);
  });

  it('can be read again after the end, and after a restart of agents and gateway', async () => {
    const agentId = await company.agent({ agent_name: 'three' });
    const { task_id } = await company.invoke(agentId);
    expect((await follow(agentId, task_id)).map(({ event }) => event)).toEqual(ALL);
    for (const name of ['agents', 'gateway']) {
      await outside.platform.service(name).kill('SIGKILL');
      await outside.platform.service(name).start();
    }
    await eventually('it answers again', () =>
      send(`/agents/${agentId}`).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    expect((await follow(agentId, task_id, 3)).map(({ id }) => id)).toEqual([4, 5]);
    expect((await follow(agentId, task_id)).map(({ event }) => event)).toEqual(ALL);
    const late = await send(`/agents/${agentId}/tasks/${task_id}/stream?last_event_id=6`);
    expect(late.status).toBe(400);
    expect(await late.json()).toMatchObject({ error: { status: 400 } });
  });

  it('shows that the task waits, and continues after a callback through the gateway', async () => {
    outside.provider.answerWith(({ messages }) =>
      messages.at(-1)?.role === 'tool' ? 'done' : { toolCalls: [{ name: 'order', arguments: {} }] },
    );
    const { id } = await company.world.agent({ agent_name: 'four', model: 'm' });
    const action_config = { endpoint: outside.target.url, mode: 'callback', body: { to: '{{callback_url}}' } };
    await company.world.action(id, 'order', { action_type: 'webhook', action_config });
    outside.target.calls.length = 0;
    const streamed = send(`/agents/${id}/invoke`, { body: { message: 'hi', stream: true } }).then((reply) =>
      reply.text(),
    );
    await eventually('the call is made', () => outside.target.calls.length === 1);
    const { to } = JSON.parse(outside.target.calls[0]!.body.toString()) as { to: string };
    expect(to.startsWith(`${outside.platform.baseUrl}/hooks/agents/`)).toBe(true);
    const callBack = (body: string) =>
      fetch(to, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    const [first, ...others] = (await Promise.all(['[1]', '[2]', '[3]'].map(callBack)))
      .map(({ status }) => status)
      .sort();
    expect([first, ...others]).toEqual([200, 404, 404]);
    const frames = framesOf(await streamed);
    expect(frames.map(({ event }) => event).filter((event) => event !== 'task.waiting')).toEqual(ALL);
    const large = await callBack(JSON.stringify('x'.repeat(1_100_000)));
    expect(large.status).toBe(413);
    const keyed = await fetch(to, {
      method: 'POST',
      headers: { 'Idempotency-Key': 'k', 'Content-Type': 'application/json' },
      body: '1',
    });
    expect(keyed.status).toBe(404);
  });
});

describe('a gateway that stops', () => {
  afterEach(async () => {
    const gateway = outside.platform.service('gateway');
    if (!gateway.running) await gateway.start();
  }, 90_000);

  it('ends its streams between two events, and another one continues them while the task goes on', async () => {
    let letGo: () => void = () => undefined;
    outside.target.answerWith(async () => {
      await new Promise<void>((resolve) => (letGo = resolve));
      return {};
    });
    const agentId = await company.agent({ agent_name: 'outlasting' });
    const invoked = door.open(`/agents/${agentId}/invoke`, { body: { message: 'hi', stream: true } });
    await invoked.until('the action has started', () => invoked.frames.some(({ event }) => event === 'action.started'));
    const taskId = String(invoked.frames[0]?.data.task_id);
    const followed = door.open(`/agents/${agentId}/tasks/${taskId}/stream`);
    await followed.until('the stream is open', () => followed.frames.length > 0);
    const gateway = outside.platform.service('gateway');
    await gateway.kill('SIGTERM');
    // The task still waits for its action: the stop did not wait for it.
    expect(gateway.exitCode).toBe(0);
    await Promise.all([invoked.closed, followed.closed]);
    expect([invoked, followed].map(({ frames }) => frames.map(({ event }) => event))).toEqual([
      ALL.slice(0, 2),
      ALL.slice(0, 2),
    ]);
    await gateway.start();
    letGo();
    expect((await follow(agentId, taskId, 2)).map(({ event }) => event)).toEqual(ALL.slice(2));
  }, 120_000);
});

import { agents, type ApiError, hooks, tasks } from '@signalbox/contracts';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '@signalbox/testing';
import { type TaskCompany, TaskWorld } from '../task-world.js';

let outside: TaskWorld;
let company: TaskCompany;
beforeAll(async () => {
  outside = await TaskWorld.divided();
}, 60_000);
afterAll(() => outside.stop());
beforeEach(async () => {
  company = await outside.company();
  outside.reset();
  outside.provider.answerWith(() => 'hello');
});

const read = (agent_id: number) =>
  outside.platform.bus.call(agents.endpoints.getAgent, { agent_id }, company.world.caller());
const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: ApiError) => error.status,
  );

/** What the report of the gateway says about the processes of agents. */
async function reported(): Promise<{ api: unknown; worker: unknown }> {
  const reply = await fetch(`http://127.0.0.1:${outside.platform.port}/readyz`);
  const { checks } = (await reply.json()) as { checks: { services: Record<string, string> } };
  return { api: checks.services.agents, worker: checks.services['agents-worker'] };
}

/** An agent whose action waits for a callback and sends a secret. */
async function ordering(): Promise<number> {
  outside.provider.answerWith(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === 'tool'
      ? `got: ${String(last.content)}`
      : { toolCalls: [{ name: 'order', arguments: { id: '7' } }] };
  });
  const { id } = await company.world.agent({ model: 'm' });
  const body = { id: '{id}', reply_to: '{{callback_url}}' };
  const headers = { 'x-token': '{{secrets.token}}' };
  await company.action(id, 'order', { mode: 'callback', body, headers }, { action_type: 'webhook' });
  return id;
}
const callBack = (): Promise<unknown> => {
  const { reply_to } = JSON.parse(outside.target.calls[0]!.body.toString()) as { reply_to: string };
  const input = { hook_key: reply_to.split('/').at(-1) ?? '', payload: { state: 'shipped' } };
  const caller = outside.platform.caller(1, { companyId: 0, scopes: [] });
  return eventually('the callback is taken', () =>
    outside.platform.bus.call(hooks.endpoints.answerHook, input, caller).catch((error: ApiError) => {
      if (error.status !== 503) throw error;
    }),
  );
};
/** What an agent answers when it is invoked. */
const said = async (agentId: number, change = {}): Promise<unknown> =>
  (await company.invoke(agentId, change)).choices?.[0]?.message.content;
const withSecret = { secrets: { token: 'sesame-1' } };

/** Tests the routing of an agent over HTTP; a text in parts has no announced length. */
async function testRouting(agentId: number, letters: number, isInParts = false): Promise<number> {
  const text = JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(letters) }] });
  const { baseUrl } = outside.platform;
  const reply = await fetch(`${baseUrl}/agents/${agentId}/routing/test`, {
    method: 'POST',
    headers: { 'X-Service-Api-Key': company.world.key, 'Content-Type': 'application/json' },
    body: isInParts ? new Blob([text]).stream() : text,
    duplex: 'half',
  });
  return reply.status;
}

describe('agents that are divided into an API and workers', () => {
  it('reply while no worker runs, report that, and execute with the next worker', async () => {
    const { id } = await company.world.agent({ model: 'm' });
    expect(await reported()).toEqual({ api: 'ok', worker: 'ok' });
    await outside.platform.service('agents-worker').kill('SIGKILL');
    expect(await statusOf(read(id))).toBe(200);
    expect(await statusOf(company.invoke(id))).toBe(503);
    // Large calls are for workers: reading one would hold up the short calls of the API.
    expect(await testRouting(id, 60_000)).toBe(200);
    expect(await testRouting(id, 70_000)).toBe(503);
    expect(await testRouting(id, 10, true)).toBe(503);
    // A report is shared for a moment.
    await eventually('the report says that the worker is down', async () => (await reported()).worker === 'down');
    expect(await reported()).toEqual({ api: 'ok', worker: 'down' });
    await outside.platform.startService('agents-worker');
    expect(await said(id)).toBe('hello');
    expect(await testRouting(id, 900_000)).toBe(200);
  }, 60_000);

  it('execute while the API is away', async () => {
    const { id } = await company.world.agent({ model: 'm' });
    await outside.platform.service('agents-api').kill('SIGKILL');
    expect(await statusOf(read(id))).toBe(503);
    expect(await said(id)).toBe('hello');
    await outside.platform.startService('agents-api');
    expect(await statusOf(read(id))).toBe(200);
  }, 60_000);

  it('continue a task with secrets after a callback, whose reply comes from the API', async () => {
    const id = await ordering();
    const { task_id, status } = await company.invoke(id, withSecret);
    expect(status).toBe('WAITING_WEBHOOK');
    expect(await callBack()).toEqual({ resumed: true });
    expect(await company.task(id, task_id, 10)).toMatchObject({ status: 'COMPLETED' });
  }, 60_000);

  it('keep the secrets of waiting tasks when a worker is replaced', async () => {
    const id = await ordering();
    const { task_id } = await company.invoke(id, withSecret);
    await outside.platform.startService('agents-worker', 'next worker');
    await outside.platform.service('agents-worker').kill('SIGTERM');
    expect(await callBack()).toEqual({ resumed: true });
    expect(await company.task(id, task_id, 10)).toMatchObject({ status: 'COMPLETED' });
    await outside.platform.startService('agents-worker');
  }, 60_000);

  it('report to callers that have lost a call as what they are', async () => {
    const reporting = async (rollCall: string, expected: number): Promise<number> => {
      const { nats } = outside.platform.connection;
      const reply = `_INBOX.tester.agents.${rollCall}`;
      const reports = nats.subscribe(reply, { callback: () => undefined });
      nats.publish(`rpc.tester.agent-tasks.${rollCall}`, undefined, { reply });
      await eventually('all have reported', () => reports.getReceived() >= expected);
      // Time for those that should not.
      await setTimeout(500);
      reports.unsubscribe();
      return reports.getReceived();
    };
    expect(await reporting('roll-call', 1)).toBe(1);
    expect(await reporting('roll-call-of-workers', 2)).toBe(2);
  });

  it('send lost invocations to another worker', async () => {
    const { id } = await company.world.agent({ model: 'm' });
    await outside.platform.service('next worker').kill('SIGSTOP');
    // Half of them are lost at first; the API has no loop that would execute one with secrets.
    const several = () => Promise.all(Array.from({ length: 6 }, () => said(id, withSecret)));
    const answered = Array.from({ length: 6 }, () => 'hello');
    expect(await several()).toEqual(answered);
    // Now each is addressed to one of the processes that have reported.
    expect(await several()).toEqual(answered);
    await outside.platform.service('next worker').kill('SIGCONT');
  }, 60_000);

  it('have each call that starts a task, and no read, served by workers', () => {
    const names = Object.values(tasks.endpoints).flatMap(({ name, onWorkers }) => (onWorkers ? [name] : []));
    expect(names).toEqual(['invokeAgent']);
  });
});

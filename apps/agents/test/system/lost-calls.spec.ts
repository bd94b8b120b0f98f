import type { Invocation } from '@signalbox/contracts';
import { eventually, type ServiceProcess } from '@signalbox/testing';
import { FrontDoor } from '../http-client.js';
import { type TaskCompany, TaskWorld } from '../task-world.js';

let outside: TaskWorld;
let company: TaskCompany;
let door: FrontDoor;

const CALLERS = 4;
const MODEL_CALLS = 3;
const MODEL_MS = 2000;
/**
 * Enough for the model call under way, too short for the task: what it paid for is recorded before it is handed over.
 */
const GRACE = '4';

beforeAll(async () => {
  outside = await TaskWorld.apart({ SHUTDOWN_GRACE_SECONDS: GRACE }, 'gateway');
  company = await outside.company();
  door = await FrontDoor.of(company);
}, 120_000);
afterAll(() => outside.stop());
beforeEach(() => {
  outside.provider.calls.length = 0;
});

/** The process that holds every call, with a second one next to it that has none yet. */
async function holderOf(start: () => void, asked: number): Promise<ServiceProcess> {
  const label = [...outside.platform.processes.keys()].find((each) => each.startsWith('agents')) ?? '';
  const holder = outside.platform.service(label);
  start();
  await eventually('the models are asked', () => outside.provider.calls.length === asked);
  outside.platform.processes.delete(label);
  await outside.platform.startService('agents', `agents-after-${label}`);
  return holder;
}

/** Each task asks its model three times, and each time lasts long enough for a process to be replaced. */
function slowly(text: string): void {
  outside.provider.answerWith(({ messages }) =>
    messages.filter(({ role }) => role === 'tool').length === MODEL_CALLS - 1
      ? { text, latencyMs: MODEL_MS }
      : { toolCalls: [{ name: 'look_up', arguments: { id: '7' } }], latencyMs: MODEL_MS },
  );
}

const tasksOf = async (agentId: number): Promise<unknown[]> => {
  const { rows } = await outside.platform.sql.query(
    'SELECT status, count(*)::int FROM agents.tasks WHERE agent_id = $1 GROUP BY status',
    [agentId],
  );
  return rows;
};

describe.each([
  ['stops with a grace shorter than its calls', 'SIGTERM', 0],
  ['is killed', 'SIGKILL', CALLERS + 1],
] as const)('callers whose process %s', (_what, signal, paidTwice) => {
  it('wait for the same tasks at another process: plain, streamed, and with an idempotency key', async () => {
    slowly('done');
    const agentId = await company.agent({ agent_name: `invoked, then ${signal}` });
    const path = `/agents/${agentId}/invoke`;
    const replies: Promise<Response>[] = [];
    const streams: ReturnType<FrontDoor['open']>[] = [];
    const holder = await holderOf(() => {
      for (let at = 0; at < CALLERS; at++) {
        const headers: Record<string, string> = at === 0 ? { 'Idempotency-Key': `lost by ${signal}` } : {};
        replies.push(door.send(path, { body: { message: 'go' }, headers }));
      }
      streams.push(door.open(path, { body: { message: 'go', stream: true } }));
    }, CALLERS + 1);
    await holder.kill(signal);
    if (signal === 'SIGKILL') await expireLeases();
    const answers = await Promise.all(replies);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const bodies = await Promise.all(answers.map((each) => each.json() as Promise<{ data: Invocation }>));
    for (const { data } of bodies) expect(data.choices?.[0]?.message.content).toBe('done');
    await Promise.all(streams.map(({ closed }) => closed));
    expect(streams.map(({ frames }) => frames.at(-1)?.event)).toEqual(['task.completed']);
    expect(await tasksOf(agentId)).toEqual([{ status: 'COMPLETED', count: CALLERS + 1 }]);
    expect(outside.provider.calls.length).toBeLessThanOrEqual(MODEL_CALLS * (CALLERS + 1) + paidTwice);
  }, 120_000);

  it('get the whole answer of an agent that answers a chat completion', async () => {
    slowly('one two three four');
    const agentId = await company.agent({ agent_name: `completing, then ${signal}` });
    const body = { model: `agent:${agentId}`, messages: [{ role: 'user', content: 'go' }] };
    const replies: Promise<Response>[] = [];
    const holder = await holderOf(() => {
      replies.push(door.send('/chat/completions', { body }));
      replies.push(door.send('/chat/completions', { body: { ...body, stream: true } }));
    }, 2);
    await holder.kill(signal);
    if (signal === 'SIGKILL') await expireLeases();
    const answers = await Promise.all(replies);
    const [whole = '', text = ''] = await Promise.all(answers.map((each) => each.text()));
    // With the errors of those that have failed.
    expect(answers.map(({ status }, at) => (status === 200 ? status : [whole, text][at]))).toEqual([200, 200]);
    expect(whole).toContain('one two three four');
    const deltas = [...text.matchAll(/"content":"([^"]*)"/g)].map(([, content]) => content);
    expect(deltas.join('')).toBe('one two three four');
    expect(text).toContain('[DONE]');
    expect(await tasksOf(agentId)).toEqual([{ status: 'COMPLETED', count: 2 }]);
  }, 120_000);
});

/** Lets the leases of all work run out, as time would. */
const expireLeases = () =>
  outside.platform.sql.query(
    `UPDATE agents.work SET due_at = now(), lease_owner = NULL WHERE done_at IS NULL AND kind NOT LIKE '%@%'`,
  );

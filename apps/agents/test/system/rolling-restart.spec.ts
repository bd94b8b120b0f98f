import type { Invocation } from '@signalbox/contracts';
import { eventually, rollingRestart, startReplicas } from '@signalbox/testing';
import { FrontDoor } from '../http-client.js';
import { lookUpOnce, type TaskCompany, TaskWorld } from '../task-world.js';

let outside: TaskWorld;
let company: TaskCompany;
let door: FrontDoor;

/** Model calls that last far longer than a process takes to be replaced; deadlines of the defaults are scaled alike. */
const CALL_MS = 4000;

beforeAll(async () => {
  outside = await TaskWorld.apart({ INVOKE_TIMEOUT_SECONDS: '40' }, 'gateway');
  await startReplicas(outside.platform, 'agents', 2);
  await outside.platform.service('agents').kill('SIGTERM');
  company = await outside.company();
  door = await FrontDoor.of(company);
}, 120_000);
afterAll(() => outside.stop());

describe('a rolling restart of the agents', () => {
  it('under slow model calls fails no caller, asks no model twice and loses no secret', async () => {
    lookUpOnce(outside.provider);
    const answer = outside.provider;
    answer.answerWith(({ messages }) => {
      const last = messages.at(-1);
      return last?.role === 'tool'
        ? { text: 'done', latencyMs: CALL_MS }
        : { toolCalls: [{ name: 'look_up', arguments: { id: '7' } }], latencyMs: CALL_MS };
    });
    const plain = await company.agent();
    const secret = await company.agent(
      { agent_name: 'Keeper' },
      { auth: { type: 'bearer', token: '{{secrets.TOKEN}}' } },
    );
    const secrets = { TOKEN: 'secret-of-a-rolling-restart' };
    const replies: Promise<Response>[] = [];
    for (let at = 0; at < 4; at++) {
      replies.push(door.send(`/agents/${plain}/invoke`, { body: { message: 'go' } }));
      replies.push(door.send(`/agents/${secret}/invoke`, { body: { message: 'go', secrets } }));
    }
    const streams = [plain, plain].map((id) =>
      door.open(`/agents/${id}/invoke`, { body: { message: 'go', stream: true } }),
    );
    await eventually('all models are asked', () => outside.provider.calls.length === 10);
    const replaced = await rollingRestart(outside.platform, 'agents', ['agents-1', 'agents-2']);
    expect(replaced.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    const answers = await Promise.all(replies);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const reply of answers) {
      const { data } = (await reply.json()) as { data: Invocation };
      expect(data.choices?.[0]?.message.content).toBe('done');
    }
    await Promise.all(streams.map(({ closed }) => closed));
    expect(streams.map(({ frames }) => frames.at(-1)?.event)).toEqual(['task.completed', 'task.completed']);
    // Two calls of the model and one of the target for each task, none of them repeated.
    expect(outside.provider.calls).toHaveLength(20);
    expect(outside.target.calls).toHaveLength(10);
    const { rows } = await outside.platform.sql.query('SELECT status, count(*)::int FROM agents.tasks GROUP BY status');
    expect(rows).toEqual([{ status: 'COMPLETED', count: 10 }]);
  }, 120_000);
});

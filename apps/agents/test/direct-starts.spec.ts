import { eventually } from '@signalbox/testing';
import { type TaskCompany, TaskWorld } from './task-world.js';

let outside: TaskWorld;
beforeAll(async () => {
  outside = await TaskWorld.apart({ COMPANY_JOBS_AT_ONCE: '1' });
  outside.provider.answerWith(() => 'here');
  // A process starts no task with its acceptance before its first claim, which executes this one.
  const company = await outside.company();
  await company.invoke(await company.agent());
}, 120_000);
afterAll(() => outside.stop());

const HANGING = { wait: false, message: 'hang' };

/** A model that does not answer `hang` the first time. */
function hangOnce(): void {
  outside.provider.calls.length = 0;
  let hung = false;
  outside.provider.answerWith(({ messages }) => {
    const hangs = !hung && messages.some(({ content }) => content === 'hang');
    hung ||= hangs;
    return hangs ? { hang: true } : { text: 'here' };
  });
}

const workOf = async (taskId: string) => {
  const { rows } = await outside.platform.sql.query<{ fence: number; leased: boolean }>(
    'SELECT fence::int AS fence, lease_owner IS NOT NULL AS leased FROM agents.work WHERE ref = $1',
    [taskId],
  );
  return rows[0];
};

/** True when the event of the start is of the transaction that created the session, which is the acceptance. */
const startedWithAcceptance = async (taskId: string) => {
  const { rows } = await outside.platform.sql.query<{ same: boolean }>(
    `SELECT e.xmin = s.xmin AS same FROM agents.tasks t JOIN agents.sessions s ON s.id = t.session_no
     JOIN agents.task_events e ON e.task_id = t.id AND e.type = 'task.started' WHERE t.id = $1`,
    [taskId],
  );
  return rows[0]?.same;
};

const eventsOf = async (taskId: string) => {
  const { rows } = await outside.platform.sql.query<{ seq: number; type: string }>(
    'SELECT seq, type FROM agents.task_events WHERE task_id = $1 ORDER BY seq',
    [taskId],
  );
  return rows.map(({ seq, type }) => `${seq} ${type}`);
};

/** An agent of a new company. */
async function agentOf(): Promise<[TaskCompany, number]> {
  const company = await outside.company();
  return [company, await company.agent()];
}

describe('a task that this process can execute at once', () => {
  it('is RUNNING once it is accepted; when its process is lost before the first step, another one continues', async () => {
    hangOnce();
    const [company, agentId] = await agentOf();
    const { task_id } = await company.invoke(agentId, HANGING);
    expect(await company.row(task_id)).toMatchObject({ status: 'RUNNING', started_at: expect.any(Number) as number });
    expect(await workOf(task_id)).toEqual({ fence: 1, leased: true });
    expect(await startedWithAcceptance(task_id)).toBe(true);
    await eventually('the model is asked', () => outside.provider.calls.length === 1);
    await outside.platform.service('agents').kill('SIGKILL');
    await outside.platform.sql.query('UPDATE agents.work SET due_at = now(), lease_owner = NULL WHERE ref = $1', [
      task_id,
    ]);
    await outside.platform.service('agents').start();
    expect(await company.ended(task_id)).toMatchObject({ status: 'COMPLETED', iterations: 1 });
    expect(await eventsOf(task_id)).toEqual(['1 task.started', '2 message.delta', '3 task.completed']);
    expect(await workOf(task_id)).toMatchObject({ fence: 2 });
  }, 60_000);

  it('answers the call that waits for it, and knows the earlier tasks of its session', async () => {
    hangOnce();
    const [company, agentId] = await agentOf();
    const body = { message: 'hello', state: { city: 'Bonn' }, session_id: 'known' };
    const first = await company.invoke(agentId, body);
    const again = await company.invoke(agentId, { ...body, message: 'and now?' });
    const { output, usage } = await company.task(agentId, again.task_id);
    expect(again).toMatchObject({ choices: [{ message: output }], usage, model: 'm', structured_output: null });
    const history = [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: first.choices?.[0]?.message.content },
    ];
    expect(await company.row(again.task_id)).toMatchObject({ history, status: 'COMPLETED' });
    expect(await eventsOf(again.task_id)).toEqual([
      '1 state.updated',
      '2 task.started',
      '3 message.delta',
      '4 task.completed',
    ]);
  });
});

describe('a task for which this process has no free slot', () => {
  it('stays queued for another process, and delays no task of another company', async () => {
    hangOnce();
    const [company, agentId] = await agentOf();
    const { task_id: running } = await company.invoke(agentId, HANGING);
    const { task_id: queued } = await company.invoke(agentId, { wait: false });
    expect(await company.row(queued)).toMatchObject({ status: 'QUEUED', started_at: null });
    expect(await workOf(queued)).toEqual({ fence: 0, leased: false });
    const [other, otherAgent] = await agentOf();
    expect(await other.invoke(otherAgent)).toMatchObject({ choices: [{ message: { content: 'here' } }] });
    expect(await company.row(queued)).toMatchObject({ status: 'QUEUED' });
    await outside.platform.startService('agents', 'agents-2');
    expect(await company.ended(queued)).toMatchObject({ status: 'COMPLETED' });
    expect(await company.row(running)).toMatchObject({ status: 'RUNNING' });
  }, 60_000);
});

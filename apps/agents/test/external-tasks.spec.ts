import { randomUUID } from 'node:crypto';
import { agents, agentSessions, type ExternalTask, externalTasks, tasks } from '@signalbox/contracts';
import { eventually, Platform } from '@signalbox/testing';
import { PAGE, World } from './world.js';

let platform: Platform;
let world: World;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'agents']);
}, 120_000);
afterAll(() => platform.stop());
beforeEach(async () => {
  world = await World.make(platform);
});

const AT = Date.parse('2026-11-24T16:00:00Z');

const task = (agent_name: string, more: Partial<ExternalTask> = {}): ExternalTask => ({
  id: randomUUID(),
  parent_task_id: null,
  agent_name,
  version: null,
  reported_version: null,
  release: null,
  session_id: 's-1',
  input_messages: [],
  output: null,
  model: null,
  iterations: 0,
  usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: null },
  failure_class: null,
  error_message: null,
  started_at: AT,
  ended_at: AT + 10,
  metadata: {},
  timeline: [],
  feedback: null,
  ...more,
});

const report = (is_closed: boolean, ...told: ExternalTask[]) => {
  const application = { id: world.applicationId, application_name: 'Shop', date_updated: AT };
  const trace = { application, is_closed, is_test: false, tasks: told };
  return platform.bus.call(externalTasks.endpoints.recordTraces, { traces: [trace] }, world.caller());
};

/** Stores the tasks of one closed trace; resolves to the names of their agents. */
async function record(...told: ExternalTask[]): Promise<(string | undefined)[]> {
  const stored = await report(true, ...told);
  const listed = await platform.bus.call(agents.endpoints.listAgents, PAGE, world.caller());
  return stored.tasks.map(({ agent_id }) => listed.data.find(({ id }) => id === agent_id)?.agent_name);
}

describe('the timeline of a task that ran elsewhere, with its sub-agents', () => {
  it('is in the order of what happened, and each task in its own where clocks differ', async () => {
    const called = (action_name: string, ms: number) => ({
      type: 'action_invoked',
      at: AT + ms,
      data: { action_name, arguments: {} },
    });
    const parent = task('desk', { timeline: [called('a', 1), called('c', 3)] });
    const child = { parent_task_id: parent.id, started_at: AT + 1, ended_at: AT + 2 };
    const late = { ...child, started_at: AT + 4, ended_at: AT + 4, timeline: [called('d', 0)] };
    await record(parent, task('courier', { ...child, timeline: [called('b', 2)] }), task('late', late));
    const listed = (await platform.bus.call(tasks.endpoints.listAllTasks, PAGE, world.caller())).data;
    const agent_id = listed.find(({ id }) => id === parent.id)?.agent_id ?? 0;
    const input = { ...PAGE, agent_id, task_id: parent.id, include_children: true };
    const { data } = await platform.bus.call(tasks.endpoints.listTaskTimeline, input, world.caller());
    expect(data.flatMap(({ action_name }) => action_name ?? [])).toEqual(['a', 'b', 'c', 'd']);
    const ofParent = data.filter(({ task_id }) => task_id === parent.id).map(({ type }) => type);
    expect(ofParent).toEqual(['task_start', 'action_invoked', 'action_invoked', 'task_end', 'message']);
  });
});

describe('a session of an agent that runs elsewhere', () => {
  const isSaid = async (text: string): Promise<boolean> => {
    const found = ['tasks', 'task_timeline', 'task_events', 'sessions'].map((table) =>
      platform.sql.query(
        `SELECT 1 FROM agents.${table} t WHERE company_id = $1 AND strpos(to_jsonb(t)::text, $2) > 0`,
        [world.companyId, text],
      ),
    );
    return (await Promise.all(found)).some(({ rowCount }) => rowCount !== 0);
  };

  it('is erased with what its tasks said, whether or not their input is known', async () => {
    const said = (text: string) => ({
      type: 'action_invoked',
      at: AT,
      data: { action_name: 'a', arguments: { text } },
    });
    const answered = task('desk', { output: { role: 'assistant', content: 'private' } });
    const acted = task('desk', { timeline: [said('private')] });
    const asked = task('desk', { input_messages: [{ role: 'user', content: 'private' }] });
    await record(answered, acted, asked);
    const { data } = await platform.bus.call(tasks.endpoints.listAllTasks, PAGE, world.caller());
    expect(data.flatMap(({ first_message }) => first_message ?? [])).toEqual(['private']);
    const stored = 'SELECT first_message FROM agents.tasks WHERE company_id = $1 ORDER BY no';
    const { rows } = await platform.sql.query<{ first_message: string | null }>(stored, [world.companyId]);
    expect(rows.map(({ first_message }) => first_message)).toEqual([null, null, 'private']);
    const path = { agent_id: data[0]!.agent_id, session_id: 's-1' };
    await platform.bus.call(agentSessions.endpoints.deleteAgentSession, path, world.caller());
    await eventually('the texts are gone', async () => !(await isSaid('private')));
  });

  it('stays erased when more of its trace arrives, also of one that was open when it was deleted', async () => {
    const private_ = { role: 'assistant' as const, content: 'private' };
    const ended = task('desk', { input_messages: [{ role: 'user', content: 'private' }], output: private_ });
    const child = task('courier', { parent_task_id: ended.id, output: private_ });
    const open = task('desk', { output: private_ });
    const [stored] = (await report(true, ended, child)).tasks;
    await report(false, open);
    const path = { agent_id: stored?.agent_id ?? 0, session_id: 's-1' };
    await platform.bus.call(agentSessions.endpoints.deleteAgentSession, path, world.caller());
    const outputs = `SELECT 1 FROM agents.tasks WHERE id = ANY ($1) AND output IS NOT NULL`;
    await eventually(
      'the ended tasks are erased',
      async () => (await platform.sql.query(outputs, [[ended.id, child.id]])).rowCount === 0,
    );
    const late = { iterations: 2, feedback: { score: 5, text: 'private' } };
    const another = task('courier', { parent_task_id: ended.id, output: private_ });
    await report(true, { ...ended, ...late }, { ...child, ...late }, another);
    await report(true, { ...open, ...late });
    expect(await isSaid('private')).toBe(false);
    const listed = (await platform.bus.call(tasks.endpoints.listAllTasks, PAGE, world.caller())).data;
    expect(listed.map(({ status, iterations }) => [status, iterations])).toEqual(
      [0, 2, 2, 2].map((iterations) => ['COMPLETED', iterations]),
    );
    await expect(
      platform.bus.call(agentSessions.endpoints.getAgentSession, path, world.caller()),
    ).rejects.toMatchObject({ status: 404 });
  });
});

describe('an agent that runs elsewhere', () => {
  it('gets another suffix when agents of this platform have its longest name with and without one', async () => {
    const name = 'x'.repeat(200);
    const suffixed = `${'x'.repeat(191)}-external`;
    await world.agent({ agent_name: name });
    await world.agent({ agent_name: suffixed });
    const made = [`${'x'.repeat(182)}-external-external`];
    expect(await record(task(name))).toEqual(made);
    expect(await record(task(name))).toEqual(made);
  });

  it('is the one for all others beyond a thousand, also when an agent of this platform has its name', async () => {
    await world.agent({ agent_name: 'other agents' });
    await record(task('first'));
    await platform.sql.query(
      `INSERT INTO agents.agents (company_id, application_id, agent_name, status, execution_mode, agent_config,
         max_iterations, meta, mcp_servers, routing, draft_hash, date_created, date_updated, kind)
       SELECT a.company_id, a.application_id, 'made ' || n, a.status, a.execution_mode, a.agent_config, a.max_iterations,
         a.meta, a.mcp_servers, a.routing, a.draft_hash, a.date_created, a.date_updated, a.kind
       FROM agents.agents a, generate_series(1, 999) n WHERE a.company_id = $1 AND a.agent_name = 'first'`,
      [world.companyId],
    );
    expect(await record(task('beyond'), task('further'))).toEqual(['other agents-external', 'other agents-external']);
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentVersions, type InputOf, releases, subAgents } from '@signalbox/contracts';
import { type CountedStatement, eventually, StatementCounts } from '@signalbox/testing';
import { FrontDoor } from './http-client.js';
import { type TaskCompany, TaskWorld } from './task-world.js';
import { PAGE } from './world.js';

// How many statements an operation costs. A read that repeats by row or by step shows here as a higher number.

let outside: TaskWorld;
let company: TaskCompany;
let door: FrontDoor;
let statements: StatementCounts;
let parent: number;
let child: number;

beforeAll(async () => {
  outside = await TaskWorld.counted('gateway', 'workflows', 'monitors');
  [company, statements] = await Promise.all([outside.company(), StatementCounts.on(outside.platform.sql)]);
  door = await FrontDoor.of(company);
  child = (await company.world.agent({ agent_name: 'Child', model: 'm', system_prompt: 'CHILD' })).id;
  parent = await company.agent({ agent_name: 'Parent', system_prompt: 'PARENT' });
  await company.action(parent, 'look two');
  const think = { action_type: 'llm' as const, action_config: { prompt: 'Think.' } };
  await company.world.action(parent, 'think', think);
  const link = { agent_id: parent, child_agent_id: child, action_result_type: 'gather_info' };
  await call(subAgents.endpoints.addSubAgent, link);
  await publish(child);
  await publish(parent);
}, 90_000);
afterAll(() => outside.stop());

const call = <E extends Parameters<typeof outside.platform.bus.call>[0]>(endpoint: E, input: object) =>
  outside.platform.bus.call(endpoint, input as InputOf<E>, company.world.caller());
const publish = (agent_id: number) =>
  call(agentVersions.endpoints.publishVersion, { agent_id, increment: 'minor', version_notes: '' });

const SETTLED = `SELECT NOT EXISTS (SELECT 1 FROM agents.outbox WHERE sent_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM agents.work WHERE done_at IS NULL AND kind = 'agent_task') AS settled`;

/**
 * What an operation executes under the roles that serve requests, once caches know what it reads. Accounts is left out:
 * keys and companies are read again when their caches expire.
 */
async function countsOf(operation: () => Promise<unknown>): Promise<CountedStatement[]> {
  await operation();
  await eventually('all jobs and messages are done', async () => {
    const { rows } = await outside.platform.sql.query<{ settled: boolean }>(SETTLED);
    return rows[0]?.settled;
  });
  await statements.reset();
  await operation();
  return (await statements.read()).filter(({ role }) => !/_worker$|^svc_accounts$/.test(role));
}

const byRole = (counted: readonly CountedStatement[]) =>
  Object.fromEntries(counted.map(({ role }) => [role, sum(counted.filter((each) => each.role === role))]));
const sum = (counted: readonly CountedStatement[]): number => counted.reduce((all, { calls }) => all + calls, 0);

/** A waiting caller looks for the end after a while, in case it missed the news of it: on a slow machine alone. */
const POLL = 'end, read by the waiting caller';
/** The statements of tasks, each by a part of its text without values. */
const TASK_STATEMENTS: [what: string, text: RegExp][] = [
  ['transaction', /^BEGIN/],
  ['called agent with its draft', /SELECT t\.status, t\.kind, t\.application_id, jsonb_build_object/],
  ['called agent', /SELECT t\.status, t\.kind, t\.application_id FROM agents\.agents/],
  ['links of one depth', /WITH ORDINALITY u\(agent_id, version, release, n\)/],
  ['called version', /agents\.agent_versions/],
  ['session', /^INSERT INTO agents\.sessions/],
  ['accepted task with its events', /INSERT INTO agents\.tasks/],
  ['outbox', /INSERT INTO "agents"\.outbox/],
  ['task, steps and states of a claim', /t\.snapshot, t\.application_id/],
  ['lock with fence', /^WITH held/],
  ['open task of the session', /AS open FROM agents\.tasks/],
  ['history of the session', /SELECT t\.input_messages, t\.output FROM/],
  ['step with usage and events', /INSERT INTO agents\.task_steps/],
  ['change of state', /UPDATE agents\.tasks t SET status/],
  ['events and timeline', /INSERT INTO agents\.task_(events|timeline)/],
  ['child of a step', /t\.parent_step = /],
  ['last streamed step of an earlier attempt', /'?message\.delta|\(t\.data->>/],
  [POLL, /t\.completed_at, t\.hook_expires_at/],
];
const CONTROL = /^(COMMIT|SELECT set_config\()/;

function taskStatements(counted: readonly CountedStatement[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { role, text, calls } of counted) {
    if (role !== 'svc_agents' || CONTROL.test(text)) continue;
    const what = TASK_STATEMENTS.find(([, part]) => part.test(text))?.[0] ?? text;
    if (what === POLL) continue;
    counts[what] = (counts[what] ?? 0) + calls;
  }
  return counts;
}

/** The same of tasks that start at once: on a busy machine one may be claimed from its queue, and is counted again. */
async function countsOfDirectStarts(operation: () => Promise<unknown>): Promise<CountedStatement[]> {
  for (let left = 10; ; left--) {
    const counted = await countsOf(operation);
    if (left === 0 || !('change of state' in taskStatements(counted))) return counted;
  }
}

describe('statements', () => {
  it('of a task with two api actions, an llm action and a sub-agent', async () => {
    const inputs = [{ id: '1' }, { id: '2' }, { input: 'x' }, { message: 'hi' }];
    outside.provider.answerWith(({ messages, tools }) => {
      if (!JSON.stringify(messages).includes('PARENT')) return 'fine';
      const done = messages.filter(({ role }) => role === 'tool').length;
      const name = (tools as { function: { name: string } }[])[done]?.function.name ?? '';
      return done < inputs.length ? { toolCalls: [{ name, arguments: inputs[done] ?? {} }] } : 'done';
    });
    const counted = await countsOfDirectStarts(async () =>
      expect(await company.invoke(parent)).toMatchObject({ choices: [{ message: { content: 'done' } }] }),
    );
    expect(taskStatements(counted)).toEqual({
      // One acceptance, ten steps and the acceptance of the child.
      transaction: 12,
      'called agent with its draft': 2,
      'links of one depth': 1,
      session: 2,
      'accepted task with its events': 2,
      outbox: 4,
      // The claim of the parent after its child.
      'task, steps and states of a claim': 1,
      'lock with fence': 11,
      'step with usage and events': 10,
      // The child, on the stream of its parent.
      'events and timeline': 1,
      'child of a step': 2,
      'last streamed step of an earlier attempt': 1,
    });
    const locks = counted.filter(({ text }) => text.startsWith('WITH held'));
    expect(locks.map(({ text }) => /snapshot|history|input_messages/.exec(text)?.[0])).toEqual([undefined]);
  }, 120_000);

  it('of a chat completion by an agent', async () => {
    outside.provider.answerWith(() => 'fine');
    const body = { model: `agent:${child}`, messages: [{ role: 'user', content: 'go' }] };
    const counted = await countsOfDirectStarts(async () => {
      const reply = await door.send('/chat/completions', { body });
      expect(await reply.text()).toContain('fine');
    });
    expect(taskStatements(counted)).toEqual({
      transaction: 2,
      'called agent with its draft': 1,
      session: 1,
      'accepted task with its events': 1,
      outbox: 2,
      'lock with fence': 1,
      'step with usage and events': 1,
    });
  }, 60_000);

  it('of lists: one by service, for agents with actions and for releases of many parents', async () => {
    const made = Array.from({ length: 20 }, async (_, n) => {
      const agent_id = await company.agent({ agent_name: `Agent ${n}` });
      await publish(agent_id);
      const release = { agent_id, name: 'prod', version: 'latest', is_default: true };
      await call(agentVersions.endpoints.createRelease, release);
    });
    await Promise.all(made);
    const agents = await countsOf(async () => {
      const page = (await (await door.send('/agents?limit=25')).json()) as { data: { action_count: number }[] };
      expect(page.data.filter(({ action_count }) => action_count > 0)).toHaveLength(21);
    });
    expect(byRole(agents)).toEqual({ svc_agents: 1 });
    const all = await countsOf(async () => {
      const page = await call(releases.endpoints.listAllReleases, { ...PAGE });
      expect((page as { data: unknown[] }).data).toHaveLength(20);
    });
    expect(byRole(all)).toEqual({ svc_agents: 1, svc_workflows: 1, svc_monitors: 1 });
  }, 60_000);
});

/** The most files of agents and libs/runs through which a reader follows one invocation. */
const MOST_FILES = 40;
const INVOCATIONS = 4;

/** Runs an operation and returns the files of a service, as `apps/…` or `libs/…`, of which a function has run. */
async function filesOf(
  service: { kill(signal: 'SIGUSR2'): Promise<void> },
  file: string,
  operation: () => Promise<unknown>,
): Promise<Set<string>> {
  const lines = (): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const read = async (): Promise<string> => {
    const before = lines().length;
    await service.kill('SIGUSR2');
    await eventually('the executed files are written', () => lines().length > before);
    return lines().at(-1) ?? '[]';
  };
  await read();
  await operation();
  const urls = JSON.parse(await read()) as string[];
  return new Set(urls.map((url) => url.replace(/.*\/(apps|libs)\//, '$1/')));
}

describe('an invocation that a model answers', () => {
  it(`runs functions of at most ${MOST_FILES} files of agents and libs/runs`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'executed-'));
    try {
      const file = join(folder, 'files');
      writeFileSync(file, '');
      const NODE_OPTIONS = `--import ${new URL('coverage-probe.js', import.meta.url).href}`;
      const agents = await outside.platform.restartService('agents', { NODE_OPTIONS, EXECUTED_FILES: file });
      outside.provider.answerWith(() => 'fine');
      await company.invoke(child);
      // What a timer runs meanwhile is not in each of them.
      let files: string[] | undefined;
      for (let nth = 0; nth < INVOCATIONS; nth++) {
        const executed = await filesOf(agents, file, () => company.invoke(child));
        files = [...(files ?? executed)].filter((each) => executed.has(each));
      }
      const own = (files ?? []).filter((each) => /^(apps\/agents|libs\/runs)\/dist\/src\//.test(each)).sort();
      expect(own).toContain('apps/agents/dist/src/task-loop/task-loop.js');
      expect(own.slice(MOST_FILES)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 90_000);
});

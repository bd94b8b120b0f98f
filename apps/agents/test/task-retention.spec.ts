import { agentSessions, companies, tasks } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { lookUpOnce, type TaskCompany, TaskWorld } from './task-world.js';
import { PAGE } from './world.js';

const DAY_MS = 86_400_000;
const PARTS = ['tasks', 'task_steps', 'task_events', 'task_timeline'];

let outside: TaskWorld;
let agents = 0;
let keeper: TaskCompany;
let limited: TaskCompany;

beforeAll(async () => {
  outside = await TaskWorld.start();
  outside.target.answerWith(() => ({ headers: { 'content-type': 'application/json' }, body: '{"stock":3}' }));
  keeper = await outside.company();
  limited = await keepsTwoDays();
}, 90_000);
afterAll(() => outside.stop());

async function keepsTwoDays(): Promise<TaskCompany> {
  const company = await outside.company();
  const input = { settings: { retention_days: { tasks: 2 } } };
  await outside.platform.bus.call(companies.endpoints.updateCompany, input, company.world.caller());
  return company;
}

/** A task with an action, as if it had ended days ago. */
async function endedTask(company: TaskCompany, daysAgo: number): Promise<{ agentId: number; id: string }> {
  const agentId = await company.agent({ agent_name: `Agent ${++agents}` });
  await company.world.action(agentId, 'look_up', { action_config: { endpoint: `${outside.target.url}/x` } });
  lookUpOnce(outside.provider);
  const { task_id: id } = await company.invoke(agentId);
  await backdate(id, daysAgo);
  return { agentId, id };
}

const backdate = (id: string, days: number) =>
  outside.platform.sql.query('UPDATE agents.tasks SET completed_at = completed_at - $2::bigint WHERE id = $1', [
    id,
    days * DAY_MS,
  ]);

async function rowsOf(ids: string[]): Promise<number> {
  const counts = PARTS.map(
    (part) => `(SELECT count(*) FROM agents.${part} WHERE ${part === 'tasks' ? '' : 'task_'}id = ANY ($1))`,
  );
  const { rows } = await outside.platform.sql.query<{ n: string }>(`SELECT ${counts.join(' + ')} AS n`, [ids]);
  return Number(rows[0]?.n);
}

/** Old tasks are deleted when the process starts, and once a day after that. */
async function restart(): Promise<void> {
  await outside.platform.service('agents').kill('SIGTERM');
  await outside.platform.service('agents').start();
}

describe('tasks of a company that keeps them for two days', () => {
  it('are deleted with all that belongs to them; younger ones and those of other companies stay', async () => {
    const old = await endedTask(limited, 3);
    const young = await endedTask(limited, 1);
    const foreign = await endedTask(keeper, 3000);
    await restart();
    await eventually('the old task is gone', async () => (await rowsOf([old.id])) === 0);
    const get = (company: TaskCompany, { agentId, id }: typeof old) =>
      outside.platform.bus.call(
        tasks.endpoints.getTask,
        { agent_id: agentId, task_id: id, wait_seconds: 0 },
        company.world.caller(),
      );
    await expect(get(limited, old)).rejects.toMatchObject({ status: 404 });
    expect((await get(limited, young)).status).toBe('COMPLETED');
    expect((await get(keeper, foreign)).status).toBe('COMPLETED');
  });

  it('go together with those of their sub-agents, and stay while one of these is open', async () => {
    const parent = await endedTask(limited, 5);
    const open = await endedTask(limited, 5);
    const [child, openChild] = [await endedTask(limited, 5), await endedTask(limited, 5)];
    const below = (id: string, of: string, set: string) =>
      outside.platform.sql.query(`UPDATE agents.tasks SET parent_task_id = $2, parent_step = 1 ${set} WHERE id = $1`, [
        id,
        of,
      ]);
    await below(child.id, parent.id, '');
    await below(openChild.id, open.id, `, status = 'RUNNING', completed_at = NULL`);
    await restart();
    await eventually('the family is gone', async () => (await rowsOf([parent.id, child.id])) === 0);
    expect(await rowsOf([open.id, openChild.id])).toBeGreaterThan(4);
  });

  it('leave their sessions, which begin again without them', async () => {
    const old = await endedTask(limited, 4);
    const sessions = () =>
      outside.platform.bus.call(
        agentSessions.endpoints.listAgentSessions,
        { ...PAGE, agent_id: old.agentId },
        limited.world.caller(),
      );
    await restart();
    await eventually('the old task is gone', async () => (await rowsOf([old.id])) === 0);
    expect((await sessions()).pagination.total).toBe(1);
  });
});

describe('a company whose old tasks cannot be deleted', () => {
  afterEach(() => outside.platform.sql.query('DROP FUNCTION agents.stays() CASCADE'));

  it('keeps those of no other company', async () => {
    const [broken, behind] = [await keepsTwoDays(), await keepsTwoDays()];
    const [stays, goes] = [await endedTask(broken, 3), await endedTask(behind, 3)];
    await outside.platform.sql.query(`
      CREATE FUNCTION agents.stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'cancelled' USING ERRCODE = '57014'; END $$;
      CREATE TRIGGER stays BEFORE DELETE ON agents.tasks FOR EACH ROW
        WHEN (OLD.id = '${stays.id}') EXECUTE FUNCTION agents.stays()`);
    await restart();
    await eventually('the task of the company behind is gone', async () => (await rowsOf([goes.id])) === 0);
    expect(await rowsOf([stays.id])).toBeGreaterThan(4);
  });
});

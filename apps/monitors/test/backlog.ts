import { eventually } from '@signalbox/testing';
import type { World } from './world.js';

const BATCH = 100;
const WRITERS = 4;

interface Backlog {
  sources: number;
  /** How often the service is killed while it drains the backlog; the bus store is deleted at the kill in the middle. */
  kills: number;
  limitMs: number;
}

/** What became of a backlog. */
interface Drained {
  sources: string[];
  /** The sources of all runs, in any outcome. */
  judged: string[];
  errors: number;
}

/** Records sources while monitors is down, and has them drained by a service that is killed again and again. */
export async function drainBacklog(world: World, { sources, kills, limitMs }: Backlog): Promise<Drained> {
  const { platform, companyId } = world;
  const intent = await world.intent();
  const { id } = await world.watching('intent', intent.id);
  await platform.service('monitors').kill('SIGKILL');
  const recorded: string[] = [];
  const writer = async (): Promise<void> => {
    for (let at = 0; at < sources / BATCH / WRITERS; at++) recorded.push(...(await world.requests(intent, BATCH)));
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  const judged = async (): Promise<number> => {
    const { rows } = await platform.sql.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM monitors.monitor_runs WHERE company_id = $1 AND monitor_id = $2 AND outcome IS NOT NULL',
      [companyId, id],
    );
    return rows[0]?.count ?? 0;
  };
  for (let kill = 0; kill < kills; kill++) {
    const before = await judged();
    await platform.service('monitors').start();
    await eventually('some sources are judged', async () => (await judged()) > before || before === sources, limitMs);
    await platform.service('monitors').kill('SIGKILL');
    if (kill === Math.floor(kills / 2)) await platform.servers.restartNats({ forget: true });
  }
  await platform.service('monitors').start();
  await eventually('every source is judged', async () => (await judged()) >= recorded.length, limitMs);
  const { rows } = await platform.sql.query<{ source_id: string; outcome: string }>(
    'SELECT source_id, outcome FROM monitors.monitor_runs WHERE company_id = $1 AND monitor_id = $2',
    [companyId, id],
  );
  return {
    sources: recorded.sort(),
    judged: rows.map(({ source_id }) => source_id).sort(),
    errors: rows.filter(({ outcome }) => outcome === 'ERROR').length,
  };
}

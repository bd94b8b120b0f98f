import { readFile } from 'node:fs/promises';
import { timeScale } from '@signalbox/testing';
import { ask, drained, startTraffic, type Traffic, withModel } from './traffic.js';

const AWAY_MS = 30_000;
const BACKLOG = 5431;

let traffic: Traffic;
beforeAll(async () => {
  traffic = await startTraffic();
}, 60_000);
afterAll(() => traffic.stop());

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

async function idsOf(companyId: number): Promise<string[]> {
  const { rows } = await traffic.platform.sql.query<{ request_id: string }>(
    'SELECT request_id::text FROM traffic.requests WHERE company_id = $1 ORDER BY 1',
    [companyId],
  );
  return rows.map(({ request_id }) => request_id);
}

describe('the request log without Postgres for half a minute', () => {
  it('loses nothing, delays no call, does not grow, and catches up within seconds', async () => {
    const { platform } = traffic;
    const { companyId } = await withModel(traffic);
    const { pid } = platform.service('traffic');
    // Long enough for every limit on a wait for Postgres, and calls enough for a backlog of 170 MB.
    const callFor = async (ms: number, calls: number) => {
      const end = Date.now() + ms;
      const answered: string[] = [];
      const took: number[] = [];
      const keepAsking = async () => {
        while (Date.now() < end || answered.length < calls) {
          const began = performance.now();
          answered.push((await ask(traffic, companyId, `call ${'x'.repeat(16_000)}`, { model: 'm' })).request_id);
          took.push(performance.now() - began);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      await Promise.all(Array.from({ length: 4 }, keepAsking));
      took.sort((one, other) => one - other);
      return { answered, middle: took[took.length >> 1] ?? NaN, slowest: took.at(-1) ?? NaN };
    };
    const before = await callFor(2000, 100);
    const memory = await residentMb(pid);
    await platform.servers.postgres.stop('immediate');
    const meanwhile = await callFor(AWAY_MS, BACKLOG);
    const grown = (await residentMb(pid)) - memory;
    await platform.servers.restartPostgres('immediate');
    const ids = [...before.answered, ...meanwhile.answered];
    const back = performance.now();
    // The spool shows it: counting rows again and again would load the database that is to catch up.
    await drained(platform.servers.dir, 60_000);
    const caughtUp = performance.now() - back;
    process.stderr.write(`${meanwhile.answered.length} calls were stored in ${Math.round(caughtUp)} ms\n`);
    expect(await idsOf(companyId)).toEqual(ids.sort());
    // A call that waited for the database in any way would take seconds, on top of what the machine makes a call wait.
    expect(meanwhile.middle).toBeLessThan(before.middle * 3 + 50 * timeScale());
    expect(meanwhile.slowest).toBeLessThan(3000 * timeScale() + before.slowest);
    expect(grown).toBeLessThan(60);
    expect(caughtUp).toBeLessThan(5000 * timeScale());
  }, 300_000);
});

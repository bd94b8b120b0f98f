import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Quarantine, requestLogFolders } from '@signalbox/platform';
import { eventually } from '@signalbox/testing';
import { ask, recorded, startTraffic, type Traffic, withModel } from '../traffic.js';

let traffic: Traffic;
let folder: string;
let companyId: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handed-over-'));
  traffic = await startTraffic({ env: { DATA_DIR: join(folder, 'one') } });
  ({ companyId } = await withModel(traffic));
}, 60_000);
afterEach(async () => {
  await traffic.stop();
  await rm(folder, { recursive: true });
});

/** So many calls that are answered while the database is away. */
async function callsWithoutDatabase(count: number): Promise<string[]> {
  await traffic.platform.servers.postgres.stop('immediate');
  const calls = Array.from({ length: count }, (_, n) => ask(traffic, companyId, `${n}`, { model: 'm' }));
  return (await Promise.all(calls)).map(({ request_id }) => request_id).sort();
}

it('sends recorded calls to another process when one stops without a database and its disk is deleted', async () => {
  const { platform } = traffic;
  await platform.startService('traffic', 'other', { DATA_DIR: join(folder, 'two') });
  // Both processes know the company, whichever takes a call later.
  for (let n = 0; n < 30; n++) await ask(traffic, companyId, 'warm', { model: 'm', metadata: { n } });
  await recorded(traffic, companyId, 30);
  const ids = await callsWithoutDatabase(30);
  await platform.service('traffic').kill('SIGTERM');
  await rm(join(folder, 'one'), { recursive: true });
  await platform.servers.restartPostgres('immediate');
  const rows = await recorded(traffic, companyId, 60);
  expect(rows.map(({ request_id }) => request_id)).toEqual(expect.arrayContaining(ids));
}, 90_000);

it('sends what Postgres refuses to another process when one stops and its disk is deleted', async () => {
  const { platform } = traffic;
  await platform.startService('traffic', 'other', { DATA_DIR: join(folder, 'two') });
  const quarantineOf = (name: string) => new Quarantine(requestLogFolders(join(folder, name)).quarantine);
  const [one, two] = [quarantineOf('one'), quarantineOf('two')];
  const damaged = { company_id: 0, request_id: null, reason: 'the line is damaged', line: 'not json' };
  const kept = await one.add(damaged);
  const other = await withModel(traffic);
  await ask(traffic, companyId, 'an example', { model: 'm' });
  const [example] = await recorded(traffic, companyId, 1);
  const refused = [companyId, other.companyId].flatMap((company_id) =>
    Array.from({ length: 25 }, () => ({ company_id, request_id: randomUUID() as string })),
  );
  for (const each of refused) {
    const record = { ...each, ...example, ...each, params: '{"a": ', metadata: '{}', response: null };
    await one.add({ ...each, reason: 'no JSON', line: JSON.stringify(record) });
  }
  await platform.service('traffic').kill('SIGTERM');
  expect(await one.ids()).toEqual([kept]);
  const moved = await eventually('they are in the other quarantine', async () => {
    const ids = await two.ids();
    return ids.length >= refused.length ? Promise.all(ids.map((id) => two.read(id))) : undefined;
  });
  const ids = (records: { request_id: string | null }[]) => records.map(({ request_id }) => request_id).sort();
  expect(ids(moved)).toEqual(ids(refused));
}, 90_000);

it('leaves recorded calls on disk when no other process takes them', async () => {
  const { platform } = traffic;
  await ask(traffic, companyId, 'warm', { model: 'm' });
  const [warm] = await recorded(traffic, companyId, 1);
  const ids = await callsWithoutDatabase(10);
  await platform.service('traffic').kill('SIGTERM');
  const spool = join(folder, 'one', 'spool', 'traffic');
  const sizes = await Promise.all((await readdir(spool)).map(async (name) => (await stat(join(spool, name))).size));
  expect(sizes.some((size) => size > 0)).toBe(true);
  await platform.servers.restartPostgres('immediate');
  await platform.service('traffic').start();
  const rows = await recorded(traffic, companyId, 11);
  expect(rows.map(({ request_id }) => request_id).sort()).toEqual([...ids, warm?.request_id].sort());
}, 90_000);

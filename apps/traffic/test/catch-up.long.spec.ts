import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requestLogFolders } from '@signalbox/platform';
import { eventually, timeScale } from '@signalbox/testing';
import { lineOf } from '../src/request-log/record-line.js';
import { emptyRecord } from '../src/request-records/request-record.js';
import { startTraffic, type Traffic, withModel } from './traffic.js';

const BACKLOG = 5431;
const WORDS =
  'the order of yesterday was not delivered to my address because the driver could not find the house, please tell me what happens next and when'.split(
    ' ',
  );
const TEXT = Array.from({ length: 3000 }, () => WORDS[Math.floor(Math.random() * WORDS.length)])
  .join(' ')
  .slice(0, 16_000);

let traffic: Traffic;
beforeAll(async () => {
  traffic = await startTraffic();
}, 60_000);
afterAll(() => traffic.stop());

/** Puts records of calls into the spool, as a process leaves them that made them without a database. */
async function leaveBacklog(companyId: number): Promise<void> {
  const params = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: TEXT }] });
  const response = JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'fine' } }] });
  const lines = Array.from({ length: BACKLOG }, () =>
    lineOf({ ...emptyRecord(companyId, randomUUID()), origin: 'AGENT', params, response }),
  );
  const { spool } = requestLogFolders(traffic.platform.servers.dir);
  await mkdir(spool, { recursive: true });
  const path = join(spool, 'part');
  await writeFile(path, `${lines.join('\n')}\n`);
  await rename(path, join(spool, `${randomUUID()}.1.log`));
}

async function countOf(companyId: number): Promise<number> {
  const { rows } = await traffic.platform.sql.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM traffic.requests WHERE company_id = $1',
    [companyId],
  );
  return rows[0]?.count ?? 0;
}

it('stores a backlog of half a minute within seconds of the return of Postgres', async () => {
  const { platform } = traffic;
  const { companyId } = await withModel(traffic);
  await platform.servers.postgres.stop('immediate');
  await leaveBacklog(companyId);
  const failures = async () => (await platform.logOf('traffic')).split('recorded calls wait').length - 1;
  await eventually('several attempts have failed', async () => (await failures()) >= 5);
  await platform.servers.restartPostgres('immediate');
  const began = performance.now();
  await eventually('all are stored', async () => (await countOf(companyId)) === BACKLOG, 60_000);
  const took = performance.now() - began;
  process.stderr.write(`${BACKLOG} calls were stored in ${Math.round(took)} ms\n`);
  expect(took).toBeLessThan(5000 * timeScale());
}, 120_000);

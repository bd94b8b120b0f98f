import { randomUUID } from 'node:crypto';
import { openDatabase, type OpenDatabase, startServers, type TestServers } from '@signalbox/testing';
import { Pool } from 'pg';
import { RequestOwners } from '../../src/otel/request-owners.repository.js';
import { emptyRecord, type RequestRecord } from '../../src/request-records/request-record.js';
import { requestWriter } from '../request-writer.js';

const COMPANY = 1;

let servers: TestServers;
let open: OpenDatabase;
let sql: Pool;
beforeAll(async () => {
  servers = await startServers({ migrated: true });
  open = await openDatabase(servers, 'traffic');
  sql = new Pool({ connectionString: servers.postgres.url, max: 1 });
}, 60_000);
afterAll(async () => {
  await open.close();
  await sql.end();
  await servers.stop();
});

/** Of an emitter whose clock is ahead of ours by that time. */
async function recordedAhead(ms: number): Promise<RequestRecord> {
  const record = { ...emptyRecord(COMPANY, randomUUID()), date_created: Date.now() - 1000 };
  await requestWriter(open.db).insertOf(COMPANY, [record]);
  return { ...record, date_created: record.date_created + ms };
}

const rowOf = async ({ request_id }: RequestRecord) => {
  const { rows } = await sql.query<{ agent_id: number | null; date_created: string }>(
    'SELECT agent_id, date_created FROM traffic.requests WHERE request_id = $1',
    [request_id],
  );
  return rows.map(({ agent_id, date_created }) => ({ agent_id, date_created: Number(date_created) }));
};

it.each([
  ['is right', 0],
  ['is ahead by half a minute', 30_000],
])('a request gets the agent that a late span names, where the clock of its emitter %s', async (_, ahead) => {
  const record = await recordedAhead(ahead);
  await new RequestOwners(open.db).move(COMPANY, [{ ...record, agent_id: 5 }]);
  expect(await rowOf(record)).toEqual([{ agent_id: 5, date_created: record.date_created - ahead }]);
});

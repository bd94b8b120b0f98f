import { type OpenDatabase, openDatabase, startServers, type TestServers } from '@signalbox/testing';
import { Pool } from 'pg';

let servers: TestServers;
let open: OpenDatabase;
let sql: Pool;

beforeAll(async () => {
  servers = await startServers({ migrated: true });
  open = await openDatabase(servers, 'accounts');
  sql = new Pool({ connectionString: servers.postgres.url, max: 2 });
}, 60_000);
afterAll(async () => {
  await open.close();
  await sql.end();
  await servers.stop();
});

const remaining = async (table: string, column: string): Promise<string[]> => {
  const { rows } = await sql.query<{ word: string }>(`SELECT ${column} AS word FROM accounts.${table} ORDER BY 1`);
  return rows.map(({ word }) => word);
};

describe('pruning', () => {
  it('deletes sent messages, consumed messages and finished work after their retention, and nothing that is still due', async () => {
    const ago = (hours: number): number => Date.now() - hours * 3_600_000;
    await sql.query(
      `INSERT INTO accounts.outbox (message_id, company_id, subject, payload, sent_at)
       VALUES (gen_random_uuid(), 1, 'old', '', $1), (gen_random_uuid(), 1, 'young', '', $2), (gen_random_uuid(), 1, 'unsent', '', NULL)`,
      [ago(25), ago(23)],
    );
    await sql.query(
      `INSERT INTO accounts.work (company_id, kind, ref, due_at, done_at)
       VALUES (1, 'k', 'old', now(), now() - interval '8 days'), (1, 'k', 'young', now(), now() - interval '6 days'),
              (1, 'k', 'waiting', now() - interval '30 days', NULL)`,
    );
    await sql.query(
      `INSERT INTO accounts.inbox (company_id, consumer, message_id, date_created)
       VALUES (1, 'c', 'old', $1), (1, 'c', 'on the stream', $2)`,
      [ago(193), ago(191)],
    );
    await open.outbox.prune({ sent: 24, inbox: 192 });
    expect(await remaining('inbox', 'message_id')).toEqual(['on the stream']);
    expect(await remaining('outbox', 'subject')).toEqual(['unsent', 'young']);
    expect(await remaining('work', 'ref')).toEqual(['waiting', 'young']);
  });
});

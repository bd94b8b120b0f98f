import { eventsOfMessage, type SharedEvents } from '@signalbox/bus';
import type { OutboxMessage, OutboxStream, Publication } from '@signalbox/platform';
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
beforeEach(() => sql.query('TRUNCATE accounts.outbox, accounts.dead_letters'));

const insert = (subject: string, payload: string) =>
  sql.query(
    'INSERT INTO accounts.outbox (message_id, company_id, subject, payload) VALUES (gen_random_uuid(), 1, $1, $2)',
    [subject, payload],
  );

const subjects = async (condition: string): Promise<string[]> => {
  const { rows } = await sql.query<{ subject: string }>(
    `SELECT subject FROM accounts.outbox WHERE ${condition} ORDER BY id`,
  );
  return rows.map(({ subject }) => subject);
};

/** Relays one batch; `outcome` decides the result of each message by its subject. */
async function relay(stream: OutboxStream, outcome: (message: OutboxMessage) => Publication, bytes = 1_000_000) {
  const seen: OutboxMessage[] = [];
  const relayed = await open.outbox.relay({ stream, rows: 3, bytes }, (messages) => {
    seen.push(...messages);
    return Promise.resolve(messages.map(outcome));
  });
  return { seen: seen.map(({ subject }) => subject), relayed };
}

const sent = (): Publication => ({ state: 'sent' });

describe('the outbox', () => {
  it('relays each stream separately, in order and in batches', async () => {
    for (let n = 0; n < 4; n++) {
      await insert(`audit.${n}`, '{}');
      await insert(`events.${n}`, '{}');
    }
    expect(await relay('EVENTS', sent)).toMatchObject({
      seen: ['events.0', 'events.1', 'events.2'],
      relayed: { done: 3, more: true },
    });
    expect(await relay('EVENTS', sent)).toMatchObject({ seen: ['events.3'], relayed: { done: 1, more: false } });
    expect(await subjects('sent_at IS NULL')).toEqual(['audit.0', 'audit.1', 'audit.2', 'audit.3']);
  });

  it('is asked again while another process sends, which may have read its batch before the latest message', async () => {
    await insert('events.late', '{}');
    const other = await sql.connect();
    await other.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtext('accounts outbox relay EVENTS'))`);
    expect(await relay('EVENTS', sent)).toMatchObject({ seen: [], relayed: { done: 0, more: true } });
    await other.query('ROLLBACK');
    other.release();
    expect(await relay('EVENTS', sent)).toMatchObject({ seen: ['events.late'], relayed: { done: 1, more: false } });
  });

  it('names the streams that have unsent messages', async () => {
    expect(await open.outbox.unsent()).toEqual([]);
    await insert('audit.1', '{}');
    expect(await open.outbox.unsent()).toEqual(['AUDIT']);
    await insert('events.1', '{}');
    expect(await open.outbox.unsent()).toEqual(['EVENTS', 'AUDIT']);
    await relay('AUDIT', sent);
    expect(await open.outbox.unsent()).toEqual(['EVENTS']);
  });

  it('limits a batch by bytes and reads no payload that is over the bound', async () => {
    await insert('events.a', 'x'.repeat(600));
    await insert('events.b', 'x'.repeat(600));
    await insert('events.huge', 'x'.repeat(5000));
    await insert('events.c', 'x');
    const outcome = ({ payload, bytes }: OutboxMessage): Publication =>
      payload === null ? { state: 'refused', cause: `${bytes} bytes` } : { state: 'sent' };
    expect(await relay('EVENTS', outcome, 1000)).toMatchObject({
      seen: ['events.a', 'events.b'],
      relayed: { done: 2, more: true },
    });
    expect(await relay('EVENTS', outcome, 1000)).toMatchObject({
      seen: ['events.huge'],
      relayed: { done: 1, refused: 1, more: true },
    });
    expect(await relay('EVENTS', outcome, 1000)).toMatchObject({ seen: ['events.c'], relayed: { more: false } });
    const { rows } = await sql.query('SELECT consumer, subject, cause, length(payload) FROM accounts.dead_letters');
    expect(rows).toEqual([{ consumer: 'outbox', subject: 'events.huge', cause: '5000 bytes', length: 5000 }]);
  });

  it('keeps a message that failed temporarily and sends the others', async () => {
    for (const name of ['good', 'refused', 'failed']) await insert(`events.${name}`, '{}');
    const { relayed } = await relay('EVENTS', ({ subject }) =>
      subject.endsWith('refused')
        ? { state: 'refused', cause: 'no' }
        : subject.endsWith('failed')
          ? { state: 'failed', error: new Error('later') }
          : { state: 'sent' },
    );
    expect(relayed).toMatchObject({ done: 2, refused: 1, more: false });
    expect(relayed.failure?.message).toBe('later');
    expect(await subjects('sent_at IS NULL')).toEqual(['events.failed']);
    expect(await subjects('sent_at IS NOT NULL')).toEqual(['events.good']);
  });

  it('reports the number of waiting messages and the age of the oldest', async () => {
    expect(await open.outbox.backlog()).toEqual({ messages: 0, oldestMs: 0 });
    await insert('events.a', '{}');
    await insert('audit.1', '{}');
    await sql.query(`UPDATE accounts.outbox SET date_created = date_created - 60000 WHERE subject = 'audit.1'`);
    const { messages, oldestMs } = await open.outbox.backlog();
    expect(messages).toBe(2);
    expect(oldestMs).toBeGreaterThanOrEqual(60_000);
    expect(oldestMs).toBeLessThan(90_000);
  });

  it('counts at most ten thousand messages of a stream, so that its age is known however many wait', async () => {
    await sql.query(
      `INSERT INTO accounts.outbox (message_id, company_id, subject, payload, date_created)
       SELECT gen_random_uuid(), 1, 'events.a', '{}', 1000 FROM generate_series(1, 10001)`,
    );
    const { messages, oldestMs } = await open.outbox.backlog();
    expect(messages).toBe(10_000);
    expect(oldestMs).toBeGreaterThan(1_000_000_000_000);
  });

  it('limits the size of the messages that a transaction writes', async () => {
    const large = 'é'.repeat(400_000);
    await open.db.withCompany({ companyId: 1 }, (tx) => {
      tx.emit({
        event: 'x.updated',
        resource: { type: 'x', id: 1 },
        data: { id: 1, body: large, meta: { text: large } },
      });
      const after = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`field${n}`, 'x'.repeat(3000)]));
      tx.audit({ action: 'update', resource_type: 'tag', resource_id: '1', before: { body: 'a' }, after });
      tx.emitTogether(
        Array.from({ length: 60 }, (_, n) => ({
          event: 'x.created',
          resource: { type: 'x', id: n },
          data: { id: n, note: 'y'.repeat(10_000) },
        })),
      );
      return Promise.resolve();
    });
    const { rows } = await sql.query<{ subject: string; payload: string }>(
      'SELECT subject, payload FROM accounts.outbox ORDER BY id',
    );
    for (const { payload } of rows) expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(262_144);
    const messages = rows.map(({ payload }) => JSON.parse(payload) as Record<string, never>);
    const [event, audit, ...together] = messages;
    expect(event).toMatchObject({
      data: { id: 1, body: '[omitted: 800002 bytes]', meta: { text: '[omitted: 800000 bytes]' } },
    });
    expect(audit).toMatchObject({ before: { body: 'a' }, after: { field0: '[omitted: 3002 bytes]' } });
    expect(together.flatMap((message) => eventsOfMessage(message) ?? [])).toMatchObject(
      Array.from({ length: 60 }, (_, n) => ({ resource: { id: n }, data: { id: n, note: 'y'.repeat(10_000) } })),
    );
  });

  it('writes once what the events of a message have in common', async () => {
    const record = { status: 'COMPLETED', model: null, usage: { total: 3 }, tags: [], text: 'z'.repeat(300) };
    const data = (n: number) => ({ id: n, ...record, name: `name ${n}`, usage: { total: n < 2 ? 3 : 4 } });
    const emissions = (count: number, from = 0) =>
      Array.from({ length: count }, (_, n) => ({
        event: 'x.created',
        resource: { type: 'x', id: n + from },
        data: data(n + from),
      }));
    await open.db.withCompany({ companyId: 1 }, (tx) => {
      tx.emitTogether([...emissions(3), { event: 'x.deleted', resource: { type: 'x', id: 0 }, data: { id: 0 } }]);
      tx.emitTogether(emissions(201, 10));
      return Promise.resolve();
    });
    const { rows } = await sql.query<{ message_id: string; subject: string; payload: string }>(
      'SELECT message_id, subject, payload FROM accounts.outbox ORDER BY id',
    );
    const messages = rows.map(({ payload }) => JSON.parse(payload) as Partial<SharedEvents>);
    expect(messages.map(({ events }) => events?.length)).toEqual([3, undefined, 200, undefined]);
    expect(messages[0]?.shared).toMatchObject({
      event: 'x.created',
      company_id: 1,
      resource: { type: 'x' },
      data: { status: 'COMPLETED', model: null, tags: [] },
    });
    expect(Object.keys(messages[0]?.events?.[0]?.data ?? {}).sort()).toEqual(['id', 'name', 'text', 'usage']);
    const events = eventsOfMessage(messages[0]) ?? [];
    expect(events[0]?.event_id).toBe(rows[0]?.message_id);
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(3);
    expect(events).toEqual(
      [0, 1, 2].map((n) => ({
        event_id: expect.any(String),
        event: 'x.created',
        company_id: 1,
        occurred_at: expect.any(Number),
        resource: { type: 'x', id: n },
        data: data(n),
      })),
    );
  });
});

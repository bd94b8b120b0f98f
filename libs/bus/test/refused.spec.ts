import { AUDIT_STREAM, EventStream } from '@signalbox/bus';
import { registry } from '@signalbox/platform';
import { eventually, Platform } from '@signalbox/testing';
import { audited, makeKeys } from './events.js';

let platform: Platform;
beforeAll(async () => {
  platform = await Platform.shared(['accounts']);
}, 60_000);
afterAll(() => platform.stop());

const DAY_MS = 86_400_000;

const insert = (subject: string, bytes: number, ageMs = 0) =>
  platform.sql.query(
    `INSERT INTO accounts.outbox (message_id, company_id, subject, payload, date_created)
     VALUES (gen_random_uuid(), 1, $1, repeat('x', $2), $3)`,
    [subject, bytes, Date.now() - ageMs],
  );

const letters = async () => {
  const { rows } = await platform.sql.query<{ cause: string }>(
    `SELECT cause FROM accounts.dead_letters WHERE consumer = 'outbox' ORDER BY id`,
  );
  return rows.map(({ cause }) => cause);
};

describe('a message that the bus refuses for good', () => {
  it('becomes a dead letter alone', async () => {
    const { companyId } = await platform.company();
    // Larger than the bus carries, not a subject, and not a subject of this service for a day.
    await insert('events.1.agent.updated', 20_000_000);
    await insert('events.1.api_key updated', 10);
    await insert('events.1.agent.updated', 10, DAY_MS);
    const made = await makeKeys(platform, companyId, 250);
    await eventually('the writes behind it are audited', async () => {
      const found = await audited(platform, companyId);
      return made.every((id) => found.includes(id));
    });
    expect(await letters()).toEqual([
      expect.stringContaining('20000000 bytes'),
      expect.stringMatching(/subject/i),
      expect.stringMatching(/permission/i),
    ]);
    await eventually('nothing waits', async () => {
      const found = await platform.sql.query('SELECT 1 FROM accounts.outbox WHERE sent_at IS NULL');
      return found.rows.length === 0;
    });
  }, 60_000);
});

describe('messages that the bus does not permit yet', () => {
  const waiting = async () => {
    const { rows } = await platform.sql.query(
      `SELECT 1 FROM accounts.outbox WHERE sent_at IS NULL AND subject LIKE 'events.%.agent.disabled'`,
    );
    return rows.length;
  };

  it('wait in the outbox while others pass them, and are published again', async () => {
    const { companyId } = await platform.company();
    const before = await letters();
    // More than a relay reads at once.
    for (let n = 0; n < 250; n++) await insert(`events.${n + 1}.agent.disabled`, 10);
    const made = await makeKeys(platform, companyId, 20);
    await eventually('the writes behind them are audited', async () => {
      const found = await audited(platform, companyId);
      return made.every((id) => found.includes(id));
    });
    await eventually('the events behind them are sent', async () => {
      const { rows } = await platform.sql.query(
        `SELECT 1 FROM accounts.outbox WHERE sent_at IS NULL AND subject LIKE 'events.%.api_key.%'`,
      );
      return rows.length === 0;
    });
    expect(await waiting()).toBe(250);
    expect(await letters()).toEqual(before);
    // The permission never comes.
    await platform.sql.query(
      `UPDATE accounts.outbox SET date_created = date_created - $1::bigint WHERE subject LIKE 'events.%.agent.disabled'`,
      [DAY_MS],
    );
    await eventually('they are given up', async () => (await waiting()) === 0);
    expect(await letters()).toHaveLength(before.length + 250);
  }, 120_000);
});

describe('an audit stream that is full', () => {
  it('holds back audit entries in the outbox, and nothing else', async () => {
    const { companyId } = await platform.company();
    const stream = new EventStream(platform.connection);
    const { streams } = await stream.jsm();
    const { config } = await streams.info(AUDIT_STREAM);
    await streams.update(AUDIT_STREAM, { max_bytes: 1 });
    const made = await makeKeys(platform, companyId, 30);
    await eventually('all events are sent', async () => {
      const { rows } = await platform.sql.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM accounts.outbox
         WHERE company_id = $1 AND subject LIKE 'events.%' AND sent_at IS NOT NULL`,
        [companyId],
      );
      return (rows[0]?.n ?? 0) >= made.length;
    });
    expect(await audited(platform, companyId)).not.toEqual(expect.arrayContaining([made[0]]));
    await streams.update(AUDIT_STREAM, { max_bytes: config.max_bytes });
    await eventually('every write is audited', async () => {
      const found = await audited(platform, companyId);
      return made.every((id) => found.includes(id));
    });
    const { rows } = await platform.sql.query(`SELECT 1 FROM accounts.dead_letters WHERE subject LIKE 'audit.%'`);
    expect(rows).toEqual([]);
    expect(registry.getSingleMetric('signalbox_outbox_pending')).toBeDefined();
  }, 60_000);
});

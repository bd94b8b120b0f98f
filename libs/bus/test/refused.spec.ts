import { AUDIT_STREAM, EventStream } from '@signalbox/bus';
import { registry } from '@signalbox/platform';
import { eventually, Platform } from '@signalbox/testing';
import { audited, makeKeys } from './events.js';

let platform: Platform;
beforeAll(async () => {
  platform = await Platform.shared(['accounts']);
}, 60_000);
afterAll(() => platform.stop());

const insert = (subject: string, bytes: number) =>
  platform.sql.query(
    `INSERT INTO accounts.outbox (message_id, company_id, subject, payload) VALUES (gen_random_uuid(), 1, $1, repeat('x', $2))`,
    [subject, bytes],
  );

describe('a message that the bus refuses for good', () => {
  it('becomes a dead letter alone', async () => {
    const { companyId } = await platform.company();
    // Larger than the bus carries, not a subject, and not a subject of this service.
    await insert('events.1.agent.updated', 20_000_000);
    await insert('events.1.api_key updated', 10);
    await insert('events.1.agent.updated', 10);
    const made = await makeKeys(platform, companyId, 250);
    await eventually('the writes behind it are audited', async () => {
      const found = await audited(platform, companyId);
      return made.every((id) => found.includes(id));
    });
    const { rows } = await platform.sql.query<{ cause: string }>(
      `SELECT cause FROM accounts.dead_letters WHERE consumer = 'outbox' ORDER BY id`,
    );
    expect(rows.map(({ cause }) => cause)).toEqual([
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

import { AUDIT_STREAM, EventStream } from '@signalbox/bus';
import { apiKeys } from '@signalbox/contracts';
import { eventually, Platform, seededRandom } from '@signalbox/testing';
import { headers } from '@nats-io/transport-node';
import { audited, auditState, makeKeys, readAudit, sentMessages, storedMessages } from './events.js';

let platform: Platform;
beforeAll(async () => {
  platform = await Platform.shared(['accounts']);
}, 60_000);
afterAll(() => platform.stop());

const WORKER = 'svc_accounts_worker';
const unsent = async (): Promise<number> =>
  (await platform.sql.query<{ n: number }>('SELECT count(*)::int AS n FROM accounts.outbox WHERE sent_at IS NULL'))
    .rows[0]?.n ?? 0;
const settled = () => eventually('the outbox is relayed', async () => (await unsent()) === 0);

/** The passes of the relay in which the events of a company were sent: each one is a transaction. */
async function passes(companyId: number): Promise<number> {
  const { rows } = await platform.sql.query<{ n: number }>(
    `SELECT count(DISTINCT xmin::text)::int AS n FROM accounts.outbox WHERE company_id = $1 AND subject LIKE 'events.%'`,
    [companyId],
  );
  return rows[0]?.n ?? 0;
}

/** Asserts that every acknowledged key, and the first key of the company, is in the audit log exactly once. */
async function allAudited(companyId: number, made: number[]): Promise<void> {
  await eventually(
    'every write is in the audit log',
    async () => (await audited(platform, companyId)).length > made.length,
  );
  const entries = await audited(platform, companyId);
  expect(entries).toEqual([...new Set(entries)]);
  expect(entries).toEqual(expect.arrayContaining(made));
  expect(entries).toHaveLength(made.length + 1);
}

describe('the relay', () => {
  it('sends what commits within 25 ms in one pass', async () => {
    const { companyId } = await platform.company();
    await settled();
    const before = await passes(companyId);
    const began = performance.now();
    for (let count = 0; count < 60; count++) await makeKeys(platform, companyId, 1);
    const took = performance.now() - began;
    await settled();
    expect((await passes(companyId)) - before).toBeLessThanOrEqual(Math.ceil(took / 25) + 1);
  });

  it('loses nothing when the service is killed between commit and relay', async () => {
    const { companyId } = await platform.company();
    await settled();
    // The relay cannot read the outbox while the service can write it: commits pile up unsent.
    await platform.sql.query(`REVOKE SELECT ON accounts.outbox FROM ${WORKER}`);
    const made = await makeKeys(platform, companyId, 30);
    expect(made).toHaveLength(30);
    expect(await unsent()).toBeGreaterThanOrEqual(60);
    await platform.service('accounts').kill('SIGKILL');
    await platform.sql.query(`GRANT SELECT ON accounts.outbox TO ${WORKER}`);
    expect(await audited(platform, companyId)).not.toEqual(expect.arrayContaining(made));
    await platform.service('accounts').start();
    await allAudited(companyId, made);
  }, 60_000);

  it('loses no acknowledged write when the service is killed at any moment', async () => {
    const { companyId } = await platform.company();
    const acked: number[] = [];
    for (let round = 0; round < 3; round++) {
      const killed = new AbortController();
      const making = makeKeysUntil(killed.signal, companyId, acked);
      await eventually('some are acknowledged', () => acked.length > round * 10);
      await platform.service('accounts').kill('SIGKILL');
      killed.abort();
      await making;
      await platform.service('accounts').start();
    }
    await settled();
    const { rows } = await platform.sql.query<{ id: number }>(
      'SELECT id FROM accounts.api_keys WHERE company_id = $1',
      [companyId],
    );
    const kept = rows.map(({ id }) => id).sort((a, b) => a - b);
    expect(kept).toEqual(expect.arrayContaining(acked));
    await deliverAgainSoon();
    await eventually(
      'the stored messages are audited',
      async () => (await audited(platform, companyId)).length === kept.length,
      45_000,
    );
    expect((await audited(platform, companyId)).sort((a, b) => a - b)).toEqual(kept);
  }, 90_000);

  it('sends the last day again to a bus that lost its store, and it is consumed once', async () => {
    const { companyId } = await platform.company();
    const made = await makeKeys(platform, companyId, 20);
    await allAudited(companyId, made);
    await settled();
    const before = await auditState(platform);
    const sent = await sentMessages(platform);
    const events = sent.filter(({ subject }) => subject.startsWith('events.'));
    await platform.servers.restartNats({ forget: true });
    // Other services of the platform send theirs again too.
    await eventually('every event is on the bus again', async () => {
      const stored = new Set((await storedMessages(platform).catch(() => [])).map(({ id }) => id));
      return events.every(({ id }) => stored.has(id));
    });
    // An entry leaves its stream when it is consumed.
    await eventually('every audit entry was on the bus again', async () => {
      const { streams } = await new EventStream(platform.connection).jsm();
      const { state } = await streams.info(AUDIT_STREAM);
      return state.last_seq >= sent.length - events.length && state.messages === 0;
    });
    // New writes go through the new store, and everything before them was delivered to the consumer first.
    const more = await makeKeys(platform, companyId, 1);
    await allAudited(companyId, [...made, ...more]);
    await platform.sql.query('DELETE FROM accounts.audit_log WHERE company_id = $1 AND resource_id = $2', [
      companyId,
      String(more[0]),
    ]);
    expect(await auditState(platform)).toBe(before);
  }, 90_000);
});

/** Makes unacknowledged messages of the killed process available at once instead of after 30 s. */
async function deliverAgainSoon(): Promise<void> {
  const { consumers } = await new EventStream(platform.connection).jsm();
  await consumers.update(AUDIT_STREAM, 'accounts-audit-log', { ack_wait: 2_000_000_000 });
}

/** Calls that fail, as those in flight when the service is killed, are not acknowledged. */
async function makeKeysUntil(stopped: AbortSignal, companyId: number, acked: number[]): Promise<void> {
  const make = () =>
    platform.bus.call(
      apiKeys.endpoints.createApiKey,
      { name: 'k', scopes: ['read'] },
      platform.caller(companyId, { deadline: Date.now() + 5000 }),
    );
  while (!stopped.aborted) {
    await make().then(
      ({ id }) => acked.push(id),
      () => new Promise((resolve) => setTimeout(resolve, 50)),
    );
  }
}

/** The shortest time for which the bus remembers the ids of messages. */
const DUPLICATES_MS = 100;

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = [...items];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}

describe('a consumer', () => {
  it('has the same state after each message arrived three times, shuffled', async () => {
    const { companyId } = await platform.company();
    await allAudited(companyId, await makeKeys(platform, companyId, 25));
    await settled();
    const before = await auditState(platform);
    const stream = new EventStream(platform.connection);
    const { streams } = await stream.jsm();
    // The bus itself drops repeats within two minutes; the test proves that consumers do not rely on it.
    await streams.update(AUDIT_STREAM, { duplicate_window: DUPLICATES_MS * 1_000_000 });
    const stored = (await sentMessages(platform)).filter(({ subject }) => subject.startsWith('audit.'));
    const random = seededRandom(7);
    const { last_seq: first } = (await streams.info(AUDIT_STREAM)).state;
    for (let copy = 0; copy < 3; copy++) {
      // Time itself is what ends the memory of the bus.
      await new Promise((resolve) => setTimeout(resolve, 3 * DUPLICATES_MS));
      for (const { subject, id, payload } of shuffled(stored, random)) {
        const h = headers();
        h.set('Nats-Msg-Id', id);
        await stream.js.publish(subject, payload, { headers: h });
      }
    }
    // A copy whose acknowledgement was late is published again, and stored again.
    expect((await streams.info(AUDIT_STREAM)).state.last_seq - first).toBeGreaterThanOrEqual(stored.length * 3);
    const { consumers } = await stream.jsm();
    await eventually('all are consumed', async () => {
      const info = await consumers.info(AUDIT_STREAM, 'accounts-audit-log');
      return info.num_pending === 0 && info.num_ack_pending === 0;
    });
    expect(await auditState(platform)).toBe(before);
    expect((await readAudit(platform, companyId)).pagination.total).toBe(27);
  }, 60_000);
});

describe('an idempotent call', () => {
  const claim = (key: string) => ({ key, route: 'POST /api-keys', bodyHash: 'h' });
  const create = (companyId: number, key: string) =>
    platform.bus.call(
      apiKeys.endpoints.createApiKey,
      { name: 'once', scopes: ['read'] },
      platform.caller(companyId, { idempotency: claim(key) }),
    );

  it('leaves no key text in the database', async () => {
    const { companyId } = await platform.company();
    const { key } = await create(companyId, 'secret');
    const { rows } = await platform.sql.query<{ row: string }>(
      'SELECT to_jsonb(t)::text AS row FROM accounts.idempotency t',
    );
    const stored = rows.map(({ row }) => row).join();
    expect(stored).toContain('once');
    expect(stored).not.toContain(key?.slice(13, 45));
  });

  it('has one effect when the service dies between the effect and the reply', async () => {
    const { companyId } = await platform.company();
    const first = await create(companyId, 'lost');
    // The state after a crash behind the commit: the effect, no reply, a lock without a holder.
    await platform.sql.query(
      `UPDATE accounts.idempotency SET status = NULL, reply = NULL, locked_until = 0 WHERE company_id = $1 AND key = 'lost'`,
      [companyId],
    );
    expect(await create(companyId, 'lost')).toEqual({ ...first, key: null });
    expect(await create(companyId, 'lost')).toEqual({ ...first, key: null });
    const { rows } = await platform.sql.query('SELECT id FROM accounts.api_keys WHERE company_id = $1', [companyId]);
    expect(rows).toHaveLength(2);
  });
});

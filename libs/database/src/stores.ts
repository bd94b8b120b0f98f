import type { IdempotencyClaim } from '@signalbox/contracts';
import type {
  IdempotencyState,
  IdempotencyStore,
  InboxMessage,
  InboxStore,
  OutboxMessage,
  OutboxStore,
} from '@signalbox/platform';
import type { Pool } from 'pg';
import type { AfterCommit } from './after-commit.js';
import type { Database, Tx } from './database.js';
import { fromPostgres } from './sql-errors.js';

/** The outbox table behind the relay. */
export class PgOutbox implements OutboxStore {
  private readonly table = `"${this.db.schema}".outbox`;

  constructor(
    private readonly db: Database,
    private readonly added: AfterCommit,
    /** The relay's own connection: it is held while messages are published. */
    private readonly connections: Pool,
  ) {}

  async relay(limit: number, publish: (messages: OutboxMessage[]) => Promise<void>): Promise<number> {
    const client = await this.connections.connect();
    let failure: Error | undefined;
    try {
      await client.query('BEGIN');
      // One relay of a schema at a time: two would send the events of one resource out of order.
      const lock = await client.query<{ held: boolean }>('SELECT pg_try_advisory_xact_lock(hashtext($1)) AS held', [
        `${this.db.schema} outbox relay`,
      ]);
      if (!lock.rows[0]?.held) return await client.query('ROLLBACK').then(() => 0);
      const { rows } = await client.query<OutboxMessage & { row: number }>(
        `SELECT id AS row, message_id AS id, subject, payload FROM ${this.table}
         WHERE sent_at IS NULL ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
        [limit],
      );
      if (rows.length > 0) {
        await publish(rows);
        await client.query(
          `UPDATE ${this.table} SET sent_at = (extract(epoch from clock_timestamp()) * 1000)::bigint WHERE id = ANY($1::bigint[])`,
          [rows.map(({ row }) => row)],
        );
      }
      await client.query('COMMIT');
      return rows.length;
    } catch (error) {
      failure = error as Error;
      await client.query('ROLLBACK').catch(() => undefined);
      throw fromPostgres(error);
    } finally {
      client.release(failure);
    }
  }

  async resend(hours: number): Promise<void> {
    await this.db.asWorker(
      `UPDATE ${this.table} SET sent_at = NULL
       WHERE sent_at > (extract(epoch from clock_timestamp()) * 1000)::bigint - $1::bigint * 3600000`,
      [hours],
    );
  }

  /** Finished work is kept seven times as long: it tells how often something was tried. */
  async prune(hours: number): Promise<void> {
    const before = `(extract(epoch from clock_timestamp()) * 1000)::bigint - $1::bigint * 3600000`;
    await this.db.asWorker(`DELETE FROM ${this.table} WHERE sent_at < ${before}`, [hours]);
    // An inbox row is needed for as long as its message can be sent again.
    await this.db.asWorker(`DELETE FROM "${this.db.schema}".inbox WHERE date_created < ${before}`, [hours * 2]);
    await this.db.asWorker(`DELETE FROM "${this.db.schema}".idempotency WHERE date_created < ${before}`, [hours]);
    await this.db.asWorker(`DELETE FROM "${this.db.schema}".work WHERE done_at < now() - $1 * interval '7 hours'`, [
      hours,
    ]);
  }

  onAdded(wake: () => void): void {
    this.added.onOutbox(wake);
  }

  async streamBirth(): Promise<string | null> {
    const rows = await this.db.asWorker<{ stream_birth: string }>(
      `SELECT stream_birth FROM "${this.db.schema}".bus_state`,
    );
    return rows[0]?.stream_birth ?? null;
  }

  async setStreamBirth(birth: string): Promise<void> {
    await this.db.asWorker(
      `INSERT INTO "${this.db.schema}".bus_state (stream_birth) VALUES ($1)
       ON CONFLICT (id) DO UPDATE SET stream_birth = EXCLUDED.stream_birth`,
      [birth],
    );
  }
}

/** The inbox table behind the consumers. */
export class PgInbox implements InboxStore<Tx> {
  constructor(private readonly db: Database) {}

  once({ consumer, messageId, companyId }: InboxMessage, effect: (tx: Tx) => Promise<void>): Promise<boolean> {
    return this.db.withCompany({ companyId }, async (tx) => {
      const fresh = await tx.query(
        `INSERT INTO "${this.db.schema}".inbox (company_id, consumer, message_id) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING RETURNING 1`,
        [companyId, consumer, messageId],
      );
      if (fresh.length === 0) return false;
      await effect(tx);
      return true;
    });
  }

  async bury({ consumer, messageId, companyId, subject }: InboxMessage, payload: string, cause: string): Promise<void> {
    const safe = (text: string): string => text.replaceAll('\0', '').toWellFormed();
    await this.db.asWorker(
      `INSERT INTO "${this.db.schema}".dead_letters (company_id, consumer, message_id, subject, payload, cause)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
      [Number.isInteger(companyId) ? companyId : 0, consumer, messageId, subject, safe(payload), safe(cause)],
    );
  }
}

interface IdempotencyRow {
  body_hash: string;
  locked_until: number;
  effect: string | null;
  status: number | null;
  reply: string | null;
  date_created: number;
}

const DAY_MS = 86_400_000;

/** The idempotency table behind the bus server. */
export class PgIdempotency implements IdempotencyStore {
  private readonly table = `"${this.db.schema}".idempotency`;

  constructor(private readonly db: Database) {}

  begin(companyId: number, claim: IdempotencyClaim, heldUntil: number): Promise<IdempotencyState> {
    return this.db.withCompany({ companyId }, async (tx) => {
      const key = [companyId, claim.route, claim.key];
      const lock = [...key, claim.bodyHash, heldUntil, claim.holder ?? null];
      const fresh = await tx.query(
        `INSERT INTO ${this.table} (company_id, route, key, body_hash, locked_until, holder) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT DO NOTHING RETURNING 1`,
        lock,
      );
      if (fresh.length > 0) return { state: 'first' };
      const [row] = await tx.query<IdempotencyRow>(
        `SELECT body_hash, locked_until, effect, status, reply, date_created FROM ${this.table}
         WHERE company_id = $1 AND route = $2 AND key = $3 FOR UPDATE`,
        key,
      );
      const state = row ? stateOf(row, claim) : 'running';
      if (state === 'taken over' || state === 'resume')
        await tx.query(
          `UPDATE ${this.table} SET body_hash = $4, locked_until = $5, holder = $6, status = NULL, reply = NULL,
             effect = CASE WHEN $7 THEN NULL ELSE effect END,
             date_created = CASE WHEN $7 THEN (extract(epoch from clock_timestamp()) * 1000)::bigint ELSE date_created END
           WHERE company_id = $1 AND route = $2 AND key = $3`,
          [...lock, state === 'taken over'],
        );
      if (state === 'taken over') return { state: 'first' };
      if (state === 'resume') return { state, earlier: JSON.parse(row?.effect ?? 'null') as unknown };
      if (state === 'replay') return { state, status: row?.status ?? 200, body: row?.reply ?? 'null' };
      return { state };
    });
  }

  async prolong(companyId: number, claim: IdempotencyClaim, heldUntil: number): Promise<void> {
    await this.db.withCompany({ companyId }, (tx) =>
      tx.query(
        `UPDATE ${this.table} SET locked_until = $4
         WHERE company_id = $1 AND route = $2 AND key = $3 AND status IS NULL AND locked_until > 0`,
        [companyId, claim.route, claim.key, heldUntil],
      ),
    );
  }

  async finish(
    companyId: number,
    claim: IdempotencyClaim,
    status: number,
    body: string | null,
    effect = false,
  ): Promise<void> {
    const values = [companyId, claim.route, claim.key, claim.holder ?? null];
    await this.db.withCompany({ companyId }, async (tx) => {
      // A refusal before any effect frees the key; an unfinished effect may be waited for again at once.
      if (status !== 200 && !effect)
        await tx.query(
          `DELETE FROM ${this.table} WHERE company_id = $1 AND route = $2 AND key = $3
             AND holder IS NOT DISTINCT FROM $4::uuid AND effect IS NULL`,
          values,
        );
      await tx.query(
        `UPDATE ${this.table} SET locked_until = 0, status = CASE WHEN $6::text IS NULL THEN NULL ELSE $5::int END, reply = $6
         WHERE company_id = $1 AND route = $2 AND key = $3 AND holder IS NOT DISTINCT FROM $4::uuid`,
        [...values, status, body],
      );
    });
  }
}

function stateOf(
  row: IdempotencyRow,
  claim: IdempotencyClaim,
): 'mismatch' | 'replay' | 'running' | 'resume' | 'taken over' {
  if (Date.now() - row.date_created > DAY_MS) return 'taken over';
  if (row.body_hash !== claim.bodyHash) return 'mismatch';
  if (row.status !== null) return 'replay';
  if (row.locked_until > Date.now()) return 'running';
  return row.effect === null ? 'taken over' : 'resume';
}

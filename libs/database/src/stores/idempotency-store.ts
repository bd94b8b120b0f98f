import type { IdempotencyClaim } from '@signalbox/contracts';
import type { IdempotencyState, IdempotencyStore } from '@signalbox/platform';
import type { Database } from '../database.js';
import { NOW_MS } from '../schema/schema.js';

interface IdempotencyRow {
  body_hash: string;
  is_held: boolean;
  is_forgotten: boolean;
  effect: string | null;
  status: number | null;
  reply: string | null;
}

const DAY_MS = 86_400_000;

/** The idempotency table behind the bus server. Times are those of the database: the clocks of processes differ. */
export class PgIdempotency implements IdempotencyStore {
  private readonly table = `"${this.db.schema}".idempotency`;

  constructor(private readonly db: Database) {}

  begin(companyId: number, claim: IdempotencyClaim, holdMs: number): Promise<IdempotencyState> {
    return this.db.withCompany({ companyId }, async (tx) => {
      const key = [companyId, claim.route, claim.key];
      const lock = [...key, claim.bodyHash, holdMs, claim.holder ?? null];
      const fresh = await tx.query(
        `INSERT INTO ${this.table} (company_id, route, key, body_hash, locked_until, holder) VALUES ($1, $2, $3, $4, ${NOW_MS} + $5::bigint, $6)
         ON CONFLICT DO NOTHING RETURNING 1`,
        lock,
      );
      if (fresh.length > 0) return { state: 'first' };
      const [row] = await tx.query<IdempotencyRow>(
        `SELECT body_hash, locked_until > ${NOW_MS} AS is_held, ${NOW_MS} - date_created > ${DAY_MS} AS is_forgotten,
           effect, status, reply FROM ${this.table}
         WHERE company_id = $1 AND route = $2 AND key = $3 FOR UPDATE`,
        key,
      );
      const state = row ? stateOf(row, claim) : 'running';
      if (state === 'taken over' || state === 'resume')
        await tx.query(
          `UPDATE ${this.table} SET body_hash = $4, locked_until = ${NOW_MS} + $5::bigint, holder = $6, status = NULL, reply = NULL,
             effect = CASE WHEN $7 THEN NULL ELSE effect END,
             date_created = CASE WHEN $7 THEN ${NOW_MS} ELSE date_created END
           WHERE company_id = $1 AND route = $2 AND key = $3`,
          [...lock, state === 'taken over'],
        );
      if (state === 'taken over') return { state: 'first' };
      if (state === 'resume') return { state, earlier: JSON.parse(row?.effect ?? 'null') as unknown };
      if (state === 'replay') return { state, status: row?.status ?? 200, body: row?.reply ?? 'null' };
      return { state };
    });
  }

  async prolong(companyId: number, claim: IdempotencyClaim, holdMs: number): Promise<void> {
    await this.db.withCompany({ companyId }, (tx) =>
      tx.query(
        `UPDATE ${this.table} SET locked_until = ${NOW_MS} + $4::bigint
         WHERE company_id = $1 AND route = $2 AND key = $3 AND status IS NULL AND locked_until > 0
           AND holder IS NOT DISTINCT FROM $5::uuid`,
        [companyId, claim.route, claim.key, holdMs, claim.holder ?? null],
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
  if (row.is_forgotten) return 'taken over';
  if (row.body_hash !== claim.bodyHash) return 'mismatch';
  if (row.status !== null) return 'replay';
  if (row.is_held) return 'running';
  return row.effect === null ? 'taken over' : 'resume';
}

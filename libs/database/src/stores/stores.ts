import type { IdempotencyClaim } from '@signalbox/contracts';
import type { IdempotencyState, IdempotencyStore } from '@signalbox/platform';
import type { Database } from '../database.js';

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

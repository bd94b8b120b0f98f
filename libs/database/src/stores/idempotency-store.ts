import type { IdempotencyClaim } from '@signalbox/contracts';
import type { IdempotencyState, IdempotencyStore } from '@signalbox/platform';
import type { Database } from '../database.js';
import { IDEMPOTENT_CALLS } from './idempotency.sql.js';

interface IdempotencyRow {
  body_hash: string;
  is_held: boolean;
  is_forgotten: boolean;
  effect: string | null;
  status: number | null;
  reply: string | null;
}

/** Times are those of the database, because the clocks of processes differ. */
export class PgIdempotency implements IdempotencyStore {
  private readonly sql = IDEMPOTENT_CALLS.of(this.db.schema);

  constructor(private readonly db: Database) {}

  begin(companyId: number, claim: IdempotencyClaim, holdMs: number): Promise<IdempotencyState> {
    return this.db.withCompany({ companyId }, async (tx) => {
      const key = [companyId, claim.route, claim.key];
      const lock = [...key, claim.bodyHash, holdMs, claim.holder ?? null];
      const fresh = await tx.query(this.sql.claim, lock);
      if (fresh.length > 0) return { state: 'first' };
      const [row] = await tx.query<IdempotencyRow>(this.sql.lock, key);
      const state = row ? stateOf(row, claim) : 'running';
      if (state === 'taken over' || state === 'resume')
        await tx.query(this.sql.takeOver, [...lock, state === 'taken over']);
      if (state === 'taken over') return { state: 'first' };
      if (state === 'resume') return { state, earlier: JSON.parse(row?.effect ?? 'null') as unknown };
      if (state === 'replay') return { state, status: row?.status ?? 200, body: row?.reply ?? 'null' };
      return { state };
    });
  }

  async prolong(companyId: number, claim: IdempotencyClaim, holdMs: number): Promise<void> {
    await this.db.withCompany({ companyId }, (tx) =>
      tx.query(this.sql.prolong, [companyId, claim.route, claim.key, holdMs, claim.holder ?? null]),
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
      // A refusal without effect frees the key; an unfinished effect may be waited for again at once.
      if (status !== 200 && !effect) await tx.query(this.sql.free, values);
      await tx.query(this.sql.finish, [...values, status, body]);
    });
  }
}

function stateOf(
  row: IdempotencyRow,
  claim: IdempotencyClaim,
): 'mismatch' | 'replay' | 'running' | 'resume' | 'taken over' {
  if (row.is_forgotten) return 'taken over';
  if (row.body_hash !== claim.bodyHash && row.body_hash !== claim.otherBodyHash) return 'mismatch';
  if (row.status !== null) return 'replay';
  if (row.is_held) return 'running';
  return row.effect === null ? 'taken over' : 'resume';
}

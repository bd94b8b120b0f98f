import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';

const ALIVE_SECONDS = 15;

/** Which processes hold secrets and are alive. */
@Injectable()
export class Holders {
  constructor(private readonly db: Database) {}

  async stayAlive(holder: string): Promise<void> {
    await this.db.asWorker(
      `INSERT INTO agents.secret_holders (holder, alive_until) VALUES ($1, now() + ${ALIVE_SECONDS} * interval '1 second')
       ON CONFLICT (holder) DO UPDATE SET alive_until = EXCLUDED.alive_until`,
      [holder],
    );
  }

  async leave(holder: string): Promise<void> {
    await this.db.asWorker('DELETE FROM agents.secret_holders WHERE holder = $1', [holder]);
  }

  /** Hands the work of dead holders to everybody; whoever claims it finds no secrets and says so. */
  async handOver(): Promise<number> {
    const rows = await this.db.asWorker(
      `UPDATE agents.work w SET kind = split_part(w.kind, '@', 1), due_at = now(), fence = w.fence + 1, lease_owner = NULL
       WHERE w.done_at IS NULL AND w.kind LIKE '%@%' AND NOT EXISTS (
         SELECT 1 FROM agents.secret_holders h
         WHERE h.holder::text = split_part(w.kind, '@', 2) AND h.alive_until > now())
         AND NOT EXISTS (SELECT 1 FROM agents.work o
           WHERE o.company_id = w.company_id AND o.ref = w.ref AND o.kind = split_part(w.kind, '@', 1))
       RETURNING 1 AS moved`,
    );
    await this.db.asWorker(`DELETE FROM agents.secret_holders WHERE alive_until < now() - interval '1 hour'`);
    return rows.length;
  }
}

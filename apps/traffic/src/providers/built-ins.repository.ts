import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import { SIMULATED_MODEL } from '@signalbox/llm';

/**
 * The provider and the model that every company has. They are ordinary rows, created on the first call of a company, so
 * that ids, lists and tenancy need no special case; unique names make concurrent first calls safe.
 *
 * SQL: concurrent first calls of a company insert with ON CONFLICT.
 */
@Injectable()
export class BuiltIns {
  private readonly made = new Set<number>();

  constructor(private readonly db: Database) {}

  async ensure(companyId: number): Promise<void> {
    if (this.made.has(companyId)) return;
    await this.db.withCompany({ companyId }, async (tx) => {
      await tx.query(
        `INSERT INTO traffic.providers (company_id, provider_name, kind, built_in) VALUES ($1, 'simulated', 'simulated', true)
         ON CONFLICT DO NOTHING`,
        [companyId],
      );
      await tx.query(
        `INSERT INTO traffic.models (company_id, model_name, display_name, provider_id, provider_model,
           input_price_per_mtok, output_price_per_mtok, built_in, trainable)
         SELECT $1, $2, $2, id, $2, 0, 0, true, true FROM traffic.providers WHERE company_id = $1 AND built_in
         ON CONFLICT DO NOTHING`,
        [companyId, SIMULATED_MODEL],
      );
    });
    this.made.add(companyId);
  }
}

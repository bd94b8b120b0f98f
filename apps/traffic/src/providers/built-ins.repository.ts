import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import { SIMULATED_MODEL } from '@signalbox/llm';
import { INSERT_BUILT_IN_MODEL, INSERT_BUILT_IN_PROVIDER } from './built-ins.sql.js';

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
      await tx.query(INSERT_BUILT_IN_PROVIDER, [companyId]);
      await tx.query(INSERT_BUILT_IN_MODEL, [companyId, SIMULATED_MODEL]);
    });
    this.made.add(companyId);
  }
}

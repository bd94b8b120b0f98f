import { type Application, notFound } from '@signalbox/contracts';
import type { Tx } from '../tx.js';

/** An application as a binding stores it. */
export type NamedApplication = Pick<Application, 'id' | 'application_name' | 'date_updated'>;

/**
 * The names of the applications that resources of one service are bound to, in the table `application_names` of its
 * schema. A deleted application keeps its row, so that nothing can be bound to it concurrently.
 *
 * SQL: names arrive out of order, so an upsert keeps the newest one.
 */
export class ApplicationNames {
  private readonly table: string;

  constructor(schema: string) {
    this.table = `${schema}.application_names`;
  }

  /** Stores the application of a resource that is being bound to it; 404 when it was deleted concurrently. */
  async bind(tx: Tx, application: NamedApplication): Promise<void> {
    if (!(await this.rename(tx, application))) throw notFound('application');
  }

  /** Stores the name of an application; an older name never replaces a newer one. False once it is deleted. */
  async rename(tx: Tx, { id, application_name, date_updated }: NamedApplication): Promise<boolean> {
    const [row] = await tx.query<{ deleted: boolean }>(
      `INSERT INTO ${this.table} AS n (company_id, application_id, application_name, date_updated)
       VALUES ($1, $2, $3, $4)
       ON CONFLICT (company_id, application_id) DO UPDATE
         SET application_name = CASE WHEN n.date_updated <= EXCLUDED.date_updated
             THEN EXCLUDED.application_name ELSE n.application_name END,
           date_updated = GREATEST(n.date_updated, EXCLUDED.date_updated)
       RETURNING deleted`,
      [tx.companyId, id, application_name, date_updated],
    );
    return row?.deleted === false;
  }

  /** Marks an application as deleted. */
  async remove(tx: Tx, applicationId: number): Promise<void> {
    await tx.query(
      `INSERT INTO ${this.table} AS n (company_id, application_id, application_name, date_updated, deleted)
       VALUES ($1, $2, '', 0, true)
       ON CONFLICT (company_id, application_id) DO UPDATE SET deleted = true`,
      [tx.companyId, applicationId],
    );
  }
}

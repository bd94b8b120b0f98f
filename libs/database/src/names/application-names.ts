import { type Application, notFound } from '@signalbox/contracts';
import type { Tx } from '../tx.js';
import { APPLICATION_NAMES } from './application-names.sql.js';

export type NamedApplication = Pick<Application, 'id' | 'application_name' | 'date_updated'>;

/**
 * The names of the applications that resources of one service are bound to, in the table `application_names` of its
 * schema. A deleted application keeps its row, so that nothing can be bound to it concurrently.
 *
 * SQL: names arrive out of order, so an upsert keeps the newest.
 */
export class ApplicationNames {
  private readonly sql: ReturnType<typeof APPLICATION_NAMES.of>;

  constructor(schema: string) {
    this.sql = APPLICATION_NAMES.of(schema);
  }

  /** 404 when the application was deleted concurrently. */
  async bind(tx: Tx, application: NamedApplication): Promise<void> {
    if (!(await this.rename(tx, application))) throw notFound('application');
  }

  /** An older name never replaces a newer one. False once the application is deleted. */
  async rename(tx: Tx, { id, application_name, date_updated }: NamedApplication): Promise<boolean> {
    const [row] = await tx.query<{ deleted: boolean }>(this.sql.rename, [
      tx.companyId,
      id,
      application_name,
      date_updated,
    ]);
    return row?.deleted === false;
  }

  async remove(tx: Tx, applicationId: number): Promise<void> {
    await tx.query(this.sql.remove, [tx.companyId, applicationId]);
  }
}

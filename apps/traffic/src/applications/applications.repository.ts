import { Injectable } from '@nestjs/common';
import { type Application, notFound, type OnOff } from '@signalbox/contracts';
import { CompanyRepository, Database, type View } from '@signalbox/database';
import { ApplicationRow } from './application.entity.js';

const view: View = {
  resource: 'application',
  table: 'traffic.applications',
  columns: [
    'id',
    'application_name',
    'application_ref_name',
    'description',
    'state',
    'meta',
    'date_created',
    'date_updated',
  ],
  search: ['t.application_name', 't.application_ref_name', 't.description'],
  sort: { application_name: 't.application_name', application_ref_name: 't.application_ref_name' },
};

/** Rows of applications. */
@Injectable()
export class Applications extends CompanyRepository<ApplicationRow, Application> {
  constructor(db: Database) {
    super(db, {
      entity: ApplicationRow,
      view,
      type: 'application',
      taken: { applications_ref_name: 'application_ref_name is taken' },
    });
  }

  /** Whether an application takes calls. */
  async stateOf(companyId: number, id: number): Promise<OnOff> {
    const [row] = await this.db.select<{ state: OnOff }>(
      companyId,
      `SELECT a.state FROM s, LATERAL (SELECT state FROM traffic.applications t
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) a`,
      [id],
    );
    if (!row) throw notFound('application');
    return row.state;
  }

  /** Finds an application by its reference name. */
  async byRef(companyId: number, ref: string): Promise<{ id: number; state: OnOff } | null> {
    const [row] = await this.db.select<{ id: number; state: OnOff }>(
      companyId,
      `SELECT a.id, a.state FROM s, LATERAL (SELECT id, state FROM traffic.applications t
         WHERE t.company_id = s.company AND t.application_ref_name = $2 AND t.deleted_at IS NULL OFFSET 0) a`,
      [ref],
    );
    return row ?? null;
  }
}

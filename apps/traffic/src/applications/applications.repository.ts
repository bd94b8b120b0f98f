import { Injectable } from '@nestjs/common';
import {
  type Application,
  type Caller,
  type Deleted,
  emission,
  type JsonText,
  notFound,
  type OnOff,
  trafficEvents,
  emits,
} from '@signalbox/contracts';
import { CompanyRepository, Database, type Owner, type Tx, type View } from '@signalbox/database';
import { activityOf } from '../activity/index.js';
import { ConfigLayers, type Overrides } from '../config/index.js';
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
    'config',
    'meta',
    'fault_notifications',
    'session_summaries',
    'date_created',
    'date_updated',
  ],
  computed: {
    intent_count: `(SELECT count(*) FROM traffic.intents i
      WHERE i.company_id = t.company_id AND i.application_id = t.id AND i.deleted_at IS NULL)`,
    ...activityOf('y.application_id = t.id'),
  },
  search: ['t.application_name', 't.application_ref_name', 't.description'],
  sort: { application_name: 't.application_name', application_ref_name: 't.application_ref_name' },
  large: ['config'],
};

/** The part of an application that calls need. */
export interface CalledApplication {
  state: OnOff;
  model: string | null;
}

/** Rows of applications. */
@Injectable()
export class Applications extends CompanyRepository<ApplicationRow, Application> {
  constructor(
    db: Database,
    private readonly layers: ConfigLayers,
  ) {
    super(db, {
      entity: ApplicationRow,
      view,
      type: 'application',
      taken: { applications_ref_name: 'application_ref_name is taken' },
    });
  }

  add(owner: Owner, values: Partial<ApplicationRow> & { config: Overrides }): Promise<JsonText<Application>> {
    const prepare = (tx: Tx) =>
      this.layers.require(tx, [{ from: 'application', config: values.config }], values.config);
    return this.create(owner, values, [emits('application.created')], prepare);
  }

  /** Deletes an application with its intents. */
  drop(caller: Caller, id: number): Promise<Deleted> {
    return this.remove(
      caller,
      id,
      () => ({ events: [emits('application.deleted')] }),
      async (tx) => {
        const gone = await tx.query<{ id: number }>(
          `UPDATE traffic.intents SET deleted_at = $3 WHERE company_id = $1 AND application_id = $2
             AND deleted_at IS NULL RETURNING id`,
          [tx.companyId, id, Date.now()],
        );
        tx.emit(...gone.map((intent) => emission(trafficEvents, 'intent.deleted', intent.id, { id: intent.id })));
      },
    );
  }

  /** The application of a name or of its reference name; null when there is none. */
  async findNamed(companyId: number, name: string, slug: string): Promise<Application | null> {
    const [row] = await this.db.select<{ id: number }>(
      companyId,
      `SELECT a.* FROM s, LATERAL (SELECT t.id FROM traffic.applications t
         WHERE t.company_id = s.company AND t.deleted_at IS NULL AND (t.application_ref_name = $3 OR t.application_name = $2)
         ORDER BY t.application_name = $2 DESC, t.id LIMIT 1 OFFSET 0) a`,
      [name, slug],
    );
    const found = row && (await this.db.readOne<Application>(view, companyId, row.id));
    return found ? (JSON.parse(found.text) as Application) : null;
  }

  /** The number of applications of a company. */
  async count(companyId: number): Promise<number> {
    const [row] = await this.db.select<{ count: number }>(
      companyId,
      `SELECT a.* FROM s, LATERAL (SELECT count(*)::int AS count FROM traffic.applications t
         WHERE t.company_id = s.company AND t.deleted_at IS NULL OFFSET 0) a`,
    );
    return row?.count ?? 0;
  }

  /** 404 when the company has no such application. */
  async require(companyId: number, id: number): Promise<void> {
    await this.called(companyId, id);
  }

  /** Locks an application against deletion until the transaction ends; 404 when it does not exist. */
  async share(tx: Tx, id: number): Promise<void> {
    const found = await tx.query(
      'SELECT 1 FROM traffic.applications WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE',
      [tx.companyId, id],
    );
    if (found.length === 0) throw notFound('application');
  }

  /** The state of an application and its default model. */
  async called(companyId: number, id: number): Promise<CalledApplication> {
    const [row] = await this.db.select<CalledApplication>(
      companyId,
      `SELECT a.* FROM s, LATERAL (SELECT t.state, t.config->>'model' AS model FROM traffic.applications t
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) a`,
      [id],
    );
    if (!row) throw notFound('application');
    return row;
  }
}

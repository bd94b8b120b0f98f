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
import { CompanyRepository, Database, type Owner, type Tx } from '@signalbox/database';
import { SHARE_ROW } from '../share-row.sql.js';
import { ConfigLayers, type Overrides } from '../config/index.js';
import { ApplicationRow } from './application.entity.js';
import { COUNT_APPLICATIONS, DELETE_INTENTS, FIND_CALLED, FIND_NAMED, view } from './applications.sql.js';

export interface CalledApplication {
  state: OnOff;
  model: string | null;
}

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
      uniqueViolations: { applications_ref_name: 'application_ref_name is taken' },
    });
  }

  add(owner: Owner, values: Partial<ApplicationRow> & { config: Overrides }): Promise<JsonText<Application>> {
    const prepare = (tx: Tx) =>
      this.layers.require(tx, [{ from: 'application', config: values.config }], values.config);
    return this.create(owner, values, [emits('application.created')], prepare);
  }

  drop(caller: Caller, id: number): Promise<Deleted> {
    return this.remove(
      caller,
      id,
      () => ({ events: [emits('application.deleted')] }),
      async (tx) => {
        const gone = await tx.query<{ id: number }>(DELETE_INTENTS, [tx.companyId, id, Date.now()]);
        tx.emit(...gone.map((intent) => emission(trafficEvents, 'intent.deleted', intent.id, { id: intent.id })));
      },
    );
  }

  async findNamed(companyId: number, name: string, slug: string): Promise<Application | null> {
    const [row] = await this.db.select<{ id: number }>(companyId, FIND_NAMED, [name, slug]);
    const found = row && (await this.db.readOne<Application>(view, companyId, row.id));
    return found ? (JSON.parse(found.text) as Application) : null;
  }

  async count(companyId: number): Promise<number> {
    const [row] = await this.db.select<{ count: number }>(companyId, COUNT_APPLICATIONS);
    return row?.count ?? 0;
  }

  async require(companyId: number, id: number): Promise<void> {
    await this.called(companyId, id);
  }

  /** Locks an application against deletion until the transaction ends; 404 when it does not exist. */
  async share(tx: Tx, id: number): Promise<void> {
    const found = await tx.query(SHARE_ROW('applications'), [tx.companyId, id]);
    if (found.length === 0) throw notFound('application');
  }

  async called(companyId: number, id: number): Promise<CalledApplication> {
    const [row] = await this.db.select<CalledApplication>(companyId, FIND_CALLED, [id]);
    if (!row) throw notFound('application');
    return row;
  }
}

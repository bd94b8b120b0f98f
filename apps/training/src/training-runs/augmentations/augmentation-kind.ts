import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Augmentation, type Caller, type JsonText, notFound, type Page } from '@signalbox/contracts';
import { Database, type ListOptions, type Tx, filtersOf } from '@signalbox/database';
import { recordSql, RUN_EVENTS, type RunKind, RunNotifications, Runs, StreamSubscribers } from '@signalbox/runs';
import { Datasets } from '../../datasets/index.js';
import { augmentationStates, type AugmentationTrigger, lifecycle, type RunningAugmentation } from './augmentation.js';
import { FIELDS, LAST_ROW, STORED_AUGMENTATIONS, view } from './augmentation-kind.sql.js';

const AUGMENTATION_WORK = 'augmentation';

const AUGMENTATIONS: RunKind<RunningAugmentation, AugmentationTrigger, Augmentation> = {
  ...STORED_AUGMENTATIONS,
  ...RUN_EVENTS,
  noun: 'augmentation',
  work: AUGMENTATION_WORK,
  states: augmentationStates,
  record: recordSql(FIELDS),
  lifecycle,
};

type NewAugmentation = Pick<Augmentation, 'dataset_id' | 'type' | 'model' | 'schema' | 'count'>;

/** SQL: clients know an augmentation by its serial number, the library by its uuid. */
@Injectable()
export class Augmentations extends Runs<RunningAugmentation, AugmentationTrigger, Augmentation> {
  constructor(
    db: Database,
    notifications: RunNotifications,
    subscribers: StreamSubscribers,
    private readonly datasets: Datasets,
  ) {
    super(AUGMENTATIONS, db, notifications, subscribers);
  }

  /** For the rows that the dataset has now. */
  create(caller: Caller, values: NewAugmentation): Promise<JsonText<Augmentation>> {
    return this.db.withCompany(caller, async (tx) => {
      await this.datasets.lockRows(tx, values.dataset_id);
      const id = randomUUID();
      const { schema, ...plain } = values;
      const columns = {
        ...plain,
        schema: JSON.stringify(schema),
        status: 'CREATED',
        upto: await this.lastRow(tx, values.dataset_id),
      };
      await this.writes.accept(tx, { id, workKind: AUGMENTATION_WORK, values: columns });
      const made = await tx.read<Augmentation>({ ...view, key: 'id', keyType: 'uuid' }, id);
      if (!made) throw notFound('augmentation');
      const after = JSON.parse(made.text) as Augmentation;
      tx.audit({
        action: 'update',
        resource_type: 'dataset',
        resource_id: String(values.dataset_id),
        before: null,
        after: { augmentation: after },
      });
      return made;
    });
  }

  async list(companyId: number, datasetId: number, query: ListOptions): Promise<JsonText<Page<Augmentation>>> {
    await this.datasets.require(companyId, datasetId);
    const filters = filtersOf(view, { dataset_id: datasetId });
    return this.db.list<Augmentation>(view, companyId, { ...query, filters });
  }

  /** Throws 404. */
  async find(companyId: number, datasetId: number, no: number): Promise<Augmentation> {
    await this.datasets.require(companyId, datasetId);
    const found = await this.db.readOne<Augmentation>(view, companyId, no);
    const augmentation = found && (JSON.parse(found.text) as Augmentation);
    if (augmentation?.dataset_id !== datasetId) throw notFound('augmentation');
    return augmentation;
  }

  private async lastRow(tx: Tx, datasetId: number): Promise<number> {
    const [last] = await tx.query<{ id: number | null }>(LAST_ROW, [tx.companyId, datasetId]);
    return last?.id ?? 0;
  }
}

import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type Dataset,
  emission,
  emits,
  type JsonText,
  notFound,
  type Page,
  trainingEvents,
} from '@signalbox/contracts';
import { CompanyRepository, Database, type ListOptions, type Tx, filtersOf } from '@signalbox/database';
import { requireChangeable } from './dataset.js';
import { DatasetRow } from './dataset.entity.js';
import { LOCK_DATASET, ADD_TO_COUNT, DATASETS_OF_GROUP, view } from './datasets.sql.js';

const TAKEN = { datasets_name: 'a dataset of this name exists already' };

type NewDataset = Pick<DatasetRow, 'dataset_name' | 'intent_group_id' | 'tags' | 'meta'> & {
  description?: string | null;
  application_id?: number | null;
};

export type LockedDataset = Pick<DatasetRow, 'id' | 'status' | 'request_count'>;

/** SQL: the counter of a dataset is written with its rows under one lock. */
@Injectable()
export class Datasets extends CompanyRepository<DatasetRow, Dataset> {
  constructor(db: Database) {
    super(db, { entity: DatasetRow, view, type: 'dataset', uniqueViolations: TAKEN });
  }

  /** Throws 404. */
  async require(companyId: number, id: number): Promise<void> {
    await this.get(companyId, id);
  }

  add(caller: Caller, values: NewDataset): Promise<JsonText<Dataset>> {
    return this.create(caller, values, [emits('dataset.created')]);
  }

  /** With an application: its datasets and those without any application. */
  listOfGroup(
    companyId: number,
    { groupId, applicationId }: { groupId: number; applicationId?: number },
    query: ListOptions & { start_date?: number; end_date?: number },
  ): Promise<JsonText<Page<Dataset>>> {
    const { start_date, end_date } = query;
    const filters = filtersOf(view, { intent_group_id: groupId, of_application: applicationId, start_date, end_date });
    return this.list(companyId, { ...query, filters });
  }

  /** Throws 404 when the dataset does not exist, 409 when it is archived. */
  async lockRows(tx: Tx, id: number): Promise<LockedDataset> {
    const [dataset] = await tx.query<LockedDataset>(LOCK_DATASET, [tx.companyId, id]);
    if (!dataset) throw notFound('dataset');
    requireChangeable(dataset);
    return dataset;
  }

  /** Adds to the counter of a locked dataset, from which its state follows, and emits an event. */
  async count(tx: Tx, dataset: LockedDataset, rows: number): Promise<void> {
    await tx.query(ADD_TO_COUNT, [tx.companyId, dataset.id, rows]);
    dataset.request_count += rows;
    const record = JSON.parse((await tx.read<Dataset>(view, dataset.id))?.text ?? '{}') as Dataset;
    tx.emit(
      rows > 0
        ? emission(trainingEvents, 'dataset.requests_added', dataset.id, { ...record, count: rows })
        : emission(trainingEvents, 'dataset.updated', dataset.id, record),
    );
  }

  /** `ids` are the first 20, `total` counts all. */
  async ofGroup(companyId: number, groupId: number): Promise<{ ids: number[]; total: number }> {
    const [found] = await this.db.select<{ ids: number[] | null; total: number }>(companyId, DATASETS_OF_GROUP, [
      groupId,
    ]);
    return { ids: found?.ids ?? [], total: found?.total ?? 0 };
  }
}

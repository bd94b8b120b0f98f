import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type DatasetRequest,
  type Deleted,
  inputHash,
  type JsonText,
  type ListedDatasetRequest,
  notFound,
  type Page,
} from '@signalbox/contracts';
import { CompanyRepository, Database, type ListOptions, type Tx, filtersOf } from '@signalbox/database';
import { Datasets, type LockedDataset, requireCapacity } from '../datasets/index.js';
import { bodyBytes, type NewRow, requireInDataset, type RowChange } from './dataset-request.js';
import { DatasetRequestRow } from './dataset-request.entity.js';
import { pageView, requestView } from './dataset-request-views.sql.js';
import {
  REQUEST_IDS_OF_DATASET,
  IDS_OF_REQUESTS,
  INSERT_ROWS,
  ADDED_ROWS,
  EDIT_ROW,
  DELETE_ROW,
} from './dataset-requests.sql.js';

/** Characters of JSON per statement. */
const BATCH_CHARS = 4_194_304;

const columnsOf = (row: NewRow): string =>
  JSON.stringify({ ...row, input_hash: inputHash(row.messages), body_bytes: bodyBytes(row) });

const textOf = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

function* batchesOf(texts: Iterable<string>): Generator<string[]> {
  let batch: string[] = [];
  let chars = 0;
  for (const text of texts) {
    if (batch.length > 0 && chars + text.length > BATCH_CHARS) {
      yield batch;
      batch = [];
      chars = 0;
    }
    batch.push(text);
    chars += text.length;
  }
  if (batch.length > 0) yield batch;
}

/** SQL: rows are added in bulk from JSON under the lock of their dataset. */
@Injectable()
export class DatasetRequests extends CompanyRepository<DatasetRequestRow, DatasetRequest> {
  constructor(
    db: Database,
    private readonly datasets: Datasets,
  ) {
    super(db, { entity: DatasetRequestRow, view: requestView, type: 'dataset' });
  }

  async page(companyId: number, datasetId: number, query: ListOptions): Promise<JsonText<Page<ListedDatasetRequest>>> {
    await this.datasets.require(companyId, datasetId);
    const filters = [...filtersOf(pageView, { dataset_id: datasetId }), ...(query.filters ?? [])];
    return this.db.list<ListedDatasetRequest>(pageView, companyId, { ...query, filters });
  }

  async find(companyId: number, datasetId: number, id: number): Promise<DatasetRequest> {
    const row = JSON.parse((await this.get(companyId, id)).text) as DatasetRequest;
    requireInDataset(row, datasetId);
    return row;
  }

  async requestIds(companyId: number, datasetId: number): Promise<string[]> {
    const rows = await this.db.select<{ request_id: string }>(companyId, REQUEST_IDS_OF_DATASET, [datasetId]);
    return rows.map(({ request_id }) => request_id);
  }

  /** Row ids by request id. */
  async idsOf(tx: Tx, datasetId: number, requestIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await tx.query<{ request_id: string; id: number }>(IDS_OF_REQUESTS, [
      tx.companyId,
      datasetId,
      requestIds,
    ]);
    return new Map(rows.map(({ request_id, id }) => [request_id, id]));
  }

  /** Returns the ids in order. The caller counts and audits the rows. */
  async insertRows(tx: Tx, dataset: LockedDataset, rows: readonly NewRow[]): Promise<number[]> {
    requireCapacity(dataset.request_count, rows.length);
    const ids: number[] = [];
    for (const batch of batchesOf(rows.map(columnsOf))) ids.push(...(await this.insertBatch(tx, dataset.id, batch)));
    return ids;
  }

  private async insertBatch(tx: Tx, datasetId: number, rows: readonly string[]): Promise<number[]> {
    const added = await tx.query<{ id: number }>(INSERT_ROWS, [tx.companyId, datasetId, `[${rows.join(',')}]`]);
    return added.map(({ id }) => id);
  }

  async added(tx: Tx, ids: readonly number[]): Promise<ListedDatasetRequest[]> {
    const rows = await tx.query<{ row: ListedDatasetRequest }>(ADDED_ROWS, [tx.companyId, ids]);
    return rows.map(({ row }) => row);
  }

  /** Throws 409 for an archived dataset. */
  edit(caller: Caller, datasetId: number, id: number, change: RowChange): Promise<JsonText<DatasetRequest>> {
    return this.db.withCompany(caller, async (tx) => {
      const { dataset, row, before } = await this.lockBoth(tx, datasetId, id);
      if (Object.keys(change).length === 0) return before;
      const { messages, response, meta } = change;
      await tx.query(EDIT_ROW, [
        tx.companyId,
        id,
        textOf(messages),
        textOf(response),
        textOf(meta),
        messages ? inputHash(messages) : null,
        messages || response ? bodyBytes({ ...row, ...change }) : null,
      ]);
      await this.datasets.count(tx, dataset, 0);
      const after = await tx.read<DatasetRequest>(requestView, id);
      if (!after) throw notFound('dataset request');
      audit(tx, datasetId, before, after);
      return after;
    });
  }

  /** Throws 409 for an archived dataset. */
  drop(caller: Caller, datasetId: number, id: number): Promise<Deleted> {
    return this.db.withCompany(caller, async (tx) => {
      const { dataset, before } = await this.lockBoth(tx, datasetId, id);
      await tx.query(DELETE_ROW, [tx.companyId, id]);
      await this.datasets.count(tx, dataset, -1);
      audit(tx, datasetId, before, null);
      return { id, deleted: true };
    });
  }

  /** Dataset before row: the same order as additions, against deadlocks. */
  private async lockBoth(tx: Tx, datasetId: number, id: number) {
    const dataset = await this.datasets.lockRows(tx, datasetId);
    const { row, before } = await this.lock(tx, id);
    requireInDataset(row, datasetId);
    return { dataset, row, before };
  }
}

/** Audits a change of a row as one of its dataset. */
function audit(tx: Tx, datasetId: number, before: JsonText<DatasetRequest>, after: JsonText<DatasetRequest> | null) {
  tx.audit({
    action: 'update',
    resource_type: 'dataset',
    resource_id: String(datasetId),
    before: { request: JSON.parse(before.text) as object },
    after: { request: after && (JSON.parse(after.text) as object) },
  });
}

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
import { CompanyRepository, Database, fieldsSql, type ListOptions, NOW_MS, type Tx } from '@signalbox/database';
import { Datasets, type LockedDataset, requireRoom } from '../datasets/index.js';
import { bodyBytes, type NewRow, requireInDataset, type RowChange } from './dataset-request.js';
import { DatasetRequestRow } from './dataset-request.entity.js';
import { listedView, requestView } from './dataset-request.views.js';

const pageView = listedView(32_768);
/** A reply to an addition has up to a thousand rows. */
const addedView = listedView(8192);

/** Characters of JSON that one statement writes. */
const BATCH_CHARS = 4_194_304;

/** The columns of a row as JSON. */
const columnsOf = (row: NewRow): string =>
  JSON.stringify({ ...row, input_hash: inputHash(row.messages), body_bytes: bodyBytes(row) });

/** Texts in groups that fit into one statement. */
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

/**
 * Rows of datasets.
 *
 * SQL: rows are added in bulk from JSON under the lock of their dataset.
 */
@Injectable()
export class DatasetRequests extends CompanyRepository<DatasetRequestRow, DatasetRequest> {
  constructor(
    db: Database,
    private readonly datasets: Datasets,
  ) {
    super(db, { entity: DatasetRequestRow, view: requestView, type: 'dataset' });
  }

  /** One page of the rows of a dataset. */
  async page(companyId: number, datasetId: number, query: ListOptions): Promise<JsonText<Page<ListedDatasetRequest>>> {
    await this.datasets.require(companyId, datasetId);
    const filters = [{ sql: 't.dataset_id = ?', value: datasetId }, ...(query.filters ?? [])];
    return this.db.list<ListedDatasetRequest>(pageView, companyId, { ...query, filters });
  }

  /** One row of a dataset. */
  async find(companyId: number, datasetId: number, id: number): Promise<DatasetRequest> {
    const row = JSON.parse((await this.get(companyId, id)).text) as DatasetRequest;
    requireInDataset(row, datasetId);
    return row;
  }

  /** The recorded requests that a dataset has rows of. */
  async requestIds(companyId: number, datasetId: number): Promise<string[]> {
    const rows = await this.db.select<{ request_id: string }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.request_id FROM training.dataset_requests t WHERE t.company_id = s.company
         AND t.dataset_id = $2 AND t.request_id IS NOT NULL AND t.deleted_at IS NULL OFFSET 0) x`,
      [datasetId],
    );
    return rows.map(({ request_id }) => request_id);
  }

  /** The ids of the rows that a dataset has of recorded requests, by request. */
  async idsOf(tx: Tx, datasetId: number, requestIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await tx.query<{ request_id: string; id: number }>(
      `SELECT request_id, id FROM training.dataset_requests WHERE company_id = $1 AND dataset_id = $2
         AND request_id = ANY ($3::uuid[]) AND deleted_at IS NULL`,
      [tx.companyId, datasetId, requestIds],
    );
    return new Map(rows.map(({ request_id, id }) => [request_id, id]));
  }

  /** Adds rows to a locked dataset; returns their ids in order. The caller counts and audits them. */
  async insertRows(tx: Tx, dataset: LockedDataset, rows: readonly NewRow[]): Promise<number[]> {
    requireRoom(dataset.request_count, rows.length);
    const ids: number[] = [];
    for (const batch of batchesOf(rows.map(columnsOf))) ids.push(...(await this.insertBatch(tx, dataset.id, batch)));
    return ids;
  }

  private async insertBatch(tx: Tx, datasetId: number, rows: readonly string[]): Promise<number[]> {
    const added = await tx.query<{ id: number }>(
      `INSERT INTO training.dataset_requests (company_id, dataset_id, request_id, source, is_corrected, messages, response,
         tools, meta, input_hash, body_bytes)
       SELECT $1, $2, (e.r->>'request_id')::uuid, e.r->>'source', COALESCE((e.r->>'is_corrected')::boolean, false),
         e.r->'messages', e.r->'response', CASE WHEN json_typeof(e.r->'tools') = 'array' THEN e.r->'tools' END,
         COALESCE((e.r->'meta')::jsonb, '{}'), e.r->>'input_hash', (e.r->>'body_bytes')::int
       FROM json_array_elements($3::json) WITH ORDINALITY e(r, n) ORDER BY e.n RETURNING id`,
      [tx.companyId, datasetId, `[${rows.join(',')}]`],
    );
    return added.map(({ id }) => id);
  }

  /** Rows as a reply to their addition, in the order of the ids. */
  async added(tx: Tx, ids: readonly number[]): Promise<ListedDatasetRequest[]> {
    const rows = await tx.query<{ row: ListedDatasetRequest }>(
      `SELECT row_to_json(f) AS row FROM unnest($2::int[]) WITH ORDINALITY g(id, n)
       CROSS JOIN LATERAL (SELECT ${fieldsSql(addedView, true)} FROM ${addedView.table} t
         WHERE t.company_id = $1 AND t.id = g.id) f ORDER BY g.n`,
      [tx.companyId, ids],
    );
    return rows.map(({ row }) => row);
  }

  /** Changes one row of a dataset that is not archived. */
  edit(caller: Caller, datasetId: number, id: number, change: RowChange): Promise<JsonText<DatasetRequest>> {
    return this.db.withCompany(caller, async (tx) => {
      const { dataset, row, before } = await this.lockBoth(tx, datasetId, id);
      if (Object.keys(change).length === 0) return before;
      const { messages, response, meta, tools } = { ...row, ...change };
      await tx.query(
        `UPDATE training.dataset_requests SET messages = $3, response = $4, meta = $5, input_hash = $6, body_bytes = $7,
           date_updated = ${NOW_MS} WHERE company_id = $1 AND id = $2`,
        [
          tx.companyId,
          id,
          JSON.stringify(messages),
          JSON.stringify(response),
          JSON.stringify(meta),
          inputHash(messages),
          bodyBytes({ messages, response, tools }),
        ],
      );
      await this.datasets.count(tx, dataset, 0);
      const after = await tx.read<DatasetRequest>(requestView, id);
      if (!after) throw notFound('dataset request');
      audit(tx, datasetId, before, after);
      return after;
    });
  }

  /** Deletes one row of a dataset that is not archived. */
  drop(caller: Caller, datasetId: number, id: number): Promise<Deleted> {
    return this.db.withCompany(caller, async (tx) => {
      const { dataset, before } = await this.lockBoth(tx, datasetId, id);
      await tx.query(`UPDATE training.dataset_requests SET deleted_at = ${NOW_MS} WHERE company_id = $1 AND id = $2`, [
        tx.companyId,
        id,
      ]);
      await this.datasets.count(tx, dataset, -1);
      audit(tx, datasetId, before, null);
      return { id, deleted: true };
    });
  }

  /** Locks a row after its dataset, as additions do. */
  private async lockBoth(tx: Tx, datasetId: number, id: number) {
    const dataset = await this.datasets.lockRows(tx, datasetId);
    const { row, before } = await this.lock(tx, id);
    requireInDataset(row, datasetId);
    return { dataset, row, before };
  }
}

/** A row is audited as a part of its dataset. */
function audit(tx: Tx, datasetId: number, before: JsonText<DatasetRequest>, after: JsonText<DatasetRequest> | null) {
  tx.audit({
    action: 'update',
    resource_type: 'dataset',
    resource_id: String(datasetId),
    before: { request: JSON.parse(before.text) as object },
    after: { request: after && (JSON.parse(after.text) as object) },
  });
}

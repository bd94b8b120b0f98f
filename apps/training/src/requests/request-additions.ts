import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import {
  type AddedByFilter,
  type AddedRequests,
  ApiError,
  type Caller,
  conflict,
  type Dataset,
  type InputOf,
  notFound,
  type RequestFilter,
  requestSources,
  type SelectedRequests,
} from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { Datasets, requireChangeable } from '../datasets/index.js';
import { type NewRow, rowOfRequest } from './dataset-request.js';
import { DatasetRequests } from './dataset-requests.repository.js';

type SelectRequests = InputOf<typeof requestSources.endpoints.selectRequests>;

const PAGE = 200;
/** Characters of JSON of all requests of one call. */
const MAX_CHARS = 67_108_864;

@Injectable()
export class RequestAdditions {
  constructor(
    private readonly db: Database,
    private readonly bus: BusClient,
    private readonly datasets: Datasets,
    private readonly requests: DatasetRequests,
  ) {}

  /** For a request that has a row in the dataset, that row is returned. */
  add(caller: Caller, datasetId: number, rows: readonly NewRow[]): Promise<AddedRequests> {
    return this.db.withCompany(caller, async (tx) => {
      const dataset = await this.datasets.lockRows(tx, datasetId);
      const known = await this.requests.idsOf(
        tx,
        datasetId,
        rows.flatMap(({ request_id }) => request_id ?? []),
      );
      const fresh = rows.filter(({ request_id }) => request_id === undefined || !known.has(request_id));
      const ids = await this.requests.insertRows(tx, dataset, fresh);
      if (ids.length > 0) {
        await this.datasets.count(tx, dataset, ids.length);
        tx.audit({
          action: 'import',
          resource_type: 'dataset',
          resource_id: String(datasetId),
          before: null,
          after: { added: ids.length, request_ids: fresh.flatMap(({ request_id }) => request_id ?? []) },
        });
      }
      const inOrder = [...ids];
      const all = rows.map(({ request_id }) => known.get(request_id ?? '') ?? inOrder.shift() ?? 0);
      return {
        added: ids.length,
        existing: rows.length - ids.length,
        requests: await this.requests.added(tx, all),
      };
    });
  }

  /** Adds all of the requests or, when one cannot be added, none. */
  async addById(caller: Caller, datasetId: number, given: readonly string[], useCorrection: boolean) {
    await this.datasets.require(caller.companyId, datasetId);
    const ids = [...new Set(given)];
    const rows: NewRow[] = [];
    let chars = 0;
    for await (const { page, found } of this.read(caller, ids)) {
      if (found.length < page.length) throw notFound('request');
      rows.push(...found.map((source) => rowOfRequest(source, useCorrection)));
      chars += found.reduce((sum, source) => sum + JSON.stringify(source).length, 0);
      if (chars > MAX_CHARS) throw conflict('the requests of this call are too large together: add fewer by one call');
    }
    return this.add(caller, datasetId, rows);
  }

  /**
   * Adds the newest requests that match, in a transaction per page: repeating an interrupted call adds the rest,
   * because a request has at most one row.
   */
  async addByFilter(caller: Caller, datasetId: number, filter: RequestFilter, max: number): Promise<AddedByFilter> {
    requireChangeable(JSON.parse((await this.datasets.get(caller.companyId, datasetId)).text) as Dataset);
    const { idempotency: _claim, ...unclaimed } = caller;
    const counts = { added: 0, existing: 0 };
    let before: number | null = null;
    do {
      const limit: number = Math.min(PAGE, max - counts.added - counts.existing);
      const selection: SelectRequests = { ...filter, before, limit };
      const selected: SelectedRequests = await this.bus.call(
        requestSources.endpoints.selectRequests,
        selection,
        caller,
      );
      for await (const { found } of this.read(caller, selected.request_ids)) {
        const { added, existing } = await this.add(unclaimed, datasetId, found.flatMap(rowsOf));
        counts.added += added;
        counts.existing += existing;
      }
      before = selected.before;
    } while (before !== null && counts.added + counts.existing < max);
    return this.db.withCompany(caller, () => Promise.resolve(counts));
  }

  /** Pages of as many requests as fit into one reply. */
  private async *read(caller: Caller, ids: readonly string[]) {
    for (let at = 0; at < ids.length;) {
      const request_ids = ids.slice(at, at + PAGE);
      const reply = await this.bus.call(requestSources.endpoints.readTrainingSources, { request_ids }, caller);
      yield { page: request_ids.slice(0, reply.read), found: reply.sources };
      at += reply.read;
    }
  }
}

/** Empty for a request that cannot be a row. */
function rowsOf(source: Parameters<typeof rowOfRequest>[0]): NewRow[] {
  try {
    return [rowOfRequest(source, true)];
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return [];
    throw error;
  }
}

import { BusClient, Serves } from '@signalbox/bus';
import {
  type AddedByFilter,
  type AddedRequests,
  type Caller,
  type CallTo,
  datasetRequests,
  earlierReply,
  type Handlers,
  requestSources,
} from '@signalbox/contracts';
import { filtersOf, likeTextInJson } from '@signalbox/database';
import { Datasets } from '../datasets/index.js';
import { bodyBytes, type NewRow } from './dataset-request.js';
import { pageView } from './dataset-request-views.sql.js';
import { DatasetRequests } from './dataset-requests.repository.js';
import { RequestAdditions } from './request-additions.js';

type C = typeof datasetRequests;

@Serves(datasetRequests)
export class DatasetRequestHandlers implements Handlers<C> {
  constructor(
    private readonly requests: DatasetRequests,
    private readonly additions: RequestAdditions,
    private readonly datasets: Datasets,
    private readonly bus: BusClient,
  ) {}

  async addDatasetRequests({ input, caller }: CallTo<C, 'addDatasetRequests'>) {
    const earlier = earlierReply<AddedRequests>(caller);
    if (earlier) return earlier;
    const { dataset_id, request_ids, items = [], use_correction } = input;
    if (request_ids) return this.additions.addById(caller, dataset_id, request_ids, use_correction);
    const rows = items.map((item): NewRow => ({ ...item, tools: null, source: 'MANUAL' }));
    rows.forEach(bodyBytes);
    return this.additions.add(caller, dataset_id, rows);
  }

  async addDatasetRequestsByFilter({
    input: { dataset_id, max, ...filter },
    caller,
  }: CallTo<C, 'addDatasetRequestsByFilter'>) {
    const earlier = earlierReply<AddedByFilter>(caller);
    return earlier ?? this.additions.addByFilter(caller, dataset_id, filter, max);
  }

  async searchAddedRequests({ input, caller }: CallTo<C, 'searchAddedRequests'>) {
    const { dataset_id, text, source, tag_ids = [], is_corrected, start_date, end_date } = input;
    const filters = filtersOf(pageView, {
      ...{ source, is_corrected, start_date, end_date },
      text: text ? likeTextInJson(text) : undefined,
      request_ids: tag_ids.length > 0 ? await this.tagged(caller, dataset_id, tag_ids) : undefined,
    });
    return this.requests.page(caller.companyId, dataset_id, { ...input, filters });
  }

  async searchAvailableRequests({ input: { dataset_id, ...query }, caller }: CallTo<C, 'searchAvailableRequests'>) {
    await this.datasets.require(caller.companyId, dataset_id);
    const except = await this.requests.requestIds(caller.companyId, dataset_id);
    return this.bus.call(requestSources.endpoints.searchRequestsExcept, { ...query, except }, caller);
  }

  getDatasetRequest({ input, caller }: CallTo<C, 'getDatasetRequest'>) {
    return this.requests.find(caller.companyId, input.dataset_id, input.dataset_request_id);
  }

  updateDatasetRequest({
    input: { dataset_id, dataset_request_id, ...change },
    caller,
  }: CallTo<C, 'updateDatasetRequest'>) {
    return this.requests.edit(caller, dataset_id, dataset_request_id, change);
  }

  deleteDatasetRequest({ input, caller }: CallTo<C, 'deleteDatasetRequest'>) {
    return this.requests.drop(caller, input.dataset_id, input.dataset_request_id);
  }

  private async tagged(caller: Caller, datasetId: number, tag_ids: number[]): Promise<string[]> {
    const request_ids = await this.requests.requestIds(caller.companyId, datasetId);
    return (await this.bus.call(requestSources.endpoints.selectTagged, { tag_ids, request_ids }, caller)).request_ids;
  }
}

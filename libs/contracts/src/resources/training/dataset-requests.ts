import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { Checked } from '../../fields/checks.js';
import { intType, patternType } from '../../fields/field-types.js';
import {
  Count,
  Default,
  Description,
  Epoch,
  Flag,
  Id,
  Int,
  join,
  Json,
  List,
  ListOf,
  Nested,
  Nullable,
  Obj,
  omit,
  OneOf,
  Optional,
  partial,
  Str,
  Uuid,
} from '../../fields/fields.js';
import { DateRange, Deleted, ListQuery } from '../../shapes.js';
import { RecordedRequest, RequestFilter } from '../chat/recorded-requests.js';
import { DatasetPath } from './datasets.js';
import { TrainingMessage, TrainingResponse } from './training-data.js';

export const DATASET_SOURCES = ['REQUEST', 'UPLOAD', 'MANUAL', 'AUGMENTED'] as const;
export type DatasetSource = (typeof DATASET_SOURCES)[number];

class DatasetItem {
  @ListOf(() => TrainingMessage, 1, 1000) messages!: TrainingMessage[];
  @Nested(() => TrainingResponse) response!: TrainingResponse;
  @Obj() @Default(() => ({})) meta!: Record<string, unknown>;
}

/** One row of a dataset: messages and the answer to learn (docs/api/training.md). */
export class DatasetRequest {
  @Id() id!: number;
  @Id() dataset_id!: number;
  @Uuid() @Nullable() request_id!: string | null;
  @ListOf(() => TrainingMessage) messages!: TrainingMessage[];
  @Nested(() => TrainingResponse) response!: TrainingResponse;
  @Json() @Nullable() @Description('The tools that the answer could call') tools!: unknown[] | null;
  @OneOf(DATASET_SOURCES) source!: DatasetSource;
  @Flag() is_corrected!: boolean;
  @Obj() @Nullable() reasoning!: Record<string, unknown> | null;
  @Obj() meta!: Record<string, unknown>;
  @Epoch() date_added!: number;
}
export class ListedDatasetRequest extends omit(DatasetRequest, 'messages', 'response', 'tools') {
  @ListOf(() => TrainingMessage) @Nullable() @Description('Null when bodies_omitted is true') messages!:
    TrainingMessage[] | null;
  @Nested(() => TrainingResponse) @Nullable() response!: TrainingResponse | null;
  @Json() @Nullable() tools!: unknown[] | null;
  @Flag()
  @Description('True when messages, response and tools are left out because of their size; read the row alone')
  bodies_omitted!: boolean;
}

const requestIdType = patternType(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/, 'a lower-case UUID', 'uuid');

@Checked<AddRequests>(({ request_ids, items }) =>
  (request_ids === undefined) === (items === undefined)
    ? { field: 'request_ids', message: 'or items is required, and not both' }
    : undefined,
)
class AddRequests extends DatasetPath {
  @List(requestIdType, 1, 1000) @Optional() request_ids?: string[];
  @ListOf(() => DatasetItem, 1, 1000) @Optional() items?: DatasetItem[];
  @Flag() @Default(true) @Description('Takes the correction of a request when there is one') use_correction!: boolean;
}
/** The rows of a call, those that existed included. */
export class AddedRequests {
  @Count() added!: number;
  @Count() existing!: number;
  @ListOf(() => ListedDatasetRequest) requests!: ListedDatasetRequest[];
}
class AddByFilter extends join(DatasetPath, RequestFilter) {
  @Int(1, 50_000) @Default(1000) max!: number;
}
export class AddedByFilter {
  @Count() added!: number;
  @Count() existing!: number;
}

@DateRange
class SearchAdded extends ListQuery {
  @Id() dataset_id!: number;
  @Str(0, 200) @Optional() @Description('Found in messages or answer') text?: string;
  @OneOf(DATASET_SOURCES) @Optional() source?: DatasetSource;
  @List(intType(), 0, 100) @Optional() @Description('Rows of requests with any of the tags') tag_ids?: number[];
  @Flag() @Optional() is_corrected?: boolean;
  @Epoch() @Optional() start_date?: number;
  @Epoch() @Optional() end_date?: number;
}
class SearchAvailable extends join(DatasetPath, join(ListQuery, RequestFilter)) {}
class RowPath extends DatasetPath {
  @Id() dataset_request_id!: number;
}

const all = '/datasets/{dataset_id}/requests' as const;
const one = '/datasets/{dataset_id}/requests/{dataset_request_id}' as const;

/** Rows of datasets (docs/api/training.md). */
export const datasetRequests = defineContract(
  { name: 'dataset-requests', service: 'training', tag: 'Datasets' },
  {
    addDatasetRequests: {
      post: all,
      summary: 'Add recorded requests by id, or rows of your own',
      errors: ['conflict'],
      input: AddRequests,
      output: AddedRequests,
      delivery: { slow: true, readsAfter: 'completions' },
    },
    // Chosen: the newest requests first; those without an answer are not selected.
    addDatasetRequestsByFilter: {
      post: `${all}/add-by-filter`,
      summary: 'Add the newest recorded requests that a filter selects',
      errors: ['conflict'],
      input: AddByFilter,
      output: AddedByFilter,
      delivery: { slow: true, readsAfter: 'completions' },
    },
    searchAddedRequests: {
      post: '/datasets/{dataset_id}/added-requests/search',
      summary: 'Search the rows of a dataset',
      scope: 'read',
      input: SearchAdded,
      output: page(ListedDatasetRequest),
    },
    searchAvailableRequests: {
      post: '/datasets/{dataset_id}/available-requests/search',
      summary: 'Search the recorded requests that a dataset does not contain yet',
      scope: 'read',
      input: SearchAvailable,
      output: page(RecordedRequest),
      delivery: { readsAfter: 'completions' },
    },
    getDatasetRequest: { get: one, summary: 'Get a row of a dataset', input: RowPath, output: DatasetRequest },
    updateDatasetRequest: {
      put: one,
      summary: 'Change a row of a dataset; the recorded request stays as it is',
      errors: ['conflict'],
      input: join(RowPath, partial(DatasetItem)),
      output: DatasetRequest,
    },
    deleteDatasetRequest: {
      delete: one,
      summary: 'Delete a row of a dataset',
      errors: ['conflict'],
      input: RowPath,
      output: Deleted,
    },
  },
);

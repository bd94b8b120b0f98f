import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { intType, objType, patternType } from '../../fields/field-types.js';
import { Count, field, Flag, Id, Int, join, List, ListOf, Nullable, Uuid } from '../../fields/fields.js';
import { ListQuery } from '../../shapes.js';
import { RecordedRequest, RequestFilter } from '../chat/recorded-requests.js';
import { MAX_TRAINING_ROWS } from './training-data.js';

const idType = patternType(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/, 'a lower-case UUID', 'uuid');
const recorded = () => field(objType({ maxBytes: 33_554_432, maxDepth: 80 }));

class RequestIds {
  @List(idType, 1, 200) request_ids!: string[];
}
/** A recorded request as a training row is made of it. */
export class TrainingSource {
  @Uuid() request_id!: string;
  @recorded() params!: Record<string, unknown>;
  @recorded() @Nullable() response!: Record<string, unknown> | null;
  @recorded() @Nullable() corrected_response!: Record<string, unknown> | null;
  /** The size of a request that is larger than a reply carries, whose bodies are left out; else null. */
  @Count() @Nullable() oversize_bytes!: number | null;
}
/** The first requests that fit into one reply; unknown and deleted ones are left out. */
export class TrainingSources {
  @ListOf(() => TrainingSource) sources!: TrainingSource[];
  /** How many of the ids were read; the caller asks again for the rest. */
  @Count() read!: number;
}

class SelectRequests extends RequestFilter {
  /** Serial number below which the selection continues. */
  @Int(0, Number.MAX_SAFE_INTEGER) @Nullable() before!: number | null;
  @Int(1, 5000) limit!: number;
}
/** Answered requests, the newest first: fewer than asked for, or none, where few of many are selected. */
export class SelectedRequests {
  @List(idType) request_ids!: string[];
  /** Null when no further request is selected. */
  @Int(0, Number.MAX_SAFE_INTEGER) @Nullable() before!: number | null;
}

class SearchExcept extends join(ListQuery, RequestFilter) {
  @List(idType, 0, MAX_TRAINING_ROWS) except!: string[];
}
class TaggedAmong {
  @List(intType(), 1, 100) tag_ids!: number[];
  @List(idType, 0, MAX_TRAINING_ROWS) request_ids!: string[];
}
export class RequestIdList {
  @List(idType, 0, MAX_TRAINING_ROWS) request_ids!: string[];
}
class TrainingScope {
  @Id() intent_group_id!: number;
  @Id() @Nullable() application_id!: number | null;
}
export class Exists {
  @Flag() exists!: boolean;
}

/** Internal: recorded requests for datasets. */
export const requestSources = defineContract(
  { name: 'request-sources', service: 'traffic', tag: 'Internal' },
  {
    requireTrainingScope: {
      summary: 'Check that an intent group and an application exist; 404 otherwise',
      input: TrainingScope,
      output: Exists,
    },
    readTrainingSources: {
      summary: 'Read what training rows are made of, as many as fit into one reply',
      input: RequestIds,
      output: TrainingSources,
    },
    selectRequests: {
      summary: 'Select answered requests by a filter, the newest first',
      input: SelectRequests,
      output: SelectedRequests,
    },
    searchRequestsExcept: {
      summary: 'Search the requests without some of them',
      input: SearchExcept,
      output: page(RecordedRequest),
    },
    selectTagged: {
      summary: 'Select those of some requests that have any of the tags',
      input: TaggedAmong,
      output: RequestIdList,
    },
  },
);

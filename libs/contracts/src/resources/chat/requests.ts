import { defineContract } from '../../contract.js';
import { list, page } from '../../contract/outputs.js';
import {
  Default,
  field,
  Flag,
  join,
  List,
  ListOf,
  Nested,
  Nullable,
  OneOf,
  Optional,
  Description,
  Str,
  Uuid,
} from '../../fields/fields.js';
import { intType, objType } from '../../fields/field-types.js';
import { Deleted, Message, PlainSort, TimedListQuery } from '../../shapes.js';
import { Config } from '../config.js';
import { EvaluationResult } from '../evaluations/evaluation-results.js';
import {
  REQUEST_ORIGINS,
  type RequestOrigin,
  CorrectedChoice,
  Correction,
  RecordedRequest,
  RequestFilter,
} from './recorded-requests.js';
import { RequestPath } from '../paths.js';

class ListRequests extends join(TimedListQuery, RequestFilter) {
  @OneOf(REQUEST_ORIGINS) @Optional() origin?: RequestOrigin;
  @Str(1, 128) @Optional() origin_id?: string;
  @Str(0, 200) @Optional() reference_id?: string;
  @OneOf(['COMPLETED', 'FAILED']) @Optional() status?: 'COMPLETED' | 'FAILED';
  @Flag() @Optional() fallback_used?: boolean;
  @Flag() @Default(false) include_body!: boolean;
}

export class ResponsePair {
  @field(objType({ maxBytes: 20_971_520, maxDepth: 64 })) @Nullable() original!: Record<string, unknown> | null;
  @Nested(() => Correction) @Nullable() corrected!: Correction | null;
}

class CorrectRequest extends RequestPath {
  @ListOf(() => CorrectedChoice, 1, 8) choices!: CorrectedChoice[];
  @Str(0, 2000) @Nullable() @Optional() note?: string | null;
}

class RerunRequest extends RequestPath {
  @Str(1, 200) @Optional() model?: string;
  @ListOf(() => Message, 1, 1000) @Optional() messages?: Message[];
  @Nested(() => Config) @Optional() config?: Config;
}

class EvaluateRequest extends RequestPath {
  @List(intType(), 1, 20)
  @Optional()
  @Description('Sentinels of the group of the request, also disabled ones; default: its enabled ones')
  sentinel_ids?: number[];
}

class EvaluationsOf extends TimedListQuery {
  @PlainSort() override sort!: string;
  @Uuid() request_id!: string;
}

const one = '/requests/{request_id}' as const;

export const response = '/requests/{request_id}/response' as const;

/** Recorded model calls (docs/api/traffic.md). */
export const requests = defineContract(
  { name: 'requests', service: 'traffic', tag: 'Requests', readsAfter: 'completions' },
  {
    listRequests: {
      get: '/requests',
      summary: 'List the requests',
      input: ListRequests,
      output: page(RecordedRequest),
    },
    searchRequests: {
      post: '/requests/search',
      summary: 'Search the requests',
      scope: 'read',
      input: ListRequests,
      output: page(RecordedRequest),
    },
    getRequest: {
      get: one,
      summary: 'Get a request',
      input: RequestPath,
      output: RecordedRequest,
      // A record with its bodies can be larger than a reply.
      errors: ['refused'],
    },
    deleteRequest: {
      delete: one,
      summary: 'Delete the content of a request',
      input: RequestPath,
      output: Deleted,
    },
    getRequestResponse: {
      get: response,
      summary: 'Get the answer of a request and its correction',
      input: RequestPath,
      output: ResponsePair,
    },
    correctRequest: {
      put: response,
      summary: 'Correct the answer of a request',
      errors: ['conflict'],
      input: CorrectRequest,
      output: RecordedRequest,
    },
    removeCorrection: {
      delete: response,
      summary: 'Remove the correction; the original answer applies again',
      errors: ['conflict'],
      input: RequestPath,
      output: Deleted,
    },
    rerunRequest: {
      post: '/requests/{request_id}/rerun',
      summary: 'Repeat the call of a request',
      errors: ['conflict', 'refused', 'bad_upstream'],
      scope: 'invoke',
      input: RerunRequest,
      output: RecordedRequest,
      http: { body: 'large' },
      delivery: { slow: true },
    },
    evaluateRequest: {
      post: '/requests/{request_id}/evaluate',
      summary: 'Judge a request by sentinels and store the results',
      errors: ['conflict'],
      scope: 'invoke',
      input: EvaluateRequest,
      output: list(EvaluationResult),
      delivery: { slow: true },
    },
    listRequestEvaluations: {
      get: '/requests/{request_id}/evaluations',
      summary: 'List the evaluations of a request',
      input: EvaluationsOf,
      output: page(EvaluationResult),
    },
  },
);

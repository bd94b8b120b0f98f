import { defineContract } from '../../contract.js';
import { list, page } from '../../contract/outputs.js';
import {
  Count,
  Default,
  Epoch,
  field,
  Flag,
  Id,
  join,
  Json,
  List,
  ListOf,
  Name,
  Nested,
  Nullable,
  Obj,
  OneOf,
  Optional,
  Description,
  Str,
  Uuid,
} from '../../fields/fields.js';
import { intType, objType } from '../../fields/field-types.js';
import {
  Deleted,
  FAILURE_CLASSES,
  type FailureClass,
  Message,
  PlainSort,
  DateRange,
  TimedListQuery,
  Usage,
} from '../../shapes.js';
import { Config } from '../config.js';
import { EvaluationResult } from '../evaluations/evaluation-results.js';

/** The purposes of a request. */
export const REQUEST_TYPES = ['PROD', 'RERUN', 'SYNTHETIC', 'MANUAL'] as const;
/** The purpose of a request. */
export type RequestType = (typeof REQUEST_TYPES)[number];
/** The origins of a request. */
export const REQUEST_ORIGINS = ['CHAT', 'AGENT', 'WORKFLOW', 'MONITOR', 'TEST', 'EVALUATION'] as const;
/** The origin of a request. */
export type RequestOrigin = (typeof REQUEST_ORIGINS)[number];
/** The evaluation states of a request. */
export const EVALUATION_STATES = ['PENDING', 'PASS', 'FAULT', 'ERROR', 'NA'] as const;
/** The evaluation state of a request. */
export type EvaluationState = (typeof EVALUATION_STATES)[number];

/** One choice of a correction. */
export class CorrectedChoice {
  @Nested(() => Message) message!: Message;
}
/** A person's correction of an answer. */
export class Correction {
  @ListOf(() => CorrectedChoice, 1, 8) choices!: CorrectedChoice[];
  @Str(0, 2000) @Nullable() note!: string | null;
  @Id() @Nullable() key_id!: number | null;
  @Epoch() date_updated!: number;
}
/** A tag as requests show it. */
export class RequestTag {
  @Id() id!: number;
  @Name() tag_name!: string;
}

/** One model call with its answer. */
export class RecordedRequest {
  @Id() id!: number;
  @Uuid() request_id!: string;
  @Id() @Nullable() application_id!: number | null;
  @Id() @Nullable() intent_id!: number | null;
  @Id() @Nullable() intent_group_id!: number | null;
  @Str(1, 128) @Nullable() session_id!: string | null;
  @Str(0, 200) @Nullable() reference_id!: string | null;
  @OneOf(REQUEST_TYPES) request_type!: RequestType;
  @OneOf(REQUEST_ORIGINS) origin!: RequestOrigin;
  @Str() @Nullable() @Description('The task or run that made the call; null for CHAT') origin_id!: string | null;
  @Uuid() @Nullable() rerun_of!: string | null;
  @Str() @Nullable() @Description('The agent task that answered: its own calls carry the tokens') task_id!:
    string | null;
  @Str() @Nullable() @Description('The workflow run that answered: its own calls carry the tokens') run_id!:
    string | null;
  @OneOf(['SERVER', 'CLIENT']) inference_location!: 'SERVER' | 'CLIENT';
  @Str() model!: string;
  @Json() @Optional() params?: Record<string, unknown>;
  @Json() @Nullable() @Optional() response?: Record<string, unknown> | null;
  @Nested(() => Correction) @Nullable() corrected_response!: Correction | null;
  @Flag() is_corrected!: boolean;
  @Flag() correction_applied!: boolean;
  @OneOf(['COMPLETED', 'FAILED']) status!: 'COMPLETED' | 'FAILED';
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @Str(0, 4000) @Nullable() error_message!: string | null;
  @Flag() fallback_used!: boolean;
  @Str() @Nullable() fallback_reason!: string | null;
  @OneOf(EVALUATION_STATES) evaluation_status!: EvaluationState;
  @Nested(() => Usage) usage!: Usage;
  @Count() @Nullable() first_token_time_ms!: number | null;
  @Count() @Nullable() response_time_ms!: number | null;
  @Obj() metadata!: Record<string, unknown>;
  @ListOf(() => RequestTag) tags!: RequestTag[];
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

/** The filters of recorded requests (api.md 1.12). */
@DateRange
export class RequestFilter {
  @Id() @Optional() application_id?: number;
  @Id() @Optional() intent_id?: number;
  @Id() @Optional() intent_group_id?: number;
  @Str(1, 128) @Optional() session_id?: string;
  @Str(1, 200) @Optional() model?: string;
  @OneOf(REQUEST_TYPES) @Optional() request_type?: RequestType;
  @OneOf(EVALUATION_STATES) @Optional() evaluation_status?: EvaluationState;
  @Flag() @Optional() is_corrected?: boolean;
  @List(intType(), 0, 100) @Optional() tag_ids?: number[];
  @Str(0, 200)
  @Optional()
  @Description(
    'Searches messages, answers and corrections. Of a part over 256 kB, which is kept in object storage, it covers the first 2,000 characters of each text; the first 200 or 20 when the part has so many texts that these would still be over 256 kB; and nothing when even those would be',
  )
  text?: string;
  @Epoch() @Optional() start_date?: number;
  @Epoch() @Optional() end_date?: number;
}

class ListRequests extends join(TimedListQuery, RequestFilter) {
  @OneOf(REQUEST_ORIGINS) @Optional() origin?: RequestOrigin;
  @Str(1, 128) @Optional() origin_id?: string;
  @Str(0, 200) @Optional() reference_id?: string;
  @OneOf(['COMPLETED', 'FAILED']) @Optional() status?: 'COMPLETED' | 'FAILED';
  @Flag() @Optional() fallback_used?: boolean;
  @Flag() @Default(false) include_body!: boolean;
}

class RequestPath {
  @Uuid() request_id!: string;
}
/** An answer and its correction, if any. */
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
const response = '/requests/{request_id}/response' as const;

/** Recorded model calls (api.md 2.10). */
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
    getRequest: { get: one, summary: 'Get a request', input: RequestPath, output: RecordedRequest },
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
      body: 'large',
      slow: true,
      input: RerunRequest,
      output: RecordedRequest,
    },
    evaluateRequest: {
      post: '/requests/{request_id}/evaluate',
      summary: 'Judge a request by sentinels and store the results',
      errors: ['conflict'],
      scope: 'invoke',
      slow: true,
      input: EvaluateRequest,
      output: list(EvaluationResult),
    },
    listRequestEvaluations: {
      get: '/requests/{request_id}/evaluations',
      summary: 'List the evaluations of a request',
      input: EvaluationsOf,
      output: page(EvaluationResult),
    },
  },
);

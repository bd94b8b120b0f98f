import {
  Count,
  Epoch,
  Flag,
  Id,
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
import { intType } from '../../fields/field-types.js';
import { FAILURE_CLASSES, type FailureClass, Message, DateRange, Usage } from '../../shapes.js';

/** The purposes of a request. */
export const REQUEST_TYPES = ['PROD', 'RERUN', 'SYNTHETIC', 'MANUAL'] as const;

export type RequestType = (typeof REQUEST_TYPES)[number];

export const REQUEST_ORIGINS = ['CHAT', 'AGENT', 'WORKFLOW', 'MONITOR', 'TEST', 'EVALUATION', 'EXTERNAL'] as const;

export type RequestOrigin = (typeof REQUEST_ORIGINS)[number];

export const EVALUATION_STATES = ['PENDING', 'PASS', 'FAULT', 'ERROR', 'NA'] as const;

export type EvaluationState = (typeof EVALUATION_STATES)[number];

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

/** The filters of recorded requests (docs/api/README.md). */
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

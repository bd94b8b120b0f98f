import { defineContract } from '../contract.js';
import { download, page } from '../contract/outputs.js';
import {
  Count,
  Default,
  Epoch,
  Flag,
  Id,
  Int,
  join,
  Nullable,
  Num,
  OneOf,
  Optional,
  Str,
  Text,
  Uuid,
} from '../fields/fields.js';
import { DateRange, ListQuery, PlainSort } from '../shapes.js';
import { FALLBACK_STRATEGIES, type FallbackStrategy } from './config.js';

export const REPORT_FORMATS = ['json', 'csv'] as const;

/** The filters of every report; by default the last seven days. */
@DateRange
export class ReportFilter {
  @Epoch() @Optional() start_date?: number;
  @Epoch() @Optional() end_date?: number;
  @Id() @Optional() application_id?: number;
  @Id() @Optional() intent_id?: number;
  @OneOf(REPORT_FORMATS) @Default('json') format!: (typeof REPORT_FORMATS)[number];
}
class ReportQuery extends join(ListQuery, ReportFilter) {
  @PlainSort() declare sort: string;
}
class FaultFilter {
  @Id() @Optional() intent_group_id?: number;
  @Id() @Optional() sentinel_id?: number;
  @Int(1, 4) @Optional() severity?: number;
  @Flag() @Optional() corrected?: boolean;
}
class ListFaults extends join(ReportQuery, FaultFilter) {}

export const FAULT_GROUPS = ['sentinel', 'intent', 'application', 'day'] as const;
export type FaultGroup = (typeof FAULT_GROUPS)[number];
class SummarizeFaults extends join(ReportQuery, FaultFilter) {
  @OneOf(FAULT_GROUPS) @Default('sentinel') group_by!: FaultGroup;
}

/** A fault that a sentinel has found in production traffic. */
export class ReportedFault {
  @Uuid() request_id!: string;
  @Str(1, 128) @Nullable() session_id!: string | null;
  @Id() @Nullable() application_id!: number | null;
  @Id() @Nullable() intent_id!: number | null;
  @Id() sentinel_id!: number;
  @Str() sentinel_name!: string;
  @Int(1, 4) severity!: number;
  @Text() description!: string;
  @Flag() correction_applied!: boolean;
  @Epoch() date_created!: number;
}
export class FaultSummary {
  @Str() key!: string;
  @Str() label!: string;
  @Count() fault_count!: number;
  @Count() evaluated!: number;
  @Count() error_count!: number;
  @Num(0, 1) @Nullable() fault_rate!: number | null;
}

class FallbackFilter {
  @Str(1, 200) @Optional() model?: string;
}
class ListFallbacks extends join(ReportQuery, FallbackFilter) {}
export const FALLBACK_GROUPS = ['primary_model', 'fallback_model', 'reason', 'day'] as const;
export type FallbackGroup = (typeof FALLBACK_GROUPS)[number];
class SummarizeFallbacks extends join(ReportQuery, FallbackFilter) {
  @OneOf(FALLBACK_GROUPS) @Default('primary_model') group_by!: FallbackGroup;
}

export class ReportedFallback {
  @Uuid() request_id!: string;
  @Str() @Nullable() primary_model!: string | null;
  @Str() fallback_model!: string;
  @OneOf(FALLBACK_STRATEGIES) @Nullable() strategy!: FallbackStrategy | null;
  @Str() @Nullable() fallback_reason!: string | null;
  @Count() @Nullable() latency_ms!: number | null;
  @Epoch() date_created!: number;
}
export class FallbackSummary {
  @Str() key!: string;
  @Str() label!: string;
  @Count() count!: number;
  @Num(0, 1) @Nullable() rate!: number | null;
}

const CSV = 'text/csv';
const csv = (endpoint: string) =>
  ({ kind: 'download', field: 'format', value: 'csv', contentType: CSV, endpoint }) as const;
const file = { delivery: { slow: true, abandonable: true }, output: download(CSV) } as const;

/**
 * Reports about faults and fallbacks (docs/api/traffic.md). Like analytics they are about requests of people and agents by the
 * date of the request. A CSV has at most 100,000 rows.
 */
export const reports = defineContract(
  { name: 'reports', service: 'traffic', tag: 'Reports', readsAfter: 'completions' },
  {
    listFaults: {
      get: '/reports/faults',
      summary: 'List the faults that sentinels have found',
      input: ListFaults,
      output: page(ReportedFault),
      reply: csv('exportFaults'),
      delivery: { slow: true },
    },
    exportFaults: { summary: 'Export the faults as CSV', input: ListFaults, ...file },
    summarizeFaults: {
      get: '/reports/faults/summary',
      summary: 'Count the faults by sentinel, intent, application or day',
      input: SummarizeFaults,
      output: page(FaultSummary),
      reply: csv('exportFaultSummary'),
      delivery: { slow: true },
    },
    exportFaultSummary: { summary: 'Export the counts of faults as CSV', input: SummarizeFaults, ...file },
    listFallbacks: {
      get: '/reports/fallbacks',
      summary: 'List the requests that a fallback model answered',
      input: ListFallbacks,
      output: page(ReportedFallback),
      reply: csv('exportFallbacks'),
      delivery: { slow: true },
    },
    exportFallbacks: { summary: 'Export the fallbacks as CSV', input: ListFallbacks, ...file },
    summarizeFallbacks: {
      get: '/reports/fallbacks/summary',
      summary: 'Count the fallbacks by model, reason or day',
      input: SummarizeFallbacks,
      output: page(FallbackSummary),
      reply: csv('exportFallbackSummary'),
      delivery: { slow: true },
    },
    exportFallbackSummary: { summary: 'Export the counts of fallbacks as CSV', input: SummarizeFallbacks, ...file },
  },
);

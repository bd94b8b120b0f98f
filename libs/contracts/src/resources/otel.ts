import { defineContract } from '../contract.js';
import { Flag, Matching, Nullable, OneOf, Optional, Str, Uuid } from '../fields/fields.js';

export const OTLP_SIGNALS = ['traces', 'logs', 'metrics'] as const;
export type OtlpSignal = (typeof OTLP_SIGNALS)[number];

export const OTLP_TYPES = ['application/x-protobuf', 'application/json'] as const;
export type OtlpType = (typeof OTLP_TYPES)[number];

/** The largest body of an export, as it is sent, in bytes. */
export const MAX_OTLP_BYTES = 4_194_304;

const MAX_BASE64 = Math.ceil(MAX_OTLP_BYTES / 3) * 4;

/** The body of an export as it was sent. */
export class OtlpExport {
  @OneOf(OTLP_SIGNALS) signal!: OtlpSignal;
  @OneOf(OTLP_TYPES) media_type!: OtlpType;
  @Flag() gzip!: boolean;
  /** In base64. */
  @Str(0, MAX_BASE64) body!: string;
}

/** The body of the reply to an export, in base64 and in the media type of the export. */
export class OtlpReply {
  @Str(0, 100_000) body!: string;
}

/** A trace whose first span another service is about to cause. */
export class ExpectedTrace {
  @Matching(/^[0-9a-f]{32}$/, 'a trace id') trace_id!: string;
  @Matching(/^[0-9a-f]{16}$/, 'a span id') @Nullable() @Optional() span_id?: string | null;
}

/** An announced trace and the task that it becomes when it arrives. */
export class AnnouncedTrace {
  @Uuid() task_id!: string;
}

/** Internal: what arrives from programs that are traced with OpenTelemetry. */
export const otelIngest = defineContract(
  { name: 'otel-ingest', service: 'traffic', tag: 'Internal' },
  {
    storeExport: {
      summary: 'Store the spans and evaluations of an export; those that are stored already change nothing',
      input: OtlpExport,
      output: OtlpReply,
    },
    expectTrace: {
      summary: 'Announce a trace that a test run causes: its task has the trigger TEST',
      input: ExpectedTrace,
      output: AnnouncedTrace,
    },
  },
);

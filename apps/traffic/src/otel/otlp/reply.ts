import { create, toBinary } from '@bufbuild/protobuf';
import type { OtlpSignal, OtlpType } from '@signalbox/contracts';
import { ExportLogsServiceResponseSchema } from './generated/opentelemetry/proto/collector/logs/v1/logs_service_pb.js';
import { ExportTraceServiceResponseSchema } from './generated/opentelemetry/proto/collector/trace/v1/trace_service_pb.js';

export interface PartialSuccess {
  rejected: number;
  message: string;
}

const REJECTED = { traces: 'rejectedSpans', logs: 'rejectedLogRecords', metrics: 'rejectedDataPoints' } as const;

/** OTLP demands a reply without `partialSuccess` when everything is kept. */
export function replyTo(signal: OtlpSignal, type: OtlpType, { rejected, message }: PartialSuccess): Buffer {
  const isWhole = rejected === 0 && message === '';
  if (type === 'application/json') {
    const partialSuccess = isWhole ? {} : { [REJECTED[signal]]: String(rejected), errorMessage: message };
    return Buffer.from(JSON.stringify({ partialSuccess }));
  }
  if (isWhole) return Buffer.alloc(0);
  const partial = { errorMessage: message };
  // The replies for logs and for metrics have the same encoding.
  return Buffer.from(
    signal === 'traces'
      ? toBinary(
          ExportTraceServiceResponseSchema,
          create(ExportTraceServiceResponseSchema, { partialSuccess: { ...partial, rejectedSpans: BigInt(rejected) } }),
        )
      : toBinary(
          ExportLogsServiceResponseSchema,
          create(ExportLogsServiceResponseSchema, {
            partialSuccess: { ...partial, rejectedLogRecords: BigInt(rejected) },
          }),
        ),
  );
}

const MAX_REASONS = 5;

export function messageOf(reasons: readonly string[], noun: string): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const parts = [...counts].slice(0, MAX_REASONS).map(([reason, count]) => `${count} ${noun}: ${reason}`);
  return parts.join('; ');
}

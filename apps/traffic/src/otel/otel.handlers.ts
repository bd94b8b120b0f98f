import { createHash } from 'node:crypto';
import { Serves } from '@signalbox/bus';
import {
  ApiError,
  type CallTo,
  type Handlers,
  MAX_OTLP_BYTES,
  type OtlpExport,
  otelIngest,
} from '@signalbox/contracts';
import { type ArrivedRecord, Arrivals } from './arrivals.repository.js';
import { mainTaskId } from './mapping/trace-tasks.js';
import { Rejected } from './otlp/any-value.js';
import { bounded } from './otlp/bounded.js';
import { readEvaluations, readSpans } from './otlp/read-export.js';
import { messageOf, replyTo } from './otlp/reply.js';
import type { ReadExport } from './otlp/span.js';
import { unpack } from './otlp/unpack.js';

type C = typeof otelIngest;

const METRICS = { rejected: 0, message: 'metrics are not kept' };
const LOGS = 'of log records, only evaluations (gen_ai.evaluation.result) are kept';

/** Exports of programs that are traced with OpenTelemetry; one is confirmed when its spans are stored. */
@Serves(otelIngest)
export class OtelHandlers implements Handlers<C> {
  constructor(private readonly arrivals: Arrivals) {}

  async storeExport({ input, caller }: CallTo<C, 'storeExport'>) {
    const { signal, media_type } = input;
    if (signal === 'metrics') return bodyOf(replyTo(signal, media_type, METRICS));
    const { records, rejected, note } = await recordsIn(input);
    rejected.push(...(await this.arrivals.store(caller, records)));
    const reasons = messageOf(rejected, signal === 'traces' ? 'spans' : 'records');
    const message = [note, reasons].filter((text) => text !== '').join('; ');
    return bodyOf(replyTo(signal, media_type, { rejected: rejected.length, message }));
  }

  async expectTrace({ input, caller }: CallTo<C, 'expectTrace'>) {
    await this.arrivals.expect(caller, input.trace_id, input.span_id ?? null);
    return { task_id: mainTaskId(caller.companyId, input.trace_id) };
  }
}

const bodyOf = (bytes: Buffer): { body: string } => ({ body: bytes.toString('base64') });

/** The records of an export, why others cannot be stored, and a note for the reply. */
async function recordsIn({ signal, media_type, gzip, body }: OtlpExport) {
  const sent = Buffer.from(body, 'base64');
  if (sent.length > MAX_OTLP_BYTES) throw new ApiError('too_large', 'the body is too large');
  const unpacked = await unpack(sent, gzip);
  if (signal === 'traces') {
    const spans = readSpans(unpacked, media_type, Date.now());
    return {
      ...recordsOf(spans, (span, json) => ({ record_id: span.span_id, signal: 'span' as const, json })),
      note: '',
    };
  }
  const logs = readEvaluations(unpacked, media_type, Date.now());
  const records = recordsOf(logs, ({ span_id, attributes }, json) => ({
    record_id: hashOf(JSON.stringify([span_id, attributes])),
    signal: 'log' as const,
    json,
  }));
  return { ...records, note: records.rejected.length > 0 ? LOGS : '' };
}

/** A record without an id is known by what it says. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

function recordsOf<T extends { trace_id: string }>(
  { read, rejected }: ReadExport<T>,
  recordOf: (value: T, json: string) => Omit<ArrivedRecord, 'trace_id'>,
): { records: ArrivedRecord[]; rejected: string[] } {
  const records = read.flatMap((each): ArrivedRecord[] => {
    try {
      const { value, json } = bounded(each);
      return [{ trace_id: value.trace_id, ...recordOf(value, json) }];
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      rejected.push(error.message);
      return [];
    }
  });
  return { records, rejected };
}

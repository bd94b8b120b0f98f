import { createHash } from 'node:crypto';
import { Serves } from '@signalbox/bus';
import {
  ApiError,
  type Caller,
  type CallTo,
  type Handlers,
  MAX_OTLP_BYTES,
  type OtlpExport,
  otelIngest,
} from '@signalbox/contracts';
import { ByteShares, slowdown } from '@signalbox/platform';
import { type ArrivedRecord, Arrivals } from './arrivals.repository.js';
import { mainTaskId } from './mapping/trace-tasks.js';
import { Rejected } from './otlp/any-value.js';
import { bounded } from './otlp/bounded.js';
import { readEvaluations, readSpans } from './otlp/read-export.js';
import { messageOf, replyTo } from './otlp/reply.js';
import type { ReadExport } from './otlp/span.js';
import { unpack, unpackedBytes } from './otlp/unpack.js';

type C = typeof otelIngest;

const MIB = 1_048_576;
/** Bytes of exports read concurrently; parsing takes a few times as much. The largest export has 16 MiB. */
const EXPORT_BYTES = { total: 32 * MIB, perCompany: 16 * MIB, perHolder: 16 * MIB };
/** The exporter sends an export again that found no capacity in this time. */
const WAIT_MS = 5000;

const METRICS = { rejected: 0, message: 'metrics are not kept' };
const LOGS = 'of log records, only evaluations (gen_ai.evaluation.result) are kept';

/** An export is confirmed when its spans are stored. */
@Serves(otelIngest)
export class OtelHandlers implements Handlers<C> {
  private readonly shares = new ByteShares(EXPORT_BYTES);

  constructor(private readonly arrivals: Arrivals) {}

  /** Throws 413, 400, and 503 when the exports of the company, or of all companies, have no capacity in time. */
  async storeExport({ input, caller }: CallTo<C, 'storeExport'>) {
    const { signal, media_type } = input;
    if (signal === 'metrics') return bodyOf(replyTo(signal, media_type, METRICS));
    const sent = Buffer.from(input.body, 'base64');
    if (sent.length > MAX_OTLP_BYTES) throw new ApiError('too_large', 'the body is too large');
    for (const bytes of unpackedBytes(sent, input.gzip)) {
      const giveBack = await this.room(caller.companyId, bytes);
      try {
        const unpacked = await unpack(sent, input.gzip, bytes);
        if (unpacked) return await this.store(caller, input, unpacked);
      } finally {
        giveBack();
      }
    }
    throw new Error('a body was neither unpacked nor refused');
  }

  private async store(caller: Caller, input: OtlpExport, unpacked: Buffer): Promise<{ body: string }> {
    const { signal, media_type } = input;
    const { records, rejected, note } = recordsIn(input, unpacked);
    rejected.push(...(await this.arrivals.store(caller, records)));
    const reasons = messageOf(rejected, signal === 'traces' ? 'spans' : 'records');
    const message = [note, reasons].filter((text) => text !== '').join('; ');
    return bodyOf(replyTo(signal, media_type, { rejected: rejected.length, message }));
  }

  private async room(companyId: number, bytes: number): Promise<() => void> {
    const wait = new AbortController();
    const timer = setTimeout(() => wait.abort(tooManyExports()), slowdown.allow(WAIT_MS));
    try {
      return await this.shares.take(companyId, {}, bytes, wait.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  async expectTrace({ input, caller }: CallTo<C, 'expectTrace'>) {
    await this.arrivals.expect(caller, input.trace_id, input.span_id ?? null);
    return { task_id: mainTaskId(caller.companyId, input.trace_id) };
  }
}

const tooManyExports = (): ApiError =>
  new ApiError('unavailable', 'too many exports are being read', { retryAfter: 1 });

const bodyOf = (bytes: Buffer): { body: string } => ({ body: bytes.toString('base64') });

function recordsIn({ signal, media_type }: OtlpExport, unpacked: Buffer) {
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

/** The id of a record without one. */
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

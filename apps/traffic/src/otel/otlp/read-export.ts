import { type DescMessage, fromBinary } from '@bufbuild/protobuf';
import { configureTextEncoding, getTextEncoding } from '@bufbuild/protobuf/wire';
import { ApiError, isJsonObject, type OtlpType } from '@signalbox/contracts';
import { attributesOf, fieldOf, listOf, Rejected, textOf } from './any-value.js';
import { requireFewParts } from './body-size.js';
import { ExportLogsServiceRequestSchema } from './generated/opentelemetry/proto/collector/logs/v1/logs_service_pb.js';
import { ExportTraceServiceRequestSchema } from './generated/opentelemetry/proto/collector/trace/v1/trace_service_pb.js';
import type { LoggedEvaluation, ReadExport, Span, SpanEvent } from './span.js';

/** Nested messages; each level of a value takes up to three of them. */
const MAX_MESSAGE_DEPTH = 2000;
/** Clocks are wrong by days at most, and exports wait for days at most. */
const MAX_AGE_MS = 30 * 86_400_000;
export const MAX_AHEAD_MS = 3_600_000;
const ERROR = 2;
const HAS_REMOTE = 0x100;
const IS_REMOTE = 0x200;
const EVALUATION = 'gen_ai.evaluation.result';

/** Invalid UTF-8, as of a text that was cut within a character, becomes U+FFFD instead of rejecting the span. */
const decoder = new TextDecoder('utf-8');
const protobufDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
configureTextEncoding({ ...getTextEncoding(), decodeUtf8: (bytes) => protobufDecoder.decode(bytes) });

const unreadable = (): ApiError => new ApiError('invalid', 'the body is not a readable export');

/** Throws 400, and 413 for a message of too many values. */
function messageIn(body: Buffer, type: OtlpType, schema: DescMessage): unknown {
  requireFewParts(body, type, schema, MAX_MESSAGE_DEPTH);
  try {
    if (type === 'application/x-protobuf')
      return fromBinary(schema, body, { recursionLimit: MAX_MESSAGE_DEPTH, readUnknownFields: false });
    const message = JSON.parse(decoder.decode(body)) as unknown;
    if (isJsonObject(message)) return message;
  } catch {
    // The details would not help the user of an exporter.
  }
  throw unreadable();
}

/** In hexadecimal; null for an id that is absent or zero. */
function idOf(value: unknown, bytes: number): string | null {
  const hex = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : textOf(value).toLowerCase();
  return hex.length === bytes * 2 && /^[0-9a-f]+$/.test(hex) && /[^0]/.test(hex) ? hex : null;
}

function enumOf(value: unknown, names: readonly string[]): number {
  const number = typeof value === 'string' ? names.indexOf(value) : Number(value ?? 0);
  return Number.isInteger(number) && number > 0 && number < names.length ? number : 0;
}

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(
  (name) => `SPAN_KIND_${name}`,
);
const STATUSES = ['STATUS_CODE_UNSET', 'STATUS_CODE_OK', 'STATUS_CODE_ERROR'];

class ExportReader {
  constructor(private readonly now: number) {}

  /** Epoch ms of nanoseconds; now for a time that no clock of a sender can plausibly show. */
  private timeOf(value: unknown): number {
    const ms = Number(value ?? 0) / 1e6;
    return ms > this.now - MAX_AGE_MS && ms < this.now + MAX_AHEAD_MS ? ms : this.now;
  }

  span(span: unknown, resource: Span['resource'], scope: string): Span {
    const trace_id = idOf(fieldOf(span, 'traceId'), 16);
    const span_id = idOf(fieldOf(span, 'spanId'), 8);
    if (trace_id === null || span_id === null) throw new Rejected('without a valid trace id and span id');
    const start_ms = this.timeOf(fieldOf(span, 'startTimeUnixNano'));
    const status = fieldOf(span, 'status');
    const flags = Number(fieldOf(span, 'flags') ?? 0);
    const isError = enumOf(fieldOf(status, 'code'), STATUSES) === ERROR;
    return {
      trace_id,
      span_id,
      parent_id: idOf(fieldOf(span, 'parentSpanId'), 8),
      is_remote: (flags & HAS_REMOTE) !== 0 && (flags & IS_REMOTE) !== 0,
      name: textOf(fieldOf(span, 'name')),
      kind: enumOf(fieldOf(span, 'kind'), KINDS),
      start_ms,
      end_ms: Math.max(start_ms, this.timeOf(fieldOf(span, 'endTimeUnixNano'))),
      error: isError ? textOf(fieldOf(status, 'message')) : null,
      attributes: attributesOf(span),
      events: listOf(span, 'events').map((event) => this.event(event)),
      resource,
      scope,
    };
  }

  private event(event: unknown): SpanEvent {
    return {
      name: textOf(fieldOf(event, 'name')),
      time_ms: this.timeOf(fieldOf(event, 'timeUnixNano')),
      attributes: attributesOf(event),
    };
  }

  evaluation(record: unknown): LoggedEvaluation | null {
    const attributes = attributesOf(record);
    if (textOf(fieldOf(record, 'eventName')) !== EVALUATION && attributes['event.name'] !== EVALUATION) return null;
    const trace_id = idOf(fieldOf(record, 'traceId'), 16);
    if (trace_id === null) throw new Rejected('an evaluation without a valid trace id');
    const time_ms = this.timeOf(fieldOf(record, 'timeUnixNano'));
    return { trace_id, span_id: idOf(fieldOf(record, 'spanId'), 8), time_ms, attributes };
  }
}

/** Attributes of the resource that are stored with each span: few and short, because each span repeats them. */
const OF_RESOURCE =
  /^(service\.(name|namespace|version|instance\.id)|deployment\.environment(\.name)?|telemetry\.sdk\.(name|language))$/;
const MAX_RESOURCE_TEXT = 256;

function resourceOf(group: unknown): Span['resource'] {
  const kept = Object.entries(attributesOf(fieldOf(group, 'resource'))).filter(([name]) => OF_RESOURCE.test(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, String(value).slice(0, MAX_RESOURCE_TEXT).toWellFormed()]),
  );
}

/** Computes on first use; each user gets the error of the computation. */
function once<T>(compute: () => T): () => T {
  let computed: { value: T } | { error: unknown } | undefined;
  return () => {
    computed ??= attempt(compute);
    if ('error' in computed) throw computed.error;
    return computed.value;
  };
}

function attempt<T>(compute: () => T): { value: T } | { error: unknown } {
  try {
    return { value: compute() };
  } catch (error) {
    return { error };
  }
}

function* partsOf(message: unknown, resources: string, scopes: string) {
  for (const group of listOf(message, resources)) {
    const resource = once(() => resourceOf(group));
    for (const part of listOf(group, scopes))
      yield { resource, scope: textOf(fieldOf(fieldOf(part, 'scope'), 'name')).slice(0, MAX_RESOURCE_TEXT), part };
  }
}

const MAX_ELEMENTS = 20_000;

/** An element that is refused does not affect the others. */
function readEach<T>(elements: readonly unknown[], into: ReadExport<T>, read: (element: unknown) => T | null): void {
  for (const element of elements) {
    try {
      if (into.read.length >= MAX_ELEMENTS) throw new Rejected(`more than ${MAX_ELEMENTS} in one export`);
      const value = read(element);
      if (value !== null) into.read.push(value);
      else into.rejected.push('not kept');
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      into.rejected.push(error.message);
    }
  }
}

/** A structure other than that of an export means that the body cannot be read. */
function reading<T>(read: () => ReadExport<T>): ReadExport<T> {
  try {
    return read();
  } catch (error) {
    if (error instanceof Rejected || error instanceof RangeError) throw unreadable();
    throw error;
  }
}

export function readSpans(body: Buffer, type: OtlpType, now: number): ReadExport<Span> {
  const reader = new ExportReader(now);
  return reading(() => {
    const into: ReadExport<Span> = { read: [], rejected: [] };
    for (const { resource, scope, part } of partsOf(
      messageIn(body, type, ExportTraceServiceRequestSchema),
      'resourceSpans',
      'scopeSpans',
    ))
      readEach(listOf(part, 'spans'), into, (span) => reader.span(span, resource(), scope));
    return into;
  });
}

/** Other log records are not kept. Throws 400 when the body cannot be read. */
export function readEvaluations(body: Buffer, type: OtlpType, now: number): ReadExport<LoggedEvaluation> {
  const reader = new ExportReader(now);
  return reading(() => {
    const into: ReadExport<LoggedEvaluation> = { read: [], rejected: [] };
    for (const { part } of partsOf(messageIn(body, type, ExportLogsServiceRequestSchema), 'resourceLogs', 'scopeLogs'))
      readEach(listOf(part, 'logRecords'), into, (record) => reader.evaluation(record));
    return into;
  });
}

import {
  type AttributeValue,
  context,
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { ApiError } from '@signalbox/contracts';
import { isTraceparent } from './traceparent.js';

export type { Span } from '@opentelemetry/api';

/** Attributes of a span; absent values are left out. */
export type SpanAttributes = Record<string, AttributeValue | null | undefined>;

/** Properties of a span at its beginning. */
export interface SpanOptions {
  kind?: keyof typeof KINDS;
  attributes?: SpanAttributes;
  /** `traceparent` of the parent, null to begin a trace; by default the span is a child of the active one. */
  parent?: string | null;
  /** `traceparent`s of other causes. */
  links?: readonly string[];
}

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

/**
 * The spans of a process, through the OpenTelemetry API. Within a process the parent of a span is the active one;
 * between processes and over rows it is a `traceparent`. Attributes never contain values of users, models or secrets.
 */
export class Tracing {
  constructor(
    private readonly tracer: Tracer,
    private readonly flush: () => Promise<void>,
  ) {}

  /** True within a span. */
  get isActive(): boolean {
    return trace.getActiveSpan() !== undefined;
  }

  /** The `traceparent` of the active span. */
  get traceparent(): string | undefined {
    const span = trace.getActiveSpan();
    return span && traceparentOf(span);
  }

  /** Begins a span; its owner ends it. */
  start(name: string, { kind = 'internal', attributes = {}, parent, links = [] }: SpanOptions = {}): Span {
    const options = { kind: KINDS[kind], attributes: present(attributes), links: links.flatMap(linkTo) };
    return this.tracer.startSpan(name, options, contextOf(parent));
  }

  /** Begins a child of the active span; undefined outside of one, because only entrances begin traces. */
  startChild(name: string, options?: SpanOptions): Span | undefined {
    return this.isActive ? this.start(name, options) : undefined;
  }

  /** Runs work with the span active. */
  within<T>(span: Span, work: () => T): T {
    return context.with(trace.setSpan(context.active(), span), work);
  }

  /** Runs work as a span that ends with it. */
  run<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
    return this.runIn(this.start(name, options), work);
  }

  /** Runs work as a child of the active span, and without a span outside of one. */
  runChild<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
    const span = this.startChild(name, options);
    return span ? this.runIn(span, work) : work();
  }

  /** Runs work with the span active, which ends with it. */
  runIn<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
    return this.within(span, async () => {
      try {
        return await work(span);
      } catch (error) {
        markFailed(span, error);
        throw error;
      } finally {
        span.end();
      }
    });
  }

  /** Marks the active span as failed. */
  failed(error: unknown): void {
    const span = trace.getActiveSpan();
    if (span) markFailed(span, error);
  }

  /** Adds attributes to the active span. */
  annotate(attributes: SpanAttributes): void {
    trace.getActiveSpan()?.setAttributes(present(attributes));
  }

  /** Fields of a log line that is written now. */
  logFields(): { trace_id?: string; span_id?: string } {
    const span = trace.getActiveSpan()?.spanContext();
    return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
  }

  /** Sends what has been recorded and ends the export. */
  shutdown(): Promise<void> {
    return this.flush();
  }
}

/** The spans of this process; null while tracing is off, so that it costs a call site one comparison. */
export let tracing: Tracing | null = null;

/** Switches tracing on, or off with null. */
export function setTracing(next: Tracing | null): void {
  tracing = next;
}

/** The `traceparent` under which the span is the parent of another. */
export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
}

/** Marks a span as failed by the kind of the error; messages stay out, because they may repeat what users sent. */
export function markFailed(span: Span, error: unknown): void {
  span.setAttribute('error.type', errorType(error));
  // A refusal that the caller has caused is no failure of the server.
  if (!(error instanceof ApiError) || error.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Marks a span as failed when the HTTP status of its outcome is one of the server. */
export function markStatus(span: Span, status: number): void {
  if (status < 500) return;
  span.setAttribute('error.type', String(status));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function errorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  const { kind, reason, code } = error as { kind?: unknown; reason?: unknown; code?: unknown };
  const words = [kind, reason ?? code].filter((word) => typeof word === 'string');
  return words.join('.') || error.name;
}

function contextOf(parent: string | null | undefined): Context {
  if (parent === undefined) return context.active();
  const remote = parent === null ? null : spanContextOf(parent);
  return remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
}

function spanContextOf(traceparent: string): SpanContext | null {
  if (!isTraceparent(traceparent)) return null;
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

const linkTo = (traceparent: string): Link[] => {
  const cause = spanContextOf(traceparent);
  return cause ? [{ context: cause }] : [];
};

function present(attributes: SpanAttributes): Record<string, AttributeValue> {
  const given = Object.entries(attributes).filter((entry): entry is [string, AttributeValue] => entry[1] != null);
  return Object.fromEntries(given);
}

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

/** Absent values are left out. */
export type SpanAttributes = Record<string, AttributeValue | null | undefined>;

export interface SpanOptions {
  kind?: keyof typeof KINDS;
  attributes?: SpanAttributes;
  /** A `traceparent`, or null to begin a trace; by default the active span. */
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
 * Within a process the parent of a span is the active one; between processes and over rows it is a `traceparent`.
 * Attributes never contain values of users, models or secrets.
 */
export class Tracing {
  constructor(
    private readonly tracer: Tracer,
    private readonly flush: () => Promise<void>,
  ) {}

  get isActive(): boolean {
    return trace.getActiveSpan() !== undefined;
  }

  get traceparent(): string | undefined {
    const span = trace.getActiveSpan();
    return span && traceparentOf(span);
  }

  /** The caller ends the span. */
  start(name: string, { kind = 'internal', attributes = {}, parent, links = [] }: SpanOptions = {}): Span {
    const options = { kind: KINDS[kind], attributes: present(attributes), links: links.flatMap(linkTo) };
    return this.tracer.startSpan(name, options, contextOf(parent));
  }

  /** Undefined outside a span, because only entry points begin traces. */
  startChild(name: string, options?: SpanOptions): Span | undefined {
    return this.isActive ? this.start(name, options) : undefined;
  }

  within<T>(span: Span, work: () => T): T {
    return context.with(trace.setSpan(context.active(), span), work);
  }

  run<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
    return this.runIn(this.start(name, options), work);
  }

  runChild<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
    const span = this.startChild(name, options);
    return span ? this.runIn(span, work) : work();
  }

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

  failed(error: unknown): void {
    const span = trace.getActiveSpan();
    if (span) markFailed(span, error);
  }

  annotate(attributes: SpanAttributes): void {
    trace.getActiveSpan()?.setAttributes(present(attributes));
  }

  logFields(): { trace_id?: string; span_id?: string } {
    const span = trace.getActiveSpan()?.spanContext();
    return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
  }

  shutdown(): Promise<void> {
    return this.flush();
  }
}

/** Null while tracing is off, so that it costs a call site one comparison. */
export let tracing: Tracing | null = null;

export function setTracing(next: Tracing | null): void {
  tracing = next;
}

export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
}

/** Records the kind of the error, not the message, which may repeat what users sent. */
export function markFailed(span: Span, error: unknown): void {
  span.setAttribute('error.type', errorType(error));
  // An error that the caller caused is not a failure of the server.
  if (!(error instanceof ApiError) || error.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}

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

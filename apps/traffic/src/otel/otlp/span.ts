export type AttributeValue = string | number | boolean | null | AttributeValue[] | { [key: string]: AttributeValue };

/** Attributes by name. */
export type Attributes = Record<string, AttributeValue>;

/** Something that happened during a span. */
export interface SpanEvent {
  name: string;
  time_ms: number;
  attributes: Attributes;
}

/** A span as it is stored. Times are epoch milliseconds, with a fraction. */
export interface Span {
  trace_id: string;
  span_id: string;
  parent_id: string | null;
  /** The parent belongs to another process, as far as the exporter says. */
  is_remote: boolean;
  name: string;
  /** SpanKind of OpenTelemetry: 2 is SERVER, 5 is CONSUMER. */
  kind: number;
  start_ms: number;
  end_ms: number;
  /** The message of a span that failed; null for any other. */
  error: string | null;
  attributes: Attributes;
  events: SpanEvent[];
  resource: Attributes;
  scope: string;
}

/** An evaluation that arrived as a log record. */
export interface LoggedEvaluation {
  trace_id: string;
  /** The span that was evaluated, when the record names one. */
  span_id: string | null;
  time_ms: number;
  attributes: Attributes;
}

/** What an export contains: what can be stored, and why the rest cannot. */
export interface ReadExport<T> {
  read: T[];
  rejected: string[];
}

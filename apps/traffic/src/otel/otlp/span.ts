export type AttributeValue = string | number | boolean | null | AttributeValue[] | { [key: string]: AttributeValue };

export type Attributes = Record<string, AttributeValue>;

export interface SpanEvent {
  name: string;
  time_ms: number;
  attributes: Attributes;
}

/** Times are epoch ms with a fraction. */
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
  error: string | null;
  attributes: Attributes;
  events: SpanEvent[];
  resource: Attributes;
  scope: string;
}

/** An evaluation that arrived as a log record. */
export interface LoggedEvaluation {
  trace_id: string;
  span_id: string | null;
  time_ms: number;
  attributes: Attributes;
}

export interface ReadExport<T> {
  read: T[];
  rejected: string[];
}

export interface OutboxMessage {
  /** The message id on the bus, which deduplicates repeated publishes. */
  id: string;
  subject: string;
  /** Null when it has more bytes than a batch may carry: it can only be refused. */
  payload: string | null;
  bytes: number;
  ageMs: number;
  traceparent?: string | null;
}

/** Each stream is relayed independently, so that a full one delays only its own messages. */
export const OUTBOX_STREAMS = ['EVENTS', 'AUDIT'] as const;
export type OutboxStream = (typeof OUTBOX_STREAMS)[number];

export interface OutboxBatch {
  stream: OutboxStream;
  rows: number;
  /** In memory at once: a bound for the sum and for each message. */
  bytes: number;
  /** Subjects without their company whose messages are skipped. */
  without?: readonly string[];
}

/** `refused` for good, `forbidden` for now, or `failed` for now, as others of the stream will. */
export type Publication =
  { state: 'sent' } | { state: 'refused'; cause: string } | { state: 'forbidden' } | { state: 'failed'; error: Error };

export interface Relayed {
  /** Including refused ones. */
  done: number;
  refused: number;
  failure: Error | null;
  /** Whether more messages may wait; when `done` is 0, because another process sends them. */
  more: boolean;
}

export interface OutboxBacklog {
  messages: number;
  /** 0 without messages. */
  oldestMs: number;
}

export interface PruneHours {
  /** Sent messages and idempotency records. */
  sent: number;
  /** At least as long as a message can be redelivered. */
  inbox: number;
}

/** A span of the times at which messages were sent, epoch ms: later than `after`, and not later than `until`. */
export interface SentSpan {
  after: number;
  until: number;
}

/** Up to so many sent messages are counted. */
export const COUNTED_SENT = 100_000;

export interface OutboxStore {
  /**
   * Passes the oldest unsent messages to `publish`, which returns one outcome per message. Sent ones are marked,
   * refused ones become dead letters of the consumer `outbox`, failed or forbidden ones stay.
   */
  relay(batch: OutboxBatch, publish: (messages: OutboxMessage[]) => Promise<Publication[]>): Promise<Relayed>;
  /** Streams with unsent messages; without a transaction. */
  unsent(): Promise<OutboxStream[]>;
  /** The bus has lost the messages of the last hours: they become unsent again. */
  resend(stream: OutboxStream, hours: number): Promise<void>;
  /** The number of kept messages that were sent to the stream within a span, up to `COUNTED_SENT`. */
  countSent(stream: OutboxStream, span: SentSpan): Promise<number>;
  /** Marks a slice of them unsent again, the earliest first; returns its size, 0 when none is left. */
  resendSlice(stream: OutboxStream, span: SentSpan): Promise<number>;
  prune(hours: PruneHours): Promise<void>;
  backlog(): Promise<OutboxBacklog>;
  onAdded(wake: (streams: readonly OutboxStream[]) => void): void;
  /** Last known, to notice that the bus has lost its store. */
  streamCreated(stream: OutboxStream): Promise<string | null>;
  setStreamCreated(stream: OutboxStream, created: string): Promise<void>;
}

export const OUTBOX = Symbol('outbox');

/** A message of the outbox, ready for the bus. */
export interface OutboxMessage {
  /** Message id on the bus, so that a repeated publish is one message. */
  id: string;
  subject: string;
  /** Null when it has more bytes than a batch may carry: it can only be refused. */
  payload: string | null;
  bytes: number;
  /** Milliseconds since it was written. */
  ageMs: number;
  /** The trace that its consumers continue. */
  traceparent?: string | null;
}

/**
 * The streams of the bus; each part of the outbox is relayed independently, so that one full stream delays only its
 * own messages.
 */
export const OUTBOX_STREAMS = ['EVENTS', 'AUDIT'] as const;
/** The stream that a message of the outbox belongs to. */
export type OutboxStream = (typeof OUTBOX_STREAMS)[number];

/** Limits of one batch of the outbox. */
export interface OutboxBatch {
  stream: OutboxStream;
  rows: number;
  /** Payload bytes held in memory at once, as a bound for the sum and for each single message. */
  bytes: number;
  /** Subjects without their company, of which the messages are left where they are. */
  without?: readonly string[];
}

/**
 * The outcome of publishing one message: stored by the bus, refused for good, not permitted for now, or failed for now,
 * as others of its stream will.
 */
export type Publication =
  { state: 'sent' } | { state: 'refused'; cause: string } | { state: 'forbidden' } | { state: 'failed'; error: Error };

/** The result of relaying one batch of the outbox. */
export interface Relayed {
  /** Messages that left the outbox, those refused included. */
  done: number;
  refused: number;
  /** The first transient failure; its messages stay unsent. */
  failure: Error | null;
  /** True when more messages of the stream may be waiting; if none is done, because another process sends them. */
  more: boolean;
}

/** The backlog of the outbox. */
export interface OutboxBacklog {
  messages: number;
  /** Age of the oldest unsent message; 0 when there is none. */
  oldestMs: number;
}

/** Ages in hours after which finished records are deleted. */
export interface PruneHours {
  /** Sent messages and idempotency records. */
  sent: number;
  /** Inbox rows; at least as long as a message can be delivered again. */
  inbox: number;
}

/** The outbox of a schema as the relay sees it. */
export interface OutboxStore {
  /**
   * Passes the oldest unsent messages to `publish`, which returns one outcome per message. A sent one is marked, a
   * refused one becomes a dead letter of the consumer `outbox`, a failed or forbidden one stays.
   */
  relay(batch: OutboxBatch, publish: (messages: OutboxMessage[]) => Promise<Publication[]>): Promise<Relayed>;
  /** The streams that have unsent messages, found without a transaction. */
  unsent(): Promise<OutboxStream[]>;
  /** Marks the messages sent to the stream in the last hours unsent again: the bus has lost them. */
  resend(stream: OutboxStream, hours: number): Promise<void>;
  /** Deletes records past their age, in slices. */
  prune(hours: PruneHours): Promise<void>;
  backlog(): Promise<OutboxBacklog>;
  /** Calls back with the streams whenever a transaction of this process has added messages. */
  onAdded(wake: (streams: readonly OutboxStream[]) => void): void;
  /** The last known creation time of the stream, to notice that the bus has lost its store. */
  streamCreated(stream: OutboxStream): Promise<string | null>;
  setStreamCreated(stream: OutboxStream, created: string): Promise<void>;
}

/** Nest tokens of the ports; libs/database provides them, libs/bus uses them. */
export const OUTBOX = Symbol('outbox');

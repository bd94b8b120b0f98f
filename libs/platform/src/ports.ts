import type { IdempotencyClaim } from '@signalbox/contracts';

/** A message of the outbox, ready for the bus. */
export interface OutboxMessage {
  /** Message id on the bus, so that a repeated publish is one message. */
  id: string;
  subject: string;
  /** Null when it has more bytes than a batch may carry: it can only be refused. */
  payload: string | null;
  bytes: number;
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
}

/** The outcome of publishing one message: stored by the bus, refused for good, or failed for now. */
export type Publication = { state: 'sent' } | { state: 'refused'; cause: string } | { state: 'failed'; error: Error };

/** The result of relaying one batch of the outbox. */
export interface Relayed {
  /** Messages that left the outbox, those refused included. */
  done: number;
  refused: number;
  /** The first transient failure; its messages stay unsent. */
  failure: Error | null;
  /** True when more messages of the stream may be waiting. */
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
   * refused one becomes a dead letter of the consumer `outbox`, a failed one stays.
   */
  relay(batch: OutboxBatch, publish: (messages: OutboxMessage[]) => Promise<Publication[]>): Promise<Relayed>;
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

/** A consumed message as the inbox sees it. */
export interface InboxMessage {
  consumer: string;
  messageId: string;
  companyId: number;
  subject: string;
}

/** The inbox of a schema, which deduplicates consumed messages. */
export interface InboxStore<Tx = unknown> {
  /**
   * Records messages of one consumer and one company as consumed and runs `effect` with those that were not consumed
   * before, in one transaction; returns how many those were. With `recorded: false` nothing is recorded and all are
   * passed on, for an effect that drops repeats itself.
   */
  once(
    messages: InboxMessage[],
    effect: (tx: Tx, fresh: InboxMessage[]) => Promise<void>,
    options?: { recorded?: boolean },
  ): Promise<number>;
  /** Stores a message that could not be consumed, with its cause. */
  deadLetter(message: InboxMessage, payload: string, cause: string): Promise<void>;
}

/** Consumer name of dead letters of messages that the bus refused. */
export const OUTBOX_LETTERS = 'outbox';

/** A dead letter without its content. */
export interface StoredLetter {
  id: number;
  company_id: number;
  consumer: string;
  message_id: string;
  subject: string;
  cause: string;
  bytes: number;
  date_created: number;
}

/** A dead letter with its content. */
export interface StoredLetterText extends InboxMessage {
  id: number;
  payload: string;
}

/** The dead letters of a schema. */
export interface DeadLetterStore {
  /** Letters of any company with an id above `after`, in the order of their ids. */
  list(query: { consumer?: string; after: number; limit: number }): Promise<StoredLetter[]>;
  read(id: number): Promise<StoredLetterText | null>;
  /** Moves a letter of the outbox back into it; false when it is not one. */
  requeue(id: number): Promise<boolean>;
  /** Deletes letters; returns the ids of those that existed. */
  drop(ids: readonly number[]): Promise<number[]>;
}

/** A claimed job of long work. */
export interface Job {
  id: number;
  kind: string;
  companyId: number;
  /** What the job is about, such as a task id. */
  ref: string;
  /** Every write of this job carries it; an older fence is refused. */
  fence: number;
  /** 1 on the first attempt. */
  attempt: number;
  /** The trace that added the job. */
  traceparent?: string | null;
}

/** Thrown by a write of a job that another worker holds now: the write is stale. */
export class FenceLost extends Error {
  constructor() {
    super('the job was taken over by another worker');
  }
}

/** A job with the time after which it may be attempted again. */
export interface Postponed {
  job: Job;
  delayMs: number;
}

/** The free slots of this process for one kind of work. */
export interface SlotReserver {
  readonly owner: string;
  readonly leaseMs: number;
  /** Reserves slots for jobs that a transaction of a company adds; returns how many, none while older work waits. */
  reserve(companyId: number, wanted: number): number;
  /** Releases reserved slots, with the jobs that committed for them. */
  take(companyId: number, jobs: Job[], reserved: number): void;
}

/** The limits of a worker's claim of due jobs. */
export interface Claim {
  kind: string;
  owner: string;
  limit: number;
  leaseMs: number;
  /** Jobs of one company that this worker runs at once. */
  perCompany: number;
  /** How many jobs of each company it runs already. */
  busy: ReadonlyMap<number, number>;
  /** Whether jobs whose lease has expired are claimed as well: their worker is lost. */
  takeOver: boolean;
}

/** Jobs that were claimed, and whether more may be due. */
export interface Claimed {
  jobs: Job[];
  more: boolean;
}

/** The work table of a schema. */
export interface WorkStore {
  /** Claims due jobs, fairly between companies. */
  claim(claim: Claim): Promise<Claimed>;
  /** Prolongs the leases of jobs; returns the ids of those still held. */
  heartbeat(jobs: readonly Job[], leaseMs: number): Promise<Set<number>>;
  /** Marks jobs done, except those woken while they ran; returns whether one of them is due again at once. */
  complete(jobs: readonly Job[]): Promise<boolean>;
  /**
   * Makes jobs due again after a delay; `keepAttempt` when the attempt does not count. Returns whether one is due at
   * once.
   */
  postpone(jobs: readonly Postponed[], keepAttempt: boolean): Promise<boolean>;
  /** Calls back with the kind whenever a transaction of this process has added work. */
  onAdded(wake: (kind: string) => void): void;
  /** Registers slots for which transactions of this process claim the jobs they add. */
  offer(kind: string, slots: SlotReserver): void;
}

/** The state of a call by its idempotency record. */
export type IdempotencyState =
  | { state: 'first' }
  | { state: 'replay'; status: number; body: string }
  | { state: 'running' }
  | { state: 'mismatch' }
  /** The first call had its effect but its final reply was never sent: wait for the work it started. */
  | { state: 'resume'; earlier: unknown };

/** The idempotency records of a schema (api.md 1.9). */
export interface IdempotencyStore {
  /** Claims a key for a time by the clock of the database, or returns the state that an earlier call has left. */
  begin(companyId: number, claim: IdempotencyClaim, holdMs: number): Promise<IdempotencyState>;
  /** Prolongs the hold to that time from now, if this claim still holds the key: the call still runs. */
  prolong(companyId: number, claim: IdempotencyClaim, holdMs: number): Promise<void>;
  /**
   * Stores the final reply; `body` is null when the call had no effect and the key stays free. `effect` is true when
   * the call had one that left no mark in its transaction.
   */
  finish(
    companyId: number,
    claim: IdempotencyClaim,
    status: number,
    body: string | null,
    effect?: boolean,
  ): Promise<void>;
}

/** Nest tokens of the ports; libs/database provides them, libs/bus uses them. */
export const OUTBOX = Symbol('outbox');
/** Nest token of the inbox. */
export const INBOX = Symbol('inbox');
/** Nest token of the dead letters. */
export const DEAD_LETTERS = Symbol('dead letters');
/** Nest token of the work table. */
export const WORK = Symbol('work');
/** Nest token of the idempotency records. */
export const IDEMPOTENCY = Symbol('idempotency');
/** Nest token of the logger of the process. */
export const LOGGER = Symbol('logger');
/** Nest token of a probe that reads from the database of the service. */
export const PROBE = Symbol('probe');
/** Nest token of a probe that writes to and reads from the object store of the service. */
export const OBJECT_PROBE = Symbol('object probe');
/** Resolves when the dependency replies. */
export type Probe = () => Promise<void>;
/** Nest token of the function that waits for accepted calls that are not stored yet. */
export const FLUSH_PENDING = Symbol('settle');
/** Resolves when everything accepted so far can be read, or after a moment; null when nothing is pending. */
export type FlushPending = () => Promise<void> | null;
/** Nest token of the function that makes the other processes of a service store what they have accepted. */
export const FLUSH_OTHERS = Symbol('flush others');
/** Resolves when the other processes have stored what they have accepted, or after a moment; null without others. */
export type FlushOthers = () => Promise<void> | null;

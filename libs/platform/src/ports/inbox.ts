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
   * before, in one transaction; returns how many those were. With `deduplicate: false` nothing is recorded and all are
   * passed on, for an effect that drops repeats itself.
   */
  once(
    messages: InboxMessage[],
    effect: (tx: Tx, fresh: InboxMessage[]) => Promise<void>,
    options?: { deduplicate?: boolean },
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

/** Nest token of the inbox. */
export const INBOX = Symbol('inbox');
/** Nest token of the dead letters. */
export const DEAD_LETTERS = Symbol('dead letters');

export interface InboxMessage {
  consumer: string;
  messageId: string;
  companyId: number;
  subject: string;
}

export interface InboxStore<Tx = unknown> {
  /**
   * Records messages of one consumer and company as consumed and runs `effect` with those that are new, in one
   * transaction; returns their number. With `deduplicate: false` nothing is recorded and all are passed on, for an
   * effect that drops repeats itself.
   */
  once(
    messages: InboxMessage[],
    effect: (tx: Tx, fresh: InboxMessage[]) => Promise<void>,
    options?: { deduplicate?: boolean },
  ): Promise<number>;
  /**
   * Records that a message is attempted alone, and returns the id of the record; null when there are as many records of
   * attempts that have not ended.
   */
  beginAlone(message: InboxMessage, limit: number): Promise<string | null>;
  endAlone(message: InboxMessage, attempt: string): Promise<void>;
  deadLetter(message: InboxMessage, payload: string, cause: string): Promise<void>;
}

/** Consumer name of dead letters that the bus refused. */
export const OUTBOX_LETTERS = 'outbox';

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

export interface StoredLetterText extends InboxMessage {
  id: number;
  payload: string;
}

export interface DeadLetterStore {
  /** Of all companies, with an id above `after`, by id. */
  list(query: { consumer?: string; after: number; limit: number }): Promise<StoredLetter[]>;
  read(id: number): Promise<StoredLetterText | null>;
  /** Moves a letter back to the outbox; false when it is not from there. */
  requeue(id: number): Promise<boolean>;
  /** Returns the ids of those that existed. */
  drop(ids: readonly number[]): Promise<number[]>;
}

export const INBOX = Symbol('inbox');
export const DEAD_LETTERS = Symbol('dead letters');

/** An object in a listing. */
export interface Listed {
  name: string;
  /** When it was last written, in epoch ms by the clock of the store. */
  writtenAt: number;
}

/** A storage backend: names and bytes, without meaning. The store creates the names, never a caller. */
export interface Place {
  /** Atomic, and durable when it resolves; an existing object is replaced. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  read(name: string): Promise<Buffer | null>;
  writtenAt(name: string): Promise<number | null>;
  /** Has no effect when the object does not exist. */
  remove(name: string): Promise<void>;
  list(): AsyncIterable<Listed>;
  /** Removes unfinished writes of processes that ended before this time. */
  dropUnfinished(before: number): Promise<void>;
  close(): Promise<void>;
}

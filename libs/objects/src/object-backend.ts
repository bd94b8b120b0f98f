/** An object in a listing. */
export interface Listed {
  name: string;
  /** When it was last written, in epoch ms by the clock of the store; NaN when the store does not say. */
  writtenAt: number;
}

/**
 * A storage backend: names and bytes, without meaning. The store creates the names, never a caller. An aborted operation
 * takes no further effect.
 */
export interface ObjectBackend {
  /** Atomic, and durable when it resolves; an existing object is replaced. */
  write(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  read(name: string, signal?: AbortSignal): Promise<Buffer | null>;
  /** Epoch ms by the clock of the store, NaN when the store does not say; null when there is no such object. */
  writtenAt(name: string, signal?: AbortSignal): Promise<number | null>;
  /** Has no effect when the object does not exist. */
  remove(name: string, signal?: AbortSignal): Promise<void>;
  list(): AsyncIterable<Listed>;
  /** Removes unfinished writes of processes that ended before this time. */
  dropUnfinished(before: number): Promise<void>;
  close(): Promise<void>;
}

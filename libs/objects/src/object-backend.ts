export interface Listed {
  name: string;
  /** Epoch ms by the clock of the store; NaN when it does not say. */
  writtenAt: number;
}

/** An aborted operation takes no further effect. */
export interface ObjectBackend {
  /** Atomic, and durable when it resolves; replaces an existing object. */
  write(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  read(name: string, signal?: AbortSignal): Promise<Buffer | null>;
  /** As `Listed.writtenAt`; null when the object does not exist. */
  writtenAt(name: string, signal?: AbortSignal): Promise<number | null>;
  /** Without effect when the object does not exist. */
  remove(name: string, signal?: AbortSignal): Promise<void>;
  list(): AsyncIterable<Listed>;
  /** Removes unfinished writes of processes that ended before this time. */
  dropUnfinished(before: number): Promise<void>;
  close(): Promise<void>;
}

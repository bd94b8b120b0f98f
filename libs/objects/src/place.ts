/** An object as a listing of its place shows it. */
export interface Listed {
  name: string;
  /** When it was last written, in epoch ms by the clock of the place. */
  writtenAt: number;
}

/** Where objects are: names and bytes, without any meaning. Names are made by the store, never by a caller of ours. */
export interface Place {
  /** All of it or nothing, and on the disk, once this resolves; what was there is replaced. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  read(name: string): Promise<Buffer | null>;
  writtenAt(name: string): Promise<number | null>;
  /** Harmless when there is no such object. */
  remove(name: string): Promise<void>;
  list(): AsyncIterable<Listed>;
  /** Removes what writers left behind who died before this time. */
  dropUnfinished(before: number): Promise<void>;
  close(): Promise<void>;
}

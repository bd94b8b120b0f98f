import { type Class } from '../fields/field-types.js';

/** A list of one page with its total, which is exact unless it says otherwise. */
export interface Page<T> {
  data: T[];
  pagination: { total: number; offset: number; limit: number; total_is_estimate?: true };
}

/** A value of type T that is already JSON text, built in Postgres and passed on without parsing. */
export class JsonText<T> {
  declare protected readonly of: T;
  constructor(readonly text: string) {}
}

/** Bytes with a media type, outside the envelope. */
export interface RawReply {
  contentType: string;
  body: string;
  /** How the bytes are written in `body`; default UTF-8. */
  encoding?: 'base64';
  status?: number;
  headers?: Record<string, string>;
}

/** One event of a stream: `seq` starts at 1 and grows by 1. */
export interface StreamEvent {
  seq: number;
  type: string;
  data: Record<string, unknown>;
}

/** A part of a stream: what came after the asked `seq`, and where news of later events is announced. */
export interface StreamPart {
  events: StreamEvent[];
  /** True when the last event of `events` is the terminal one. */
  ended: boolean;
  /** Core NATS subject on which each new event is published, or announced when the stream has a `position`. */
  subject: string;
  /** Only of a stream without end: the subjects within `subject` whose messages concern it; all when it is absent. */
  subjects?: string[];
  /**
   * Only of a stream without end: the `seq` up to which it has been read, so that events which the reader did not
   * select are not read again.
   */
  position?: number;
}

/** The reply shapes a contract can declare. */
export type Output =
  | Class
  | { kind: 'page'; of: Class }
  | { kind: 'list'; of: Class }
  | { kind: 'raw'; contentType: string }
  | { kind: 'stream'; of: Class }
  | { kind: 'chunks'; contentTypes?: readonly string[] };

/** A paged list of T: `{data, pagination}`. */
export const page = <T extends object>(of: Class<T>) => ({ kind: 'page' as const, of });
/** An unpaged array of T: `{data: […]}`. */
export const list = <T extends object>(of: Class<T>) => ({ kind: 'list' as const, of });
/**
 * Bytes outside the envelope.
 *
 * @public
 */
export const raw = (contentType: string) => ({ kind: 'raw' as const, contentType });
/** Server-sent events, one class for the data of all of them. */
export const stream = <T extends object>(of: Class<T>) => ({ kind: 'stream' as const, of });
/** A chunked body, produced while it is sent; internal endpoints only, named by `chunked` of a public one. */
export const chunks = () => ({ kind: 'chunks' as const });
/**
 * A download of any length outside the envelope, sent while it is made; the endpoint is slow and abandonable. Its timeout
 * limits the time without progress, not the whole: a file ends when it is complete, however slowly its client reads.
 */
export const download = (...contentTypes: string[]) => ({ kind: 'chunks' as const, contentTypes });

/** A part of a chunked reply: text, or bytes as they are. */
export type Chunk = string | Uint8Array;

/** A chunked reply: its HTTP headers are known before the first chunk. */
export class Chunks<T extends Chunk = Chunk> {
  constructor(
    readonly chunks: AsyncIterable<T>,
    readonly headers: Record<string, string> = {},
  ) {}
}

export type OutputOf<O> = O extends { kind: 'page'; of: Class<infer T> }
  ? Page<T>
  : O extends { kind: 'list'; of: Class<infer T> }
    ? T[]
    : O extends { kind: 'raw' }
      ? RawReply
      : O extends { kind: 'stream' }
        ? StreamPart
        : O extends { kind: 'chunks' }
          ? Chunks
          : O extends Class<infer T>
            ? T
            : never;

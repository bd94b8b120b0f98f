import {
  ApiError,
  type Caller,
  type ErrorExtras,
  type ErrorKind,
  JsonText,
  missingCompany,
  toApiError,
} from '@signalbox/contracts';
import { CallLost, DeliveryUnknown } from '../resume/call-lost.js';
import { headers as createHeaders, type MsgHdrs } from '@nats-io/transport-node';

export type Headers = Pick<MsgHdrs, 'get'>;

const CALLER = 'Caller';
/** Depth within a chain of tasks and runs; absent when not nested. */
const DEPTH = 'Depth';
/** Marks an error; the payload is an `ErrorOnWire`. */
const FAILED = 'Failed';
/** Marks an error of a call that was returned unfinished. */
const LOST = 'Lost';
const REPLY_HEADERS = 'Reply-Headers';
/** The id by which a call is abandoned and its reply paced. */
const FLOW = 'Flow';
/** Linked `traceparent`s, such as those of the other readers of a batch. */
const TRACE_LINKS = 'Trace-Links';
/** Marks the last message of a chunked reply. */
const END = 'End';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const encode = (text: string): Uint8Array => encoder.encode(text);
export const decode = (bytes: Uint8Array): string => decoder.decode(bytes);

export function callerHeaders(caller: Caller, flow?: string): MsgHdrs {
  const h = createHeaders();
  if (flow !== undefined) h.set(FLOW, flow);
  const { traceparent, ...rest } = caller;
  h.set(CALLER, JSON.stringify(rest));
  if (rest.chain) h.set(DEPTH, String(rest.chain.depth));
  if (traceparent) h.set('traceparent', traceparent);
  return h;
}

/** Throws when the header is missing: there is no default tenant. */
export function readCaller(headers: Headers | undefined): Caller {
  const text = headers?.get(CALLER);
  if (!text) throw missingCompany();
  const caller = JSON.parse(text) as Caller;
  const traceparent = headers?.get('traceparent');
  return traceparent ? { ...caller, traceparent } : caller;
}

export const readDepth = (headers: Headers | undefined): number => Number(headers?.get(DEPTH) || 0);

/** For logs; undefined when the caller cannot be read. */
export function requestIdIn(headers: Headers | undefined): string | undefined {
  try {
    return readCaller(headers).requestId;
  } catch {
    return undefined;
  }
}

export function traceHeaders(parent: string | null, links: readonly string[] = []): MsgHdrs | undefined {
  if (parent === null) return undefined;
  const h = createHeaders();
  h.set('traceparent', parent);
  if (links.length > 0) h.set(TRACE_LINKS, links.join(','));
  return h;
}

export function readTraces(headers: Headers | undefined): { parent: string; links: string[] } | null {
  const parent = headers?.get('traceparent');
  if (!headers || !parent) return null;
  const links = headers.get(TRACE_LINKS);
  return { parent, links: links === '' ? [] : links.split(',') };
}

export const readFlow = (headers: Headers | undefined): string | null => headers?.get(FLOW) || null;

/** A reply in a single message has the headers of its first one as well. */
export function endHeaders(first: MsgHdrs | undefined): MsgHdrs {
  const headers = first ?? createHeaders();
  headers.set(END, '1');
  return headers;
}

export const isEnd = (headers: Headers | undefined): boolean => Boolean(headers?.get(END));

interface ErrorOnWire {
  kind: ErrorKind;
  message: string;
  extras: ErrorExtras;
}

const wireError = ({ kind, message, extras }: ApiError): ErrorOnWire => ({ kind, message, extras });
const fromWire = ({ kind, message, extras }: ErrorOnWire, isLost: boolean): ApiError =>
  isLost ? new CallLost(kind, message, extras) : new ApiError(kind, message, extras);

export function errorReply(thrown: unknown): { payload: Uint8Array; headers: MsgHdrs } {
  const error = toApiError(thrown);
  const headers = createHeaders();
  headers.set(FAILED, String(error.status));
  // A call of this service that no process has received does not mean that the call it serves is lost.
  if (error instanceof CallLost && !(error instanceof DeliveryUnknown)) headers.set(LOST, '1');
  return { payload: encode(JSON.stringify(wireError(error))), headers };
}

export function replyHeaders(http: Record<string, string>): MsgHdrs {
  const headers = createHeaders();
  headers.set(REPLY_HEADERS, JSON.stringify(http));
  return headers;
}

/** Marks a keepalive; the id of the process that works on the call. */
const WORKING = 'Working';
/** Sent instead of an id by earlier releases. */
const WITHOUT_ID = '1';

export function workingHeaders(processId: string): MsgHdrs {
  const headers = createHeaders();
  headers.set(WORKING, processId);
  return headers;
}

export function workingProcess(headers: Headers | undefined): string | undefined {
  const id = headers?.get(WORKING);
  return id === WITHOUT_ID ? undefined : id;
}

export const isWorking = (headers: Headers | undefined): boolean => Boolean(headers?.get(WORKING));

export interface Keepalives {
  firstMs: number;
  everyMs: number;
}

/** Of slow calls, and of all others; the first one confirms the receipt. */
export const KEEPALIVES: Keepalives = { firstMs: 100, everyMs: 3000 };
export const FAST_KEEPALIVES: Keepalives = { firstMs: 500, everyMs: 500 };
/** Silence after which a confirmed call counts as lost. */
export const SILENCE_MS = 10_000;
export const FAST_SILENCE_MS = 1600;
/** Silence after which an unconfirmed slow call counts as lost; a repeatable one has the shorter limit, twice. */
export const RECEIPT_SILENCE_MS = 3600;

export interface WireReply {
  /** Bytes from the bus, or text of an in-process server. */
  body: Uint8Array | string;
  headers?: Record<string, string> | undefined;
}

export interface ReceivedReply extends WireReply {
  body: Uint8Array;
}

export const textIn = ({ body }: WireReply): string => (typeof body === 'string' ? body : decode(body));

/** Throws the error that the reply carries. */
export function readReply(payload: Uint8Array, headers: Headers | undefined): ReceivedReply {
  if (headers === undefined) return { body: payload };
  if (headers.get(FAILED)) throw fromWire(JSON.parse(decode(payload)) as ErrorOnWire, Boolean(headers.get(LOST)));
  const http = headers.get(REPLY_HEADERS);
  return http ? { body: payload, headers: JSON.parse(http) as Record<string, string> } : { body: payload };
}

export const textOf = (input: object): string => (input instanceof JsonText ? input.text : JSON.stringify(input));

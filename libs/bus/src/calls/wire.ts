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

/** The headers of a received message. */
export type Headers = Pick<MsgHdrs, 'get'>;

/** Header with the caller as JSON: company, key, scopes, request id, deadline, idempotency claim. */
const CALLER = 'Caller';
/** Header with the depth of a call within a chain of tasks and runs; absent for a call that is not nested. */
const DEPTH = 'Depth';
/** Header of a reply that is an error; the payload then is an `ErrorOnWire`. */
const FAILED = 'Failed';
/** Header of an error of a call that was returned unfinished. */
const LOST = 'Lost';
/** Header of a reply that sets HTTP headers, as JSON. */
const REPLY_HEADERS = 'Reply-Headers';
/** Header with the id by which a call can be abandoned and its reply paced. */
const FLOW = 'Flow';
/** Header with the `traceparent`s that a message is linked to, such as those of the further readers of a batch. */
const TRACE_LINKS = 'Trace-Links';
/** Header of the message that ends a chunked reply. */
const END = 'End';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Text as bytes. */
export const encode = (text: string): Uint8Array => encoder.encode(text);
/** Bytes as text. */
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

/** The caller of a message; throws when the header is missing: there is no default tenant. */
export function readCaller(headers: Headers | undefined): Caller {
  const text = headers?.get(CALLER);
  if (!text) throw missingCompany();
  const caller = JSON.parse(text) as Caller;
  const traceparent = headers?.get('traceparent');
  return traceparent ? { ...caller, traceparent } : caller;
}

/** The depth of a call within a chain of tasks and runs; 0 for a call that is not nested. */
export const readDepth = (headers: Headers | undefined): number => Number(headers?.get(DEPTH) || 0);

/** The id of the request that a call belongs to, for logs; undefined when its caller cannot be read. */
export function requestIdIn(headers: Headers | undefined): string | undefined {
  try {
    return readCaller(headers).requestId;
  } catch {
    return undefined;
  }
}

/** The headers of a message that continues a trace and is linked to others; undefined without one. */
export function traceHeaders(parent: string | null, links: readonly string[] = []): MsgHdrs | undefined {
  if (parent === null) return undefined;
  const h = createHeaders();
  h.set('traceparent', parent);
  if (links.length > 0) h.set(TRACE_LINKS, links.join(','));
  return h;
}

/** The `traceparent`s of a call: the one it continues, and those it is linked to; null without one. */
export function readTraces(headers: Headers | undefined): { parent: string; links: string[] } | null {
  const parent = headers?.get('traceparent');
  if (!headers || !parent) return null;
  const links = headers.get(TRACE_LINKS);
  return { parent, links: links === '' ? [] : links.split(',') };
}

/** The id by which the caller may abandon a call, null when it cannot. */
export const readFlow = (headers: Headers | undefined): string | null => headers?.get(FLOW) || null;

/** The headers of the last message of a chunked reply; a reply in one message has those of the first as well. */
export function endHeaders(first: MsgHdrs | undefined): MsgHdrs {
  const headers = first ?? createHeaders();
  headers.set(END, '1');
  return headers;
}

/** True for the last message of a chunked reply. */
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
  // A call of this service that no process has received is no loss of the call that it serves.
  if (error instanceof CallLost && !(error instanceof DeliveryUnknown)) headers.set(LOST, '1');
  return { payload: encode(JSON.stringify(wireError(error))), headers };
}

export function replyHeaders(http: Record<string, string>): MsgHdrs {
  const headers = createHeaders();
  headers.set(REPLY_HEADERS, JSON.stringify(http));
  return headers;
}

/** Header of a keepalive, with the id of the process: it still works on the call. */
const WORKING = 'Working';
/** What an earlier release sends instead of an id. */
const WITHOUT_ID = '1';

/** The headers of a keepalive. */
export function workingHeaders(processId: string): MsgHdrs {
  const headers = createHeaders();
  headers.set(WORKING, processId);
  return headers;
}

/** The id of the process that sent a keepalive; undefined when its release is an earlier one. */
export function workingProcess(headers: Headers | undefined): string | undefined {
  const id = headers?.get(WORKING);
  return id === WITHOUT_ID ? undefined : id;
}

/** True when a message is a keepalive rather than the reply. */
export const isWorking = (headers: Headers | undefined): boolean => Boolean(headers?.get(WORKING));

/** When a service that works on a call sends keepalives. */
export interface Keepalives {
  /** The first one confirms the receipt, and names the process. */
  firstMs: number;
  everyMs: number;
}

/** The keepalives of a slow call, and of every other. */
export const KEEPALIVES: Keepalives = { firstMs: 100, everyMs: 3000 };
export const FAST_KEEPALIVES: Keepalives = { firstMs: 500, everyMs: 500 };
/** After how much silence a call counts as lost once a process has confirmed it, and before that. */
export const SILENCE_MS = 10_000;
export const FAST_SILENCE_MS = 1600;
/** The latter for a slow call that is not sent again; one that is has the shorter one, twice. */
export const RECEIPT_SILENCE_MS = 3600;

/** A reply as the client returns it: JSON, and the HTTP headers that the handler has set. */
export interface WireReply {
  /** Bytes that arrived over the bus, or the text of an in-process server. */
  body: Uint8Array | string;
  headers?: Record<string, string> | undefined;
}

/** A reply that came over the bus. */
export interface ReceivedReply extends WireReply {
  body: Uint8Array;
}

export const textIn = ({ body }: WireReply): string => (typeof body === 'string' ? body : decode(body));

/** Reads a reply; throws the error it carries. */
export function readReply(payload: Uint8Array, headers: Headers | undefined): ReceivedReply {
  if (headers === undefined) return { body: payload };
  if (headers.get(FAILED)) throw fromWire(JSON.parse(decode(payload)) as ErrorOnWire, Boolean(headers.get(LOST)));
  const http = headers.get(REPLY_HEADERS);
  return http ? { body: payload, headers: JSON.parse(http) as Record<string, string> } : { body: payload };
}

export const textOf = (input: object): string => (input instanceof JsonText ? input.text : JSON.stringify(input));

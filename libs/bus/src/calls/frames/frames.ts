import type { MsgHdrs } from '@nats-io/transport-node';
import { ApiError } from '@signalbox/contracts';
import { decode, encode } from '../wire.js';

// Calls of one event-loop turn to the same contract travel as one message, and so do their replies
// (docs/decisions/109): sending a message and having the bus pass it on costs more than what most calls do.

/** The endpoint that the subject of a frame names; names of endpoints are identifiers, so none is the same. */
export const FRAME = 'calls-together';

/** Discovery pings: the endpoints whose calls every process of a service, or each of its workers, replies to with its id. */
export const PING = 'roll-call';
export const PING_OF_WORKERS = 'roll-call-of-workers';

const PROCESS = 'process-';
export const framesOf = (processId: string): string => PROCESS + processId;

const endpointIn = (subject: string): string => subject.slice(subject.lastIndexOf('.') + 1);
/** The subject of an endpoint without its name. */
export const contractIn = ({ subject }: { subject: string }): string => subject.slice(0, subject.lastIndexOf('.'));

/** True for a message that the queue of a service is not to serve: each process it is for receives it itself. */
export const isAddressed = ({ subject }: { subject: string }): boolean => {
  const endpoint = endpointIn(subject);
  return endpoint === PING || endpoint === PING_OF_WORKERS || endpoint.startsWith(PROCESS);
};

/** True for a message with several calls, or with one that is for one process. */
export const isFrame = ({ subject }: { subject: string }): boolean => {
  const endpoint = endpointIn(subject);
  return endpoint === FRAME || endpoint.startsWith(PROCESS);
};

/** A call within a frame. */
export interface FramedCall {
  endpoint: string;
  /** Where the caller awaits the reply. */
  token: string;
  headers: Readonly<Record<string, string>>;
  payload: Uint8Array;
}

/** The reply to a call that came in a frame. */
export interface FramedReply {
  token: string;
  payload: Uint8Array;
}

/** The payload of a message with several calls. */
export const frameCalls = (calls: readonly FramedCall[]): Uint8Array =>
  join(
    calls.map(({ endpoint, token, headers, payload }) => [payload.length, endpoint, token, headers]),
    calls,
  );

/** The calls of a frame; throws when it is none. */
export const readCalls = (frame: Uint8Array): FramedCall[] =>
  cut<[string, string, Record<string, string>]>(frame).map(([payload, endpoint, token, headers]) => ({
    endpoint,
    token,
    headers,
    payload,
  }));

/** The payload of a message with several replies. */
export const frameReplies = (replies: readonly FramedReply[]): Uint8Array =>
  join(
    replies.map(({ token, payload }) => [payload.length, token]),
    replies,
  );

/** The replies of a frame; throws when it is none. */
export const readReplies = (frame: Uint8Array): FramedReply[] =>
  cut<[string]>(frame).map(([payload, token]) => ({ token, payload }));

/** The headers of a message as an object. */
export const headersIn = (headers: MsgHdrs | undefined): Record<string, string> =>
  headers === undefined ? {} : Object.fromEntries(headers.keys().map((name) => [name, headers.get(name)]));

/** A line of JSON with the length and the description of each payload, then the payloads. */
const join = (heads: readonly (readonly unknown[])[], of: readonly { payload: Uint8Array }[]): Uint8Array =>
  Buffer.concat([encode(`${JSON.stringify(heads)}\n`), ...of.map(({ payload }) => payload)]);

const LINE_END = 10;

function cut<Head extends unknown[]>(frame: Uint8Array): [Uint8Array, ...Head][] {
  let at = frame.indexOf(LINE_END) + 1;
  const heads = JSON.parse(decode(frame.subarray(0, at))) as [number, ...Head][];
  const parts = heads.map(([length, ...head]): [Uint8Array, ...Head] => [frame.subarray(at, (at += length)), ...head]);
  if (at !== frame.length) throw new ApiError('invalid', 'call frame length mismatch');
  return parts;
}

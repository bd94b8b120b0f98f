import type { MsgHdrs } from '@nats-io/transport-node';
import { ApiError } from '@signalbox/contracts';
import { decode, encode } from '../wire.js';

// Calls of one event-loop turn to the same contract travel as one message, and so do their replies
// (docs/decisions/109): a message costs more than what most calls do.

/** Not an identifier, so no endpoint has this name. */
export const FRAME = 'calls-together';

/** Endpoints of discovery pings, to which every process of a service, or each of its workers, replies with its id. */
export const PING = 'roll-call';
export const PING_OF_WORKERS = 'roll-call-of-workers';

const PROCESS = 'process-';
export const framesOf = (processId: string): string => PROCESS + processId;

const endpointIn = (subject: string): string => subject.slice(subject.lastIndexOf('.') + 1);
export const contractIn = ({ subject }: { subject: string }): string => subject.slice(0, subject.lastIndexOf('.'));

/** Messages for certain processes, which receive them themselves instead of the queue. */
export const isAddressed = ({ subject }: { subject: string }): boolean => {
  const endpoint = endpointIn(subject);
  return endpoint === PING || endpoint === PING_OF_WORKERS || endpoint.startsWith(PROCESS);
};

/** Messages with several calls, or with one for a certain process. */
export const isFrame = ({ subject }: { subject: string }): boolean => {
  const endpoint = endpointIn(subject);
  return endpoint === FRAME || endpoint.startsWith(PROCESS);
};

export interface FramedCall {
  endpoint: string;
  token: string;
  headers: Readonly<Record<string, string>>;
  payload: Uint8Array;
}

export interface FramedReply {
  token: string;
  payload: Uint8Array;
}

export const frameCalls = (calls: readonly FramedCall[]): Uint8Array =>
  join(
    calls.map(({ endpoint, token, headers, payload }) => [payload.length, endpoint, token, headers]),
    calls,
  );

/** Throws when it is not a frame, like `readReplies`. */
export const readCalls = (frame: Uint8Array): FramedCall[] =>
  cut<[string, string, Record<string, string>]>(frame).map(([payload, endpoint, token, headers]) => ({
    endpoint,
    token,
    headers,
    payload,
  }));

export const frameReplies = (replies: readonly FramedReply[]): Uint8Array =>
  join(
    replies.map(({ token, payload }) => [payload.length, token]),
    replies,
  );

export const readReplies = (frame: Uint8Array): FramedReply[] =>
  cut<[string]>(frame).map(([payload, token]) => ({ token, payload }));

export const headersIn = (headers: MsgHdrs | undefined): Record<string, string> =>
  headers === undefined ? {} : Object.fromEntries(headers.keys().map((name) => [name, headers.get(name)]));

/** A line of JSON with the length and description of each payload, then the payloads. */
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

import { invalidField, type Key } from '@signalbox/contracts';
import { decode, encode } from './wire.js';

/** `deadline` is the latest of all callers. */
export interface BatchRequest {
  keys: Key[];
  deadline: number;
  requestIds: string[];
}

/** The only payload that is a list instead of an object, so that it needs no header. */
export function batchMessage({ keys, deadline, requestIds }: BatchRequest): Uint8Array {
  const flat = keys.map((key) => [key.companyId, key.id]);
  return encode(JSON.stringify([flat, deadline, requestIds]));
}

const LIST = '['.charCodeAt(0);

export const isBatch = (payload: Uint8Array): boolean => payload[0] === LIST;

export function readBatch(payload: Uint8Array): BatchRequest {
  const [k, d, r] = JSON.parse(decode(payload)) as [[number, number][], number, string[]];
  if (!Array.isArray(k) || !k.every(Array.isArray)) throw invalidField('keys', 'must be pairs of company and id');
  return { keys: k.map(([companyId, id]) => ({ companyId, id })), deadline: d, requestIds: r };
}

const NOT_FOUND = -1;
const LEFT_OUT = -2;
/** For a body that did not fit into the reply of its batch: it is read again alone. */
export const READ_ALONE = Symbol('read alone');

/**
 * One line of JSON with the length of each body (-1 = not found, -2 = left out of a full reply), then the bodies in the
 * same order, so that the receiver splits bytes without parsing them.
 */
export function frameBatch(bodies: (string | null)[], maxBytes: number): Uint8Array {
  let left = maxBytes;
  const lengths: number[] = [];
  const parts: Buffer[] = [];
  for (const body of bodies) {
    const part = body === null ? null : Buffer.from(body);
    const isFull = part !== null && part.length > left && bodies.length > 1;
    lengths.push(part === null ? NOT_FOUND : isFull ? LEFT_OUT : part.length);
    if (part === null || isFull) continue;
    left -= part.length;
    parts.push(part);
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(lengths)}\n`), ...parts]);
}

export function cutBatch(payload: Uint8Array): (Uint8Array | null | typeof READ_ALONE)[] {
  const end = payload.indexOf(10);
  const lengths = JSON.parse(decode(payload.subarray(0, end))) as number[];
  let at = end + 1;
  return lengths.map((length) => {
    if (length < 0) return length === LEFT_OUT ? READ_ALONE : null;
    return payload.subarray(at, (at += length));
  });
}

import { randomUUID } from 'node:crypto';

const COUNTED = 0x1000;
let last = 0;
let count = 0;

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/**
 * The first half of the id is the time, so that consecutive ids are adjacent in every index: with random ids, index
 * entries take a fifth of the time in which Postgres stores a recorded request.
 */
export function newSessionId(now = Date.now()): string {
  count = now > last ? 0 : count + 1;
  // When the counter of a millisecond overflows, the next millisecond is used.
  last = Math.max(last, now) + Math.floor(count / COUNTED);
  count %= COUNTED;
  const time = hex(last, 12);
  return `${time.slice(0, 8)}-${time.slice(8)}-4${hex(count, 3)}${randomUUID().slice(18)}`;
}

import { randomFillSync } from 'node:crypto';

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

const pool = Buffer.alloc(4096);
let used = pool.length;

/** Random hex digits, drawn from the system many at a time. */
function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool.toString('hex', used, (used += bytes));
}

/** The W3C `traceparent` of a call made while serving another: same trace, new span. */
export function childTrace(parent: string | undefined): string {
  const match = parent === undefined ? null : TRACEPARENT.exec(parent);
  const trace = match?.[1] ?? randomHex(16);
  return `00-${trace}-${randomHex(8)}-${match?.[3] ?? '00'}`;
}

/** True when the text is a `traceparent` that may be passed on. */
export const isTraceparent = (text: string): boolean => TRACEPARENT.test(text);

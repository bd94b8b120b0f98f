import { randomBytes } from 'node:crypto';

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The W3C `traceparent` of a call made while serving another: same trace, new span. */
export function childTrace(parent: string | undefined): string {
  const match = parent === undefined ? null : TRACEPARENT.exec(parent);
  const trace = match?.[1] ?? randomBytes(16).toString('hex');
  return `00-${trace}-${randomBytes(8).toString('hex')}-${match?.[3] ?? '00'}`;
}

/** True when the text is a `traceparent` that may be passed on. */
export const isTraceparent = (text: string): boolean => TRACEPARENT.test(text);

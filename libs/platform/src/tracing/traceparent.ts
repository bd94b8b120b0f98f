const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** True when the text is a W3C `traceparent` that may be passed on. */
export const isTraceparent = (text: string): boolean => TRACEPARENT.test(text);

/** The trace id of a valid `traceparent`. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);

/** True when the sender of a valid `traceparent` records its trace. */
export const isSampled = (traceparent: string): boolean => (Number.parseInt(traceparent.slice(53), 16) & 1) === 1;

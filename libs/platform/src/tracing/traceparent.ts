const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

export const isTraceparent = (text: string): boolean => TRACEPARENT.test(text);

export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);

export const isSampled = (traceparent: string): boolean => (Number.parseInt(traceparent.slice(53), 16) & 1) === 1;

/** The failure classes (docs/api/failures.md). */
export const FAILURE_CLASSES = ['quality', 'provider', 'timeout', 'sandbox', 'adapter', 'judge', 'internal'] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

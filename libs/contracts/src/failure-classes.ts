/** The failure classes (api.md 1.11). */
export const FAILURE_CLASSES = ['quality', 'provider', 'timeout', 'sandbox', 'adapter', 'judge', 'internal'] as const;
/** A failure class. */
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** The pauses between the tries of a job, and of an event that could not be consumed; in ms. */
export const BACKOFF_MS: readonly number[] = [1000, 5000, 15_000, 30_000];

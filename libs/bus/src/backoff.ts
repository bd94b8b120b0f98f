/** The pauses between the tries of a job, of an event that could not be consumed, and of a part of a job; in ms. */
export const BACKOFF_MS: readonly number[] = [1000, 5000, 15_000, 30_000];

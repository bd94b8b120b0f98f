/** Pauses in ms between the attempts of a job, of an event, and of a part of a job. */
export const BACKOFF_MS: readonly number[] = [1000, 5000, 15_000, 30_000];

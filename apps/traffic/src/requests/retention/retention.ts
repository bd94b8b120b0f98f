export interface RecordedDay {
  /** First millisecond of the day. */
  starts: number;
  companies: number[];
  /** False for requests recorded after the partition of the day was dropped: they are in the default partition. */
  hasPartition: boolean;
}

export type DayRetention = { drop: true } | { drop: false; companies: number[] };

const DAY_MS = 86_400_000;

/** First millisecond that a company keeps; null when it keeps everything. */
export const keptFrom = (days: number | null, now: number): number | null =>
  days === null ? null : now - days * DAY_MS;

/** Drops the partition when no company retains the day, else names the companies whose requests are deleted. */
export function outcomeOf(
  { starts, companies }: RecordedDay,
  cutoffs: ReadonlyMap<number, number | null>,
): DayRetention {
  const ends = starts + DAY_MS;
  const lets = (company: number, until: number): boolean => (cutoffs.get(company) ?? 0) >= until;
  if (companies.every((company) => lets(company, ends))) return { drop: true };
  return { drop: false, companies: companies.filter((company) => lets(company, starts + 1)) };
}

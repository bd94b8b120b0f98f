/** Everything recorded on one UTC day, and whose it is. */
export interface RecordedDay {
  /** First millisecond of the day. */
  starts: number;
  companies: number[];
}

/** What retention does to one day. */
export type DayRetention = { drop: true } | { drop: false; companies: number[] };

const DAY_MS = 86_400_000;

/** The first millisecond that a company keeps; null when it keeps everything. */
export const keptFrom = (days: number | null, now: number): number | null =>
  days === null ? null : now - days * DAY_MS;

/**
 * A day goes as a whole once every company that has something of it lets all of it go. Otherwise the companies are
 * named that let some of it go.
 */
export function outcomeOf(
  { starts, companies }: RecordedDay,
  cutoffs: ReadonlyMap<number, number | null>,
): DayRetention {
  const ends = starts + DAY_MS;
  const lets = (company: number, until: number): boolean => (cutoffs.get(company) ?? 0) >= until;
  if (companies.every((company) => lets(company, ends))) return { drop: true };
  return { drop: false, companies: companies.filter((company) => lets(company, starts + 1)) };
}

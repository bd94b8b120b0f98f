import { type Detail, invalid } from '@signalbox/contracts';
import { AllowList, InvalidAllowEntry } from '@signalbox/egress';

function problemOf(entry: string): string | undefined {
  try {
    new AllowList([entry]);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidAllowEntry) return 'must be host:port or a CIDR';
    throw error;
  }
}

/** Throws 400 that names each invalid entry: a stored one would fail every call of the company. */
export function requireAllowEntries(entries: readonly string[]): void {
  const problems = entries.flatMap((entry, at): Detail[] => {
    const message = problemOf(entry);
    return message ? [{ field: `allow[${at}]`, message }] : [];
  });
  if (problems.length > 0) throw invalid(problems);
}

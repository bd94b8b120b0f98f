import { EVENTS, type Detail, eventSubject, invalid } from '@signalbox/contracts';

const NAMES: readonly string[] = EVENTS.flatMap(({ declared }) => Object.keys(declared));
const FAMILIES = new Set(NAMES.map((name) => `${name.split('.')[0]}.*`));
const KNOWN = new Set(['*', ...NAMES, ...FAMILIES]);

/** Throws 400 that names each pattern which is no event, no `family.*` and not `*`. */
export function requireKnownPatterns(patterns: readonly string[]): void {
  const problems = patterns.flatMap((pattern, at): Detail[] =>
    KNOWN.has(pattern) ? [] : [{ field: `events[${at}]`, message: `unknown event pattern: ${pattern}` }],
  );
  if (problems.length > 0) throw invalid(problems);
}

/** The subjects of the messages whose events the patterns select. */
export const subjectsOf = (companyId: number, patterns: readonly string[]): string[] =>
  (patterns.includes('*') ? ['>'] : [...new Set(patterns)]).map((pattern) => eventSubject(companyId, pattern));

/** True when one of the patterns selects the event. */
export const matchesEvent = (patterns: readonly string[], event: string): boolean =>
  patterns.some((pattern) => pattern === '*' || pattern === event || pattern === `${event.split('.')[0]}.*`);

import { EVENTS, type Detail, eventSubject, invalid } from '@signalbox/contracts';

const NAMES: readonly string[] = EVENTS.flatMap(({ declared }) => Object.keys(declared));
const FAMILIES = new Set(NAMES.map((name) => `${name.split('.')[0]}.*`));
const KNOWN = new Set(['*', ...NAMES, ...FAMILIES]);

/** Patterns are events, `family.*` and `*`; throws 400 that names each other one. */
export function requireKnownPatterns(patterns: readonly string[]): void {
  const problems = patterns.flatMap((pattern, at): Detail[] =>
    KNOWN.has(pattern) ? [] : [{ field: `events[${at}]`, message: `unknown event pattern: ${pattern}` }],
  );
  if (problems.length > 0) throw invalid(problems);
}

export const subjectsOf = (companyId: number, patterns: readonly string[]): string[] =>
  (patterns.includes('*') ? ['>'] : [...new Set(patterns)]).map((pattern) => eventSubject(companyId, pattern));

export const matchesEvent = (patterns: readonly string[], event: string): boolean =>
  patterns.some((pattern) => pattern === '*' || pattern === event || pattern === `${event.split('.')[0]}.*`);

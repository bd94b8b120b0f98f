/** A child workflow as an allow-list names it. */
export interface NestedRef {
  ref: string;
  /** A version or a release; null when the entry names none. */
  pin: { version: string } | { release: string } | null;
}

const SEMVER = /^\d+\.\d+\.\d+$/;

/** Parses `ref`, `ref@1.2.3` or `ref@release`. */
export function parseNestedRef(text: string): NestedRef {
  const [ref = '', pinned] = text.split('@', 2);
  if (pinned === undefined) return { ref, pin: null };
  return { ref, pin: SEMVER.test(pinned) || pinned === 'latest' ? { version: pinned } : { release: pinned } };
}

/** The definition by which a workflow decides which children it may execute. */
export interface NestingRules {
  allow_inproc_nesting: boolean;
  inproc_nested_refs: readonly string[];
  frozen_refs?: Readonly<Record<string, string>>;
}

/**
 * Returns what a call of a child executes, null when the workflow may not execute it. A call that names no version
 * matches the first entry of the child; a call with one needs that entry.
 */
export function allowedChild(rules: NestingRules, called: string): NestedRef | null {
  if (!rules.allow_inproc_nesting) return null;
  const wanted = parseNestedRef(called);
  const entry = rules.inproc_nested_refs.find((each) =>
    wanted.pin === null ? parseNestedRef(each).ref === wanted.ref : each === called,
  );
  if (entry === undefined) return null;
  const frozen = rules.frozen_refs?.[entry];
  return frozen === undefined ? parseNestedRef(entry) : { ref: wanted.ref, pin: { version: frozen } };
}

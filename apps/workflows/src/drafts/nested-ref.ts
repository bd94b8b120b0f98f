export interface NestedRef {
  ref: string;
  pin: { version: string } | { release: string } | null;
}

const SEMVER = /^\d+\.\d+\.\d+$/;

/** Parses `ref`, `ref@1.2.3` or `ref@release`. */
export function parseNestedRef(text: string): NestedRef {
  const [ref = '', pinned] = text.split('@', 2);
  if (pinned === undefined) return { ref, pin: null };
  return { ref, pin: SEMVER.test(pinned) || pinned === 'latest' ? { version: pinned } : { release: pinned } };
}

export interface NestingRules {
  allow_inproc_nesting: boolean;
  inproc_nested_refs: readonly string[];
  frozen_refs?: Readonly<Record<string, string>>;
}

/**
 * What a call of a child executes, null when it is not allowed. A call without a version matches the first entry of the
 * child; one with a version needs exactly that entry.
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

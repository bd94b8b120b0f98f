import type { DiffField, DiffResult } from '@signalbox/contracts';

export interface DiffOptions {
  /** Differences of numbers up to it count as equal. */
  tolerance?: number;
  caseSensitive?: boolean;
  /** Ignores white space at both ends of texts; default true. */
  trim?: boolean;
  /** Paths that are not compared, with all below them; `[*]` stands for any index. */
  ignore?: readonly string[];
  /** Fields of the actual value without expectation differ; default true. */
  extras?: boolean;
}

const MAX_FIELDS = 1000;
const MAX_TEXT = 2000;
const ELLIPSIS = '…';

/** Counts all fields and keeps the first, differing ones before the others. */
class Fields {
  private readonly differing: DiffField[] = [];
  private readonly equal: DiffField[] = [];
  private total = 0;
  private matched = 0;

  add(path: string, status: DiffField['status'], expected: unknown, actual: unknown): void {
    this.total += 1;
    if (status === 'match') this.matched += 1;
    const kept = status === 'match' ? this.equal : this.differing;
    if (kept.length < MAX_FIELDS) kept.push({ path, status, expected: shown(expected), actual: shown(actual) });
  }

  result(): DiffResult {
    const { total, matched } = this;
    return {
      fields: [...this.differing, ...this.equal].slice(0, MAX_FIELDS),
      matched_count: matched,
      total_count: total,
      match_rate: total === 0 ? 1 : matched / total,
    };
  }
}

/** Shortened: the item has the whole value. */
function shown(value: unknown): unknown {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= MAX_TEXT ? value : text.slice(0, MAX_TEXT) + ELLIPSIS;
}

const isBranch = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const below = (path: string, key: string, inList: boolean): string =>
  inList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;

/** An absent branch is one field. */
export function fieldDiff(expected: unknown, actual: unknown, options: DiffOptions = {}, root = ''): DiffResult {
  const fields = new Fields();
  compare(fields, root, expected, actual, { ...options, ignore: (options.ignore ?? []).map(anyIndex) });
  return fields.result();
}

function compare(fields: Fields, path: string, expected: unknown, actual: unknown, options: DiffOptions): void {
  if (isIgnored(path, options.ignore ?? [])) return;
  if (actual === undefined) return fields.add(path, 'missing', expected, null);
  const isList = Array.isArray(expected);
  if (!isBranch(expected) || !isBranch(actual) || isList !== Array.isArray(actual))
    return fields.add(path, sameLeaf(expected, actual, options) ? 'match' : 'mismatch', expected, actual);
  const keys = Object.keys(expected);
  for (const key of keys) compare(fields, below(path, key, isList), expected[key], own(actual, key), options);
  const extra = options.extras === false ? [] : Object.keys(actual).filter((key) => !Object.hasOwn(expected, key));
  for (const key of extra) {
    const at = below(path, key, isList);
    if (!isIgnored(at, options.ignore ?? [])) fields.add(at, 'extra', null, actual[key]);
  }
  if (keys.length === 0 && extra.length === 0) fields.add(path, 'match', expected, actual);
}

const own = (value: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined;

function sameLeaf(expected: unknown, actual: unknown, options: DiffOptions): boolean {
  if (typeof expected === 'number' && typeof actual === 'number')
    return sameNumber(expected, actual, options.tolerance ?? 0);
  if (typeof expected === 'string' && typeof actual === 'string') return sameText(expected, actual, options);
  return expected === actual;
}

/** The difference of two decimals may be slightly above the intended one: that of 0.3 and 0.4 is above 0.1. */
function sameNumber(expected: number, actual: number, tolerance: number): boolean {
  const rounding = tolerance > 0 ? Number.EPSILON * (Math.abs(expected) + Math.abs(actual)) : 0;
  return Math.abs(expected - actual) <= tolerance + rounding;
}

export function sameText(
  expected: string,
  actual: string,
  { trim = true, caseSensitive = true }: DiffOptions,
): boolean {
  const normal = (text: string): string => {
    const trimmed = trim ? text.trim() : text;
    return caseSensitive ? trimmed : trimmed.toLowerCase();
  };
  return normal(expected) === normal(actual);
}

const anyIndex = (path: string): string => path.replace(/\[\d+\]/g, '[*]');

function isIgnored(path: string, ignored: readonly string[]): boolean {
  if (ignored.length === 0 || path === '') return false;
  const general = anyIndex(path);
  return ignored.some((each) => general === each || general.startsWith(`${each}.`) || general.startsWith(`${each}[`));
}

import { createHash } from 'node:crypto';
import type { Expected, TestInput } from '@signalbox/contracts';

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, canonical(item)]));
}

/** Independent of the order of keys. */
export const baselineHash = (input: TestInput, expected: Expected | null): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical({ input, expected_output: expected })))
    .digest('hex');

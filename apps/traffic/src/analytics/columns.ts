import { type Distribution, type Metrics, type Measure, NONE } from './metrics.js';
import type { MetricRows } from './series.js';

/** One list per column, because decoding tens of thousands of rows takes longer. */
export interface Columns {
  bucket: number[] | null;
  key: (string | null)[] | null;
  measures: Partial<Record<Measure, number[]>>;
  /** In bytes, for each row. */
  lengths: Partial<Record<Distribution, number[]>>;
}

export function columnsSql(measures: readonly Measure[], distributions: readonly Distribution[]): string {
  const lists = measures.map((name) => `'${name}', json_agg(f.${name})`);
  const lengths = distributions.map((name) => `'${name}', json_agg(length(f.${name}))`);
  return [
    'json_agg(f.bucket) AS bucket, json_agg(f.key) AS key',
    `json_build_object(${lists.join(', ')}) AS measures, json_build_object(${lengths.join(', ')}) AS lengths`,
    // Base64 is shorter than the hex format in which Postgres sends bytea.
    ...distributions.map((name) => `encode(string_agg(f.${name}, ''::bytea), 'base64') AS ${name}`),
  ].join(', ');
}

/** The rows of the lists. Their total needs no decoding of rows, because their bytes are consecutive. */
export function rowsOf(columns: (Columns & Partial<Record<Distribution, string | null>>) | undefined): MetricRows {
  if (!columns?.bucket || !columns.key) return { buckets: [], keys: [], at: () => NONE, total: () => NONE };
  const { bucket, key, measures, lengths } = columns;
  const counts = Object.entries(measures) as [Measure, number[]][];
  const sketches = (Object.entries(lengths) as [Distribution, number[]][]).map(([name, sizes]) => ({
    name,
    all: Buffer.from(columns[name] ?? '', 'base64'),
    ends: endsOf(sizes),
  }));
  const at = (row: number): Metrics => {
    const figures = { ...NONE };
    for (const [name, values] of counts) figures[name] = values[row] ?? 0;
    for (const { name, all, ends } of sketches) figures[name] = all.subarray(ends[row], ends[row + 1]);
    return figures;
  };
  const total = (): Metrics => {
    const figures = { ...NONE };
    for (const [name, values] of counts) figures[name] = values.reduce((sum, value) => sum + value, 0);
    for (const { name, all } of sketches) figures[name] = all;
    return figures;
  };
  return { buckets: bucket, keys: key, at, total };
}

function endsOf(sizes: readonly number[]): number[] {
  let end = 0;
  return [0, ...sizes.map((size) => (end += size))];
}

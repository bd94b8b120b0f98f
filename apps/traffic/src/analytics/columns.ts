import { type Distribution, type Figures, type Measure, NONE } from './figures.js';
import type { BucketRow } from './series.js';

/** Rows of figures as Postgres sends them: one list per column, for taking tens of thousands of rows apart takes longer. */
export interface Columns {
  bucket: number[] | null;
  key: (string | null)[] | null;
  measures: Partial<Record<Measure, number[]>>;
  /** How many bytes of its distribution belong to each row. */
  lengths: Partial<Record<Distribution, number[]>>;
}

/** Every column of the rows `f` as a list. */
export function columnsSql(measures: readonly Measure[], distributions: readonly Distribution[]): string {
  const lists = measures.map((name) => `'${name}', json_agg(f.${name})`);
  const lengths = distributions.map((name) => `'${name}', json_agg(length(f.${name}))`);
  return [
    'json_agg(f.bucket) AS bucket, json_agg(f.key) AS key',
    `json_build_object(${lists.join(', ')}) AS measures, json_build_object(${lengths.join(', ')}) AS lengths`,
    ...distributions.map((name) => `string_agg(f.${name}, ''::bytea) AS ${name}`),
  ].join(', ');
}

/** The rows that the lists are made of. */
export function rowsOf(columns: Columns & Partial<Record<Distribution, Buffer | null>>): BucketRow[] {
  const { bucket, key, measures, lengths } = columns;
  if (bucket === null) return [];
  const rows = bucket.map((at, row) => ({ bucket: at, key: key?.[row] ?? null, figures: { ...NONE } }));
  for (const [name, values] of Object.entries(measures) as [Measure, number[]][])
    rows.forEach(({ figures }, row) => (figures[name] = values[row] ?? 0));
  for (const [name, sizes] of Object.entries(lengths) as [Distribution, number[]][])
    share(rows, name, sizes, columns[name] ?? NONE[name]);
  return rows;
}

function share(rows: readonly { figures: Figures }[], name: Distribution, sizes: readonly number[], all: Buffer): void {
  let from = 0;
  rows.forEach(({ figures }, row) => {
    const to = from + (sizes[row] ?? 0);
    figures[name] = all.subarray(from, to);
    from = to;
  });
}

export interface Candidate {
  id: number;
  dataset_id: number;
  input_hash: string;
}

export interface Share {
  dataset_id: number;
  weight: number;
  max_requests: number | null;
}

export interface MixOptions {
  entries: readonly Share[];
  validation_split: number;
  seed: number;
}

export interface MixedRow {
  id: number;
  copies: number;
}

export interface Mix {
  train: MixedRow[];
  validation: MixedRow[];
  per_dataset: { dataset_id: number; count: number }[];
}

/** The finalizer of MurmurHash3: close numbers become unrelated ones. */
function scattered(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Position in an order that depends on the seed only. */
const rankOf = (value: number, seed: number): number => scattered(value ^ scattered(seed + 0x9e3779b9));

const numberOf = (hash: string): number => Number.parseInt(hash.slice(0, 8), 16);

export function rowsOfShare({ weight, max_requests }: Share, available: number): number {
  // The product of a decimal weight may be slightly above the intended whole number.
  const weighted = Math.ceil(available * weight - 1e-9);
  return Math.max(0, Math.min(weighted, max_requests ?? weighted));
}

/** Copies by row id: whole rounds over all rows, then the first rows once more. */
function taken(rows: readonly Candidate[], share: Share): Map<number, number> {
  const count = rowsOfShare(share, rows.length);
  const copiesOf = (at: number): number => Math.floor(count / rows.length) + (at < count % rows.length ? 1 : 0);
  return new Map(rows.map(({ id }, at): [number, number] => [id, copiesOf(at)]).filter(([, copies]) => copies > 0));
}

/** Splits by input, so that rows with the same input, and their copies, are on one side. */
function validationInputs(rows: readonly Candidate[], { validation_split, seed }: MixOptions): Set<string> {
  const inputs = [...new Set(rows.map(({ input_hash }) => input_hash))]
    .map((hash) => ({ hash, rank: rankOf(numberOf(hash), seed) }))
    .sort((a, b) => a.rank - b.rank || (a.hash < b.hash ? -1 : 1));
  const count = Math.min(Math.round(inputs.length * validation_split), Math.max(0, inputs.length - 1));
  return new Set(inputs.slice(0, count).map(({ hash }) => hash));
}

/** Deterministic: equal rows, shares and seeds give equal mixes. */
export function mix(candidates: readonly Candidate[], options: MixOptions): Mix {
  const ordered = candidates
    .map((row) => ({ row, rank: rankOf(row.id, options.seed) }))
    .sort((a, b) => a.rank - b.rank || a.row.id - b.row.id)
    .map(({ row }) => row);
  const copies = new Map<number, number>();
  const per_dataset: Mix['per_dataset'] = [];
  for (const share of options.entries) {
    const rows = taken(
      ordered.filter(({ dataset_id }) => dataset_id === share.dataset_id),
      share,
    );
    for (const [id, count] of rows) copies.set(id, count);
    per_dataset.push({ dataset_id: share.dataset_id, count: [...rows.values()].reduce((sum, each) => sum + each, 0) });
  }
  const used = ordered.filter(({ id }) => copies.has(id));
  const validation = validationInputs(used, options);
  const side = (isValidation: boolean): MixedRow[] =>
    used
      .filter(({ input_hash }) => validation.has(input_hash) === isValidation)
      .map(({ id }) => ({ id, copies: copies.get(id) ?? 0 }));
  return { train: side(false), validation: side(true), per_dataset };
}

export const linesIn = (rows: readonly MixedRow[]): number => rows.reduce((sum, { copies }) => sum + copies, 0);

/** Line by line; a row is repeated after all rows have occurred once more. */
export function* sequenceOf(rows: readonly MixedRow[]): Generator<number> {
  for (let round = 1, left = rows; left.length > 0; round++) {
    left = left.filter(({ copies }) => copies >= round);
    for (const { id } of left) yield id;
  }
}

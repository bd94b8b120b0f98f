import { conflict, type Dataset, type DatasetStatus, emits, MAX_TRAINING_ROWS } from '@signalbox/contracts';

export interface DatasetState {
  id: number;
  status: DatasetStatus;
}

export type DatasetChange = Partial<Pick<Dataset, 'dataset_name' | 'description' | 'tags' | 'meta'>>;

/** Throws 409 for an archived dataset. */
export function requireChangeable({ id, status }: DatasetState): void {
  if (status === 'ARCHIVED') throw conflict(`dataset ${id} is ARCHIVED and read-only`);
}

export function updateDataset(dataset: DatasetState, change: DatasetChange) {
  requireChangeable(dataset);
  return Object.keys(change).length === 0 ? {} : { set: change, events: [emits('dataset.updated')] };
}

export function archive({ id, status }: DatasetState) {
  if (status !== 'READY') throw conflict(`dataset ${id} is ${status}, not READY`);
  return { set: { status: 'ARCHIVED' as const }, events: [emits('dataset.updated')] };
}

export function unarchive({ id, status }: DatasetState) {
  if (status !== 'ARCHIVED') throw conflict(`dataset ${id} is ${status}, not ARCHIVED`);
  return { set: { status: 'READY' as const }, events: [emits('dataset.updated')] };
}

/** Throws 409 when the dataset would have too many rows. */
export function requireCapacity(rows: number, further: number): void {
  if (rows + further > MAX_TRAINING_ROWS)
    throw conflict(`the dataset has ${rows} requests and can hold at most ${MAX_TRAINING_ROWS}`);
}

/** Throws 409 for a dataset that is in compositions. */
export function requireUnused(id: number, compositionIds: readonly number[]): void {
  if (compositionIds.length === 0) return;
  throw conflict(
    `dataset ${id} is in compositions`,
    compositionIds.map((each) => ({ field: 'composition_id', message: `composition ${each} contains the dataset` })),
  );
}

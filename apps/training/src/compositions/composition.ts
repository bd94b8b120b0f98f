import { type Composition, type CompositionEntry, conflict, emits, notFound } from '@signalbox/contracts';

type Entries = Pick<Composition, 'id' | 'entries'>;

export type CompositionChange = Partial<
  Pick<
    Composition,
    'composition_name' | 'description' | 'entries' | 'validation_split' | 'seed' | 'exclude_test_set_ids'
  >
>;

const MAX_ENTRIES = 50;

export function updateComposition(change: CompositionChange) {
  if (Object.keys(change).length === 0) return {};
  // Recounted after the change.
  const set = change.exclude_test_set_ids ? { ...change, exclusions: {} } : change;
  return { set, events: [emits('composition.updated')] };
}

/** Throws 409 for a dataset that is in the composition, or one too many. */
export function addEntry({ id, entries }: Entries, entry: CompositionEntry) {
  if (entries.some(({ dataset_id }) => dataset_id === entry.dataset_id))
    throw conflict(`dataset ${entry.dataset_id} is in composition ${id} already`);
  if (entries.length >= MAX_ENTRIES) throw conflict(`composition ${id} can have at most ${MAX_ENTRIES} datasets`);
  return updateComposition({ entries: [...entries, entry] });
}

/** Throws 404 for a dataset that is not in the composition. */
export function changeEntry(
  { entries }: Entries,
  datasetId: number,
  change: Partial<Pick<CompositionEntry, 'weight' | 'max_requests'>>,
) {
  requireEntry(entries, datasetId);
  if (Object.keys(change).length === 0) return {};
  return updateComposition({
    entries: entries.map((entry) => (entry.dataset_id === datasetId ? { ...entry, ...change } : entry)),
  });
}

/** Throws 404 for a dataset that is not in the composition. */
export function removeEntry({ entries }: Entries, datasetId: number) {
  requireEntry(entries, datasetId);
  return updateComposition({ entries: entries.filter(({ dataset_id }) => dataset_id !== datasetId) });
}

function requireEntry(entries: readonly CompositionEntry[], datasetId: number): void {
  if (!entries.some(({ dataset_id }) => dataset_id === datasetId)) throw notFound('composition dataset');
}

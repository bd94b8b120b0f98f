import { type ApiError, conflict, type GroupUses } from '@signalbox/contracts';

/** 409 for the deletion of an intent group that training uses; nothing for one that it does not use. */
export function groupUseConflict(uses: GroupUses): ApiError | undefined {
  const details = [
    ...uses.dataset_ids.map((id) => ({ field: 'dataset_id', message: `dataset ${id} belongs to the intent group` })),
    ...uses.composition_ids.map((id) => ({
      field: 'composition_id',
      message: `composition ${id} belongs to the intent group`,
    })),
  ];
  return details.length === 0
    ? undefined
    : conflict(`the intent group has ${uses.datasets} datasets and ${uses.compositions} compositions`, details);
}

import { largeTableIndexes } from '@signalbox/database';

/** Finds the items of a set that were removed since a check of a monitor. */
export const RemovedItems1700000005960 = largeTableIndexes('RemovedItems1700000005960', 'test-runs', [
  {
    name: 'test_set_items_removed',
    on: '"test-runs".test_set_items (company_id, test_set_id, deleted_at) WHERE deleted_at IS NOT NULL',
  },
]);

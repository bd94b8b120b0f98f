import type { Column } from '../../parts/rows.js';
import { Time } from '../../parts/time.js';
import type { Filter } from '../../rules/filters.js';
import { Name } from './name.js';

export const CHANGED: Column<{ date_updated: number }> = {
  title: 'Changed',
  width: '110px',
  cell: ({ date_updated }) => <Time at={date_updated} />,
};
export const GROUP: Column<{ intent_group_id: number }> = {
  title: 'Intent group',
  width: '1fr',
  cell: ({ intent_group_id: id }) => <Name of="intentGroups" id={id} />,
};

export const BY_GROUP: Filter = {
  name: 'intent_group_id',
  label: 'Intent group',
  kind: 'names',
  of: 'intentGroups',
  isMain: true,
};

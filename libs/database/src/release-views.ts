import type { VersionTables } from './version-tables.js';
import type { View } from './view.js';

/** A release as the wire shows it. */
export const releaseView = ({ releases, versions }: VersionTables<object>): View => ({
  resource: 'release',
  table: releases,
  columns: [
    'id',
    'name',
    'version_id',
    'is_default',
    'gate_policy',
    'moved_at',
    'moved_by_key_id',
    'date_created',
    'date_updated',
  ],
  computed: {
    version_number: `(SELECT v.version_number FROM ${versions} v WHERE v.company_id = t.company_id AND v.id = t.version_id)`,
  },
  search: ['t.name'],
  sort: { name: 't.name', moved_at: 't.moved_at' },
});

/** One move in the history of a release. */
export const moveView = ({ moves }: VersionTables<object>): View => ({
  resource: 'release',
  table: moves,
  columns: [
    'id',
    'release_name',
    'from_version',
    'to_version',
    'gate_result',
    'override_reason',
    'key_id',
    'date_created',
  ],
  alive: 'true',
});

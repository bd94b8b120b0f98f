import type { View } from '../view.js';
import type { FamilyTables } from './family-tables.js';

export const releaseView = ({ releases, versions }: FamilyTables): View => ({
  resource: 'release',
  table: releases,
  columns: [
    'id',
    'name',
    'version_id',
    'is_default',
    'gate_policy',
    'mcp_enabled',
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

/** For lists over all parents of a family: with the parent, without details. */
export const releaseOverview = ({
  releases,
  versions,
  moves,
  parents,
  type,
  parentColumn,
  nameColumn,
}: FamilyTables): View => {
  const parent = `p.company_id = t.company_id AND p.id = t.${parentColumn}`;
  const parentName = `(SELECT p.${nameColumn} FROM ${parents} p WHERE ${parent})`;
  return {
    resource: 'release',
    table: releases,
    columns: [
      'name',
      'is_default',
      'gate_policy',
      'mcp_enabled',
      'moved_at',
      'moved_by_key_id',
      'date_created',
      'date_updated',
    ],
    computed: {
      parent_type: `'${type}'`,
      parent_id: `t.${parentColumn}`,
      parent_name: parentName,
      version_number: `(SELECT v.version_number FROM ${versions} v WHERE v.company_id = t.company_id AND v.id = t.version_id)`,
      last_gate_result: `(SELECT m.gate_result FROM ${moves} m WHERE m.company_id = t.company_id AND m.release_id = t.id
        AND m.gate_result IS NOT NULL ORDER BY m.id DESC LIMIT 1)`,
    },
    search: ['t.name', parentName],
    // Lists of several services are merged, so the order must not depend on the collation of a database.
    sort: { name: 't.name COLLATE "C"', moved_at: 't.moved_at', parent_name: `${parentName} COLLATE "C"` },
    alive: `t.deleted_at IS NULL AND EXISTS (SELECT 1 FROM ${parents} p WHERE ${parent} AND p.deleted_at IS NULL)`,
  };
};

export const moveView = ({ moves }: FamilyTables): View => ({
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
  search: ['t.id::text', 't.from_version', 't.to_version', 't.override_reason'],
  alive: 'true',
});

import { composed, txStatement } from '@signalbox/database';
import { FORM_FIELDS } from './form-field.part.js';
import { LINKS } from './link.part.js';
import type { OrderedChild } from './ordered-child.js';
import { partsOfAgent } from './ordered-child.sql.js';
import { RULES } from './rule.part.js';

interface Names {
  table: string;
  columns: (of?: string) => string;
  part: OrderedChild;
}

interface PartIndexes {
  byId: string;
  byAgent: string;
}

const ofParts = (index: (found: PartIndexes) => string | readonly string[] | null, text: (names: Names) => string) =>
  composed(
    (part: OrderedChild) => {
      const { table } = part.view;
      const columns = (of?: string): string =>
        part.columns.map((column) => (of ? `${of}.${column}` : column)).join(', ');
      const name = table.replace(/^agents\./, '');
      return txStatement(
        { index: index({ byId: `${name}_pkey`, byAgent: `${name}_position` }) },
        text({ table, columns, part }),
      );
    },
    [LINKS],
    [RULES],
    [FORM_FIELDS],
  );

export const MAKE_ROOM = ofParts(
  ({ byAgent }) => byAgent,
  ({ table }) =>
    `UPDATE ${table} SET position = position + 1, date_updated = $4
   WHERE company_id = $1 AND agent_id = $2 AND position >= $3 AND deleted_at IS NULL`,
);

export const INSERT_PART = ofParts(
  () => null,
  ({ table, columns }) =>
    `INSERT INTO ${table} (company_id, agent_id, position, ${columns()})
   SELECT $1, $2, $3, ${columns('r')} FROM jsonb_populate_record(NULL::${table}, $4::jsonb) r RETURNING id`,
);

export const CHANGE_PART = ofParts(
  ({ byId }) => byId,
  ({ table, columns }) =>
    `UPDATE ${table} t SET (${columns()}, date_updated) =
     (SELECT ${columns('r')}, $3::bigint FROM jsonb_populate_record(t, $4::jsonb) r)
   WHERE t.company_id = $1 AND t.id = $2`,
);

export const DELETE_PART = ofParts(
  ({ byId }) => byId,
  ({ table }) => `UPDATE ${table} SET deleted_at = $3 WHERE company_id = $1 AND id = $2`,
);

export const CLOSE_GAP = ofParts(
  ({ byAgent }) => byAgent,
  ({ table }) =>
    `UPDATE ${table} SET position = position - 1, date_updated = $4
   WHERE company_id = $1 AND agent_id = $2 AND position > $3 AND deleted_at IS NULL`,
);

export const PLACE_PARTS = ofParts(
  ({ byId }) => byId,
  ({ table }) =>
    `UPDATE ${table} t SET position = n.ord - 1, date_updated = $3
   FROM unnest($2::int[]) WITH ORDINALITY n(id, ord)
   WHERE t.company_id = $1 AND t.id = n.id AND t.position <> n.ord - 1`,
);

export const PARTS_OF_AGENT = ofParts(
  ({ byAgent }) => ['agents_pkey', byAgent],
  ({ part }) => `SELECT ${partsOfAgent(part)}::text AS body FROM agents.agents t WHERE t.company_id = $1 AND t.id = $2`,
);

const ROWS = 'jsonb_array_elements($3::jsonb) WITH ORDINALITY n(item, ord)';

const KNOWN = `t.company_id = $1 AND t.agent_id = $2 AND t.id = (n.item->>'id')::int`;

export const RESTORE_PARTS = ofParts(
  ({ byId }) => byId,
  ({ table, columns }) =>
    `UPDATE ${table} t SET (${columns()}, position, date_updated, deleted_at) =
     (SELECT ${columns('r')}, n.ord - 1, $4::bigint, NULL::bigint FROM jsonb_populate_record(t, n.item) r)
   FROM ${ROWS} WHERE ${KNOWN}`,
);

export const INSERT_PARTS = ofParts(
  ({ byId }) => byId,
  ({ table, columns }) =>
    `INSERT INTO ${table} (company_id, agent_id, position, ${columns()})
   SELECT $1, $2, n.ord - 1, ${columns('r')} FROM ${ROWS},
     LATERAL jsonb_populate_record(NULL::${table}, n.item) r
   WHERE NOT EXISTS (SELECT 1 FROM ${table} t WHERE ${KNOWN}) ORDER BY n.ord`,
);

export const DELETE_PARTS = ofParts(
  ({ byAgent }) => byAgent,
  ({ table }) => `UPDATE ${table} SET deleted_at = $3 WHERE company_id = $1 AND agent_id = $2 AND deleted_at IS NULL`,
);

export const IDS_OF_PARTS = ofParts(
  ({ byAgent }) => byAgent,
  ({ table }) =>
    `SELECT id FROM ${table} WHERE company_id = $1 AND agent_id = $2 AND deleted_at IS NULL ORDER BY position`,
);

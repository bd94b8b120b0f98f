import { readStatement, txStatement } from '../statement.js';
import type { FamilyTables } from './family-tables.js';

const ROW = 'SELECT l.id, l.name, l.version_id, l.is_default, l.gate_policy, l.mcp_enabled, v.version_number';

const countReleases = ({ releases, parentColumn, prefix }: FamilyTables) => ({
  count: txStatement(
    { index: `${prefix}_releases_name` },
    `SELECT count(*)::int AS count FROM ${releases}
     WHERE company_id = $1 AND ${parentColumn} = $2 AND deleted_at IS NULL`,
  ),
  countTools: txStatement(
    { index: `${prefix}_releases_mcp` },
    `SELECT count(*)::int AS count FROM ${releases} WHERE company_id = $1 AND mcp_enabled AND deleted_at IS NULL`,
  ),
  findOther: txStatement(
    { index: `${prefix}_releases_name` },
    `SELECT 1 FROM ${releases}
     WHERE company_id = $1 AND ${parentColumn} = $2 AND deleted_at IS NULL AND id <> $3 LIMIT 1`,
  ),
});

const findReleases = ({ releases, versions, parents, parent, parentColumn, prefix }: FamilyTables) => {
  const gates = { index: [`${prefix}_releases_default`, `${prefix}_releases_deleted_gates`] };
  const gatedSql = (company: string): string => `SELECT
      (SELECT l.name FROM ${releases} l WHERE l.company_id = ${company} AND l.${parentColumn} = $2 AND l.is_default
         AND l.deleted_at IS NULL AND l.gate_policy IS NOT NULL) AS gated_default,
      ARRAY(SELECT DISTINCT l.name FROM ${releases} l WHERE l.company_id = ${company} AND l.${parentColumn} = $2
         AND l.name = ANY ($3::text[]) AND l.deleted_at > $4 AND l.gate_policy IS NOT NULL) AS deleted`;
  return {
    find: readStatement(
      { index: [`${parent}_pkey`, `${prefix}_releases_name`, `${prefix}_versions_pkey`] },
      `SELECT r.* FROM s, LATERAL (${ROW} FROM ${releases} l
         JOIN ${versions} v ON v.company_id = l.company_id AND v.id = l.version_id
         JOIN ${parents} p ON p.company_id = l.company_id AND p.id = l.${parentColumn}
         WHERE l.company_id = s.company AND p.id = $2 AND l.name = $3 AND l.deleted_at IS NULL AND p.deleted_at IS NULL
         OFFSET 0) r`,
    ),
    lock: txStatement(
      { index: [`${prefix}_releases_name`, `${prefix}_versions_pkey`] },
      `${ROW} FROM ${releases} l JOIN ${versions} v ON v.company_id = l.company_id AND v.id = l.version_id
       WHERE l.company_id = $1 AND l.${parentColumn} = $2 AND l.name = $3 AND l.deleted_at IS NULL
       FOR UPDATE OF l`,
    ),
    findGated: txStatement(gates, gatedSql('$1')),
    readGated: readStatement(gates, `SELECT r.* FROM s, LATERAL (${gatedSql('s.company')} OFFSET 0) r`),
  };
};

const writeReleases = ({ releases, moves, parentColumn, prefix }: FamilyTables) => ({
  clearDefault: txStatement(
    { index: `${prefix}_releases_default` },
    `UPDATE ${releases} SET is_default = false
     WHERE company_id = $1 AND ${parentColumn} = $2 AND is_default AND deleted_at IS NULL`,
  ),
  insert: txStatement(
    { index: null },
    `INSERT INTO ${releases}
       (company_id, ${parentColumn}, name, version_id, is_default, gate_policy, moved_by_key_id, mcp_enabled)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
  ),
  update: txStatement(
    { index: `${prefix}_releases_pkey` },
    `UPDATE ${releases} SET version_id = $3, is_default = $4, gate_policy = $5, date_updated = $8, name = $9, mcp_enabled = $10,
       moved_by_key_id = CASE WHEN $6::boolean THEN $7 ELSE moved_by_key_id END,
       moved_at = CASE WHEN $6::boolean THEN $8 ELSE moved_at END
     WHERE company_id = $1 AND id = $2`,
  ),
  delete: txStatement(
    { index: `${prefix}_releases_pkey` },
    `UPDATE ${releases} SET deleted_at = $3, is_default = false WHERE company_id = $1 AND id = $2`,
  ),
  addMove: txStatement(
    { index: null },
    `INSERT INTO ${moves}
       (company_id, ${parentColumn}, release_name, from_version, to_version, gate_result, override_reason, key_id, release_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  ),
});

/** Null for a family whose releases are not tools. */
const listTools = ({ releases, versions, parents, parent, parentColumn, nameColumn, prefix, mcp }: FamilyTables) =>
  mcp
    ? readStatement(
        { index: [`${parent}_pkey`, `${prefix}_releases_mcp`, `${prefix}_versions_pkey`] },
        `SELECT r.* FROM s, LATERAL (SELECT p.id AS parent_id, p.${nameColumn} AS parent_name, l.name AS release,
           v.version_number, v.snapshot->>'description' AS description, v.snapshot->'${mcp.input}' AS input,
           v.snapshot->'${mcp.output}' AS output
         FROM ${releases} l
         JOIN ${versions} v ON v.company_id = l.company_id AND v.id = l.version_id
         JOIN ${parents} p ON p.company_id = l.company_id AND p.id = l.${parentColumn}
         WHERE l.company_id = s.company AND l.mcp_enabled AND l.deleted_at IS NULL AND p.deleted_at IS NULL
         ORDER BY l.id LIMIT $2 OFFSET 0) r`,
      )
    : null;

export const releaseStatements = (tables: FamilyTables) => ({
  ...countReleases(tables),
  ...findReleases(tables),
  ...writeReleases(tables),
  listTools: listTools(tables),
});

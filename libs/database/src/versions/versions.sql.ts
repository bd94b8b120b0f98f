import { readStatement, txStatement } from '../statement.js';
import type { FamilyTables } from './family-tables.js';

const byNumber = ({ prefix, parentColumn }: FamilyTables): string =>
  `${prefix}_versions_company_id_${parentColumn}_version_number_key`;

const insertVersion = ({ versions, parentColumn, derived = {} }: FamilyTables) => {
  const columns = ['version_number', 'is_latest', 'version_notes', 'snapshot', ...Object.keys(derived)].join(', ');
  return txStatement(
    { index: null },
    `INSERT INTO ${versions} (company_id, ${parentColumn}, ${columns})
     VALUES (${['$1', '$2', '$3', '$4', '$5', '$6', ...Object.values(derived)].join(', ')}) RETURNING id`,
  );
};

/** The version that a call names, one statement per way to name it; a row without id when only the parent exists. */
const findVersion = (tables: FamilyTables) => {
  const { versions, releases, parents, parent, parentColumn, prefix } = tables;
  const pkey = `${parent}_pkey`;
  const version = (which: string): string =>
    `LEFT JOIN ${versions} v ON v.company_id = t.company_id AND v.${parentColumn} = t.id AND ${which}`;
  const release = (which: string): string =>
    `LEFT JOIN ${releases} l ON l.company_id = t.company_id AND l.${parentColumn} = t.id
         AND l.deleted_at IS NULL AND ${which}`;
  const find = (index: string[], name: string, joins: string) =>
    readStatement(
      { index: [pkey, ...index] },
      `SELECT r.* FROM s, LATERAL (SELECT v.id, v.version_number, v.snapshot, ${name} AS release_name
         FROM ${parents} t ${joins}
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) r`,
    );
  return {
    latest: find([`${prefix}_versions_latest`], 'NULL::text', version('v.is_latest')),
    numbered: find([byNumber(tables)], 'NULL::text', version('v.version_number = $3')),
    released: find(
      [`${prefix}_releases_name`, `${prefix}_versions_pkey`],
      'l.name',
      `${release('l.name = $3')} ${version('v.id = l.version_id')}`,
    ),
    /** The target of standing traffic. */
    standing: find(
      [`${prefix}_releases_default`, byNumber(tables)],
      'l.name',
      `${release('l.is_default')} ${version('(v.id = l.version_id OR (l.id IS NULL AND v.is_latest))')}`,
    ),
  };
};

export const versionStatements = (tables: FamilyTables) => {
  const { versions, parents, parent, parentColumn, prefix } = tables;
  const pkey = { index: `${parent}_pkey` };
  return {
    lockParent: txStatement(
      pkey,
      `SELECT 1 FROM ${parents} WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
    ),
    findParent: readStatement(
      pkey,
      `SELECT p.* FROM s, LATERAL (SELECT 1 FROM ${parents} t
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) p`,
    ),
    find: findVersion(tables),
    /** The version of a number, if any, and the latest one. */
    findKnown: txStatement(
      { index: byNumber(tables) },
      `SELECT version_number, is_latest FROM ${versions}
       WHERE company_id = $1 AND ${parentColumn} = $2 AND (version_number = $3 OR is_latest)`,
    ),
    clearLatest: txStatement(
      { index: `${prefix}_versions_latest` },
      `UPDATE ${versions} SET is_latest = false
       WHERE company_id = $1 AND ${parentColumn} = $2 AND is_latest RETURNING version_number`,
    ),
    insert: insertVersion(tables),
  };
};

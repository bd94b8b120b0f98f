import { NOW_MS, readStatement, txStatement, type View } from '@signalbox/database';

export const view: View = {
  resource: 'artifact',
  table: 'workflows.artifacts',
  columns: ['id', 'workflow_id', 'run_id', 'key', 'content_type', 'size_bytes', 'sha256', 'date_created'],
  filters: { workflow_id: 't.workflow_id = ?', run_id: 't.run_id = ?', of_workflow: 't.run_id IS NULL' },
  search: ['t.key'],
  sort: { key: 't.key', size_bytes: 't.size_bytes' },
};

export const LOCK_WORKFLOW = txStatement(
  { index: 'workflows_pkey' },
  'SELECT 1 FROM workflows.workflows WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE',
);

/** Files of a run and those of its workflow have an index each: a workflow may have runs without number. */
const OF_RUN = { index: 'artifacts_of_run', isAlike: 'run_id = $3::uuid' };
const OF_WORKFLOW = { index: 'artifacts_key', isAlike: 'run_id IS NULL AND $3::uuid IS NULL' };

const removeFile = ({ index, isAlike }: typeof OF_RUN) =>
  txStatement(
    { index },
    `UPDATE workflows.artifacts SET deleted_at = ${NOW_MS} WHERE company_id = $1 AND workflow_id = $2
     AND ${isAlike} AND key = $4 AND deleted_at IS NULL`,
  );

const insertFile = ({ index, isAlike }: typeof OF_RUN) =>
  txStatement(
    { index },
    `INSERT INTO workflows.artifacts (company_id, workflow_id, run_id, key, content_type, size_bytes, sha256, upload_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id, (SELECT count(*)::int FROM workflows.artifacts o
       WHERE o.company_id = $1 AND o.workflow_id = $2 AND o.${isAlike} AND o.deleted_at IS NULL) AS others`,
  );

export const REMOVE_FILE_OF_RUN = removeFile(OF_RUN);
export const REMOVE_FILE_OF_WORKFLOW = removeFile(OF_WORKFLOW);
export const INSERT_FILE_OF_RUN = insertFile(OF_RUN);
export const INSERT_FILE_OF_WORKFLOW = insertFile(OF_WORKFLOW);

export const DELETE_FILE = txStatement(
  { index: 'artifacts_pkey' },
  `UPDATE workflows.artifacts SET deleted_at = ${NOW_MS} WHERE company_id = $1 AND id = $2`,
);

export const DELETE_FILES_OF_WORKFLOW = txStatement(
  { index: 'artifacts_key' },
  `UPDATE workflows.artifacts SET deleted_at = ${NOW_MS} WHERE company_id = $1 AND workflow_id = $2
   AND run_id IS NULL AND deleted_at IS NULL`,
);

const found = (condition: string): string =>
  `SELECT x.* FROM s, LATERAL (SELECT t.key, t.content_type, t.size_bytes::float8 AS size_bytes, t.sha256, t.upload_id
   FROM workflows.artifacts t WHERE t.company_id = s.company AND t.workflow_id = $2 AND ${condition}
     AND t.deleted_at IS NULL ORDER BY t.run_id NULLS LAST LIMIT 1 OFFSET 0) x`;

export const FIND_BY_ID = readStatement({ index: 'artifacts_pkey' }, found('t.id = $3'));

export const FIND_BY_KEY = readStatement(
  { index: ['artifacts_key', 'artifacts_of_run'] },
  found('t.key = $4 AND (t.run_id IS NULL OR t.run_id = $3)'),
);

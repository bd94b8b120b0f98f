import { txStatement, readStatement, workerStatement, STATEMENT_MS } from '@signalbox/database';

export const SLICE = 2000;

export const STORE_PART = txStatement(
  { index: null },
  `INSERT INTO workflows.artifact_parts (company_id, upload_id, part, sha256, size_bytes)
   VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
);

export const PARTS_OF_UPLOAD = txStatement(
  { index: 'artifact_parts_pkey' },
  `SELECT part, size_bytes FROM workflows.artifact_parts WHERE company_id = $1 AND upload_id = $2
   ORDER BY part`,
);

export const HASHES_OF = readStatement(
  { index: 'artifact_parts_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT t.sha256 FROM workflows.artifact_parts t
   WHERE t.company_id = s.company AND t.upload_id = $2 ORDER BY t.part OFFSET 0) x`,
);

export const DELETE_ORPHANED_PARTS = workerStatement(
  { index: ['artifact_parts_created', 'artifact_parts_pkey', 'artifacts_upload'] },
  `WITH slice AS MATERIALIZED (
     SELECT p.date_created, p.company_id, p.upload_id, p.part FROM workflows.artifact_parts p
     WHERE (p.date_created, p.company_id, p.upload_id, p.part) > ($2, $3, $4::uuid, $5) AND p.date_created < ${STATEMENT_MS} - $1
     ORDER BY p.date_created, p.company_id, p.upload_id, p.part LIMIT ${SLICE}
   ), gone AS (DELETE FROM workflows.artifact_parts p USING slice s
     WHERE p.company_id = s.company_id AND p.upload_id = s.upload_id AND p.part = s.part AND (
       -- A look-up for each part: a join may read all artifacts, once for each part.
       SELECT a.id FROM workflows.artifacts a
       WHERE a.company_id = s.company_id AND a.upload_id = s.upload_id AND a.deleted_at IS NULL LIMIT 1) IS NULL)
   SELECT s.*, (SELECT count(*)::int FROM slice) AS looked_at FROM slice s
   ORDER BY s.date_created DESC, s.company_id DESC, s.upload_id DESC, s.part DESC LIMIT 1`,
);

import { workerStatement } from '@signalbox/database';

export const BEGIN_SWEEP = workerStatement(
  { index: null },
  'UPDATE workflows.object_sweep SET began_at = $2 WHERE began_at <= $1 RETURNING 1',
);

export const UNREFERENCED = `SELECT k.key FROM unnest($2::text[]) k(key), LATERAL split_part(k.key, '/', 2) AS hash WHERE
  NOT EXISTS (SELECT 1 FROM workflows.artifacts a
    WHERE a.company_id = $1 AND a.sha256 = hash AND a.upload_id IS NULL AND a.deleted_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM workflows.artifact_parts p WHERE p.company_id = $1 AND p.sha256 = hash)
  AND NOT EXISTS (SELECT 1 FROM workflows.workflows w
    WHERE w.company_id = $1 AND w.script_key = k.key AND w.deleted_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM workflows.workflow_versions v JOIN workflows.workflows w
      ON w.company_id = v.company_id AND w.id = v.workflow_id AND w.deleted_at IS NULL
    WHERE v.company_id = $1 AND v.snapshot->>'script_key' = k.key)
  AND NOT EXISTS (SELECT 1 FROM workflows.runs r
    WHERE r.company_id = $1 AND r.completed_at IS NULL AND r.snapshot->>'script_key' = k.key)`;

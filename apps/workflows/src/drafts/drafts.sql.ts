import { draftStatements, txStatement, readStatement } from '@signalbox/database';
import { SNAPSHOT_FIELDS } from './workflow-snapshot.js';

/** Over the alias `t`. */
const SNAPSHOT = `jsonb_build_object(${SNAPSHOT_FIELDS.map((field) => `'${field}', t."${field}"`).join(', ')})`;

export const DRAFT_STATEMENTS = draftStatements({ index: 'workflows_pkey' }, 'workflows.workflows', SNAPSHOT);

export const FIND_CALLED_DRAFTS = readStatement(
  { index: ['application_names_pkey', 'workflows_pkey'] },
  `SELECT x.* FROM s, LATERAL (SELECT t.workflow_ref_name, t.status, t.application_id, ${SNAPSHOT} AS draft,
     (SELECT n.application_name FROM workflows.application_names n
      WHERE n.company_id = t.company_id AND n.application_id = t.application_id) AS application_name
   FROM workflows.workflows t WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
);

export const LATEST_OF = txStatement(
  { index: ['workflow_versions_latest', 'workflows_ref_name'] },
  `SELECT t.workflow_ref_name AS ref, v.version_number FROM workflows.workflows t
   JOIN workflows.workflow_versions v ON v.company_id = t.company_id AND v.workflow_id = t.id AND v.is_latest
   WHERE t.company_id = $1 AND t.workflow_ref_name = ANY ($2::text[]) AND t.deleted_at IS NULL`,
);

export const RECOMPUTE_HASH = txStatement(
  { index: 'workflows_pkey' },
  `UPDATE workflows.workflows t SET draft_hash = encode(sha256(convert_to(${SNAPSHOT}::text, 'UTF8')), 'hex')
   WHERE t.company_id = $1 AND t.id = $2`,
);

export const MARK_PUBLISHED = txStatement(
  { index: 'workflows_pkey' },
  'UPDATE workflows.workflows SET published_hash = draft_hash WHERE company_id = $1 AND id = $2',
);

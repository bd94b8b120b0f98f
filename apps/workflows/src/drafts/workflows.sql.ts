import { readStatement, type View } from '@signalbox/database';

export const view: View = {
  resource: 'workflow',
  table: 'workflows.workflows',
  columns: [
    'id',
    'workflow_ref_name',
    'workflow_name',
    'description',
    'application_id',
    'language',
    'script_key',
    'script_sha256',
    'execution_mode',
    'input_schema',
    'output_schema',
    'allow_inproc_nesting',
    'inproc_nested_refs',
    'timeout_seconds',
    'memory_mb',
    'status',
    'meta',
    'date_created',
    'date_updated',
  ],
  computed: {
    application_name: `(SELECT n.application_name FROM workflows.application_names n
      WHERE n.company_id = t.company_id AND n.application_id = t.application_id)`,
    transform_enabled: 't.script_has_transform OR t.transform_session IS NOT NULL',
    latest_version_number: `(SELECT v.version_number FROM workflows.workflow_versions v
      WHERE v.company_id = t.company_id AND v.workflow_id = t.id AND v.is_latest)`,
    has_unpublished_changes: 't.draft_hash IS DISTINCT FROM t.published_hash',
  },
  detail: { transform_session: 't.transform_session' },
  filters: {
    application_id: 't.application_id = ?',
    status: 't.status = ANY(?::text[])',
    execution_mode: 't.execution_mode = ANY(?::text[])',
    language: 't.language = ANY(?::text[])',
  },
  search: ['t.workflow_name', 't.workflow_ref_name', 't.description'],
  sort: { workflow_name: 't.workflow_name', workflow_ref_name: 't.workflow_ref_name', status: 't.status' },
};

export const IDS_BY_REF_NAME = readStatement(
  { index: 'workflows_ref_name' },
  `SELECT x.* FROM s, LATERAL (SELECT t.id, t.workflow_ref_name AS name FROM workflows.workflows t
   WHERE t.company_id = s.company AND t.workflow_ref_name = ANY ($2::text[]) AND t.deleted_at IS NULL OFFSET 0) x`,
);

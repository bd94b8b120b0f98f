import { readStatement } from '@signalbox/database';

export const KNOWN_WORKFLOWS = readStatement(
  {
    index: [
      'workflow_releases_name',
      'workflow_versions_company_id_workflow_id_version_number_key',
      'workflows_ref_name',
    ],
  },
  `SELECT x.* FROM s, LATERAL (
   SELECT EXISTS (
     SELECT 1 FROM workflows.workflows t WHERE t.company_id = s.company AND t.workflow_ref_name = n.ref
       AND t.deleted_at IS NULL AND (n.pin IS NULL
         OR EXISTS (SELECT 1 FROM workflows.workflow_versions v WHERE v.company_id = t.company_id
           AND v.workflow_id = t.id AND (v.version_number = n.pin OR (n.pin = 'latest' AND v.is_latest)))
         OR EXISTS (SELECT 1 FROM workflows.workflow_releases l WHERE l.company_id = t.company_id
           AND l.workflow_id = t.id AND l.name = n.pin AND l.deleted_at IS NULL))) AS known
   FROM unnest($2::text[], $3::text[]) WITH ORDINALITY n(ref, pin, at) ORDER BY n.at OFFSET 0) x`,
);

export const PARENTS_OF = readStatement(
  { index: 'workflows_pkey' },
  `SELECT x.* FROM s, LATERAL (
   SELECT p.id, p.workflow_ref_name FROM workflows.workflows t
   JOIN workflows.workflows p ON p.company_id = t.company_id AND p.id <> t.id AND p.deleted_at IS NULL
   WHERE t.company_id = s.company AND t.id = $2 AND EXISTS (
     SELECT 1 FROM jsonb_array_elements_text(p.inproc_nested_refs) e
     WHERE split_part(e, '@', 1) = t.workflow_ref_name)
   ORDER BY p.id LIMIT 20 OFFSET 0) x`,
);

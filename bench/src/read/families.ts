import { agent, type Resource } from './resource.js';

const columns = (...names: string[]): string[] => names.map((name) => `t."${name}"`);
const DATES = ['date_created', 'date_updated'];

const workflow: Resource = {
  service: 'workflows',
  path: '/workflows/',
  table: 'workflows.workflows',
  fields: [
    ...columns('id', 'workflow_ref_name', 'workflow_name', 'description', 'application_id', 'language', 'script_key'),
    ...columns('script_sha256', 'execution_mode', 'input_schema', 'output_schema', 'allow_inproc_nesting'),
    ...columns('inproc_nested_refs', 'timeout_seconds', 'memory_mb', 'status', 'meta', 'transform_session', ...DATES),
    `(SELECT n.application_name FROM workflows.application_names n
      WHERE n.company_id = t.company_id AND n.application_id = t.application_id) AS application_name`,
    't.script_has_transform OR t.transform_session IS NOT NULL AS transform_enabled',
    `(SELECT v.version_number FROM workflows.workflow_versions v
      WHERE v.company_id = t.company_id AND v.workflow_id = t.id AND v.is_latest) AS latest_version_number`,
    't.draft_hash IS DISTINCT FROM t.published_hash AS has_unpublished_changes',
  ].join(', '),
  seed: [
    `INSERT INTO workflows.workflows (company_id, workflow_ref_name, workflow_name, description, language, script_key,
       script_sha256, script_has_transform, execution_mode, allow_inproc_nesting, timeout_seconds, memory_mb, status)
     SELECT $1::int, 'flow-' || n, 'Flow ' || n, 'What flow ' || n || ' is for, in a sentence or two.', 'javascript',
       $1::int || '/' || repeat('a', 64), repeat('a', 64), false, 'sync', false, 60, 64, 'ENABLED'
     FROM generate_series(1, $2::int) n`,
  ],
  expect: '{"data":{"id":{id},"workflow_ref_name":',
};

const OF_MONITOR = 'x.company_id = t.company_id AND x.monitor_id = t.id';
const LIVING_TARGETS = `monitors.monitor_targets x WHERE ${OF_MONITOR} AND x.deleted_at IS NULL`;
const SNAPSHOT = `jsonb_build_object('name', t.name, 'description', t.description, 'config', t.config, 'meta', t.meta)`;

const monitor: Resource = {
  service: 'monitors',
  path: '/monitors/',
  table: 'monitors.monitors',
  fields: [
    ...columns('id', 'name', 'description', 'status', 'config', 'meta', 'alert_rules', 'shadow_version', ...DATES),
    `(SELECT count(*)::int FROM ${LIVING_TARGETS}) AS target_count`,
    `(t.status = 'ACTIVE' AND EXISTS (SELECT 1 FROM ${LIVING_TARGETS} AND x.enabled)
      AND EXISTS (SELECT 1 FROM monitors.monitor_versions x WHERE ${OF_MONITOR})) AS active`,
    `NOT EXISTS (SELECT 1 FROM monitors.monitor_versions x
      WHERE ${OF_MONITOR} AND x.is_latest AND x.snapshot = ${SNAPSHOT}) AS has_unpublished_changes`,
    `(SELECT x.version_number FROM monitors.monitor_versions x WHERE ${OF_MONITOR} AND x.is_latest) AS latest_version_number`,
    `(SELECT max(x.date_created) FROM monitors.monitor_runs x WHERE ${OF_MONITOR} AND x.outcome IS NOT NULL) AS last_run_at`,
    `(SELECT x.name FROM monitors.monitor_releases x
      WHERE ${OF_MONITOR} AND x.is_default AND x.deleted_at IS NULL) AS default_release`,
    `COALESCE((SELECT json_agg(x.id ORDER BY x.id) FROM ${LIVING_TARGETS}), '[]'::json) AS targets`,
  ].join(', '),
  seed: [
    `INSERT INTO monitors.monitors (company_id, name, description, status, config)
     SELECT $1::int, 'monitor ' || n, 'What monitor ' || n || ' is for, in a sentence or two.', 'DRAFT',
       jsonb_build_object('runner', jsonb_build_object('resource_type', 'direct', 'input', '{}'::jsonb))
     FROM generate_series(1, $2::int) n`,
  ],
  expect: '{"data":{"id":{id},"name":',
};

const testSet: Resource = {
  service: 'test-runs',
  path: '/unified-test-sets/',
  table: '"test-runs".test_sets',
  fields: [
    ...columns('id', 'name', 'description', 'consumer_kinds', 'criteria_ids', 'tags', 'meta', 'item_count'),
    ...columns('last_run_at', ...DATES),
  ].join(', '),
  seed: [
    `INSERT INTO "test-runs".test_sets (company_id, name, description)
     SELECT $1::int, 'set ' || n, 'What set ' || n || ' is for, in a sentence or two.' FROM generate_series(1, $2::int) n`,
  ],
  expect: '{"data":{"id":{id},"name":',
};

const ACTIVITY = 'traffic.recorded_activity y WHERE y.company_id = t.company_id AND y.application_id = t.id';

const application: Resource = {
  service: 'traffic',
  path: '/applications/',
  table: 'traffic.applications',
  fields: [
    ...columns('id', 'application_name', 'application_ref_name', 'description', 'state', 'config', 'meta'),
    ...columns('fault_notifications', 'session_summaries', ...DATES),
    `(SELECT count(*) FROM traffic.intents i
      WHERE i.company_id = t.company_id AND i.application_id = t.id AND i.deleted_at IS NULL) AS intent_count`,
    `(SELECT COALESCE(sum(y.request_count), 0)::bigint FROM ${ACTIVITY}) AS request_count`,
    `(SELECT max(y.last_activity) FROM ${ACTIVITY}) AS last_activity`,
  ].join(', '),
  seed: [
    `INSERT INTO traffic.applications (company_id, application_name, application_ref_name, description, state)
     SELECT $1::int, 'Application ' || n, 'application-' || n, 'What application ' || n || ' is for.', 'ENABLED'
     FROM generate_series(1, $2::int) n`,
  ],
  expect: '{"data":{"id":{id},"application_name":',
};

/** One resource of each family that users read by its id. */
export const FAMILIES: Readonly<Record<string, Resource>> = {
  agent,
  workflow,
  monitor,
  'test set': testSet,
  application,
};

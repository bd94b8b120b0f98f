import { familySql, type View } from '@signalbox/database';

export const versionView: View = {
  resource: 'version',
  table: 'workflows.workflow_versions',
  columns: ['id', 'workflow_id', 'version_number', 'is_latest', 'version_notes', 'date_created'],
  detail: { snapshot: 't.snapshot' },
  search: ['t.version_number', 't.version_notes'],
  alive: 'true',
};

export const WORKFLOW_SQL = familySql({
  schema: 'workflows',
  type: 'workflow',
  parent: 'workflows',
  nameColumn: 'workflow_name',
  parentColumn: 'workflow_id',
  prefix: 'workflow',
  mcp: { input: 'input_schema', output: 'output_schema' },
});

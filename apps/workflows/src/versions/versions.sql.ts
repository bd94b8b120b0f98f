import { type View } from '@signalbox/database';

export const versionView: View = {
  resource: 'version',
  table: 'workflows.workflow_versions',
  columns: ['id', 'workflow_id', 'version_number', 'is_latest', 'version_notes', 'date_created'],
  detail: { snapshot: 't.snapshot' },
  search: ['t.version_number', 't.version_notes'],
  alive: 'true',
};

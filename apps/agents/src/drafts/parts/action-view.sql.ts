import { fieldsSql, type View } from '@signalbox/database';
import { ACTION_FIELDS } from '../agent-snapshot.js';

export const ACTION_VIEW: View = {
  resource: 'action',
  table: 'agents.actions',
  columns: ['id', 'agent_id', ...ACTION_FIELDS],
  computed: {
    date_created: `to_char(to_timestamp(t.date_created / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    status: `CASE WHEN t.enabled THEN 'ENABLED' ELSE 'DISABLED' END`,
  },
  filters: { agent_id: 't.agent_id = ?', enabled: 't.enabled = ?' },
  search: ['t.action_name', 't.description'],
  sort: { action_name: 't.action_name' },
  large: ['action_config'],
};

export const ACTION_FIELDS_SQL = fieldsSql(ACTION_VIEW, true).replace(/\bt\./g, 'a.');

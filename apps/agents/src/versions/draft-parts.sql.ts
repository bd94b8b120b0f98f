import { txStatement } from '@signalbox/database';

export const ACTIONS_OF_AGENT = txStatement(
  { index: 'actions_name' },
  'SELECT id, action_name FROM agents.actions WHERE company_id = $1 AND agent_id = $2 AND deleted_at IS NULL',
);

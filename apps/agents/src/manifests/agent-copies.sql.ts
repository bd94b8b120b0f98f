import { txStatement } from '@signalbox/database';

export const STORE_ROUTING = txStatement(
  { index: 'agents_pkey' },
  'UPDATE agents.agents SET routing = $3 WHERE company_id = $1 AND id = $2',
);

export const ACTIONS_OF_AGENT = txStatement(
  { index: 'actions_name' },
  'SELECT id FROM agents.actions WHERE company_id = $1 AND agent_id = $2 AND deleted_at IS NULL ORDER BY id',
);

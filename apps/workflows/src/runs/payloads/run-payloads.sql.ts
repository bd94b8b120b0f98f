import { payloadStatements } from '@signalbox/runs';

/** A run that was started with messages gets an input with these messages. */
const PAYLOAD = `json_build_object(
  'run_id', t.id, 'input', COALESCE(t.input, CASE WHEN t.messages IS NOT NULL THEN jsonb_build_object('messages', t.messages) END),
  'output', t.output, 'metadata', t.metadata)`;

export const RUN_PAYLOADS = payloadStatements({
  table: 'workflows.runs',
  payload: PAYLOAD,
  targetColumn: 'workflow_id',
  isProduction: `t.parent_run_id IS NULL AND t.trigger IN ('API', 'CHAT', 'AGENT')`,
  indexes: { ofTarget: 'runs_of_workflow', payload: [] },
});

import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import { JudgedRuns } from '@signalbox/runs';

const PAYLOAD = `json_build_object('task_id', t.id, 'input_messages', t.input_messages, 'output', t.output,
  'state', COALESCE((SELECT x.state FROM agents.sessions x WHERE x.company_id = t.company_id AND x.id = t.session_no), '{}'))`;

/** Tasks as monitors judge them. */
@Injectable()
export class TaskPayloads extends JudgedRuns {
  constructor(db: Database) {
    super(db, {
      table: 'agents.tasks',
      payload: PAYLOAD,
      targetColumn: 'agent_id',
      isProduction: `t.parent_task_id IS NULL AND t.trigger IN ('API', 'CHAT', 'WORKFLOW')`,
    });
  }
}

import { serve } from '@signalbox/bus';
import { migrateService } from '@signalbox/database';
import { PROCESS_SETTINGS, readSettings } from '@signalbox/platform';
import { AgentsModule } from './agents.module.js';
import { AgentParts1700000003200 } from './migrations/1700000003200-agent-parts.js';
import { Agents1700000003000 } from './migrations/1700000003000-agents.js';
import { DraftSizes1700000003900 } from './migrations/1700000003900-draft-sizes.js';
import { Hooks1700000003300 } from './migrations/1700000003300-hooks.js';
import { LinkedReleaseMoves1700000003500 } from './migrations/1700000003500-linked-release-moves.js';
import { SecretTransfer1700000003700 } from './migrations/1700000003700-secret-transfer.js';
import { SessionRetention1700000004200 } from './migrations/1700000004200-session-retention.js';
import { TaskRetention1700000004100 } from './migrations/1700000004100-task-retention.js';
import { TasksOfCompany1700000003600 } from './migrations/1700000003600-tasks-of-company.js';
import { TaskTriggers1700000004000 } from './migrations/1700000004000-task-triggers.js';
import { Tasks1700000003100 } from './migrations/1700000003100-tasks.js';
import { UnboundAgents1700000003400 } from './migrations/1700000003400-unbound-agents.js';

if (process.argv[2] === 'migrate') {
  const migrations = [
    Agents1700000003000,
    Tasks1700000003100,
    AgentParts1700000003200,
    Hooks1700000003300,
    UnboundAgents1700000003400,
    LinkedReleaseMoves1700000003500,
    TasksOfCompany1700000003600,
    SecretTransfer1700000003700,
    DraftSizes1700000003900,
    TaskTriggers1700000004000,
    TaskRetention1700000004100,
    SessionRetention1700000004200,
  ];
  await migrateService({ service: 'agents', migrations });
} else {
  const settings = readSettings([
    ...PROCESS_SETTINGS,
    'NATS_URL',
    'DATABASE_URL',
    'WORKER_DATABASE_URL',
    'EGRESS_ALLOW',
    'PUBLIC_URL',
    'COMPANY_JOBS_AT_ONCE',
    'HOST',
    'PORT',
  ]);
  await serve('agents', AgentsModule.with(settings), settings);
}

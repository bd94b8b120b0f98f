import { serve } from '@signalbox/bus';
import { migrateService } from '@signalbox/database';
import { readSettings } from '@signalbox/platform';
import { AgentsModule } from './agents.module.js';
import { AgentParts1700000003200 } from './migrations/1700000003200-agent-parts.js';
import { Agents1700000003000 } from './migrations/1700000003000-agents.js';

if (process.argv[2] === 'migrate') {
  await migrateService({ service: 'agents', migrations: [Agents1700000003000, AgentParts1700000003200] });
} else {
  const settings = readSettings(['NATS_URL', 'DATABASE_URL', 'WORKER_DATABASE_URL', 'LOG_LEVEL', 'HEALTH_PORT']);
  await serve('agents', AgentsModule.with(settings), settings);
}

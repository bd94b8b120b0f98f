import { Module } from '@nestjs/common';
import { DraftsModule } from '../drafts/index.js';
import { TasksModule } from '../tasks/index.js';
import { AgentSessionHandlers } from './agent-sessions.handlers.js';
import { SessionErasureWorker } from './session-erasure.worker.js';
import { AgentSessions } from './sessions.repository.js';
import { StateWrites } from './state-writes.repository.js';

@Module({
  imports: [DraftsModule, TasksModule],
  controllers: [AgentSessionHandlers],
  providers: [AgentSessions, SessionErasureWorker, StateWrites],
})
export class SessionsModule {}

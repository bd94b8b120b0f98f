import { Module } from '@nestjs/common';
import { CompanyProfiles } from '@signalbox/clients';
import { DraftsModule } from '../drafts/index.js';
import { TasksModule } from '../tasks/index.js';
import { VersionsModule } from '../versions/index.js';
import { ExternalAgents } from './external-agents.js';
import { ExternalPrograms } from './external-programs.js';
import { ExternalTaskHandlers } from './external-tasks.handlers.js';
import { ExternalTasks } from './external-tasks.repository.js';

@Module({
  imports: [DraftsModule, TasksModule, VersionsModule],
  controllers: [ExternalTaskHandlers],
  providers: [CompanyProfiles, ExternalAgents, ExternalPrograms, ExternalTasks],
})
export class ExternalModule {}

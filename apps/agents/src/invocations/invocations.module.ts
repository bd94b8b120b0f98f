import { Module } from '@nestjs/common';
import { EvaluationModule } from '@signalbox/conditions';
import { DraftsModule } from '../drafts/index.js';
import { SubAgentsModule } from '../sub-agents/index.js';
import { TasksModule } from '../tasks/index.js';
import { VersionsModule } from '../versions/index.js';
import { AgentAnswerHandlers } from './agent-answers.handlers.js';
import { TestRunTargetHandlers } from './test-run-target.handlers.js';
import { CalledAgents } from './called-agents.repository.js';
import { StreamedAnswers } from './streamed-answers.js';
import { TaskAcceptances } from './task-acceptances.repository.js';
import { TaskAnswers } from './task-answers.js';
import { TaskSubmission } from './task-submission.js';
import { TaskHandlers } from './tasks.handlers.js';

@Module({
  imports: [DraftsModule, EvaluationModule, SubAgentsModule, TasksModule, VersionsModule],
  controllers: [AgentAnswerHandlers, TestRunTargetHandlers, TaskHandlers],
  providers: [CalledAgents, StreamedAnswers, TaskAcceptances, TaskAnswers, TaskSubmission],
  exports: [CalledAgents, TaskAcceptances],
})
export class InvocationsModule {}

import { Module } from '@nestjs/common';
import { EvaluationModule } from '@signalbox/conditions';
import { DraftsModule } from '../drafts/index.js';
import { WorkflowRunsModule } from '../runs/index.js';
import { VersionsModule } from '../versions/index.js';
import { RunReplies } from './run-replies.js';
import { RunSubmission } from './run-submission.js';
import { WorkflowInvocationHandlers, WorkflowRunHandlers } from './workflow-runs.handlers.js';

@Module({
  imports: [DraftsModule, EvaluationModule, VersionsModule, WorkflowRunsModule],
  controllers: [WorkflowInvocationHandlers, WorkflowRunHandlers],
  providers: [RunReplies, RunSubmission],
})
export class InvocationsModule {}

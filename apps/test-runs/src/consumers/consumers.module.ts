import { Module } from '@nestjs/common';
import { EvaluationModule } from '@signalbox/conditions';
import { AgentExecutor } from './agent-executor.js';
import { ConsumerExecutors } from './consumer-executors.js';
import { ExternalExecutor } from './external-executor.js';
import { InputSchemas } from './input-schemas.js';
import { ModelExecutor } from './model-executor.js';
import { WorkflowExecutor } from './workflow-executor.js';

@Module({
  imports: [EvaluationModule],
  providers: [AgentExecutor, ConsumerExecutors, ExternalExecutor, InputSchemas, ModelExecutor, WorkflowExecutor],
  exports: [ConsumerExecutors, InputSchemas],
})
export class ConsumersModule {}

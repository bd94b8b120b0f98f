import { Module } from '@nestjs/common';
import { EvaluationModule } from '@signalbox/conditions';
import { AgentConsumer } from './agent-consumer.js';
import { Consumers } from './consumers.js';
import { InputSchemas } from './input-schemas.js';
import { ModelConsumer } from './model-consumer.js';
import { WorkflowConsumer } from './workflow-consumer.js';

/** What test runs drive: models, workflows and agents. */
@Module({
  imports: [EvaluationModule],
  providers: [AgentConsumer, Consumers, InputSchemas, ModelConsumer, WorkflowConsumer],
  exports: [Consumers, InputSchemas],
})
export class ConsumersModule {}

import { Module } from '@nestjs/common';
import { CompanyProfiles } from '@signalbox/clients';
import { EvaluationModule } from '@signalbox/conditions';
import { DraftsModule } from '../drafts/index.js';
import { McpServersModule } from '../mcp-servers/index.js';
import { ModelsModule } from '../models/index.js';
import { RoutingModule } from '../routing/index.js';
import { ActionWorkflows } from './action-workflows.js';
import { ActionHandlers } from './actions.handlers.js';
import { Actions } from './actions.repository.js';
import { ActionRunner } from './execution/action-runner.js';
import { ActionTests } from './execution/action-tests.js';
import { McpActions } from './execution/mcp-actions.js';
import { WorkflowActions } from './execution/workflow-actions.js';

@Module({
  imports: [DraftsModule, EvaluationModule, McpServersModule, ModelsModule, RoutingModule],
  controllers: [ActionHandlers],
  providers: [ActionRunner, Actions, ActionTests, ActionWorkflows, CompanyProfiles, McpActions, WorkflowActions],
  exports: [ActionRunner, Actions, ActionWorkflows],
})
export class ActionsModule {}

import { Module } from '@nestjs/common';
import { EvaluationModule } from '@signalbox/conditions';
import { DraftsModule } from '../drafts/index.js';
import { Router } from './router.js';
import { RoutingHandlers } from './routing.handlers.js';
import { RoutingRules } from './rules.repository.js';

@Module({
  imports: [DraftsModule, EvaluationModule],
  controllers: [RoutingHandlers],
  providers: [Router, RoutingRules],
  exports: [Router, RoutingRules],
})
export class RoutingModule {}

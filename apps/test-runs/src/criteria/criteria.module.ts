import { Module } from '@nestjs/common';
import { EvaluationModule } from '@signalbox/conditions';
import { JudgingModule } from '../judging/index.js';
import { CriteriaHandlers } from './criteria.handlers.js';
import { Criteria } from './criteria.repository.js';
import { CriterionUses } from './criterion-uses.repository.js';

@Module({
  imports: [EvaluationModule, JudgingModule],
  controllers: [CriteriaHandlers],
  providers: [Criteria, CriterionUses],
})
export class CriteriaModule {}

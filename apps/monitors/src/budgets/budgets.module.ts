import { Module } from '@nestjs/common';
import { Budgets } from './budgets.repository.js';

@Module({
  providers: [Budgets],
  exports: [Budgets],
})
export class BudgetsModule {}

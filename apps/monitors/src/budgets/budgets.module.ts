import { Module } from '@nestjs/common';
import { Budgets } from './budgets.repository.js';

/** What monitors cost a day. */
@Module({
  providers: [Budgets],
  exports: [Budgets],
})
export class BudgetsModule {}

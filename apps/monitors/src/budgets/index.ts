export { BudgetsModule } from './budgets.module.js';
export { Budgets, COST_TODAY, isBudgetSpent } from './budgets.repository.js';
export { MonitorCostRow } from './monitor-cost.entity.js';

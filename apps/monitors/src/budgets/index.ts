export { BudgetsModule } from './budgets.module.js';
export { Budgets, COST_TODAY, IS_BUDGET_SPENT } from './budgets.repository.js';
export { MonitorCostRow } from './monitor-cost.entity.js';

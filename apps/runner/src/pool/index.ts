export { COMPILING, type Needs } from './admission.js';
export { ChildFactory } from './child-factory.js';
export { ChildPool } from './child-pool.js';
export { availableMb, MemoryBudget } from './memory-budget.js';
export { type PoolCounts, PoolSizes, poolSizes, type RunEnd } from './pool-settings.js';
export { reportsUsage } from './process-usage.js';
export { type ChildExit, type ChildKind, type ChildListener, ScriptChild } from './script-child.js';
export { type Breach, type ExecutionLimits, Watchdog } from './watchdog.js';

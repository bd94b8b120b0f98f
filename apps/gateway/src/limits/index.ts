export { AnonymousRateLimiter } from './anonymous-rate-limiter.js';
export { BodyBudget } from './body-budget.js';
export { ClientAddresses } from './client-address.js';
export { ConcurrencyGuard } from './concurrency.guard.js';
export { type ConnectionLimits, Connections } from './connections.js';
export { ConcurrencyQueue } from './concurrency-queue.js';
export { LimitsModule } from './limits.module.js';
export { RateLimitGuard } from './rate-limit.guard.js';
export { RateLimits } from './rate-limits.js';

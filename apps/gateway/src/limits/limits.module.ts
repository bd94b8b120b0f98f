import { Module } from '@nestjs/common';
import { GATEWAY_SETTINGS, type GatewaySettings } from '../settings.js';
import { AnonymousRateLimiter } from './anonymous-rate-limiter.js';
import { ClientAddresses } from './client-address.js';
import { Concurrency } from './concurrency.js';
import { ConcurrencyGuard } from './concurrency.guard.js';
import { sharedConcurrency, sharedRateLimit } from './key-limits.js';
import { ASSUMED_SHARERS, LimitSharers } from './limit-sharers.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { RateLimits } from './rate-limits.js';

@Module({
  providers: [
    AnonymousRateLimiter,
    {
      provide: ClientAddresses,
      inject: [GATEWAY_SETTINGS],
      useFactory: (settings: GatewaySettings) => new ClientAddresses(settings.TRUSTED_PROXIES),
    },
    {
      provide: ASSUMED_SHARERS,
      inject: [GATEWAY_SETTINGS],
      useFactory: (settings: GatewaySettings) => settings.GATEWAY_REPLICAS,
    },
    { provide: Concurrency, inject: [LimitSharers], useFactory: sharedConcurrency },
    ConcurrencyGuard,
    LimitSharers,
    RateLimitGuard,
    {
      provide: RateLimits,
      inject: [GATEWAY_SETTINGS, LimitSharers, ClientAddresses],
      useFactory: (settings: GatewaySettings, sharers: LimitSharers, addresses: ClientAddresses) =>
        new RateLimits(sharedRateLimit(settings.RATE_LIMIT_RPS, sharers), addresses),
    },
  ],
  exports: [AnonymousRateLimiter, ClientAddresses, ConcurrencyGuard, RateLimitGuard, RateLimits],
})
export class LimitsModule {}

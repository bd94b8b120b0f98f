import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { BusModule } from '@signalbox/bus';
import { CallsModule } from './calls/index.js';
import { DocsModule } from './docs/index.js';
import { HealthModule } from './health/index.js';
import { ApiKeyGuard, KeysModule, ScopeGuard } from './keys/index.js';
import { ConcurrencyGuard, LimitsModule, RateLimitGuard } from './limits/index.js';
import { McpModule } from './mcp/index.js';
import { OtelModule } from './otel/index.js';
import { PortalModule } from './portal/index.js';
import { ApiExceptionFilter, RepliesModule } from './replies/index.js';
import type { Role } from './role.js';
import { type GatewaySettings, SettingsModule } from './settings.js';
import { UnmatchedFilter, UnmatchedModule } from './unmatched/index.js';

@Module({})
export class GatewayModule {
  static with(settings: GatewaySettings, role: Role): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        BusModule.forService({ name: role.name, url: settings.NATS_URL, database: false, carriesClaims: true }),
        SettingsModule.with(settings, role),
        KeysModule,
        LimitsModule,
        RepliesModule,
        HealthModule,
        DocsModule,
        UnmatchedModule.beside(role.contracts),
        CallsModule.of(role.contracts),
        ...(role.name === 'gateway' ? [McpModule, OtelModule, PortalModule] : []),
      ],
      providers: [
        // Guards run in this order.
        { provide: APP_GUARD, useExisting: ApiKeyGuard },
        { provide: APP_GUARD, useExisting: RateLimitGuard },
        { provide: APP_GUARD, useExisting: ScopeGuard },
        { provide: APP_GUARD, useExisting: ConcurrencyGuard },
        { provide: APP_FILTER, useExisting: ApiExceptionFilter },
        { provide: APP_FILTER, useExisting: UnmatchedFilter },
      ],
    };
  }
}

import { type DynamicModule, Module } from '@nestjs/common';
import type { Settings } from '@signalbox/platform';
import { ROLE, type Role } from './role.js';

export type GatewaySettings = Settings<
  | 'NATS_URL'
  | 'PUBLIC_URL'
  | 'IDEMPOTENCY_KEY'
  | 'INVOKE_TIMEOUT_SECONDS'
  | 'RATE_LIMIT_RPS'
  | 'GATEWAY_REPLICAS'
  | 'CORS_ORIGINS'
  | 'BODY_MEMORY_MIB'
  | 'TRUSTED_PROXIES'
>;

export const GATEWAY_SETTINGS = Symbol('gateway settings');

@Module({})
export class SettingsModule {
  static with(settings: GatewaySettings, role: Role): DynamicModule {
    const providers = [
      { provide: GATEWAY_SETTINGS, useValue: settings },
      { provide: ROLE, useValue: role },
    ];
    return { module: SettingsModule, global: true, providers, exports: providers };
  }
}

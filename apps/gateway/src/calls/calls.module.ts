import { type DynamicModule, Module } from '@nestjs/common';
import type { Contract } from '@signalbox/contracts';
import { BodiesModule } from '../bodies/index.js';
import { LimitsModule } from '../limits/index.js';
import { GATEWAY_SETTINGS, type GatewaySettings } from '../settings.js';
import { StreamsModule } from '../streams/index.js';
import { contractControllers } from './contract-controllers.js';
import { IdempotencyClaims } from './idempotency-claims.js';
import { ReplyKinds } from './reply-kinds.js';

@Module({})
export class CallsModule {
  static of(contracts: readonly Contract[]): DynamicModule {
    return {
      module: CallsModule,
      imports: [BodiesModule, LimitsModule, StreamsModule],
      controllers: contractControllers(contracts),
      providers: [
        {
          provide: IdempotencyClaims,
          inject: [GATEWAY_SETTINGS],
          useFactory: ({ IDEMPOTENCY_KEY }: GatewaySettings) => new IdempotencyClaims(IDEMPOTENCY_KEY),
        },
        ReplyKinds,
      ],
    };
  }
}

import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule } from '@signalbox/bus';
import type { Settings } from '@signalbox/platform';
import { Document } from './docs/document.js';
import { Draining } from './health/draining.js';
import { Readiness } from './health/readiness.js';
import { Shutdown } from './health/shutdown.js';
import { BUCKETS, Gate } from './keys/gate.js';
import { KeyRing } from './keys/key-ring.js';
import { Guesses } from './limits/guesses.js';
import { TokenBuckets } from './limits/token-bucket.js';
import { Replies } from './replies/replies.js';
import { RequestLog } from './replies/request-log.js';
import { Forwarding, SLOW_MS } from './routes/forwarding.js';
import { IdempotencyClaims } from './routes/idempotency-claims.js';
import { RouteMount } from './routes/mount.js';
import { OpenRoutes } from './routes/open-routes.js';
import { Unmatched } from './routes/unmatched.js';
import { EventStreams } from './streams/event-streams.js';
import { PieceStreams } from './streams/piece-streams.js';

/** What the gateway must be told. */
export type GatewaySettings = Settings<'NATS_URL' | 'IDEMPOTENCY_KEY' | 'INVOKE_TIMEOUT_SECONDS' | 'RATE_LIMIT_RPS'>;

const GRACE_SECONDS = 5;

/** HTTP on one side, the bus on the other. */
@Module({})
export class GatewayModule {
  static with(settings: GatewaySettings): DynamicModule {
    const rate = settings.RATE_LIMIT_RPS;
    return {
      module: GatewayModule,
      imports: [BusModule.forService({ name: 'gateway', url: settings.NATS_URL, database: false })],
      providers: [
        { provide: BUCKETS, useValue: rate > 0 ? new TokenBuckets(rate) : null },
        { provide: SLOW_MS, useValue: (settings.INVOKE_TIMEOUT_SECONDS + GRACE_SECONDS) * 1000 },
        { provide: IdempotencyClaims, useValue: new IdempotencyClaims(settings.IDEMPOTENCY_KEY) },
        Document,
        Draining,
        EventStreams,
        Forwarding,
        Gate,
        Guesses,
        KeyRing,
        OpenRoutes,
        PieceStreams,
        Readiness,
        Replies,
        RequestLog,
        RouteMount,
        Shutdown,
        Unmatched,
      ],
    };
  }
}

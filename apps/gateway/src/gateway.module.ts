import { type DynamicModule, Module } from '@nestjs/common';
import { BusClient, BusModule } from '@signalbox/bus';
import type { Settings } from '@signalbox/platform';
import { Document } from './docs/document.js';
import { type BodyBounds, BodyReader } from './bodies/body-reader.js';
import { FileReader } from './bodies/file-reader.js';
import { UploadReader } from './bodies/upload-reader.js';
import { UploadSlots } from './bodies/upload-slots.js';
import { Draining } from './health/draining.js';
import { Readiness } from './health/readiness.js';
import { Shutdown } from './health/shutdown.js';
import { Authenticator, PUBLIC_ORIGIN, RATE_LIMIT } from './keys/authenticator.js';
import { KeyWatch } from './keys/key-watch.js';
import { ApiKeyResolver } from './keys/api-key-resolver.js';
import { BodyBudget } from './limits/body-budget.js';
import { ClientAddresses } from './limits/client-address.js';
import { Concurrency } from './limits/concurrency.js';
import { AnonymousRateLimiter } from './limits/anonymous-rate-limiter.js';
import { sharedConcurrency, sharedRateLimit } from './limits/key-limits.js';
import { Lane } from './limits/lane.js';
import { ASSUMED_SHARERS, LimitSharers } from './limits/limit-sharers.js';
import { Cors } from './replies/cors.js';
import { Replies } from './replies/replies.js';
import { AccessLog } from './replies/access-log.js';
import { CALL_CHECKS, callChecks } from './routes/call-checks.js';
import { Forwarding, SLOW_MS } from './routes/forwarding.js';
import { IdempotencyClaims } from './routes/idempotency-claims.js';
import { RouteMount } from './routes/mount.js';
import { OpenRoutes } from './routes/open-routes.js';
import { Unmatched } from './routes/unmatched.js';
import { PortalFiles } from './portal/portal-files.js';
import { PortalRoutes } from './portal/portal-routes.js';
import { PortalSignIn } from './portal/portal-sign-in.js';
import { ROLE, type Role } from './role.js';
import { EventStreams } from './streams/event-streams.js';
import { ChunkedReplies } from './streams/chunked-replies.js';

/** Settings of the gateway. */
export type GatewaySettings = Settings<
  | 'NATS_URL'
  | 'PUBLIC_URL'
  | 'IDEMPOTENCY_KEY'
  | 'INVOKE_TIMEOUT_SECONDS'
  | 'RATE_LIMIT_RPS'
  | 'GATEWAY_REPLICAS'
  | 'CORS_ORIGINS'
  | 'BODY_MEMORY_MIB'
>;

const GRACE_SECONDS = 5;
const MIB = 1_048_576;
/** Bodies of more than 1 MiB are received a few at a time; further ones wait for a moment. */
const LARGE_BODIES = { slots: 8, slotsPerName: 4, waitMs: 5000 };

/** Files may arrive for minutes: one company has a quarter of the slots, one address half. */
const UPLOADS_OF_COMPANIES = { slots: 16, slotsPerName: 4, waitMs: 5000 };
const UPLOADS_OF_ADDRESSES = { ...UPLOADS_OF_COMPANIES, slotsPerName: 8 };
/** The origin that browsers send for the public address. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

/** One address gets a quarter of the memory for bodies. */
function bodyBounds(mib: number, addresses: ClientAddresses): BodyBounds {
  const budget = new BodyBudget({ total: mib * MIB, perAddress: (mib * MIB) / 4 });
  const uploads = { companies: new Lane(UPLOADS_OF_COMPANIES), addresses: new Lane(UPLOADS_OF_ADDRESSES) };
  return { budget, large: new Lane(LARGE_BODIES), uploads, addressOf: ({ raw }) => addresses.of(raw) };
}

/** The module of the gateway: HTTP routes that call services over the bus. */
@Module({})
export class GatewayModule {
  static with(settings: GatewaySettings, addresses: ClientAddresses, role: Role): DynamicModule {
    const bodies = bodyBounds(settings.BODY_MEMORY_MIB, addresses);
    const uploads = new UploadSlots(bodies);
    return {
      module: GatewayModule,
      imports: [
        BusModule.forService({ name: role.name, url: settings.NATS_URL, database: false, carriesClaims: true }),
      ],
      providers: [
        { provide: ROLE, useValue: role },
        { provide: CALL_CHECKS, useValue: callChecks },
        { provide: PUBLIC_ORIGIN, useValue: originOf(settings.PUBLIC_URL) },
        { provide: ASSUMED_SHARERS, useValue: settings.GATEWAY_REPLICAS },
        LimitSharers,
        {
          provide: RATE_LIMIT,
          inject: [LimitSharers],
          useFactory: (sharers: LimitSharers) => sharedRateLimit(settings.RATE_LIMIT_RPS, sharers),
        },
        { provide: SLOW_MS, useValue: (settings.INVOKE_TIMEOUT_SECONDS + GRACE_SECONDS) * 1000 },
        { provide: IdempotencyClaims, useValue: new IdempotencyClaims(settings.IDEMPOTENCY_KEY) },
        { provide: Concurrency, inject: [LimitSharers], useFactory: sharedConcurrency },
        { provide: Cors, useValue: new Cors(settings.CORS_ORIGINS) },
        { provide: ClientAddresses, useValue: addresses },
        { provide: BodyReader, useValue: new BodyReader(bodies) },
        {
          provide: UploadReader,
          inject: [BusClient],
          useFactory: (bus: BusClient) => new UploadReader(bus, uploads),
        },
        {
          provide: FileReader,
          inject: [BusClient],
          useFactory: (bus: BusClient) => new FileReader(bus, uploads),
        },
        Document,
        Draining,
        EventStreams,
        Forwarding,
        Authenticator,
        AnonymousRateLimiter,
        ApiKeyResolver,
        KeyWatch,
        OpenRoutes,
        PortalFiles,
        PortalRoutes,
        PortalSignIn,
        ChunkedReplies,
        Readiness,
        Replies,
        AccessLog,
        RouteMount,
        Shutdown,
        Unmatched,
      ],
    };
  }
}

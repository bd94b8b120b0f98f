import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule } from '@signalbox/bus';
import { CompanyProfiles } from '@signalbox/clients';
import { DatabaseModule } from '@signalbox/database';
import type { Settings } from '@signalbox/platform';
import { ChatModule } from './chat/index.js';
import { ENTITIES } from './entities.js';
import { schema } from './migrations/index.js';
import { EGRESS_ALLOW, ProviderSeal } from './providers/index.js';
import { RequestLogModule } from './request-log/index.js';
import { trafficJobs } from './jobs.js';

export type CompletionSettings = Settings<
  'NATS_URL' | 'DATABASE_URL' | 'WORKER_DATABASE_URL' | 'PROVIDER_SEAL_KEY' | 'DATA_DIR' | 'EGRESS_ALLOW'
>;

/**
 * Chat completions with the request log and their dependencies. Runs in the traffic service and, without the rest of
 * it, in the process that serves the HTTP clients (docs/decisions/023).
 */
@Module({})
export class CompletionsModule {
  /** `inProcess` = serves only callers in this process; everything else is left to the traffic service. */
  static with(settings: CompletionSettings, inProcess: boolean): DynamicModule {
    return {
      module: CompletionsModule,
      global: true,
      imports: [
        // Before the bus: its files are closed only after the consumers and workers of the bus have stopped.
        RequestLogModule.with(settings, inProcess),
        BusModule.forService({ name: 'traffic', url: settings.NATS_URL, database: true, jobs: trafficJobs, inProcess }),
        DatabaseModule.forService({
          service: 'traffic',
          url: settings.DATABASE_URL,
          workerUrl: settings.WORKER_DATABASE_URL,
          entities: ENTITIES,
          schema,
        }),
        ChatModule,
      ],
      providers: [
        CompanyProfiles,
        { provide: EGRESS_ALLOW, useValue: settings.EGRESS_ALLOW },
        { provide: ProviderSeal, useValue: new ProviderSeal(settings.PROVIDER_SEAL_KEY) },
      ],
      exports: [CompanyProfiles, EGRESS_ALLOW, ProviderSeal],
    };
  }
}

import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule } from '@signalbox/bus';
import { DatabaseModule } from '@signalbox/database';
import type { Settings } from '@signalbox/platform';
import { ActionRow } from './actions/action.entity.js';
import { AgentRow } from './agents/agent.entity.js';

/** Agents, their actions, versions and releases. */
@Module({})
export class AgentsModule {
  static with(settings: Settings<'NATS_URL' | 'DATABASE_URL' | 'WORKER_DATABASE_URL'>): DynamicModule {
    return {
      module: AgentsModule,
      imports: [
        BusModule.forService({ name: 'agents', url: settings.NATS_URL, database: true }),
        DatabaseModule.forService({
          service: 'agents',
          url: settings.DATABASE_URL,
          workerUrl: settings.WORKER_DATABASE_URL,
          entities: [AgentRow, ActionRow],
        }),
      ],
      controllers: [],
      providers: [],
    };
  }
}

import type { DynamicModule } from '@nestjs/common';
import { BusModule } from '@signalbox/bus';
import type { Settings } from '@signalbox/platform';
import { availableMb, ChildFactory, PoolSizes, poolSizes } from './pool/index.js';
import { HostReplies, ScriptHandlers, ScriptPools } from './scripts/index.js';

export type RunnerSettings = Settings<
  | 'NATS_URL'
  | 'SCRIPTS_AT_ONCE'
  | 'PYTHON_SCRIPTS_AT_ONCE'
  | 'SCRIPT_PROCESSES_WARM'
  | 'SCRIPT_CPU_SECONDS'
  | 'SCRIPT_MEMORY_MB'
  | 'SCRIPT_JAIL_MIN'
>;

export class RunnerModule {
  static with(settings: RunnerSettings): DynamicModule {
    const atOnce = { javascript: settings.SCRIPTS_AT_ONCE, python: settings.PYTHON_SCRIPTS_AT_ONCE };
    const memoryMb = settings.SCRIPT_MEMORY_MB || availableMb();
    const sizes = poolSizes(
      atOnce,
      settings.SCRIPT_PROCESSES_WARM,
      settings.SCRIPT_CPU_SECONDS,
      memoryMb,
      settings.SCRIPT_JAIL_MIN,
    );
    return {
      module: RunnerModule,
      imports: [BusModule.forService({ name: 'runner', url: settings.NATS_URL, database: false })],
      controllers: [ScriptHandlers],
      providers: [ChildFactory, ScriptPools, HostReplies, { provide: PoolSizes, useValue: sizes }],
    };
  }
}

import { type DynamicModule, Module } from '@nestjs/common';
import type { Contract } from '@signalbox/contracts';
import { KeysModule } from '../keys/index.js';
import { LimitsModule } from '../limits/index.js';
import { RepliesModule } from '../replies/index.js';
import { refusedMethodsController } from './refused-methods.controller.js';
import { UnmatchedFilter } from './unmatched.filter.js';

@Module({})
export class UnmatchedModule {
  static beside(contracts: readonly Contract[]): DynamicModule {
    return {
      module: UnmatchedModule,
      imports: [KeysModule, LimitsModule, RepliesModule],
      controllers: [refusedMethodsController(contracts)],
      providers: [UnmatchedFilter],
      exports: [UnmatchedFilter],
    };
  }
}

import { Module } from '@nestjs/common';
import { TasksModule } from '../tasks/index.js';
import { Callbacks } from './callbacks.js';
import { HookHandlers } from './hooks.handlers.js';

/** Callbacks from outside to waiting tasks. */
@Module({
  imports: [TasksModule],
  controllers: [HookHandlers],
  providers: [Callbacks],
  exports: [Callbacks],
})
export class HooksModule {}

import { Module } from '@nestjs/common';
import { TasksModule } from '../tasks/index.js';
import { HookEffect } from './hook-effect.js';
import { HookHandlers } from './hooks.handlers.js';

@Module({
  imports: [TasksModule],
  controllers: [HookHandlers],
  providers: [HookEffect],
  exports: [HookEffect],
})
export class HooksModule {}

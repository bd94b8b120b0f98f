import { Module } from '@nestjs/common';
import { ConsumersModule } from '../consumers/index.js';
import { ResetItems } from './reset-items.repository.js';
import { RunItems } from './run-items.repository.js';

@Module({ imports: [ConsumersModule], providers: [ResetItems, RunItems], exports: [ResetItems, RunItems] })
export class RunItemsModule {}

import { Module } from '@nestjs/common';
import { ConsumersModule } from '../consumers/index.js';
import { RunRecordsModule } from '../run-records/index.js';
import { ItemQueue } from './item-queue.repository.js';
import { ItemWorker } from './item-worker.js';
import { ResultBatcher } from './result-batcher.js';

@Module({
  imports: [ConsumersModule, RunRecordsModule],
  providers: [ItemQueue, ResultBatcher, ItemWorker],
  exports: [ItemWorker],
})
export class ExecutionModule {}

import { Module } from '@nestjs/common';
import { ConsumersModule } from '../consumers/index.js';
import { RunRecordsModule } from '../run-records/index.js';
import { LaneItems } from './lane-items.repository.js';
import { LaneRecords } from './lane-records.repository.js';
import { LaneWorker } from './lane-worker.js';

/** Executes the items of runs. */
@Module({
  imports: [ConsumersModule, RunRecordsModule],
  providers: [LaneItems, LaneRecords, LaneWorker],
  exports: [LaneWorker],
})
export class LanesModule {}

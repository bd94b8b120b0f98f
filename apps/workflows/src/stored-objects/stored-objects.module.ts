import { Module } from '@nestjs/common';
import { ObjectSweep } from './object-sweep.worker.js';
import { StoredObjects } from './stored-objects.repository.js';

/** Objects of the store that rows of this service own, and the removal of those that none owns. */
@Module({
  providers: [ObjectSweep, StoredObjects],
  exports: [StoredObjects],
})
export class StoredObjectsModule {}

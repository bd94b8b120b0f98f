import { Module } from '@nestjs/common';
import { ObjectSweep } from './object-sweep.worker.js';
import { StoredObjects } from './stored-objects.repository.js';

@Module({
  providers: [ObjectSweep, StoredObjects],
  exports: [StoredObjects],
})
export class StoredObjectsModule {}

import { Module } from '@nestjs/common';
import { ObjectSweep } from './object-sweep.worker.js';
import { OffloadedObjects } from './offloaded-objects.repository.js';
import { PayloadOffload } from './payload-offload.js';
import { PayloadOffloadWorker } from './payload-offload.worker.js';

@Module({ providers: [ObjectSweep, OffloadedObjects, PayloadOffload, PayloadOffloadWorker], exports: [PayloadOffload] })
export class PayloadOffloadModule {}

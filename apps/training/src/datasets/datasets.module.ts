import { Module } from '@nestjs/common';
import { DatasetUses } from './dataset-uses.repository.js';
import { DatasetHandlers } from './datasets.handlers.js';
import { Datasets } from './datasets.repository.js';

@Module({ controllers: [DatasetHandlers], providers: [DatasetUses, Datasets], exports: [Datasets] })
export class DatasetsModule {}

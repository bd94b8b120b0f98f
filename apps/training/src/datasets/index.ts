export { DatasetRow } from './dataset.entity.js';
export { requireChangeable, requireCapacity } from './dataset.js';
export { DatasetsModule } from './datasets.module.js';
export { Datasets, type LockedDataset } from './datasets.repository.js';

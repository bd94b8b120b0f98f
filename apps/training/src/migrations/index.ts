import type { Migration } from '@signalbox/database';
import { Datasets1700000007000 } from './1700000007000-datasets.js';
import { Compositions1700000007100 } from './1700000007100-compositions.js';
import { FinetuneRuns1700000007200 } from './1700000007200-finetune-runs.js';
import { Augmentations1700000007300 } from './1700000007300-augmentations.js';

/** The schema of the service with its migrations, in the order in which they were added. */
export const schema: Migration = {
  service: 'training',
  migrations: [Datasets1700000007000, Compositions1700000007100, FinetuneRuns1700000007200, Augmentations1700000007300],
};

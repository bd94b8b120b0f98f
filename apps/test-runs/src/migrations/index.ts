import type { Migration } from '@signalbox/database';
import { EvaluationCriteria1700000005000 } from './1700000005000-evaluation-criteria.js';
import { TestSets1700000005100 } from './1700000005100-test-sets.js';
import { UploadParts1700000005150 } from './1700000005150-upload-parts.js';
import { TestRuns1700000005500 } from './1700000005500-test-runs.js';
import { ItemUpdates1700000005600 } from './1700000005600-item-updates.js';
import { RepeatVerdicts1700000005700 } from './1700000005700-repeat-verdicts.js';
import { Scorings1700000005850 } from './1700000005850-scorings.js';
import { Usage1700000005950 } from './1700000005950-usage.js';
import { RemovedItems1700000005960 } from './1700000005960-removed-items.js';
import { ExternalRuns1700000009102 } from './1700000009102-external-runs.js';
import { CriteriaOfScriptsAndSteps1700000009520 } from './1700000009520-criteria-of-scripts-and-steps.js';
import { ScoredMeta1700000009681 } from './1700000009681-scored-meta.js';

/** The schema of the service with its migrations, in the order in which they were added. */
export const schema: Migration = {
  service: 'test-runs',
  migrations: [
    EvaluationCriteria1700000005000,
    TestSets1700000005100,
    UploadParts1700000005150,
    TestRuns1700000005500,
    ItemUpdates1700000005600,
    RepeatVerdicts1700000005700,
    Scorings1700000005850,
    Usage1700000005950,
    RemovedItems1700000005960,
    ExternalRuns1700000009102,
    CriteriaOfScriptsAndSteps1700000009520,
    ScoredMeta1700000009681,
  ],
};

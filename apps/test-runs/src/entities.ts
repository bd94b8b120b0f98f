import { UploadPartRow } from '@signalbox/database';
import { SecretHolderRow } from '@signalbox/runs';
import { CriterionRow } from './criteria/criterion.entity.js';
import { ScoringRow } from './scorings/scoring.entity.js';
import { ItemRow } from './items/item.entity.js';
import { ResponseSubRow } from './items/response-sub.entity.js';
import { RunAttemptRow, RunItemRow, RunScoreRow } from './run-items/run-item.entity.js';
import { TestRunEventRow, TestRunRow, TestRunTimelineRow } from './runs/test-run.entity.js';
import { TestSetRow } from './sets/test-set.entity.js';

/** The entities of the tables of test-runs. */
export const ENTITIES = [
  CriterionRow,
  TestSetRow,
  ItemRow,
  ResponseSubRow,
  TestRunRow,
  TestRunEventRow,
  TestRunTimelineRow,
  RunItemRow,
  RunAttemptRow,
  RunScoreRow,
  ScoringRow,
  UploadPartRow,
  SecretHolderRow,
];

import { UploadPartRow } from '@signalbox/database';
import { SecretHolderRow } from '@signalbox/runs';
import { CriterionRow } from './criteria/index.js';
import { ScoringRow } from './scoring/index.js';
import { ItemRow, ResponseSubRow } from './items/index.js';
import { RunAttemptRow, RunItemRow, RunScoreRow } from './run-items/index.js';
import { TestRunEventRow, TestRunRow, TestRunTimelineRow } from './run-records/index.js';
import { TestSetRow } from './sets/index.js';

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

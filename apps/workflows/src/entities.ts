import { ObjectDeletionRow, versionEntities } from '@signalbox/database';
import { SecretHolderRow } from '@signalbox/runs';
import { ArtifactPartRow, ArtifactRow, ObjectSweepRow } from './artifacts/index.js';
import { RunEventRow, RunResultRow, RunRow, RunTimelineRow } from './runs/index.js';
import { ApplicationNameRow, WorkflowRow } from './drafts/index.js';

export const ENTITIES = [
  ApplicationNameRow,
  WorkflowRow,
  ...versionEntities('workflow', 'workflow_id'),
  ArtifactRow,
  ArtifactPartRow,
  ObjectSweepRow,
  ObjectDeletionRow,
  RunRow,
  RunEventRow,
  RunTimelineRow,
  RunResultRow,
  SecretHolderRow,
];

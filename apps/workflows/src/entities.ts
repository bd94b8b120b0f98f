import { ObjectDeletionRow, versionEntities } from '@signalbox/database';
import { SecretHolderRow } from '@signalbox/runs';
import { ArtifactPartRow, ObjectSweepRow } from './artifacts/artifact-part.entity.js';
import { ArtifactRow } from './artifacts/artifact.entity.js';
import { RunEventRow, RunResultRow, RunRow, RunTimelineRow } from './runs/run.entity.js';
import { ApplicationNameRow } from './workflows/application-name.entity.js';
import { WorkflowRow } from './workflows/workflow.entity.js';

/** The entities of the tables of workflows. */
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

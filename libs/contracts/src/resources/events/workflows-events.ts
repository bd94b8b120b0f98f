import { defineEvents } from '../../events.js';
import { omit } from '../../fields/fields.js';
import { WorkflowRunSummary } from '../workflows/run-records.js';
import { WorkflowSummary } from '../workflows/workflows.js';
import { Gone, ReleaseMoved, VersionPublished } from './event-data.js';

export class WorkflowRecord extends WorkflowSummary {}

export class WorkflowRunRecord extends omit(WorkflowRunSummary, 'first_message') {}

export const workflowEvents = defineEvents('workflows', {
  'workflow.created': { resource: 'workflow', data: WorkflowRecord, description: 'A workflow was created' },
  'workflow.updated': {
    resource: 'workflow',
    data: WorkflowRecord,
    description: 'The draft of a workflow was changed',
  },
  'workflow.deleted': { resource: 'workflow', data: Gone, description: 'A workflow was deleted' },
  'workflow.enabled': { resource: 'workflow', data: WorkflowRecord, description: 'A workflow was enabled' },
  'workflow.disabled': { resource: 'workflow', data: WorkflowRecord, description: 'A workflow was disabled' },
  'workflow.version_published': {
    resource: 'workflow',
    data: VersionPublished,
    description: 'A version was published',
  },
  'workflow.release_moved': { resource: 'workflow', data: ReleaseMoved, description: 'A release was moved' },
  'workflow_run.queued': { resource: 'workflow_run', data: WorkflowRunRecord, description: 'A run was accepted' },
  'workflow_run.started': { resource: 'workflow_run', data: WorkflowRunRecord, description: 'A worker started a run' },
  'workflow_run.completed': {
    resource: 'workflow_run',
    data: WorkflowRunRecord,
    description: 'A run ended with an output',
  },
  'workflow_run.failed': {
    resource: 'workflow_run',
    data: WorkflowRunRecord,
    description: 'A run ended without an output',
  },
  'workflow_run.timed_out': {
    resource: 'workflow_run',
    data: WorkflowRunRecord,
    description: 'A run was stopped at its time limit',
  },
  'workflow_run.cancelled': { resource: 'workflow_run', data: WorkflowRunRecord, description: 'A run was cancelled' },
});

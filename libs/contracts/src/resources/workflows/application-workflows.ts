import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { oneOfType } from '../../fields/field-types.js';
import { Id, List, Optional } from '../../fields/fields.js';
import { TimedListQuery } from '../../shapes.js';
import { ListedWorkflowRun } from './run-records.js';
import { WORKFLOW_RUN_STATES, type WorkflowRunStatus } from './run-states.js';
import { WorkflowSummary } from './workflows.js';
import { OfApplication } from '../paths.js';

class RunsOfApplication extends TimedListQuery {
  @Id() application_id!: number;
  @List(oneOfType(WORKFLOW_RUN_STATES), 1) @Optional() status?: WorkflowRunStatus[];
}

/** The workflows of an application and their runs (docs/api/traffic.md). */
export const applicationWorkflows = defineContract(
  { name: 'application-workflows', service: 'workflows', tag: 'Applications' },
  {
    listApplicationWorkflows: {
      get: '/applications/{application_id}/workflows',
      summary: 'List the workflows of an application',
      input: OfApplication,
      output: page(WorkflowSummary),
    },
    listApplicationWorkflowRuns: {
      get: '/applications/{application_id}/workflow-runs',
      summary: 'List the runs of the workflows of an application, without their bodies',
      input: RunsOfApplication,
      output: page(ListedWorkflowRun),
    },
  },
);

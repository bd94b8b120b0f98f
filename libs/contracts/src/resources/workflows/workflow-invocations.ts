import { defineContract } from '../../contract.js';
import { AtMostOne } from '../../fields/checks.js';
import { Default, Description, Flag, Id, OneOf, Optional, Slug } from '../../fields/fields.js';
import { WORKFLOW_TRIGGERS, type WorkflowTrigger } from './run-states.js';
import { RunInput, Execution } from './workflow-runs.js';

@AtMostOne('workflow_id', 'workflow_ref_name')
class InvokeWorkflow extends RunInput {
  @Id() @Optional() workflow_id?: number;
  @Slug() @Optional() workflow_ref_name?: string;
  @OneOf(WORKFLOW_TRIGGERS.filter((trigger) => trigger !== 'NESTED')) trigger!: Exclude<WorkflowTrigger, 'NESTED'>;
  @Flag()
  @Default(true)
  @Description('Waits for the end of the run as long as the deadline of the call allows')
  wait!: boolean;
}

/** Internal: workflows that agents, chat completions, test runs and monitors run. */
export const workflowInvocations = defineContract(
  { name: 'workflow-invocations', service: 'workflows', tag: 'Internal' },
  {
    invokeWorkflow: {
      summary: 'Run a workflow and wait for its end; 504 with the id of the run when the wait ends first',
      input: InvokeWorkflow,
      output: Execution,
      http: { body: 'large' },
      delivery: { slow: true, resumable: true, abandonable: true },
    },
    // Not declared resumable: its callers repeat it under one call id, for longer than one call lasts.
    invokeFor: {
      summary: 'Run a workflow for another service, or wait for the run of this call id that exists already',
      input: InvokeWorkflow,
      output: Execution,
      http: { body: 'large' },
      delivery: { slow: true },
    },
  },
);

import { Consumer, JobHandler, type JobWith, Serves } from '@signalbox/bus';
import {
  type ApplicationRecord,
  type Batch,
  type CallTo,
  type EventEnvelope,
  type Gone,
  type Handlers,
  JsonText,
  type Workflow,
  workflowConsumers,
  workflows,
} from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { ScriptRunner } from '@signalbox/scripts';
import { DEFAULT_SCRIPTS, ScriptChecks, ScriptTexts } from '../scripts/index.js';
import { WorkflowDeletion } from './workflow-deletion.js';
import { switchWorkflow } from './workflow.js';
import { WorkflowWrites } from './workflow-writes.js';
import { Workflows } from '../drafts/index.js';
import { workflowJobs } from '../jobs.js';

type C = typeof workflows;

@Serves(workflows)
export class WorkflowHandlers implements Handlers<C> {
  constructor(
    private readonly workflows: Workflows,
    private readonly writes: WorkflowWrites,
    private readonly deletion: WorkflowDeletion,
    private readonly checks: ScriptChecks,
    private readonly texts: ScriptTexts,
    private readonly runner: ScriptRunner,
  ) {}

  listWorkflows({ input, caller }: CallTo<C, 'listWorkflows'>) {
    return this.workflows.listBy(caller.companyId, input);
  }

  createWorkflow({ input, caller }: CallTo<C, 'createWorkflow'>) {
    return this.writes.create(caller, input);
  }

  getWorkflow({ keys }: Batch) {
    return this.workflows.read(keys);
  }

  async getWorkflowWithScript({ input, caller }: CallTo<C, 'getWorkflowWithScript'>) {
    return this.withScript(await this.workflows.get(caller.companyId, input.workflow_id), true);
  }

  async getWorkflowByRef({ input, caller }: CallTo<C, 'getWorkflowByRef'>) {
    return this.withScript(
      await this.workflows.getByRef(caller.companyId, input.workflow_ref_name),
      input.include_script,
    );
  }

  private async withScript(workflow: JsonText<Workflow>, included = false): Promise<JsonText<Workflow>> {
    if (!included) return workflow;
    const record = JSON.parse(workflow.text) as Workflow;
    return new JsonText(JSON.stringify({ ...record, script: await this.texts.get(record.script_key) }));
  }

  updateWorkflow({ input: { workflow_id, ...change }, caller }: CallTo<C, 'updateWorkflow'>) {
    return this.writes.update(caller, workflow_id, change);
  }

  deleteWorkflow({ input: { workflow_id, force = false }, caller }: CallTo<C, 'deleteWorkflow'>) {
    return this.deletion.delete(caller, workflow_id, force);
  }

  enableWorkflow({ input, caller }: CallTo<C, 'enableWorkflow'>) {
    return this.workflows.change(caller, input.workflow_id, (row) => switchWorkflow(row, 'ENABLED'));
  }

  disableWorkflow({ input, caller }: CallTo<C, 'disableWorkflow'>) {
    return this.workflows.change(caller, input.workflow_id, (row) => switchWorkflow(row, 'DISABLED'));
  }

  async validateScript({ input, caller }: CallTo<C, 'validateScript'>) {
    const { problems, has_transform_session } = await this.checks.compile(caller, input);
    const errors = [...problems, ...(await this.checks.schemaErrors(caller.companyId, input))];
    return { valid: errors.length === 0, errors, has_transform_session };
  }

  getDefaultScript({ input: { language } }: CallTo<C, 'getDefaultScript'>) {
    return Promise.resolve({ language, script: DEFAULT_SCRIPTS[language] });
  }

  listLanguages() {
    return this.runner.languages();
  }

  @Consumer(workflowConsumers.applicationUpdated)
  async followApplication({ data }: EventEnvelope<ApplicationRecord>, tx: Tx): Promise<void> {
    await this.workflows.applications.rename(tx, data);
  }

  @Consumer(workflowConsumers.applicationDeleted)
  async leaveApplication({ resource }: EventEnvelope<Gone>, tx: Tx): Promise<void> {
    await this.workflows.applications.remove(tx, Number(resource.id));
    tx.addJob(workflowJobs.unbindApplication, { applicationId: Number(resource.id) });
  }

  @JobHandler(workflowJobs.unbindApplication, { unlimitedAttempts: true })
  async unbindApplication({ companyId, payload }: JobWith<{ applicationId: number }>): Promise<void> {
    await this.workflows.unbind({ companyId }, payload.applicationId);
  }
}

import { Injectable } from '@nestjs/common';
import {
  type Caller,
  emits,
  type InputOf,
  invalidField,
  type JsonText,
  type Workflow,
  type workflows,
} from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { ScriptChecks } from '../scripts/script-checks.js';
import { ScriptTexts } from '../scripts/script-texts.js';
import { ApplicationBindings } from './application-bindings.js';
import { NestedRefs } from './nested-refs.repository.js';
import { updateWorkflow } from './workflow.js';
import type { WorkflowRow } from './workflow.entity.js';
import { type NamedApplication, Workflows } from './workflows.repository.js';

/** The fields of a new workflow. */
export type NewWorkflow = InputOf<typeof workflows.endpoints.createWorkflow>;
/** The fields that an update changes. */
export type WorkflowChange = Omit<InputOf<typeof workflows.endpoints.updateWorkflow>, 'workflow_id'>;

/** The columns of a write, and the application to which the workflow is bound. */
interface Prepared {
  set: Partial<WorkflowRow>;
  application: NamedApplication | null | undefined;
}

/** Creates and changes workflows: everything is checked and uploaded before the transaction. */
@Injectable()
export class WorkflowWrites {
  constructor(
    private readonly workflows: Workflows,
    private readonly refs: NestedRefs,
    private readonly bindings: ApplicationBindings,
    private readonly checks: ScriptChecks,
    private readonly texts: ScriptTexts,
  ) {}

  async create(caller: Caller, input: NewWorkflow): Promise<JsonText<Workflow>> {
    const { workflow_ref_name, workflow_name = workflow_ref_name, ...rest } = input;
    const { set, application } = await this.prepare(caller, rest, input.script, input.language);
    const values = { workflow_ref_name, workflow_name, ...set };
    return this.workflows.create(caller, values, [emits('workflow.created')], (tx) => this.bind(tx, application));
  }

  async update(caller: Caller, id: number, change: WorkflowChange): Promise<JsonText<Workflow>> {
    const row = JSON.parse((await this.workflows.get(caller.companyId, id)).text) as Workflow;
    const language = change.language ?? row.language;
    if (language !== row.language && change.script === undefined)
      throw invalidField('script', 'is required when the language changes');
    const recompiles = change.script !== undefined || change.transform_session !== undefined;
    const script = recompiles ? (change.script ?? (await this.texts.get(row.script_key))) : undefined;
    const transform = change.transform_session === undefined ? row.transform_session : change.transform_session;
    const prepared = await this.prepare(caller, change, script, language, transform);
    return this.workflows.change(
      caller,
      id,
      (current) => updateWorkflow(current, prepared.set),
      (tx) => this.bind(tx, prepared.application),
    );
  }

  private async prepare(
    caller: Caller,
    change: Omit<WorkflowChange, 'workflow_ref_name'>,
    script: string | undefined,
    language: WorkflowRow['language'],
    transform = change.transform_session,
  ): Promise<Prepared> {
    const { companyId } = caller;
    const { application_id, application_name, script: sent, transform_session, ...rest } = change;
    await this.refs.require(companyId, change.inproc_nested_refs ?? []);
    const bound = application_id == null ? undefined : await this.bindings.resolve({ application_id }, caller);
    const compiled =
      script === undefined ? {} : await this.checks.require({ language, script, transform_session: transform });
    await this.checks.requireSchemas(companyId, change);
    const stored = sent === undefined ? {} : await this.texts.put(companyId, sent);
    // An application that is created for the workflow is created after everything else was found good.
    const application = bound ?? (await this.bindings.resolve({ application_id, application_name }, caller));
    const set: Partial<WorkflowRow> = {
      ...rest,
      ...compiled,
      ...stored,
      ...(transform_session === undefined ? {} : { transform_session: transform_session || null }),
      ...(application === undefined ? {} : { application_id: application?.id ?? null }),
    };
    return { set, application };
  }

  private async bind(tx: Tx, application: NamedApplication | null | undefined): Promise<void> {
    if (application) await this.workflows.bindApplication(tx, application);
  }
}

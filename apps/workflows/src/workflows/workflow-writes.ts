import { Injectable } from '@nestjs/common';
import {
  type Caller,
  emits,
  type InputOf,
  invalidField,
  type JsonText,
  sameJson,
  type Workflow,
  type workflows,
} from '@signalbox/contracts';
import type { NamedApplication, Tx } from '@signalbox/database';
import { ScriptChecks, ScriptTexts } from '../scripts/index.js';
import { ApplicationBindings, type Binding } from './application-bindings.js';
import { NestedRefs, type WorkflowRow, Workflows } from '../drafts/index.js';
import { updateWorkflow } from './workflow.js';

export type NewWorkflow = InputOf<typeof workflows.endpoints.createWorkflow>;
export type WorkflowChange = Omit<InputOf<typeof workflows.endpoints.updateWorkflow>, 'workflow_id'>;

/** Checked, with its texts uploaded; `id` is null for a new workflow. */
export interface PreparedWrite {
  id: number | null;
  set: Partial<WorkflowRow>;
  binding: Binding;
  /** Set by `bind`; undefined means unchanged. */
  application?: NamedApplication | null | undefined;
}

export interface WrittenWorkflow {
  workflow: JsonText<Workflow>;
  status: 'created' | 'updated' | 'unchanged';
}

/**
 * Writes in three steps: everything is checked and uploaded, then applications that bindings name are created, then one
 * transaction writes. So several workflows can be written all or none.
 */
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
    await this.refs.require(caller.companyId, input.inproc_nested_refs);
    const prepared = await this.prepareNew(caller, input);
    await this.bind(caller, prepared);
    return this.workflows.create(caller, prepared.set, [emits('workflow.created')], (tx) =>
      this.nameApplication(tx, prepared),
    );
  }

  async update(caller: Caller, id: number, change: WorkflowChange): Promise<JsonText<Workflow>> {
    await this.refs.require(caller.companyId, change.inproc_nested_refs ?? []);
    const prepared = await this.prepareChange(caller, id, change);
    await this.bind(caller, prepared);
    return this.workflows.change(
      caller,
      id,
      (current) => updateWorkflow(current, prepared.set),
      (tx) => this.nameApplication(tx, prepared),
    );
  }

  /** The caller must have checked `inproc_nested_refs`. */
  async prepareNew(caller: Caller, input: NewWorkflow): Promise<PreparedWrite> {
    const { workflow_ref_name, workflow_name = workflow_ref_name, ...rest } = input;
    const prepared = await this.prepare(caller, rest, input.script, input.language);
    return { ...prepared, id: null, set: { workflow_ref_name, workflow_name, ...prepared.set } };
  }

  /** The caller must have checked `inproc_nested_refs`. */
  async prepareChange(caller: Caller, id: number, change: WorkflowChange): Promise<PreparedWrite> {
    const row = JSON.parse((await this.workflows.get(caller.companyId, id)).text) as Workflow;
    const language = change.language ?? row.language;
    if (language !== row.language && change.script === undefined)
      throw invalidField('script', 'is required when the language changes');
    const recompiles = change.script !== undefined || change.transform_session !== undefined;
    const script = recompiles ? (change.script ?? (await this.texts.get(row.script_key))) : undefined;
    const transform = change.transform_session === undefined ? row.transform_session : change.transform_session;
    return { ...(await this.prepare(caller, change, script, language, transform)), id };
  }

  /** Creates an application that is named and does not exist. */
  async bind(caller: Caller, prepared: PreparedWrite): Promise<void> {
    prepared.application ??= await this.bindings.resolve(prepared.binding, caller);
    if (prepared.application !== undefined) prepared.set.application_id = prepared.application?.id ?? null;
  }

  /** Writes and emits nothing when nothing changes. */
  async writeIn(tx: Tx, prepared: PreparedWrite, action?: string): Promise<WrittenWorkflow> {
    const { id, set } = prepared;
    await this.nameApplication(tx, prepared);
    if (id === null) {
      const workflow = await this.workflows.createIn(tx, set, [emits('workflow.created')], undefined, action);
      return { workflow, status: 'created' };
    }
    let status: WrittenWorkflow['status'] = 'unchanged';
    const workflow = await this.workflows.changeIn(tx, id, (row) => {
      if (isSame(row, set)) return {};
      status = 'updated';
      return { ...updateWorkflow(row, set), ...(action === undefined ? {} : { action }) };
    });
    return { workflow, status };
  }

  async read(tx: Tx, id: number): Promise<JsonText<Workflow>> {
    return (await this.workflows.lock(tx, id)).before;
  }

  private async prepare(
    caller: Caller,
    change: Omit<WorkflowChange, 'workflow_ref_name'>,
    script: string | undefined,
    language: WorkflowRow['language'],
    transform = change.transform_session,
  ): Promise<Omit<PreparedWrite, 'id'>> {
    const { companyId } = caller;
    const { application_id, application_name, script: sent, transform_session, ...rest } = change;
    // An unknown id is found before anything is uploaded; an application is created only after all checks.
    const application = application_id == null ? undefined : await this.bindings.resolve({ application_id }, caller);
    const source = { language, transform_session: transform };
    const compiled = script === undefined ? {} : await this.checks.require(caller, { ...source, script });
    await this.checks.requireSchemas(companyId, change);
    const stored = sent === undefined ? {} : await this.texts.put(companyId, sent);
    const set: Partial<WorkflowRow> = {
      ...rest,
      ...compiled,
      ...stored,
      ...(transform_session === undefined ? {} : { transform_session: transform_session || null }),
    };
    return { set, binding: { application_id, application_name }, application };
  }

  private async nameApplication(tx: Tx, { application }: PreparedWrite): Promise<void> {
    if (application) await this.workflows.applications.bind(tx, application);
  }
}

const isSame = (row: WorkflowRow, set: Partial<WorkflowRow>): boolean =>
  Object.entries(set).every(([name, value]) => sameJson(row[name as keyof WorkflowRow], value));

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

/** The fields of a new workflow. */
export type NewWorkflow = InputOf<typeof workflows.endpoints.createWorkflow>;
/** The fields that an update changes. */
export type WorkflowChange = Omit<InputOf<typeof workflows.endpoints.updateWorkflow>, 'workflow_id'>;

/** A checked write whose texts are uploaded: of a new workflow, or of the one with the id. */
export interface PreparedWrite {
  id: number | null;
  set: Partial<WorkflowRow>;
  binding: Binding;
  /** The application of the binding, once `bind` has looked it up; undefined = unchanged. */
  application?: NamedApplication | null | undefined;
}

/** A workflow after a write, and what the write did. */
export interface WrittenWorkflow {
  workflow: JsonText<Workflow>;
  status: 'created' | 'updated' | 'unchanged';
}

/**
 * Creates and changes workflows in three steps: everything is checked and uploaded, then an application that a binding
 * names is created, then a transaction writes. Only then can several workflows be written all or none.
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

  /** Checks and uploads a new workflow; the caller has checked `inproc_nested_refs`. */
  async prepareNew(caller: Caller, input: NewWorkflow): Promise<PreparedWrite> {
    const { workflow_ref_name, workflow_name = workflow_ref_name, ...rest } = input;
    const prepared = await this.prepare(caller, rest, input.script, input.language);
    return { ...prepared, id: null, set: { workflow_ref_name, workflow_name, ...prepared.set } };
  }

  /** Checks and uploads a change; the caller has checked `inproc_nested_refs`. */
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

  /** Looks up the application of a binding; one that is named and does not exist is created. */
  async bind(caller: Caller, prepared: PreparedWrite): Promise<void> {
    prepared.application ??= await this.bindings.resolve(prepared.binding, caller);
    if (prepared.application !== undefined) prepared.set.application_id = prepared.application?.id ?? null;
  }

  /** Writes a workflow inside a transaction; a change that changes nothing writes and emits nothing. */
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

  /** The workflow as the transaction has written it. */
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
    // An unknown id is found before anything is uploaded, an application is created after everything was found good.
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

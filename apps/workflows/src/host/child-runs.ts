import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SchemaChecker } from '@signalbox/conditions';
import { ApiError, type Chain, type JsonText, type Workflow } from '@signalbox/contracts';
import { chainColumns, retriedPart, type RunEvent, SecretHolder, stripUnstorable } from '@signalbox/runs';
import { ScriptHostError } from '@signalbox/scripts';
import { WorkflowVersions } from '../versions/index.js';
import { allowedChild, type NestedRef, Workflows } from '../drafts/index.js';
import { type ChildEnd, ChildRows, FailedCall, type NewRun } from '../runs/index.js';
import { type CallDetails, chainOf, type HostContext, type HostMember, nextNumber, textArgument } from './host-call.js';

interface Called {
  ref: string;
  allowed: NestedRef;
  chain: Chain;
}

/**
 * `ctx.workflows.execute`: a nested run, executed by the worker of its parent, with the session, metadata and secrets
 * of the parent. A restarted script finds nested runs of its earlier attempt by reference, input and occurrence.
 */
@Injectable()
export class ChildRuns implements HostMember {
  constructor(
    private readonly workflows: Workflows,
    private readonly versions: WorkflowVersions,
    private readonly schemas: SchemaChecker,
    private readonly rows: ChildRows,
    private readonly secrets: SecretHolder,
  ) {}

  async call(context: HostContext, [called, given = null]: readonly unknown[], details: CallDetails): Promise<unknown> {
    const ref = textArgument(called, 'the workflow');
    const { job, run, secrets, signal, writer } = context;
    const { companyId } = job;
    const allowed = allowedChild(run.body.snapshot, ref);
    if (!allowed) throw new ScriptHostError('NotAllowedError', `workflow ${ref} is not in inproc_nested_refs`);
    const chain = chainOf(context);
    const input = stripUnstorable(given, secrets);
    const hash = createHash('sha256')
      .update(JSON.stringify([ref, input]))
      .digest('base64url');
    const key = `${hash}:${nextNumber(context, `child ${hash}`)}`;
    const id = await retriedPart(signal, async () => {
      const known = await this.rows.find(companyId, run.id, key);
      return known?.id ?? this.accept(context, { ref, allowed, chain }, input, key);
    });
    details.child_run_id = id;
    await this.execute(context, id, chain);
    const end = await retriedPart(signal, () => this.rows.endOf(companyId, id));
    writer.add(childEvent(ref, end));
    return outputOf(ref, end);
  }

  /** With the deadline of this attempt: that of a lost one has passed earlier. */
  private async execute(context: HostContext, id: string, { until }: Chain): Promise<void> {
    const { job, signal } = context;
    const child = await retriedPart(signal, () => this.rows.loadOpen(job.companyId, id));
    if (!child) return;
    if (context.secrets) this.secrets.hold(id, context.secrets);
    try {
      await context.executeNested({ ...child, ends_by: until });
    } finally {
      this.secrets.forget(id);
    }
  }

  private async accept(
    context: HostContext,
    { ref, allowed, chain }: Called,
    input: unknown,
    call_key: string,
  ): Promise<string> {
    const { job, run } = context;
    const parent = { id: run.id, call_key };
    const place = { ...chainColumns(chain), called_by: null, max_cost: run.max_cost };
    const child = { ...(await this.newRun(context, ref, allowed, input)), parent, ...place };
    await this.rows.accept(job, run, child, [childEvent(ref, { ...child, status: 'QUEUED' })]);
    return child.id;
  }

  private async newRun(
    { job, run, secrets }: HostContext,
    called: string,
    { ref, pin }: NestedRef,
    input: unknown,
  ): Promise<Omit<NewRun, keyof ReturnType<typeof chainColumns> | 'max_cost' | 'parent'>> {
    const { companyId } = job;
    const workflow = JSON.parse((await orRefused(this.workflows.getByRef(companyId, ref), called)).text) as Workflow;
    if (workflow.status !== 'ENABLED') throw new ScriptHostError('NotAllowedError', `workflow ${ref} is DISABLED`);
    const target = await orRefused(this.versions.resolve(companyId, workflow.id, pin ?? {}), called);
    const { input_schema } = target.snapshot;
    const problem = input_schema && (await this.schemas.problemOf(companyId, input_schema, input));
    if (problem)
      throw new ScriptHostError('TypeError', `the input does not fit the input_schema of ${called}: ${problem}`);
    return {
      id: randomUUID(),
      workflow_id: workflow.id,
      workflow_ref_name: ref,
      workflow_version: target.version,
      release: target.release,
      application_id: workflow.application_id,
      session_id: run.session_id,
      trigger: 'NESTED',
      root_trigger: run.root_trigger,
      mode: 'sync',
      snapshot: target.snapshot,
      input,
      messages: null,
      params: {},
      metadata: run.body.metadata,
      secret_names: run.body.secret_names,
      has_secrets: secrets !== undefined,
    };
  }
}

const childEvent = (
  ref: string,
  { id, workflow_id, status }: Pick<ChildEnd, 'id' | 'workflow_id' | 'status'>,
): RunEvent => {
  const data = { child_run_id: id, child_workflow_id: workflow_id, ref, status };
  return { event: { type: 'run.child', data }, timeline: { type: 'child_run', data } };
};

function outputOf(ref: string, { id, status, output, error_message, failure_class, error_code }: ChildEnd): unknown {
  if (status === 'COMPLETED') return output;
  const message = `run ${id} of ${ref} is ${status}${error_message ? `: ${error_message}` : ''}`;
  throw new FailedCall('ChildFailedError', message, {
    failure_class: failure_class ?? 'internal',
    error_code: status === 'CANCELLED' ? 'cancelled' : error_code,
  });
}

async function orRefused<T extends object | JsonText<object>>(found: Promise<T>, called: string): Promise<T> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not_found')
      throw new ScriptHostError('NotFoundError', `workflow ${called} does not exist`);
    throw error;
  }
}

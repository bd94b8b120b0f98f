import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SchemaChecker } from '@signalbox/conditions';
import {
  type Caller,
  conflict,
  invalidField,
  notFound,
  type RunInput,
  type WorkflowMode,
  type WorkflowTrigger,
} from '@signalbox/contracts';
import { Database, type ResolvedTarget } from '@signalbox/database';
import { SecretBag } from '@signalbox/egress';
import {
  chainColumns,
  requireDepth,
  type RunStart,
  SecretHolder,
  StreamSubscribers,
  stripUnstorable,
  workOfDepth,
} from '@signalbox/runs';
import { WorkflowVersions } from '../versions/index.js';
import { type CalledWorkflow, Drafts, Workflows, type WorkflowSnapshot } from '../drafts/index.js';
import {
  type NamedRun,
  type NewRun,
  RUN_WORK,
  RunReader,
  startedEvent,
  startedRun,
  StartedWorkflowRuns,
  type StoredInput,
  valuesOf,
  WorkflowRuns,
} from '../runs/index.js';

export interface AcceptedExecution {
  run_id: string;
  status: 'QUEUED';
  mode: WorkflowMode;
}

export interface Submission {
  workflow: { id: number } | { ref: string };
  input: RunInput;
  trigger: Exclude<WorkflowTrigger, 'NESTED'>;
  /** Defaults to the mode of the workflow. */
  mode?: WorkflowMode | undefined;
}

interface Target {
  workflow: CalledWorkflow;
  target: ResolvedTarget<WorkflowSnapshot>;
}

@Injectable()
export class RunSubmission {
  constructor(
    private readonly db: Database,
    private readonly workflows: Workflows,
    private readonly drafts: Drafts,
    private readonly versions: WorkflowVersions,
    private readonly runs: WorkflowRuns,
    private readonly reader: RunReader,
    private readonly schemas: SchemaChecker,
    private readonly secrets: SecretHolder,
    private readonly subscribers: StreamSubscribers,
    private readonly started: StartedWorkflowRuns,
  ) {}

  /** A repeated call that any process accepted before returns its run. */
  async accept(submission: Submission, caller: Caller): Promise<AcceptedExecution> {
    const earlier = caller.idempotency?.earlier as AcceptedExecution | null | undefined;
    const known = earlier ?? (await this.acceptedBefore(caller));
    if (known) return known;
    try {
      return await this.start(submission, caller);
    } catch (error) {
      // The process that received the call first may have accepted it concurrently.
      const late = await this.acceptedBefore(caller);
      if (late) return late;
      throw error;
    }
  }

  private async acceptedBefore({ companyId, callId, isResent }: Caller): Promise<AcceptedExecution | null> {
    const run = isResent && callId !== undefined ? await this.reader.findAccepted(companyId, callId) : null;
    return run && { run_id: callId ?? '', status: 'QUEUED', mode: run.mode };
  }

  private async start(submission: Submission, caller: Caller): Promise<AcceptedExecution> {
    const { input, trigger } = submission;
    const { companyId } = caller;
    const id = await this.idOf(companyId, submission.workflow);
    const { workflow, target } = await this.targetOf(companyId, id, input);
    requireDepth(caller.chain);
    const { snapshot } = target;
    await this.requireInput(companyId, input, snapshot.input_schema);
    if (workflow.status !== 'ENABLED') throw conflict(`workflow ${id} is DISABLED`);
    const secret_names = Object.keys(input.secrets);
    const bag = secret_names.length > 0 ? new SecretBag(input.secrets) : undefined;
    const run: NewRun = {
      id: caller.callId ?? randomUUID(),
      workflow_id: id,
      workflow_ref_name: workflow.workflow_ref_name,
      workflow_version: target.version,
      release: target.release,
      application_id: workflow.application_id,
      session_id: input.session_id ?? randomUUID(),
      trigger,
      root_trigger: trigger,
      mode: submission.mode ?? snapshot.execution_mode,
      snapshot,
      input: stripUnstorable(input.input ?? null, bag),
      messages: stripUnstorable(input.messages ?? null, bag),
      params: stripUnstorable(input.params, bag),
      metadata: stripUnstorable(input.metadata, bag),
      secret_names,
      has_secrets: bag !== undefined,
      parent: null,
      ...chainColumns(caller.chain),
      max_cost: caller.chain?.budget ?? null,
    };
    if (run.mode !== 'sync') this.subscribers.expectSubscriber(run.id);
    const named = { ...run, application_name: workflow.application_name };
    return bag ? this.acceptHolding(caller, named, bag) : this.store(caller, named, workOfDepth(RUN_WORK, run.depth));
  }

  private async targetOf(companyId: number, id: number, { version, release }: RunInput): Promise<Target> {
    const isDraft = version === undefined && release === undefined;
    const resolving = isDraft ? null : this.versions.resolve(companyId, id, { version, release });
    // An unknown workflow is reported as such, whichever of the two reads fails first.
    resolving?.catch(() => undefined);
    const workflow = await this.drafts.findCalled(companyId, id);
    if (!workflow) throw notFound('workflow');
    const target = (await resolving) ?? { version: null, release: null, snapshot: workflow.draft };
    return { workflow, target };
  }

  private async idOf(companyId: number, workflow: Submission['workflow']): Promise<number> {
    if ('id' in workflow) return workflow.id;
    const id = await this.workflows.findId(companyId, workflow.ref);
    if (id === null) throw notFound('workflow');
    return id;
  }

  /** Throws 400. A call with messages instead of an input is not checked. */
  private async requireInput(companyId: number, { input, messages }: RunInput, schema: object | null): Promise<void> {
    if (!schema || (input === undefined && messages !== undefined)) return;
    const problem = await this.schemas.problemOf(companyId, schema, input ?? null);
    if (problem) throw invalidField('input', `does not fit input_schema: ${problem}`);
  }

  /** Holds secrets before the run can be claimed, and drops them when it was not accepted. */
  private async acceptHolding(caller: Caller, run: NamedRun, bag: SecretBag): Promise<AcceptedExecution> {
    this.secrets.hold(run.id, bag);
    try {
      return await this.store(caller, run, this.secrets.ownKind(workOfDepth(RUN_WORK, run.depth)));
    } catch (error) {
      const exists = async () => (await this.reader.findAccepted(caller.companyId, run.id)) !== null;
      void this.secrets.forgetUnaccepted(run.id, error, exists);
      throw error;
    }
  }

  private store(caller: Caller, run: NamedRun, workKind: string): Promise<AcceptedExecution> {
    const { id, mode } = run;
    const start = (): Promise<RunStart> => Promise.resolve({ events: [startedEvent(run)] });
    // The idempotency record stores what the transaction returns.
    const accept = (): Promise<AcceptedExecution> =>
      this.db.withCompany(caller, async (tx) => {
        this.started.withdraw(id);
        const stored = await this.runs.writes.accept(tx, { id, values: valuesOf(run), workKind, start });
        if (stored) this.started.offer(startedRun(run, workKind, stored as StoredInput), mode === 'sync');
        return { run_id: id, status: 'QUEUED', mode };
      });
    return this.started.accepting(id, accept);
  }
}

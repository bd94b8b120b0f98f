import { Serves } from '@signalbox/bus';
import {
  type CallTo,
  type Execution,
  type Handlers,
  invalid,
  type JsonText,
  type Page,
  type RunTimelineEvent,
  type StreamPart,
  workflowInvocations,
  type WorkflowRun,
  workflowRuns,
} from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { RunWaits } from '@signalbox/runs';
import { Workflows } from '../drafts/index.js';
import { missingRun, runFilters, RunReader, runView, WorkflowRuns } from '../runs/index.js';
import { replyMargin } from './run-settings.js';
import { RunReplies } from './run-replies.js';
import { RunSubmission } from './run-submission.js';

type C = typeof workflowRuns;
type Invocations = typeof workflowInvocations;

@Serves(workflowRuns)
export class WorkflowRunHandlers implements Handlers<C> {
  constructor(
    private readonly workflows: Workflows,
    private readonly runs: WorkflowRuns,
    private readonly reader: RunReader,
    private readonly submission: RunSubmission,
    private readonly replies: RunReplies,
    private readonly waits: RunWaits,
  ) {}

  async executeWorkflow({ input: { workflow_id: id, mode, ...input }, caller }: CallTo<C, 'executeWorkflow'>) {
    const accepted = await this.submission.accept({ workflow: { id }, input, mode, trigger: 'API' }, caller);
    return this.replies.reply(accepted, caller);
  }

  async listRuns({ input, caller }: CallTo<C, 'listRuns'>) {
    await this.workflows.get(caller.companyId, input.workflow_id);
    return this.listAllRuns({ input, caller });
  }

  searchRuns(call: CallTo<C, 'searchRuns'>) {
    return this.listRuns(call);
  }

  listAllRuns({ input, caller }: CallTo<C, 'listAllRuns'>) {
    const { include_body = false } = input;
    return this.reader.list(caller.companyId, { ...input, filters: runFilters(input) }, include_body);
  }

  async getRun({ input: { run_id, wait_seconds }, caller }: CallTo<C, 'getRun'>) {
    const { ended } = await this.runs.reads.require(caller.companyId, run_id);
    if (!ended && wait_seconds > 0) {
      const until = Math.min(caller.deadline - replyMargin, Date.now() + wait_seconds * 1000);
      await this.waits.untilEnded(run_id, until, () => this.reader.findEnded(caller.companyId, run_id));
    }
    return this.reader.get(caller.companyId, run_id);
  }

  listRunLogs({ input, caller }: CallTo<C, 'listRunLogs'>) {
    return this.reader.logs(caller.companyId, input);
  }

  async listRunTimeline({ input, caller }: CallTo<C, 'listRunTimeline'>) {
    const { run_id, include_children = false } = input;
    await this.runs.reads.require(caller.companyId, run_id);
    const page = await this.runs.timeline.ofRun(caller.companyId, run_id, input, include_children);
    return page as unknown as JsonText<Page<RunTimelineEvent>>;
  }

  async streamRun({ input, caller }: CallTo<C, 'streamRun'>): Promise<StreamPart> {
    const state = await this.runs.reads.require(caller.companyId, input.run_id);
    return this.runs.stream.part(caller.companyId, input.run_id, input.last_event_id, state);
  }

  cancelRun({ input: { run_id }, caller }: CallTo<C, 'cancelRun'>): Promise<JsonText<WorkflowRun>> {
    const read = async (tx: Tx) => (await tx.read<WorkflowRun>(runView, run_id)) ?? missingRun();
    return this.runs.cancels.cancel(caller, run_id, {}, read);
  }

  /** Without version and release: the version that the earlier run executed, or the draft. */
  async rerunRun({ input: { run_id, secrets, version, release }, caller }: CallTo<C, 'rerunRun'>) {
    const run = (await this.runs.load(caller.companyId, run_id)) ?? missingRun();
    const { body } = run;
    requireSecrets(body?.secret_names ?? [], secrets);
    const pinned = version ?? (release === undefined ? (run.workflow_version ?? undefined) : undefined);
    const messages = body?.messages ?? null;
    const given = body?.input ?? null;
    const input = {
      ...(messages ? { messages } : {}),
      // Null is the input of a run that has messages alone.
      ...(messages && given === null ? {} : { input: given }),
      params: body?.params ?? {},
      metadata: body?.metadata ?? {},
      session_id: run.session_id,
      secrets,
      ...(pinned === undefined ? {} : { version: pinned }),
      ...(release === undefined ? {} : { release }),
    };
    const submission = { workflow: { id: run.workflow_id }, input, mode: 'async' as const, trigger: 'API' as const };
    const { run_id: again, status } = await this.submission.accept(submission, caller);
    return { run_id: again, status };
  }
}

/** Throws 400 that names every missing secret of the earlier run. */
function requireSecrets(names: readonly string[], given: Readonly<Record<string, string>>): void {
  const missing = names.filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0)
    throw invalid(
      missing.map((name) => ({ field: `secrets.${name}`, message: 'is required: the earlier run had it' })),
      `missing secrets: ${missing.join(', ')}`,
    );
}

@Serves(workflowInvocations)
export class WorkflowInvocationHandlers implements Handlers<Invocations> {
  constructor(
    private readonly submission: RunSubmission,
    private readonly replies: RunReplies,
  ) {}

  async invokeWorkflow({ input, caller }: CallTo<Invocations, 'invokeWorkflow'>): Promise<Execution> {
    const { workflow_id, workflow_ref_name = '', trigger, wait, ...rest } = input;
    const workflow = workflow_id === undefined ? { ref: workflow_ref_name } : { id: workflow_id };
    const submission = { workflow, input: rest, trigger, mode: wait ? ('sync' as const) : ('async' as const) };
    return this.replies.reply(await this.submission.accept(submission, caller), caller);
  }

  invokeFor(call: CallTo<Invocations, 'invokeFor'>): Promise<Execution> {
    return this.invokeWorkflow(call);
  }
}

import { Injectable } from '@nestjs/common';
import { SchemaChecker } from '@signalbox/conditions';
import { Database } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { type Attempt, retriedPart, RunEndedError, RunNotifications, storable, stripUnstorable } from '@signalbox/runs';
import { type ScriptExecution, type ScriptResult, ScriptRunner } from '@signalbox/scripts';
import { ScriptTexts } from '../scripts/index.js';
import {
  badOutput,
  ChildRows,
  FailedCalls,
  failureOf,
  isFirst,
  OUT_OF_TIME,
  type RunBody,
  RunBudgets,
  type RunningRun,
  type RunOutcome,
  RunProgress,
  RunWriter,
  WorkflowRuns,
} from '../runs/index.js';
import { type HostContext, HostFunctions, type LogSize, RecordedCalls, RunHost, ScriptEnded } from '../host/index.js';
import { RunTransforms } from './run-transforms.js';
import { ExecutionLost } from './execution-lost.js';
import { LOGGED_BEFORE } from './run-executor.sql.js';

@Injectable()
export class RunExecutor {
  constructor(
    private readonly runner: ScriptRunner,
    private readonly texts: ScriptTexts,
    private readonly schemas: SchemaChecker,
    private readonly members: HostFunctions,
    private readonly runs: WorkflowRuns,
    private readonly progress: RunProgress,
    private readonly children: ChildRows,
    private readonly notifications: RunNotifications,
    private readonly db: Database,
    private readonly transforms: RunTransforms,
    private readonly budgets: RunBudgets,
  ) {}

  /**
   * Executes the script of a run from its beginning. Throws, so that it is tried again, when the execution was lost or
   * the platform failed to serve a call of the script.
   */
  async execute(attempt: Attempt<RunningRun>, parent?: HostContext): Promise<RunOutcome> {
    const { job, secrets, signal } = attempt;
    const run = withBody(attempt.run);
    const limitMs = timeLimitOf(run);
    if (limitMs <= 0) return OUT_OF_TIME;
    const execution = await this.executionOf(job, run, limitMs);
    const budget = parent?.budget ?? (await this.budgets.of(job, run));
    const refused = new AbortController();
    const ended = new AbortController();
    const stop = AbortSignal.any([signal, refused.signal]);
    const writer = new RunWriter(this.runs, { job, runId: run.id, budget, signal }, (error) => refused.abort(error));
    const context: HostContext = {
      job,
      run,
      secrets,
      writer,
      signal: AbortSignal.any([stop, ended.signal]),
      budget,
      executeNested: (child) => this.executeNested(context, child),
      counters: new Map(),
      failures: new FailedCalls(),
      recorded: parent?.recorded ?? new RecordedCalls(),
    };
    const logged = await this.loggedBefore(job, run);
    const host = new RunHost(context, this.members, logged, (error) => refused.abort(error));
    let result: ScriptResult = { status: 'lost', message: 'it was not started' };
    try {
      result = await this.runner.execute(execution, host, stop);
    } finally {
      ended.abort(result.status === 'lost' ? new Error('the execution was lost') : new ScriptEnded());
      await host.settled();
    }
    await writer.close();
    stop.throwIfAborted();
    if (result.status === 'lost') throw new ExecutionLost(result.message, result.is_outage === true);
    return this.outcomeOf(attempt, context, result);
  }

  private async outcomeOf(
    attempt: Attempt<RunningRun>,
    { run, failures, recorded }: HostContext,
    result: Exclude<ScriptResult, { status: 'lost' }>,
  ): Promise<RunOutcome> {
    const { job, secrets, signal } = attempt;
    const { snapshot } = run.body;
    if (result.status !== 'completed') {
      const failure = failureOf(result, failures);
      const { error_message: message } = failure;
      // The runner cuts long messages, perhaps in the middle of a secret, and ends them with a mark.
      return { ...failure, error_message: storable(secrets ? secrets.scrubCut(message) : message) };
    }
    const output = stripUnstorable(result.output, secrets);
    const { output_schema } = snapshot;
    const problem =
      output_schema && (await retriedPart(signal, () => this.schemas.problemOf(job.companyId, output_schema, output)));
    if (problem) return badOutput(problem);
    return { status: 'COMPLETED', output, ...(await this.transforms.ofRun(run, attempt, recorded.newestFirst)) };
  }

  /** Executes a nested run to its end; cancels it when the script of its parent ends first. */
  private async executeNested(parent: HostContext, child: RunningRun): Promise<void> {
    const { job, secrets, signal } = parent;
    const over = new AbortController();
    const stop = this.notifications.onEnd(child.id, () => over.abort(new RunEndedError()));
    try {
      const run = child.status === 'QUEUED' ? await this.progress.start(job, child) : child;
      const nested = { job, run, secrets, signal: AbortSignal.any([signal, over.signal]) };
      const outcome = await this.execute(nested, parent);
      await retriedPart(nested.signal, () => this.progress.end(job, run, outcome));
    } catch (error) {
      if (signal.aborted && signal.reason instanceof ScriptEnded && child.parent_run_id)
        await this.children.cancelOpen(job.companyId, child.parent_run_id);
      if (!(error instanceof RunEndedError)) throw error;
    } finally {
      stop();
    }
  }

  private async executionOf(job: Job, run: RunningRun & { body: RunBody }, limitMs: number): Promise<ScriptExecution> {
    const { snapshot, input, messages, params, metadata, secret_names } = run.body;
    return {
      // The fence is that of the root's job, so no two executions of a run share an id, nested or not.
      execution_id: `${run.id}/${job.fence}`,
      company_id: job.companyId,
      language: snapshot.language,
      script: await this.texts.get(snapshot.script_key),
      entry: 'execute',
      argument: {
        input,
        messages: messages ?? [],
        session_id: run.session_id,
        metadata,
        params,
        run: {
          id: run.id,
          workflow_id: run.workflow_id,
          workflow_ref_name: run.workflow_ref_name,
          version: run.workflow_version,
          trigger: run.trigger,
        },
        secret_names,
      },
      limits: { timeout_ms: limitMs, memory_mb: snapshot.memory_mb },
      depth: run.depth,
    };
  }

  /** Earlier attempts count towards the limits of the log. */
  private async loggedBefore(job: Job, { id }: RunningRun): Promise<LogSize> {
    if (isFirst(job)) return { entries: 0, bytes: 0 };
    const [size] = await this.db.select<LogSize>(job.companyId, LOGGED_BEFORE, [id]);
    return size ?? { entries: 0, bytes: 0 };
  }
}

/** In ms: the run's own limit, or less when its caller has to end earlier. */
function timeLimitOf({ ends_by, body }: RunningRun & { body: RunBody }): number {
  const own = body.snapshot.timeout_seconds * 1000;
  return ends_by === null ? own : Math.min(own, ends_by - Date.now());
}

function withBody(run: RunningRun): RunningRun & { body: RunBody } {
  if (!run.body) throw new Error(`run ${run.id} was loaded without its body`);
  return run as RunningRun & { body: RunBody };
}

import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller } from '@signalbox/bus';
import { ApiError, type Execution, type MonitorRunner, workflowInvocations, workflowRuns } from '@signalbox/contracts';
import { awaitedWork } from '@signalbox/runs';
import { failureOfModelCall, judgeFailure, type JudgeFailure } from './judge-failure.js';
import { type Judged, judgedOf } from './judge-prompt.js';

/** How long the workflows service is asked what a run has cost. */
const READ_MS = 5000;

/** What a runner has produced; `failure` when it produced nothing that can be judged. */
export interface RunnerResult {
  output: unknown;
  cost: number | null;
  failure?: JudgeFailure;
}

/** What a workflow judges: the payload, and its messages and response as the paths of the runner select them. */
interface WorkflowTask {
  companyId: number;
  runner: MonitorRunner;
  payload: object;
  timeoutMs: number;
  metadata: Record<string, unknown>;
  callId?: string;
}

/**
 * Workflows as runners: a run with the trigger MONITOR, whose output the conditions read. It is waited for as long as the
 * limit of the monitor allows, then cancelled; there is one run for each attempt of a judgement.
 */
@Injectable()
export class WorkflowRunner {
  constructor(private readonly bus: BusClient) {}

  async run(
    { companyId, runner, payload, timeoutMs, metadata, callId = randomUUID() }: WorkflowTask,
    signal?: AbortSignal,
  ): Promise<RunnerResult> {
    const judged = judgedOf(payload, runner.input);
    if ('problem' in judged) return failed(judgeFailure('adapter', judged.problem, false));
    const input = callOf(runner, payload, judged, metadata);
    try {
      const run = await awaitedWork({
        companyId,
        callId,
        signal: signal ?? new AbortController().signal,
        until: Date.now() + timeoutMs,
        call: (caller) => this.bus.call(workflowInvocations.endpoints.invokeFor, input, caller),
        cancel: (caller) => this.bus.call(workflowRuns.endpoints.cancelRun, { run_id: callId }, caller),
      });
      return resultOf(run);
    } catch (error) {
      signal?.throwIfAborted();
      const failure = failureOfModelCall(error);
      if (!failure) throw error;
      if (failure.failure_class !== 'timeout') return failed(failure);
      // Another attempt would take as long.
      return { ...failed({ ...failure, repeatable: false }), cost: await this.costOf(companyId, callId) };
    }
  }

  /** What a run that is given up has cost: it is cancelled, so that it costs nothing more. Null when it is not known. */
  private async costOf(companyId: number, run_id: string): Promise<number | null> {
    const caller = serviceCaller(companyId, Date.now() + READ_MS);
    const { cancelRun, getRun } = workflowRuns.endpoints;
    try {
      const run = await this.bus
        .call(cancelRun, { run_id }, caller)
        .catch(() => this.bus.call(getRun, { run_id, wait_seconds: 0 }, caller));
      return run.usage?.cost ?? null;
    } catch (error) {
      if (error instanceof ApiError) return null;
      throw error;
    }
  }
}

const callOf = (
  { resource_id, version, release, input }: MonitorRunner,
  payload: object,
  judged: Judged,
  metadata: Record<string, unknown>,
) => ({
  workflow_id: resource_id ?? 0,
  input: { prompt: input.prompt ?? null, ...judged, payload },
  ...(version == null ? {} : { version }),
  ...(release == null ? {} : { release }),
  params: {},
  secrets: {},
  metadata,
  trigger: 'MONITOR' as const,
  wait: true,
});

const failed = (failure: JudgeFailure): RunnerResult => ({ output: null, cost: null, failure });

/** A run that ended without an output is a failure of the judge, never of what is judged. */
function resultOf({ status, output, usage, failure_class, error_message }: Execution): RunnerResult {
  const cost = usage?.cost ?? null;
  if (status === 'COMPLETED') return { output: output ?? null, cost };
  const timedOut = status === 'TIMED_OUT' ? 'timeout' : 'judge';
  const found = failure_class && failure_class !== 'quality' ? failure_class : timedOut;
  const message = error_message ?? `the run of the workflow is ${status}`;
  return { output: null, cost, failure: judgeFailure(found, message, status !== 'TIMED_OUT') };
}

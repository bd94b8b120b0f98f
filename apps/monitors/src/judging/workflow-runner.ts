import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller } from '@signalbox/bus';
import { ApiError, type Execution, type MonitorRunner, workflowInvocations, workflowRuns } from '@signalbox/contracts';
import { awaitedWork } from '@signalbox/runs';
import { failureOfModelCall, judgeFailure, type JudgeFailure } from './judge-failure.js';
import { type Judged, judgedOf } from './judge-prompt.js';

const READ_MS = 5000;

/** `failure` is set when there is nothing to judge. */
export interface RunnerResult {
  output: unknown;
  cost: number | null;
  failure?: JudgeFailure;
}

interface WorkflowTask {
  companyId: number;
  runner: MonitorRunner;
  payload: object;
  timeoutMs: number;
  metadata: Record<string, unknown>;
  callId?: string;
}

/**
 * A workflow as judge: a run with the trigger MONITOR, whose output the conditions read. After the time limit of the
 * monitor it is cancelled. Each attempt of a judgement has a run of its own.
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

  /** Cancels the run, so that its cost is final; null when the cost is unknown. */
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

/** A run without an output is a failure of the judge, not of the judged source. */
function resultOf({ status, output, usage, failure_class, error_message }: Execution): RunnerResult {
  const cost = usage?.cost ?? null;
  if (status === 'COMPLETED') return { output: output ?? null, cost };
  const timedOut = status === 'TIMED_OUT' ? 'timeout' : 'judge';
  const found = failure_class && failure_class !== 'quality' ? failure_class : timedOut;
  const message = error_message ?? `the run of the workflow is ${status}`;
  return { output: null, cost, failure: judgeFailure(found, message, status !== 'TIMED_OUT') };
}

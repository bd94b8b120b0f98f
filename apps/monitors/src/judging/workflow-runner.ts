import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller } from '@signalbox/bus';
import { type Execution, type MonitorRunner, workflowInvocations } from '@signalbox/contracts';
import { failureOfModelCall, judgeFailure, type JudgeFailure } from './judge-failure.js';
import { type Judged, judgedOf } from './judge-prompt.js';

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
  runId: string | null;
}

/** Workflows as runners: a run with the trigger MONITOR, whose output the conditions read. */
@Injectable()
export class WorkflowRunner {
  constructor(private readonly bus: BusClient) {}

  async run(
    { companyId, runner, payload, timeoutMs, runId }: WorkflowTask,
    signal?: AbortSignal,
  ): Promise<RunnerResult> {
    const judged = judgedOf(payload, runner.input);
    if ('problem' in judged) return failed(judgeFailure('adapter', judged.problem, false));
    const caller = serviceCaller(companyId, Date.now() + timeoutMs);
    try {
      const call = callOf(runner, payload, judged, runId);
      const { body } = await this.bus.forward(workflowInvocations.endpoints.invokeWorkflow, call, caller, signal);
      return resultOf(JSON.parse(Buffer.from(body).toString()) as Execution);
    } catch (error) {
      const failure = failureOfModelCall(error);
      if (!failure) throw error;
      return failed(failure);
    }
  }
}

const callOf = (
  { resource_id, version, release, input }: MonitorRunner,
  payload: object,
  judged: Judged,
  runId: string | null,
) => ({
  workflow_id: resource_id ?? 0,
  input: { prompt: input.prompt ?? null, ...judged, payload },
  ...(version == null ? {} : { version }),
  ...(release == null ? {} : { release }),
  params: {},
  secrets: {},
  metadata: runId === null ? {} : { monitor_run_id: runId },
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
  return { output: null, cost, failure: judgeFailure(found, error_message ?? `the run of the workflow is ${status}`) };
}

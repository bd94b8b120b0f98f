import { Injectable } from '@nestjs/common';
import { WithHeaders } from '@signalbox/bus';
import { ApiError, type Caller, type Execution, type JsonText, type WorkflowRun } from '@signalbox/contracts';
import { RunWaits } from '@signalbox/runs';
import { RunReader, StartedWorkflowRuns } from '../runs/index.js';
import { ExecuteLimit, replyMargin } from './run-settings.js';
import type { AcceptedExecution } from './run-submission.js';

const headersOf = (run_id: string): Record<string, string> => ({ 'X-Service-Run-Id': run_id });

@Injectable()
export class RunReplies {
  constructor(
    private readonly reader: RunReader,
    private readonly waits: RunWaits,
    private readonly limit: ExecuteLimit,
    private readonly started: StartedWorkflowRuns,
  ) {}

  /** In mode sync the run itself, once it has ended. */
  async reply(accepted: AcceptedExecution, caller: Caller): Promise<Execution> {
    const { run_id, status, mode } = accepted;
    const ids = { run_id, status, ...(mode === 'stream' ? { streams: true } : {}) };
    const body = mode === 'sync' ? await this.ended(run_id, caller) : ids;
    // The bus takes the headers off again; the contract declares only the body.
    return new WithHeaders(body, headersOf(run_id)) as unknown as Execution;
  }

  /** Throws 504 when the run takes longer than the caller waits. */
  async ended(run_id: string, { companyId, deadline }: Caller): Promise<JsonText<WorkflowRun>> {
    const until = Math.min(deadline - replyMargin, Date.now() + this.limit.ms);
    const read = (): Promise<JsonText<WorkflowRun> | null> => this.reader.findEnded(companyId, run_id);
    const reply = this.started.replyOf(run_id);
    try {
      const run = await this.waits.untilEnded(run_id, until, () => (reply ? reply.find(read) : read()));
      if (run) return run;
    } finally {
      this.started.forgetReply(run_id);
    }
    throw new ApiError('timeout', `run ${run_id} still runs`, { headers: headersOf(run_id) });
  }
}

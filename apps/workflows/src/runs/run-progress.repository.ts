import { Injectable } from '@nestjs/common';
import { JsonText, type WorkflowRun } from '@signalbox/contracts';
import { rowSql } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { type ColumnValues, cutText, NOW, type RunChange, type RunEvent } from '@signalbox/runs';
import type { RunOutcome } from './outcome/run-outcome.js';
import { runView } from './run-reader.sql.js';
import { startedEvent } from './run-record.js';
import type { RunningRun } from './running-run.js';
import { StartedWorkflowRuns } from './started-workflow-runs.js';
import { WorkflowRuns } from './workflow-runs.repository.js';
import { RESTART_RUN, COUNT_LOST_EXECUTION, ADD_USAGE_BELOW } from './run-progress.sql.js';

const MAX_MESSAGE = 4000;

/** Each method writes one transaction with the fence of the job. */
@Injectable()
export class RunProgress {
  constructor(
    private readonly runs: WorkflowRuns,
    private readonly started: StartedWorkflowRuns,
  ) {}

  async start(job: Job, loaded: RunningRun): Promise<RunningRun> {
    const attempts = 1;
    let { status } = loaded;
    await this.runs.writes.fenced(job, loaded.id, async (tx, run) => {
      ({ status } = await this.runs.writes.move(tx, run, 'start', { started_at: NOW, attempts }));
      return [startedEvent(run)];
    });
    // The other fields do not change after acceptance.
    return { ...loaded, status, attempts };
  }

  async restart(job: Job, run: RunningRun): Promise<RunningRun> {
    // An outage uses up no attempt: the job then still has the number of the previous one.
    const { attempt: attempts } = job;
    await this.runs.writes.fenced(job, run.id, async (tx) => {
      await tx.query(RESTART_RUN, [tx.companyId, run.id, attempts]);
      return [{ timeline: { type: 'run_restart', data: { attempt: attempts } } }];
    });
    return { ...run, attempts };
  }

  /** Returns the number of lost executions of the run. */
  async lost(job: Job, run: RunningRun): Promise<number> {
    let lost = 0;
    await this.runs.writes.fenced(job, run.id, async (tx) => {
      const [counted] = await tx.query<{ lost_executions: number }>(COUNT_LOST_EXECUTION, [tx.companyId, run.id]);
      lost = counted?.lost_executions ?? 0;
      return [];
    });
    return lost;
  }

  /** Cancels nested runs of an earlier attempt that a restarted script has not called again. */
  async end(job: Job, { id, body }: Pick<RunningRun, 'id' | 'body'>, outcome: RunOutcome): Promise<void> {
    const mayNest = body?.snapshot.allow_inproc_nesting ?? true;
    const reply = this.started.replyOf(id);
    let view: string | null = null;
    const change: RunChange<RunningRun> = async (tx, run, _above, cancelled) => {
      if (mayNest) {
        await this.runs.cancels.cancelDescendants(tx, id, cancelled);
        await tx.query(ADD_USAGE_BELOW, [tx.companyId, id]);
      }
      const { transition, values, log } = endOf(outcome);
      const options = { log, ...(reply ? { view: rowSql(runView) } : {}) };
      ({ view } = await this.runs.writes.move(tx, run, transition, values, options));
      return [];
    };
    const committed = (): void => (view === null ? undefined : reply?.ended(new JsonText<WorkflowRun>(view)));
    await this.runs.writes.fenced(job, id, change, { committed });
  }
}

interface RunEnd {
  transition: 'complete' | 'fail' | 'time_out';
  values: ColumnValues;
  log: RunEvent[];
}

function endOf(outcome: RunOutcome): RunEnd {
  if (outcome.status === 'COMPLETED') {
    const { status, output, transformed_session, transform_error } = outcome;
    return {
      transition: 'complete',
      values: {
        output: JSON.stringify(output ?? null),
        transformed_session: transformed_session === null ? null : JSON.stringify(transformed_session),
        transform_error,
      },
      log: [{ event: { type: 'run.completed', data: { output } }, timeline: { type: 'run_end', data: { status } } }],
    };
  }
  const message = cutText(outcome.error_message, MAX_MESSAGE);
  if (outcome.status === 'TIMED_OUT')
    return {
      transition: 'time_out',
      values: { failure_class: 'timeout', error_code: 'timeout', error_message: message },
      log: failureLog('run.timed_out', {}, { message, failure_class: 'timeout' }, outcome),
    };
  const { failure_class, error_code } = outcome;
  return {
    transition: 'fail',
    values: { failure_class, error_code, error_message: message },
    log: failureLog('run.failed', { failure_class, error_code, message }, { message, failure_class }, outcome),
  };
}

const failureLog = (type: string, data: object, error: object, { status }: RunOutcome): RunEvent[] => [
  { event: { type, data: { ...data } }, timeline: { type: 'error', data: { ...error } } },
  { timeline: { type: 'run_end', data: { status } } },
];

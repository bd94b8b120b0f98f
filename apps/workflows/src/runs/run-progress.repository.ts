import { Injectable } from '@nestjs/common';
import type { Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { NOW, type RunEvent } from '@signalbox/runs';
import type { RunOutcome } from './execution/run-outcome.js';
import type { RunningRun } from './running-run.js';
import { WorkflowRuns } from './workflow-runs.repository.js';

/** Writes of workers about the states of runs, each in one transaction with the fence of the job. */
@Injectable()
export class RunProgress {
  constructor(private readonly runs: WorkflowRuns) {}

  /** Moves a loaded run from QUEUED to RUNNING. */
  async start(job: Job, loaded: RunningRun): Promise<RunningRun> {
    const attempts = 1;
    let { status } = loaded;
    await this.runs.writes.fenced(job, loaded.id, async (tx, run) => {
      ({ status } = await this.runs.writes.move(tx, run, 'start', { started_at: NOW, attempts }));
      const { workflow_id, workflow_version: version } = run;
      const data = { workflow_id, ...(version === null ? {} : { version }) };
      return [{ event: { type: 'run.started', data }, timeline: { type: 'run_start', data: { status } } }];
    });
    // What the script needs of a run never changes after its acceptance.
    return { ...loaded, status, attempts };
  }

  /** Records that the script of a run begins again after its worker was lost. */
  async restart(job: Job, run: RunningRun): Promise<RunningRun> {
    const attempts = run.attempts + 1;
    await this.runs.writes.fenced(job, run.id, async (tx) => {
      await tx.query('UPDATE workflows.runs SET attempts = $3 WHERE company_id = $1 AND id = $2', [
        tx.companyId,
        run.id,
        attempts,
      ]);
      return [{ timeline: { type: 'run_restart', data: { attempt: attempts } } }];
    });
    return { ...run, attempts };
  }

  /** Ends a run. */
  async end(job: Job, { id, body }: Pick<RunningRun, 'id' | 'body'>, outcome: RunOutcome): Promise<void> {
    const mayNest = body?.snapshot.allow_inproc_nesting ?? true;
    await this.runs.writes.fenced(job, id, async (tx, run) => {
      if (mayNest) await addChildUsage(tx, id);
      return this.endIn(tx, run, outcome);
    });
  }

  private async endIn(tx: Tx, run: RunningRun, outcome: RunOutcome): Promise<RunEvent[]> {
    const { move } = this.moves(tx, run);
    if (outcome.status === 'COMPLETED') {
      const { output, transformed_session } = outcome;
      const status = await move('complete', {
        output: JSON.stringify(output ?? null),
        transformed_session: transformed_session === null ? null : JSON.stringify(transformed_session),
      });
      return [{ event: { type: 'run.completed', data: { output } }, timeline: { type: 'run_end', data: { status } } }];
    }
    const message = outcome.error_message.slice(0, 4000);
    if (outcome.status === 'TIMED_OUT') {
      const failure = { failure_class: 'timeout', error_code: 'timeout', error_message: message };
      const status = await move('time_out', failure);
      return [
        {
          event: { type: 'run.timed_out', data: {} },
          timeline: { type: 'error', data: { message, failure_class: 'timeout' } },
        },
        { timeline: { type: 'run_end', data: { status } } },
      ];
    }
    const { failure_class, error_code } = outcome;
    const status = await move('fail', { failure_class, error_code, error_message: message });
    return [
      {
        event: { type: 'run.failed', data: { failure_class, error_code, message } },
        timeline: { type: 'error', data: { message, failure_class } },
      },
      { timeline: { type: 'run_end', data: { status } } },
    ];
  }

  private moves(tx: Tx, run: RunningRun) {
    const move = async (
      transition: 'complete' | 'fail' | 'time_out',
      values: Record<string, unknown>,
    ): Promise<string> => (await this.runs.writes.move(tx, run, transition, values)).status;
    return { move };
  }
}

/** The usage of a run includes that of its nested runs, each of which counts once, however often the script restarted. */
async function addChildUsage(tx: Tx, runId: string): Promise<void> {
  await tx.query(
    `UPDATE workflows.runs t SET prompt_tokens = t.prompt_tokens + c.prompt_tokens,
       completion_tokens = t.completion_tokens + c.completion_tokens, total_tokens = t.total_tokens + c.total_tokens,
       cost = CASE WHEN c.cost IS NULL THEN t.cost ELSE COALESCE(t.cost, 0) + c.cost END
     FROM (SELECT sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens,
         sum(total_tokens) AS total_tokens, sum(cost) AS cost FROM workflows.runs
       WHERE company_id = $1 AND parent_run_id = $2 HAVING count(*) > 0) c
     WHERE t.company_id = $1 AND t.id = $2`,
    [tx.companyId, runId],
  );
}

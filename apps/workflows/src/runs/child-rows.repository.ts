import { Injectable } from '@nestjs/common';
import { type ErrorCode, type FailureClass, type WorkflowRunStatus } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { RunEvent } from '@signalbox/runs';
import { runStates } from './run.js';
import type { RunningRun } from './running-run.js';
import { type NewRun, valuesOf } from './new-run.js';
import { WorkflowRuns } from './workflow-runs.repository.js';
import { END_OF_CHILD, FIND_CHILD, OPEN_CHILDREN } from './child-rows.sql.js';

export interface ChildEnd {
  id: string;
  workflow_id: number;
  status: WorkflowRunStatus;
  output: unknown;
  error_message: string | null;
  failure_class: FailureClass | null;
  error_code: ErrorCode | null;
}

@Injectable()
export class ChildRows {
  constructor(
    private readonly db: Database,
    private readonly runs: WorkflowRuns,
  ) {}

  /** Null before the call was accepted. */
  async find(companyId: number, parentId: string, callKey: string): Promise<{ id: string } | null> {
    const [child] = await this.db.select<{ id: string }>(companyId, FIND_CHILD, [parentId, callKey]);
    return child ?? null;
  }

  /** Written with the fence of the parent's job; the nested run gets no job of its own. */
  async accept(job: Job, parent: RunningRun, child: NewRun, events: RunEvent[]): Promise<void> {
    await this.runs.writes.fenced(job, parent.id, async (tx) => {
      const row = { id: child.id, values: valuesOf(child), workKind: parent.work_kind, withoutWork: true };
      await this.runs.writes.accept(tx, row);
      return events;
    });
  }

  /** Null for a run that has ended. */
  async loadOpen(companyId: number, id: string): Promise<RunningRun | null> {
    const run = await this.runs.load(companyId, id);
    return run && !runStates.isTerminal(run.status) ? run : null;
  }

  async endOf(companyId: number, id: string): Promise<ChildEnd> {
    const [child] = await this.db.select<ChildEnd>(companyId, END_OF_CHILD, [id]);
    if (!child) throw new Error(`run ${id} does not exist`);
    return child;
  }

  async cancelOpen(companyId: number, parentId: string): Promise<void> {
    await this.runs.cancels.cancelOpen(companyId, OPEN_CHILDREN, [parentId]);
  }
}

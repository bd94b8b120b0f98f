import { Injectable } from '@nestjs/common';
import {
  type JsonText,
  type ListedWorkflowRun,
  notFound,
  type Page,
  type RunLogEntry,
  type WorkflowRun,
} from '@signalbox/contracts';
import { Database, type ListOptions, filtersOf } from '@signalbox/database';
import { FIND_ACCEPTED, runView, logView, endedView, runWithBodies } from './run-reader.sql.js';

@Injectable()
export class RunReader {
  constructor(private readonly db: Database) {}

  list(companyId: number, options: ListOptions, bodies: boolean): Promise<JsonText<Page<ListedWorkflowRun>>> {
    return this.db.list<ListedWorkflowRun>(bodies ? runWithBodies : runView, companyId, options);
  }

  async get(companyId: number, id: string): Promise<JsonText<WorkflowRun>> {
    return (await this.db.readOne<WorkflowRun>(runView, companyId, id)) ?? missingRun();
  }

  /** Null while the run is open. */
  async findEnded(companyId: number, id: string): Promise<JsonText<WorkflowRun> | null> {
    return this.db.readOne<WorkflowRun>(endedView, companyId, id);
  }

  /** Null for an unknown run. */
  async findAccepted(companyId: number, id: string): Promise<{ mode: WorkflowRun['mode'] } | null> {
    const [run] = await this.db.select<{ mode: WorkflowRun['mode'] }>(companyId, FIND_ACCEPTED, [id]);
    return run ?? null;
  }

  async logs(
    companyId: number,
    { run_id, sort, ...page }: ListOptions & { run_id: string },
  ): Promise<JsonText<Page<RunLogEntry>>> {
    if (!(await this.findAccepted(companyId, run_id))) missingRun();
    const filters = filtersOf(logView, { run_id });
    // `-id`, the default of every list, means oldest first here, as in timelines.
    const order = sort === '-date_created' || sort === '-date_updated' ? '-id' : 'id';
    return this.db.list<RunLogEntry>(logView, companyId, { ...page, sort: order, filters });
  }
}

export function missingRun(): never {
  throw notFound('run');
}

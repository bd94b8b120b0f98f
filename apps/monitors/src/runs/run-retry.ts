import { Injectable } from '@nestjs/common';
import { type Caller, conflict, earlierReply, type JsonText, type MonitorRun } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { Budgets } from '../budgets/index.js';
import { Judge, judgementId, PendingRuns, SourceReader } from '../judging/index.js';
import { Runs } from './runs.repository.js';
import { view } from './runs.sql.js';

/** Judges the source of a failed run again and replaces its outcome. Throws 409 while the budget is spent. */
@Injectable()
export class RunRetry {
  constructor(
    private readonly db: Database,
    private readonly runs: Runs,
    private readonly pending: PendingRuns,
    private readonly sources: SourceReader,
    private readonly judge: Judge,
    private readonly budgets: Budgets,
  ) {}

  async retry(caller: Caller, monitorId: number, id: number): Promise<MonitorRun | JsonText<MonitorRun>> {
    const earlier = earlierReply<MonitorRun>(caller);
    if (earlier) return earlier;
    const { companyId } = caller;
    const run = await this.runs.repeatable(caller, monitorId, id);
    await this.budgets.requireOpen(companyId, { monitor_id: run.monitor_id, limits: run.config.limits });
    const source = await this.sources.find(run.source_type, run.source_id, caller);
    if (!source) throw conflict(`the source of run ${id} does not exist any longer`);
    const callId = judgementId(companyId, `run ${id} ${run.attempts}`);
    const task = { companyId, config: run.config, payload: source.payload, runId: String(id), callId };
    const judgement = await this.judge.judge(task);
    const judged = await this.db.withCompany(caller, async (tx) => {
      const isWritten = await this.pending.completeAgain(tx, { run, judgement });
      return isWritten ? tx.read<MonitorRun>(view, id) : null;
    });
    if (!judged) throw conflict(`run ${id} was judged by another retry meanwhile`);
    return judged;
  }
}

import { notFound, type StreamEvent } from '@signalbox/contracts';
import type { Database } from '@signalbox/database';
import type { LockedRun, RunKind } from '../run-kind.js';

export interface RunState {
  ended: boolean;
  last_seq: number;
}

export class RunReads<Run extends LockedRun> {
  constructor(
    private readonly db: Database,
    private readonly kind: Pick<RunKind<Run>, 'noun' | 'states' | 'statements'>,
  ) {}

  /** 404 when no run has this id and these column values. */
  async require(companyId: number, id: string, where: Record<string, unknown> = {}): Promise<RunState> {
    const given = Object.entries(where).filter(([, value]) => value !== null && value !== undefined);
    const statement = this.kind.statements.reads.state(...given.map(([column]) => column));
    const [run] = await this.db.select<Pick<Run, 'status' | 'last_seq'>>(companyId, statement, [
      id,
      ...given.map(([, value]) => value),
    ]);
    if (!run) throw notFound(this.kind.noun);
    return { ended: this.kind.states.isTerminal(run.status), last_seq: run.last_seq };
  }

  eventsAfter(companyId: number, id: string, seq: number, limit: number): Promise<StreamEvent[]> {
    return this.db.select<StreamEvent>(companyId, this.kind.statements.reads.eventsAfter, [id, seq, limit]);
  }

  async endedAmong(companyId: number, ids: readonly string[]): Promise<string[]> {
    const rows = await this.db.select<{ id: string }>(companyId, this.kind.statements.reads.endedAmong, [ids]);
    return rows.map(({ id }) => id);
  }

  async progress(companyId: number, parentId: string): Promise<Partial<Record<Run['status'], number>>> {
    const rows = await this.db.select<{ status: Run['status']; count: number }>(
      companyId,
      this.kind.statements.reads.progress,
      [parentId],
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count])) as Partial<
      Record<Run['status'], number>
    >;
  }
}

import { notFound, type StreamEvent } from '@signalbox/contracts';
import type { Database } from '@signalbox/database';
import type { LockedRun, RunKind } from '../run-kind.js';

export interface RunState {
  ended: boolean;
  last_seq: number;
}

/** SQL: the tables are named by the kind of run. */
export class RunReads<Run extends LockedRun> {
  constructor(
    private readonly db: Database,
    private readonly kind: Pick<RunKind<Run>, 'noun' | 'states' | 'tables'>,
  ) {}

  /** 404 when no run has this id and these column values. */
  async require(companyId: number, id: string, where: Record<string, unknown> = {}): Promise<RunState> {
    const given = Object.entries(where).filter(([, value]) => value !== null && value !== undefined);
    const conditions = given.map(([column], index) => ` AND t.${column} = $${index + 3}`).join('');
    const [run] = await this.db.select<Pick<Run, 'status' | 'last_seq'>>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.status, t.last_seq FROM ${this.kind.tables.runs} t
         WHERE t.company_id = s.company AND t.id = $2${conditions} OFFSET 0) x`,
      [id, ...given.map(([, value]) => value)],
    );
    if (!run) throw notFound(this.kind.noun);
    return { ended: this.kind.states.isTerminal(run.status), last_seq: run.last_seq };
  }

  eventsAfter(companyId: number, id: string, seq: number, limit: number): Promise<StreamEvent[]> {
    const { events, key } = this.kind.tables;
    return this.db.select<StreamEvent>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.seq, t.type, t.data FROM ${events} t
         WHERE t.company_id = s.company AND t.${key} = $2 AND t.seq > $3 ORDER BY t.seq LIMIT $4 OFFSET 0) x ORDER BY x.seq`,
      [id, seq, limit],
    );
  }

  async endedAmong(companyId: number, ids: readonly string[]): Promise<string[]> {
    const rows = await this.db.select<{ id: string }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id FROM ${this.kind.tables.runs} t
         WHERE t.company_id = s.company AND t.id = ANY ($2::uuid[]) AND t.completed_at IS NOT NULL OFFSET 0) x`,
      [ids],
    );
    return rows.map(({ id }) => id);
  }

  async progress(companyId: number, parentId: string): Promise<Partial<Record<Run['status'], number>>> {
    const { runs, parent } = this.kind.tables;
    const rows = await this.db.select<{ status: Run['status']; count: number }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.status, count(*)::int AS count FROM ${runs} t
         WHERE t.company_id = s.company AND t.${parent ?? 'id'} = $2 GROUP BY t.status OFFSET 0) x`,
      [parentId],
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count])) as Partial<
      Record<Run['status'], number>
    >;
  }
}

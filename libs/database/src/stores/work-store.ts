import type { Claim, Claimed, SlotReserver, Job, Postponed, UnreceivedClaims, WorkStore } from '@signalbox/platform';
import type { Pool } from 'pg';
import type { AfterCommit } from './after-commit.js';
import { ClaimableKinds } from './claimable-kinds.js';
import { fromPostgres, isSerializationFailure } from '../sql-errors.js';
import type { Statement } from '../statement.js';
import { statementName } from '../view.js';
import { WORK } from './work.sql.js';

const MAX_TRIES = 3;
/** Far longer than the result of a claim takes to reach its worker. */
const UNDER_WAY_MS = 2000;

/** Has its own connections, so that claims never wait for look-ups. */
export class PgWork implements WorkStore {
  private readonly sql: ReturnType<typeof WORK.of>;
  private readonly claimable = new ClaimableKinds(async (kinds) => {
    const rows = await this.run<{ kind: string }>(this.sql.claimableKinds, [kinds]);
    return rows.map(({ kind }) => kind);
  });

  constructor(
    private readonly pool: Pool,
    schema: string,
    private readonly added: AfterCommit,
  ) {
    this.sql = WORK.of(schema);
  }

  mayClaim(kind: string): Promise<boolean> {
    return this.claimable.has(kind);
  }

  async claim({ kind, owner, limit, leaseMs, perCompany, busy, takeOver }: Claim): Promise<Claimed> {
    const rows = await this.run<(Job | { id: null }) & { more: boolean }>(this.sql.claim, [
      kind,
      owner,
      limit,
      leaseMs,
      takeOver,
      perCompany,
      [...busy.keys()],
      [...busy.values()],
    ]);
    const jobs = rows.flatMap(({ more: _more, ...job }) => (job.id === null ? [] : [job]));
    return { jobs, more: rows[0]?.more ?? false };
  }

  async returnUnreceived({ kind, owner, leaseMs, held }: UnreceivedClaims): Promise<void> {
    const values = [...fencesOf(held), kind, owner, leaseMs, Math.min(UNDER_WAY_MS, leaseMs / 6)];
    await this.run(this.sql.returnUnreceived, values);
  }

  async heartbeat(jobs: readonly Job[], leaseMs: number): Promise<Set<number>> {
    const rows = await this.run<{ id: number }>(this.sql.heartbeat, [...fencesOf(jobs), leaseMs]);
    return new Set(rows.map(({ id }) => id));
  }

  async complete(jobs: readonly Job[]): Promise<boolean> {
    const rows = await this.run<{ due: boolean }>(this.sql.complete, fencesOf(jobs));
    return rows.some(({ due }) => due);
  }

  async postpone(jobs: readonly Postponed[], keepAttempt: boolean): Promise<boolean> {
    const rows = await this.run<{ due: boolean }>(this.sql.postpone, [
      ...fencesOf(jobs.map(({ job }) => job)),
      jobs.map(({ delayMs }) => delayMs),
      keepAttempt ? 1 : 0,
      jobs.map(({ failed = false }) => failed),
    ]);
    return rows.some(({ due }) => due);
  }

  async waitingKinds(): Promise<string[]> {
    return (await this.run<{ kind: string }>(this.sql.waitingKinds, [])).map(({ kind }) => kind);
  }

  offeredKinds(): string[] {
    return this.added.offeredKinds();
  }

  onAdded(wake: (kind: string) => void): void {
    this.added.onWork(wake);
  }

  offer(kind: string, slots: SlotReserver): void {
    this.added.offer(kind, slots);
  }

  private async run<Row extends object>({ text }: Statement<'worker'>, values: unknown[]): Promise<Row[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.pool.query<Row>({ name: statementName(text), text, values })).rows;
      } catch (error) {
        if (attempt >= MAX_TRIES || !isSerializationFailure(error)) throw fromPostgres(error);
      }
    }
  }
}

const fencesOf = (jobs: readonly Job[]): [number[], number[]] => [
  jobs.map(({ id }) => id),
  jobs.map(({ fence }) => fence),
];

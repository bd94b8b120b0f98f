import type { SlotReserver, Job } from '@signalbox/platform';

interface Addition {
  kind: string;
  ref: string;
  delayMs: number;
}

/** Runs a statement of the transaction. */
export type Query = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

/** The transaction that adds work. */
interface WorkOrigin {
  companyId: number;
  /** The trace that the work continues. */
  traceparent: string | null;
}

/** A job that a worker has claimed and not released; an expired lease is left to the next claim. */
const RUNNING = 'w.lease_owner IS NOT NULL AND w.done_at IS NULL';

/** Slots reserved for jobs of one kind, and the jobs to fill them. */
interface Reservation {
  slots: SlotReserver;
  count: number;
  jobs: Job[];
}

/**
 * The work that a transaction adds. Jobs for which this process has free slots are claimed in the statement that adds
 * them, with a lease and a fence like any other claim: it saves a round trip and a synced commit. All other jobs stay
 * due for the next claim of any worker.
 */
export class AddedWork {
  private readonly additions = new Map<string, Addition>();
  private readonly reservations = new Map<string, Reservation>();
  private companyId = 0;

  constructor(private readonly slotsOf: (kind: string) => SlotReserver | undefined) {}

  add(addition: Addition): void {
    this.additions.set(`${addition.kind} ${addition.ref}`, addition);
  }

  /**
   * Writes the rows in a fixed order, so that two transactions never deadlock; returns the kinds with jobs to be
   * claimed. A running job keeps its fence and is due again when it has ended.
   */
  async insert(query: Query, schema: string, { companyId, traceparent }: WorkOrigin): Promise<Set<string>> {
    const additions = [...this.additions.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, addition]) => addition);
    if (additions.length === 0) return new Set();
    this.companyId = companyId;
    this.reserve(additions);
    const owners = this.owners(additions);
    const rows = await query<Omit<Job, 'companyId'> & { leased: boolean }>(
      `INSERT INTO "${schema}".work AS w (company_id, kind, ref, due_at, lease_owner, fence, attempt, traceparent)
       SELECT $1, k, r, clock_timestamp() + d * interval '1 millisecond', o, (o IS NOT NULL)::int, (o IS NOT NULL)::int, $6
       FROM unnest($2::text[], $3::text[], $4::int[], $5::uuid[]) u(k, r, d, o)
       ON CONFLICT (company_id, kind, ref) DO UPDATE SET
         again_at = CASE WHEN ${RUNNING} THEN LEAST(w.again_at, CASE WHEN EXCLUDED.lease_owner IS NULL
           THEN EXCLUDED.due_at ELSE clock_timestamp() END) END,
         due_at = CASE WHEN ${RUNNING} THEN w.due_at ELSE EXCLUDED.due_at END,
         attempt = CASE WHEN ${RUNNING} THEN w.attempt ELSE EXCLUDED.attempt END,
         fence = CASE WHEN ${RUNNING} THEN w.fence ELSE w.fence + 1 END,
         lease_owner = CASE WHEN ${RUNNING} THEN w.lease_owner ELSE EXCLUDED.lease_owner END,
         traceparent = CASE WHEN ${RUNNING} THEN w.traceparent ELSE EXCLUDED.traceparent END,
         done_at = NULL
       RETURNING id, kind, ref, fence, attempt, lease_owner IS NOT NULL AND again_at IS NULL AS leased`,
      [
        companyId,
        additions.map(({ kind }) => kind),
        additions.map(({ ref }) => ref),
        additions.map(({ delayMs }, at) => (owners[at] ? (this.slotsFor(additions[at])?.leaseMs ?? 0) : delayMs)),
        owners,
        traceparent,
      ],
    );
    for (const { leased, ...job } of rows)
      if (leased) this.reservations.get(job.kind)?.jobs.push({ ...job, companyId, traceparent });
    return new Set(additions.filter(({ delayMs }, at) => delayMs === 0 && !owners[at]).map(({ kind }) => kind));
  }

  /** Passes the claimed jobs to their slots after the commit. */
  committed(): void {
    for (const { slots, count, jobs } of this.reservations.values()) slots.take(this.companyId, jobs, count);
    this.reservations.clear();
  }

  /** Releases the reserved slots after a rollback; has no effect after a commit. */
  abandoned(): void {
    for (const { slots, count } of this.reservations.values()) slots.take(this.companyId, [], count);
    this.reservations.clear();
  }

  private reserve(additions: readonly Addition[]): void {
    const wanted = new Map<string, number>();
    for (const { kind, delayMs } of additions) if (delayMs === 0) wanted.set(kind, (wanted.get(kind) ?? 0) + 1);
    for (const [kind, count] of wanted) {
      const slots = this.slotsOf(kind);
      const reserved = slots?.reserve(this.companyId, count) ?? 0;
      if (slots && reserved > 0) this.reservations.set(kind, { slots, count: reserved, jobs: [] });
    }
  }

  private slotsFor(addition: Addition | undefined): SlotReserver | undefined {
    return addition && this.reservations.get(addition.kind)?.slots;
  }

  /** The lease owner of each addition; null without a reserved slot. */
  private owners(additions: readonly Addition[]): (string | null)[] {
    const left = new Map([...this.reservations].map(([kind, { count }]) => [kind, count]));
    return additions.map(({ kind, delayMs }) => {
      const count = left.get(kind) ?? 0;
      if (delayMs > 0 || count === 0) return null;
      left.set(kind, count - 1);
      return this.reservations.get(kind)?.slots.owner ?? null;
    });
  }
}

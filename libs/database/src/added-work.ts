import type { Hands, Job } from '@signalbox/platform';

interface Addition {
  kind: string;
  ref: string;
  delayMs: number;
}

type Query = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

/** Hands set aside for jobs of one kind, and the jobs they will get. */
interface Reservation {
  hands: Hands;
  count: number;
  jobs: Job[];
}

/**
 * The work that a transaction adds. What free hands of this process can begin at once is claimed in the statement that
 * adds it, with a lease and a fence like any other claim: it saves a round trip and a synced commit. Everything else is
 * left due for whoever claims next.
 */
export class AddedWork {
  private readonly additions = new Map<string, Addition>();
  private readonly reservations = new Map<string, Reservation>();

  constructor(private readonly handsOf: (kind: string) => Hands | undefined) {}

  add(addition: Addition): void {
    this.additions.set(`${addition.kind} ${addition.ref}`, addition);
  }

  /** Writes the rows; answers the kinds for which somebody has to claim. */
  async insert(query: Query, schema: string, companyId: number): Promise<Set<string>> {
    const additions = [...this.additions.values()];
    if (additions.length === 0) return new Set();
    this.reserve(additions);
    const owners = this.owners(additions);
    const rows = await query<Omit<Job, 'companyId'> & { leased: boolean }>(
      `INSERT INTO "${schema}".work AS w (company_id, kind, ref, due_at, lease_owner, fence, attempt)
       SELECT $1, k, r, clock_timestamp() + d * interval '1 millisecond', o, (o IS NOT NULL)::int, (o IS NOT NULL)::int
       FROM unnest($2::text[], $3::text[], $4::int[], $5::uuid[]) u(k, r, d, o)
       ON CONFLICT (company_id, kind, ref) DO UPDATE
         SET due_at = EXCLUDED.due_at, done_at = NULL, attempt = EXCLUDED.attempt, fence = w.fence + 1,
           lease_owner = EXCLUDED.lease_owner
       RETURNING id, kind, ref, fence, attempt, lease_owner IS NOT NULL AS leased`,
      [
        companyId,
        additions.map(({ kind }) => kind),
        additions.map(({ ref }) => ref),
        additions.map(({ delayMs }, at) => (owners[at] ? (this.handsFor(additions[at])?.leaseMs ?? 0) : delayMs)),
        owners,
      ],
    );
    for (const { leased, ...job } of rows)
      if (leased) this.reservations.get(job.kind)?.jobs.push({ ...job, companyId });
    return new Set(additions.filter(({ delayMs }, at) => delayMs === 0 && !owners[at]).map(({ kind }) => kind));
  }

  /** Hands the claimed jobs over: they are committed. */
  committed(): void {
    for (const { hands, count, jobs } of this.reservations.values()) hands.take(jobs, count);
    this.reservations.clear();
  }

  /** Frees the hands again; nothing was added. After a commit it does nothing. */
  abandoned(): void {
    for (const { hands, count } of this.reservations.values()) hands.take([], count);
    this.reservations.clear();
  }

  private reserve(additions: readonly Addition[]): void {
    const wanted = new Map<string, number>();
    for (const { kind, delayMs } of additions) if (delayMs === 0) wanted.set(kind, (wanted.get(kind) ?? 0) + 1);
    for (const [kind, count] of wanted) {
      const hands = this.handsOf(kind);
      const reserved = hands?.reserve(count) ?? 0;
      if (hands && reserved > 0) this.reservations.set(kind, { hands, count: reserved, jobs: [] });
    }
  }

  private handsFor(addition: Addition | undefined): Hands | undefined {
    return addition && this.reservations.get(addition.kind)?.hands;
  }

  /** The lease owner of each addition, null where none is set aside. */
  private owners(additions: readonly Addition[]): (string | null)[] {
    const left = new Map([...this.reservations].map(([kind, { count }]) => [kind, count]));
    return additions.map(({ kind, delayMs }) => {
      const count = left.get(kind) ?? 0;
      if (delayMs > 0 || count === 0) return null;
      left.set(kind, count - 1);
      return this.reservations.get(kind)?.hands.owner ?? null;
    });
  }
}

import type { SlotReserver, Job } from '@signalbox/platform';
import { WORK } from './work.sql.js';

interface Addition {
  kind: string;
  ref: string;
  delayMs: number;
  /** Whether the job keeps its time when it waits already and is due sooner. */
  soonest: boolean;
  /** A free slot of this process for the job; null when there was none. */
  slots: SlotReserver | null;
}

/** Runs a statement of the transaction. */
export type Query = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

/** Slots reserved for jobs of one kind, and the jobs to fill them. */
interface Reservation {
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
  private readonly reservations = new Map<SlotReserver, Reservation>();

  constructor(
    private readonly companyId: number,
    private readonly slotsOf: (kind: string) => SlotReserver | undefined,
  ) {}

  /** Adds a job; returns whether this process has reserved a slot for it. */
  add({ kind, ref, delayMs, soonest }: Omit<Addition, 'slots'>): boolean {
    const key = `${kind} ${ref}`;
    const slots = delayMs > 0 ? null : (this.additions.get(key)?.slots ?? this.reserve(kind));
    this.additions.set(key, { kind, ref, delayMs, soonest, slots });
    return slots !== null;
  }

  /**
   * Writes the rows in a fixed order, so that two transactions never deadlock; returns the kinds with jobs to be
   * claimed. A running job keeps its fence and is due again when it has ended.
   */
  async insert(query: Query, schema: string, traceparent: string | null): Promise<Set<string>> {
    const additions = [...this.additions.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, addition]) => addition);
    if (additions.length === 0) return new Set();
    const { companyId } = this;
    const rows = await query<Omit<Job, 'companyId'> & { leased: boolean }>(WORK.of(schema).add.text, [
      companyId,
      additions.map(({ kind }) => kind),
      additions.map(({ ref }) => ref),
      additions.map(({ delayMs, slots }) => slots?.leaseMs ?? delayMs),
      additions.map(({ slots }) => slots?.owner ?? null),
      traceparent,
      additions.filter(({ soonest }) => soonest).map(({ kind }) => kind),
    ]);
    for (const { leased, ...job } of rows) {
      const slots = this.additions.get(`${job.kind} ${job.ref}`)?.slots;
      if (leased && slots) this.reservations.get(slots)?.jobs.push({ ...job, companyId, traceparent });
    }
    return new Set(additions.filter(({ delayMs, slots }) => delayMs === 0 && !slots).map(({ kind }) => kind));
  }

  /** Passes the claimed jobs to their slots after the commit. */
  committed(): void {
    for (const [slots, { count, jobs }] of this.reservations) slots.take(this.companyId, jobs, count);
    this.reservations.clear();
  }

  /** Releases the reserved slots after a rollback; has no effect after a commit. */
  abandoned(): void {
    for (const [slots, { count }] of this.reservations) slots.take(this.companyId, [], count);
    this.reservations.clear();
  }

  private reserve(kind: string): SlotReserver | null {
    const slots = this.slotsOf(kind);
    if (!slots || slots.reserve(this.companyId, 1) === 0) return null;
    const reservation = this.reservations.get(slots) ?? { count: 0, jobs: [] };
    reservation.count++;
    this.reservations.set(slots, reservation);
    return slots;
  }
}

import type { SlotReserver, Job } from '@signalbox/platform';
import { WORK } from './work.sql.js';

interface Addition {
  kind: string;
  ref: string;
  delayMs: number;
  /** Whether a waiting job that is due sooner keeps its time. */
  soonest: boolean;
  /** A reserved slot of this process; null when none was free. */
  slots: SlotReserver | null;
}

export type Query = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

interface Reservation {
  count: number;
  jobs: Job[];
}

/**
 * The jobs that a transaction adds. Those with a free slot in this process are claimed by the statement that adds them,
 * with a lease and a fence like any other: this saves a round trip and a synced commit. The others are due for any
 * worker.
 */
export class AddedWork {
  private readonly additions = new Map<string, Addition>();
  private readonly reservations = new Map<SlotReserver, Reservation>();

  constructor(
    private readonly companyId: number,
    private readonly slotsOf: (kind: string) => SlotReserver | undefined,
  ) {}

  /** Returns whether this process has reserved a slot for the job. */
  add({ kind, ref, delayMs, soonest }: Omit<Addition, 'slots'>): boolean {
    const key = `${kind} ${ref}`;
    const slots = delayMs > 0 ? null : (this.additions.get(key)?.slots ?? this.reserve(kind));
    this.additions.set(key, { kind, ref, delayMs, soonest, slots });
    return slots !== null;
  }

  /**
   * In a fixed order, so that transactions never deadlock; returns the kinds with jobs to be claimed. A running job
   * keeps its fence and is due again afterwards.
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

  committed(): void {
    for (const [slots, { count, jobs }] of this.reservations) slots.take(this.companyId, jobs, count);
    this.reservations.clear();
  }

  /** After a rollback; has no effect after a commit. */
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

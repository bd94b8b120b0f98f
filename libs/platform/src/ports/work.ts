/** A claimed job of long work. */
export interface Job {
  id: number;
  kind: string;
  companyId: number;
  /** What the job is about, such as a task id. */
  ref: string;
  /** Every write of this job carries it; an older fence is refused. */
  fence: number;
  /** 1 on the first attempt. */
  attempt: number;
  /** The trace that added the job. */
  traceparent?: string | null;
}

/** Thrown by a write of a job that another worker holds now: the write is stale. */
export class FenceLost extends Error {
  constructor() {
    super('the job was taken over by another worker');
  }
}

/** A job with the time after which it may be attempted again. */
export interface Postponed {
  job: Job;
  delayMs: number;
  /** Whether its attempt has failed or met an outage; without it the job has asked for the delay. */
  failed?: boolean;
}

/** The free slots of this process for one kind of work. */
export interface SlotReserver {
  readonly owner: string;
  readonly leaseMs: number;
  /** Reserves slots for jobs that a transaction of a company adds; returns how many, none while older work waits. */
  reserve(companyId: number, wanted: number): number;
  /** Releases reserved slots, with the jobs that committed for them. */
  take(companyId: number, jobs: Job[], reserved: number): void;
}

/** The limits of a worker's claim of due jobs. */
export interface Claim {
  kind: string;
  owner: string;
  limit: number;
  leaseMs: number;
  /** Jobs of one company that this worker runs at once. */
  perCompany: number;
  /** How many jobs of each company it runs already. */
  busy: ReadonlyMap<number, number>;
  /** Whether jobs whose lease has expired are claimed as well: their worker is lost. */
  takeOver: boolean;
}

/** Jobs that were claimed, and whether more may be due: with more but no job, others had locked those that are due. */
export interface Claimed {
  jobs: Job[];
  more: boolean;
}

/** A worker with claims whose result it may not have received, because the database did not reply. */
export interface UnreceivedClaims {
  kind: string;
  owner: string;
  leaseMs: number;
  /** Jobs that the worker knows that it holds. */
  held: readonly Job[];
}

/** The work table of a schema. */
export interface WorkStore {
  /** Claims due jobs, fairly between companies. */
  claim(claim: Claim): Promise<Claimed>;
  /** Makes jobs due again that were claimed for a worker which did not receive them; the attempt does not count. */
  returnUnreceived(claims: UnreceivedClaims): Promise<void>;
  /** Prolongs the leases of jobs; returns the ids of those still held. */
  heartbeat(jobs: readonly Job[], leaseMs: number): Promise<Set<number>>;
  /** Marks jobs done, except those woken while they ran; returns whether one of them is due again at once. */
  complete(jobs: readonly Job[]): Promise<boolean>;
  /**
   * Makes jobs due again after a delay; `keepAttempt` when the attempt does not count. Returns whether one is due at
   * once.
   */
  postpone(jobs: readonly Postponed[], keepAttempt: boolean): Promise<boolean>;
  /** The kinds for which loops of this process have offered slots. */
  offeredKinds(): string[];
  /** The kinds of the jobs that no worker has claimed. */
  waitingKinds(): Promise<string[]>;
  /** Calls back with the kind whenever a transaction of this process has added work. */
  onAdded(wake: (kind: string) => void): void;
  /** Registers slots for which transactions of this process claim the jobs they add. */
  offer(kind: string, slots: SlotReserver): void;
}

/** Nest token of the work table. */
export const WORK = Symbol('work');

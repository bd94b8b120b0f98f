export interface Job {
  id: number;
  kind: string;
  companyId: number;
  ref: string;
  /** Every write of the job carries it; older fences are refused. */
  fence: number;
  /** From 1. */
  attempt: number;
  traceparent?: string | null;
}

/** Thrown by a write of a job that another worker holds now. */
export class FenceLost extends Error {
  constructor() {
    super('the job was taken over by another worker');
  }
}

export interface Postponed {
  job: Job;
  delayMs: number;
  /** Whether the attempt failed or met an outage; otherwise the job asked for the delay. */
  failed?: boolean;
}

export interface SlotReserver {
  readonly owner: string;
  readonly leaseMs: number;
  /** For jobs that a transaction adds; returns how many, none while older work waits. */
  reserve(companyId: number, wanted: number): number;
  /** Releases reserved slots, with the jobs that committed for them. */
  take(companyId: number, jobs: Job[], reserved: number): void;
}

export interface Claim {
  kind: string;
  owner: string;
  limit: number;
  leaseMs: number;
  /** Jobs of one company that this worker runs at once. */
  perCompany: number;
  busy: ReadonlyMap<number, number>;
  /** Whether to claim jobs with an expired lease: their worker is lost. */
  takeOver: boolean;
}

/** `more` without jobs means that others had locked those that are due. */
export interface Claimed {
  jobs: Job[];
  more: boolean;
}

/** For a worker that may not have received the result of claims, because the database did not reply. */
export interface UnreceivedClaims {
  kind: string;
  owner: string;
  leaseMs: number;
  held: readonly Job[];
}

export interface WorkStore {
  /** Whether a claim could find jobs of the kind; false positives are possible. Costs less than a claim. */
  mayClaim(kind: string): Promise<boolean>;
  claim(claim: Claim): Promise<Claimed>;
  /** Makes jobs due again that their worker did not receive; the attempt does not count. */
  returnUnreceived(claims: UnreceivedClaims): Promise<void>;
  /** Returns the ids of those still held. */
  heartbeat(jobs: readonly Job[], leaseMs: number): Promise<Set<number>>;
  /** Except jobs that were woken while they ran; returns whether one of those is due at once. */
  complete(jobs: readonly Job[]): Promise<boolean>;
  /** Due again after a delay; `keepAttempt` when the attempt does not count. Returns whether one is due at once. */
  postpone(jobs: readonly Postponed[], keepAttempt: boolean): Promise<boolean>;
  offeredKinds(): string[];
  waitingKinds(): Promise<string[]>;
  onAdded(wake: (kind: string) => void): void;
  /** Transactions of this process claim the jobs they add for these slots. */
  offer(kind: string, slots: SlotReserver): void;
}

export const WORK = Symbol('work');

import type { Database } from '@signalbox/database';
import type { RunNotifications } from './events/run-notifications.js';
import type { StreamSubscribers } from './events/stream-subscribers.js';
import { RunReads } from './reads/run-reads.repository.js';
import { RunStream } from './reads/run-stream.js';
import type { LockedRun, RunKind } from './run-kind.js';
import { RunCancels } from './writes/run-cancels.repository.js';
import { RunWrites } from './writes/run-writes.repository.js';

export class Runs<
  Run extends LockedRun = LockedRun,
  Trigger extends string = string,
  RunRecord extends object = object,
> {
  readonly writes: RunWrites<Run, Trigger, RunRecord>;
  readonly cancels: RunCancels<Run, Trigger, RunRecord>;
  readonly reads: RunReads<Run>;
  readonly stream: RunStream<Run>;

  constructor(
    readonly kind: RunKind<Run, Trigger, RunRecord>,
    protected readonly db: Database,
    notifications: RunNotifications,
    subscribers: StreamSubscribers,
  ) {
    notifications.recognise(kind.streamTypes);
    this.writes = new RunWrites(db, notifications, kind);
    this.cancels = new RunCancels(db, notifications, kind);
    this.reads = new RunReads(db, kind);
    this.stream = new RunStream(this.reads, notifications, subscribers);
  }

  async load(companyId: number, id: string): Promise<Run | null> {
    return (await this.db.select<Run>(companyId, this.kind.statements.reads.load, [id]))[0] ?? null;
  }
}

export const RUNS = Symbol('runs');

import { Injectable } from '@nestjs/common';
import type { Caller } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import type { SecretBag } from '@signalbox/egress';
import { SecretHolder } from '@signalbox/runs';
import { type CreatedRun, type LockedTestRun, TestRunRows } from '../run-records/index.js';
import { TestRunLifecycle } from './test-run-lifecycle.repository.js';
import { Preparations, type PreparedConsumer, targetOf } from './preparation.repository.js';

export interface RunStart {
  consumer: PreparedConsumer;
  concurrency: number;
  bag: SecretBag | undefined;
}

/** SQL: a run is created, prepared and executed in one transaction. */
@Injectable()
export class RunStarts {
  constructor(
    private readonly db: Database,
    private readonly rows: TestRunRows,
    private readonly preparations: Preparations,
    private readonly lifecycle: TestRunLifecycle,
    private readonly secrets: SecretHolder,
  ) {}

  /** All or nothing; returns what `reply` makes of the run in the same transaction. */
  async start<T>(
    caller: Caller,
    values: CreatedRun,
    { consumer, ...start }: RunStart,
    reply: (tx: Tx, run: LockedTestRun) => Promise<T>,
  ): Promise<T> {
    const target = { ...values, ...targetOf(consumer) };
    let held: string | undefined;
    try {
      return await this.preparations.withCheckedInputs(caller, target, values.test_set_id, (inputs) =>
        this.db.withCompany(caller, async (tx) => {
          const no = await this.rows.createIn(tx, values);
          const created = await this.rows.lock(tx, no);
          // Held before the commit, because a worker may need them at once.
          if (start.bag) this.secrets.hold((held = created.id), start.bag);
          await this.preparations.prepareIn(tx, created, consumer, inputs);
          const prepared = await this.rows.lock(tx, no);
          await this.lifecycle.executeIn(tx, prepared, start);
          await this.rows.audited(tx, no, 'create');
          return reply(tx, prepared);
        }),
      );
    } catch (error) {
      if (held) this.lifecycle.forgetUnaccepted(caller.companyId, held, error);
      throw error;
    }
  }
}

import { Injectable } from '@nestjs/common';
import { type Caller, type Deleted, emits } from '@signalbox/contracts';
import { OpenRuns } from './open-runs.repository.js';
import { TestSetUses } from './set-uses.js';
import { TestSets } from './sets.repository.js';

@Injectable()
export class TestSetDeletion {
  constructor(
    private readonly sets: TestSets,
    private readonly uses: TestSetUses,
    private readonly runs: OpenRuns,
  ) {}

  async delete(caller: Caller, id: number): Promise<Deleted> {
    await this.sets.require(caller.companyId, id);
    await this.uses.refuse(caller, id);
    return this.sets.remove(
      caller,
      id,
      () => ({ events: [emits('test_set.deleted')] }),
      (tx) => this.runs.requireNoOpenRuns(tx, id),
    );
  }
}

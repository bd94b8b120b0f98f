import { Injectable } from '@nestjs/common';
import { type Caller, type Deleted, emits } from '@signalbox/contracts';
import { TestSetUses } from './set-uses.js';
import { TestSets } from './sets.repository.js';

/** Deletes test sets that nothing names. */
@Injectable()
export class TestSetDeletion {
  constructor(
    private readonly sets: TestSets,
    private readonly uses: TestSetUses,
  ) {}

  async delete(caller: Caller, id: number): Promise<Deleted> {
    await this.sets.require(caller.companyId, id);
    await this.uses.refuse(caller, id);
    return this.sets.remove(caller, id, () => ({ events: [emits('test_set.deleted')] }));
  }
}

import { Serves } from '@signalbox/bus';
import { type Batch, type CallTo, earlierReply, type Handlers, type TestSet, testSets } from '@signalbox/contracts';
import { TestSetDeletion } from './set-deletion.js';
import { TestSetCopies } from './set-copies.repository.js';
import { TestSets } from './sets.repository.js';
import { updateSet } from './test-set.js';

type C = typeof testSets;

@Serves(testSets)
export class TestSetHandlers implements Handlers<C> {
  constructor(
    private readonly sets: TestSets,
    private readonly copies: TestSetCopies,
    private readonly deletion: TestSetDeletion,
  ) {}

  listTestSets({ input, caller }: CallTo<C, 'listTestSets'>) {
    return this.sets.listBy(caller.companyId, input);
  }

  createTestSet({ input, caller }: CallTo<C, 'createTestSet'>) {
    return this.sets.createSet(caller, input);
  }

  getTestSet({ keys }: Batch) {
    return this.sets.read(keys);
  }

  updateTestSet({ input: { test_set_id, ...change }, caller }: CallTo<C, 'updateTestSet'>) {
    return this.sets.change(
      caller,
      test_set_id,
      () => updateSet(change),
      (tx) => this.sets.lockCriteria(tx, change.criteria_ids),
    );
  }

  deleteTestSet({ input, caller }: CallTo<C, 'deleteTestSet'>) {
    return this.deletion.delete(caller, input.test_set_id);
  }

  async cloneTestSet({ input, caller }: CallTo<C, 'cloneTestSet'>) {
    return earlierReply<TestSet>(caller) ?? this.copies.clone(caller, input.test_set_id, input.name);
  }
}

import { Serves } from '@signalbox/bus';
import { type Batch, type CallTo, type Handlers, tagRuns } from '@signalbox/contracts';
import { TagRuns } from './tag-runs.repository.js';

type C = typeof tagRuns;

@Serves(tagRuns)
export class TagRunHandlers implements Handlers<C> {
  constructor(private readonly runs: TagRuns) {}

  listTagRuns({ input, caller }: CallTo<C, 'listTagRuns'>) {
    return this.runs.list(caller.companyId, input);
  }

  // A run names its rules, so it applies them whether they are enabled or not.
  createTagRun({ input, caller }: CallTo<C, 'createTagRun'>) {
    return this.runs.create(caller, [...new Set(input.rule_ids)], input.filters);
  }

  getTagRun({ keys }: Batch) {
    return this.runs.read(keys);
  }

  cancelTagRun({ input, caller }: CallTo<C, 'cancelTagRun'>) {
    return this.runs.cancel(caller, input.run_id);
  }
}

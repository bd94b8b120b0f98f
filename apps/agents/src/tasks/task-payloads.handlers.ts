import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, taskPayloads } from '@signalbox/contracts';
import { TaskRuns } from './task-runs.repository.js';

type C = typeof taskPayloads;

@Serves(taskPayloads)
export class TaskPayloadHandlers implements Handlers<C> {
  constructor(private readonly tasks: TaskRuns) {}

  readSourcePayloads({ input, caller }: CallTo<C, 'readSourcePayloads'>) {
    return this.tasks.monitorPayloads.read(caller.companyId, input.source_ids);
  }

  async findNewestSource({ input, caller }: CallTo<C, 'findNewestSource'>) {
    return { source: await this.tasks.monitorPayloads.newest(caller.companyId, input.target_id) };
  }
}

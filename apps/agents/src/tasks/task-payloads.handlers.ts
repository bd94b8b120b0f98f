import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, taskPayloads } from '@signalbox/contracts';
import { TaskPayloads } from './task-payloads.repository.js';

type C = typeof taskPayloads;

/** Tasks for monitors. */
@Serves(taskPayloads)
export class TaskPayloadHandlers implements Handlers<C> {
  constructor(private readonly tasks: TaskPayloads) {}

  readSourcePayloads({ input, caller }: CallTo<C, 'readSourcePayloads'>) {
    return this.tasks.read(caller.companyId, input.source_ids);
  }

  async findNewestSource({ input, caller }: CallTo<C, 'findNewestSource'>) {
    return { source: await this.tasks.newest(caller.companyId, input.target_id) };
  }
}

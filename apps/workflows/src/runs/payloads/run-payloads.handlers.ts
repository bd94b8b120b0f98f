import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, runPayloads } from '@signalbox/contracts';
import { RunPayloads } from './run-payloads.repository.js';

type C = typeof runPayloads;

@Serves(runPayloads)
export class RunPayloadHandlers implements Handlers<C> {
  constructor(private readonly runs: RunPayloads) {}

  readSourcePayloads({ input, caller }: CallTo<C, 'readSourcePayloads'>) {
    return this.runs.read(caller.companyId, input.source_ids);
  }

  async findNewestSource({ input, caller }: CallTo<C, 'findNewestSource'>) {
    return { source: await this.runs.newest(caller.companyId, input.target_id) };
  }
}

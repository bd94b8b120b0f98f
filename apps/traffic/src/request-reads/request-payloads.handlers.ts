import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, requestPayloads } from '@signalbox/contracts';
import { RequestPayloads } from './request-payloads.repository.js';

type C = typeof requestPayloads;

@Serves(requestPayloads)
export class RequestPayloadHandlers implements Handlers<C> {
  constructor(private readonly payloads: RequestPayloads) {}

  readSourcePayloads({ input, caller }: CallTo<C, 'readSourcePayloads'>) {
    return this.payloads.read(caller.companyId, input.source_ids);
  }

  async findNewestSource({ input, caller }: CallTo<C, 'findNewestSource'>) {
    return { source: await this.payloads.newest(caller.companyId, input.target_id) };
  }
}

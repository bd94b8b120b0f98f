import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import {
  type Caller,
  MAX_READ_SOURCES,
  type NewestSource,
  requestPayloads,
  runPayloads,
  type SourcePayload,
  sourceIdType,
  type SourceType,
  type TargetType,
  taskPayloads,
} from '@signalbox/contracts';

const CONTRACTS: Readonly<Record<SourceType, typeof requestPayloads>> = {
  request: requestPayloads,
  agent_task: taskPayloads,
  workflow_run: runPayloads,
};

export const SOURCE_OF_TARGET: Readonly<Record<TargetType, SourceType>> = {
  intent: 'request',
  agent: 'agent_task',
  workflow: 'workflow_run',
};

@Injectable()
export class SourceReader {
  constructor(private readonly bus: BusClient) {}

  /** Sources that no longer exist are left out. */
  async *read(type: SourceType, sourceIds: readonly string[], caller: Caller): AsyncGenerator<SourcePayload[]> {
    const contract = CONTRACTS[type];
    let rest = sourceIds.filter((id) => sourceIdType.problem(id) === undefined);
    while (rest.length > 0) {
      const reply = await this.bus.call(
        contract.endpoints.readSourcePayloads,
        { source_ids: rest.slice(0, MAX_READ_SOURCES) },
        caller,
      );
      yield reply.payloads;
      // A reply that reads nothing would be repeated for ever.
      rest = rest.slice(Math.max(1, reply.read));
    }
  }

  /** Null when the source does not exist. */
  async find(type: SourceType, sourceId: string, caller: Caller): Promise<SourcePayload | null> {
    const { value } = await this.read(type, [sourceId], caller).next();
    return value?.[0] ?? null;
  }

  /** Null before the first source. */
  async newest(type: TargetType, targetId: number, caller: Caller): Promise<NewestSource['source']> {
    const contract = CONTRACTS[SOURCE_OF_TARGET[type]];
    return (await this.bus.call(contract.endpoints.findNewestSource, { target_id: targetId }, caller)).source;
  }
}

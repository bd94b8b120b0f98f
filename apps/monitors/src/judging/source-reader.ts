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

/** The service that has the sources of each kind. */
const CONTRACTS: Readonly<Record<SourceType, typeof requestPayloads>> = {
  request: requestPayloads,
  agent_task: taskPayloads,
  workflow_run: runPayloads,
};

/** The kind of source that a target of each kind has. */
export const SOURCE_OF_TARGET: Readonly<Record<TargetType, SourceType>> = {
  intent: 'request',
  agent: 'agent_task',
  workflow: 'workflow_run',
};

/** Reads production sources from the services that have them. */
@Injectable()
export class SourceReader {
  constructor(private readonly bus: BusClient) {}

  /** The payloads of sources by their id; a source that does not exist any longer has none. */
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
      // A reply that reads nothing would repeat for ever.
      rest = rest.slice(Math.max(1, reply.read));
    }
  }

  /** One source; null when it does not exist. */
  async find(type: SourceType, sourceId: string, caller: Caller): Promise<SourcePayload | null> {
    const { value } = await this.read(type, [sourceId], caller).next();
    return value?.[0] ?? null;
  }

  /** The newest production source of a target; null before the first. */
  async newest(type: TargetType, targetId: number, caller: Caller): Promise<NewestSource['source']> {
    const contract = CONTRACTS[SOURCE_OF_TARGET[type]];
    return (await this.bus.call(contract.endpoints.findNewestSource, { target_id: targetId }, caller)).source;
  }
}

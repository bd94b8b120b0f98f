import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { type Caller, notFound, trafficLinks } from '@signalbox/contracts';
import type { NamedModel } from './stored-configs.js';

@Injectable()
export class KnownModels {
  constructor(private readonly bus: BusClient) {}

  async unknown(named: readonly NamedModel[], caller: Caller): Promise<NamedModel[]> {
    if (named.length === 0) return [];
    const model_names = [...new Set(named.map(({ model }) => model))];
    const reply = await this.bus.call(trafficLinks.endpoints.findUnknownModels, { model_names }, caller);
    return named.filter(({ model }) => reply.model_names.includes(model));
  }

  async require(named: readonly NamedModel[], caller: Caller): Promise<void> {
    const unknown = await this.unknown(named, caller);
    if (unknown.length === 0) return;
    const details = unknown.map(({ field, model }) => ({
      field,
      message: `names model ${model}, which does not exist`,
    }));
    throw notFound('model', { details });
  }
}

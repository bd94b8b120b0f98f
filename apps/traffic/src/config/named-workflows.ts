import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { ApiError, type Caller, notFound, workflowLinks } from '@signalbox/contracts';
import { workflowNameOf } from '../models/index.js';

@Injectable()
export class NamedWorkflows {
  constructor(private readonly bus: BusClient) {}

  /** 404 naming each field whose workflow, version or release does not exist. */
  async require(named: readonly { field: string; model: string }[], caller: Caller): Promise<void> {
    for (const { field, model } of named) {
      const workflow = workflowNameOf(model);
      if (!workflow) continue;
      try {
        await this.bus.call(workflowLinks.endpoints.resolveWorkflow, workflow, caller);
      } catch (error) {
        if (!(error instanceof ApiError) || error.kind !== 'not_found') throw error;
        const details = [{ field, message: `names ${model}, which does not exist` }];
        throw notFound(`model ${model}`, { details });
      }
    }
  }
}

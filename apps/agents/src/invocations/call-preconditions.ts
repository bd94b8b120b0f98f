import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller } from '@signalbox/bus';
import { ApiError, type Caller, type Detail, trafficLinks } from '@signalbox/contracts';
import type { AgentSnapshot } from '../drafts/index.js';
import { modelsOfTask } from '../models/index.js';
import { unusableConfigs } from '../versions/index.js';

/** A longer check counts as an outage, so that a frozen service does not delay invocations. */
const CHECK_MS = 1000;

/** Checks the configuration, models and application of a task before it is accepted. */
@Injectable()
export class CallPreconditions {
  constructor(private readonly bus: BusClient) {}

  /**
   * Throws 422 `invalid_config` naming each bad field of a stored config, 404 `model_not_found` naming each unknown or
   * disabled model, and 409 `application_disabled`. While models and applications cannot be looked up the check passes:
   * the task waits for the end of the outage.
   */
  async require(caller: Caller, applicationId: number | null, snapshot: AgentSnapshot): Promise<void> {
    const unusable = unusableConfigs(snapshot);
    if (unusable.length > 0) {
      const problem = `${unusable[0]?.field} ${unusable[0]?.message}`;
      throw new ApiError('refused', problem, { code: 'invalid_config', details: unusable });
    }
    await this.requireCallable(caller, applicationId, snapshot);
  }

  private async requireCallable(caller: Caller, applicationId: number | null, snapshot: AgentSnapshot): Promise<void> {
    const { named, namesNone } = modelsOfTask(snapshot);
    const model_names = [...new Set(named.map(({ model }) => model))];
    const input = { application_id: applicationId, model_names, with_default: namesNone };
    // A separate call, without the idempotency key and the deadline of the caller.
    const own = serviceCaller(caller.companyId, Math.min(caller.deadline, Date.now() + CHECK_MS));
    const found = await this.bus.call(trafficLinks.endpoints.findUncallable, input, own).catch(unlessRefused);
    if (!found || found.unknown.length + found.disabled.length === 0) return;
    const { default_model: byDefault, unknown, disabled } = found;
    const all = byDefault === null ? named : [...named, { field: 'model', model: byDefault }];
    const details = all.flatMap(({ field, model }): Detail[] => {
      if (unknown.includes(model)) return [{ field, message: `names model ${model}, which does not exist` }];
      return disabled.includes(model) ? [{ field, message: `names model ${model}, which is disabled` }] : [];
    });
    const problem = unknown[0] === undefined ? `model ${disabled[0]} is disabled` : `model ${unknown[0]} not found`;
    throw new ApiError('not_found', problem, { code: 'model_not_found', details });
  }
}

function unlessRefused(error: unknown): null {
  if (error instanceof ApiError && (error.kind === 'not_found' || error.kind === 'conflict')) throw error;
  return null;
}

import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { ApiError, type Caller } from '@signalbox/contracts';
import { AgentAnswerer, type AgentCall } from './agent-answerer.js';
import { agentNameOf } from './agent-name.js';
import type { Answerer } from './answerer.js';
import { CallTargets } from './call-targets.js';
import { ModelAnswerer } from './model-answerer.js';
import { ProviderClients } from './provider-clients.js';

/** Finds who answers a call. */
@Injectable()
export class Answerers {
  constructor(
    private readonly targets: CallTargets,
    private readonly clients: ProviderClients,
    private readonly bus: BusClient,
  ) {}

  /** The model or agent of a name, else the default model of the company; 404 when there is none. */
  async of(caller: Caller, name: string | null | undefined, call: AgentCall, limitMs?: number): Promise<Answerer> {
    const agent = name ? agentNameOf(name) : null;
    if (name && agent) return AgentAnswerer.find(this.bus, name, agent, caller, call);
    if (name?.startsWith('workflow:'))
      throw new ApiError('not_found', `model ${name} not found`, { code: 'model_not_found' });
    return new ModelAnswerer(await this.targets.model(caller, name), this.clients, limitMs);
  }
}

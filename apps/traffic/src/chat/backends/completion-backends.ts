import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import type { Caller } from '@signalbox/contracts';
import { AgentBackend, type AgentCall } from './agent-backend.js';
import { agentNameOf, workflowNameOf } from '../../models/index.js';
import type { CompletionBackend } from './completion-backend.js';
import { CallTargets } from '../../call-targets/index.js';
import { FixedTemperatures, JudgeModel } from './judge-model.js';
import { ModelBackend } from './model-backend.js';
import { WorkflowBackend, type WorkflowCall } from './workflow-backend.js';
import { ProviderClients } from '../../providers/index.js';

export interface BackendCall extends AgentCall, WorkflowCall {
  /** Refuses agents and workflows as unknown models. */
  modelsOnly?: boolean;
  isJudge?: boolean;
}

@Injectable()
export class CompletionBackends {
  constructor(
    private readonly targets: CallTargets,
    private readonly clients: ProviderClients,
    private readonly bus: BusClient,
    private readonly fixed: FixedTemperatures,
  ) {}

  /** Without a name, the default model of the company; 404 for an unknown name. */
  async of(
    caller: Caller,
    name: string | null | undefined,
    call: BackendCall,
    limitMs?: number,
  ): Promise<CompletionBackend> {
    const agent = name && !call.modelsOnly ? agentNameOf(name) : null;
    if (name && agent) return AgentBackend.find(this.bus, name, agent, caller, call);
    const workflow = name && !call.modelsOnly ? workflowNameOf(name) : null;
    if (name && workflow) return WorkflowBackend.find(this.bus, name, workflow, caller, call);
    const target = await this.targets.model(caller, name);
    const model = new ModelBackend(target, this.clients, limitMs);
    return call.isJudge ? new JudgeModel(model, target, this.fixed) : model;
  }
}

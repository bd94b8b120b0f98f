import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { agentLinks, type Caller, conflict, finetuneFiles, identities } from '@signalbox/contracts';

@Injectable()
export class ModelUses {
  constructor(private readonly bus: BusClient) {}

  /** 409 for a model that an agent, a finetune run or a default of the company uses. */
  async requireNone(model_name: string, caller: Caller): Promise<void> {
    const { getCompanyProfile } = identities.endpoints;
    const [{ agents }, { settings }, { runs }] = await Promise.all([
      this.bus.call(agentLinks.endpoints.countModelUses, { model_name }, caller),
      this.bus.call(getCompanyProfile, { company_id: caller.companyId }, caller),
      this.bus.call(finetuneFiles.endpoints.countModelUses, { model_name }, caller),
    ]);
    if (runs > 0)
      throw conflict(`model ${model_name} is trained by ${runs === 1 ? 'a finetune run' : `${runs} finetune runs`}`);
    if (agents > 0) throw conflict(`model ${model_name} is used by ${agents === 1 ? 'an agent' : `${agents} agents`}`);
    const setting = (['default_model', 'judge_model', 'help_model'] as const).find(
      (name) => settings[name] === model_name,
    );
    if (setting) throw conflict(`model ${model_name} is the ${setting} of the company`);
  }
}

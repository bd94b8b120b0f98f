import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, trafficLinks } from '@signalbox/contracts';
import { CallTargets } from '../chat/scope/call-targets.js';
import { BuiltIns } from '../models/built-ins.repository.js';
import { Models } from '../models/models.repository.js';
import { Intents } from './intents.repository.js';

type C = typeof trafficLinks;

/** What other services read of models and intents that their own things are tied to. */
@Serves(trafficLinks)
export class TrafficLinkHandlers implements Handlers<C> {
  constructor(
    private readonly intents: Intents,
    private readonly models: Models,
    private readonly builtIns: BuiltIns,
    private readonly targets: CallTargets,
  ) {}

  async findUnknownModels({ input, caller }: CallTo<C, 'findUnknownModels'>) {
    await this.builtIns.ensure(caller.companyId);
    return { model_names: await this.models.unknownNames(caller.companyId, input.model_names) };
  }

  listBoundIntents({ input, caller }: CallTo<C, 'listBoundIntents'>) {
    return this.intents.boundTo(caller.companyId, input.agent_id);
  }

  async unbindAgent({ input, caller }: CallTo<C, 'unbindAgent'>) {
    const intents = await this.intents.unbind(caller, input.agent_id);
    if (intents > 0) this.targets.changed(caller.companyId);
    return { intents };
  }
}

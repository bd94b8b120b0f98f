import { Serves } from '@signalbox/bus';
import { type CallTo, type Caller, type Handlers, type Model, models } from '@signalbox/contracts';
import type { Rule } from '@signalbox/database';
import { Analytics } from '../analytics/index.js';
import { CallTargetChanges } from '../call-target-changes/index.js';
import { BuiltIns } from '../providers/index.js';
import type { ModelRow } from './model.entity.js';
import { newModel, switchModel, updateModel } from './model.js';
import { ModelUses } from './model-uses.js';
import { Models } from './models.repository.js';
import { CALLABLE } from './models.sql.js';

type C = typeof models;

@Serves(models)
export class ModelHandlers implements Handlers<C> {
  constructor(
    private readonly models: Models,
    private readonly builtIns: BuiltIns,
    private readonly changes: CallTargetChanges,
    private readonly uses: ModelUses,
    private readonly analytics: Analytics,
  ) {}

  async listModels({ input, caller }: CallTo<C, 'listModels'>) {
    await this.builtIns.ensure(caller.companyId);
    return this.models.listBy(caller.companyId, input);
  }

  async listEnabledModels({ input, caller }: CallTo<C, 'listEnabledModels'>) {
    await this.builtIns.ensure(caller.companyId);
    return this.models.enabled(caller.companyId, input);
  }

  async listAvailableModels({ input, caller }: CallTo<C, 'listAvailableModels'>) {
    await this.builtIns.ensure(caller.companyId);
    return this.models.list(caller.companyId, { ...input, filters: [{ sql: CALLABLE, value: undefined }] });
  }

  async createModel({ input, caller }: CallTo<C, 'createModel'>) {
    await this.builtIns.ensure(caller.companyId);
    return this.models.add(caller, newModel(input));
  }

  async getModel({ input, caller }: CallTo<C, 'getModel'>) {
    await this.builtIns.ensure(caller.companyId);
    return this.models.find(caller.companyId, input.model_id);
  }

  updateModel({ input: { model_id, ...change }, caller }: CallTo<C, 'updateModel'>) {
    return this.edit(caller, model_id, () => updateModel(change));
  }

  enableModel({ input, caller }: CallTo<C, 'enableModel'>) {
    return this.edit(caller, input.model_id, (row) => switchModel(row, 'ENABLED'));
  }

  disableModel({ input, caller }: CallTo<C, 'disableModel'>) {
    return this.edit(caller, input.model_id, (row) => switchModel(row, 'DISABLED'));
  }

  async deleteModel({ input, caller }: CallTo<C, 'deleteModel'>) {
    const model = JSON.parse((await this.models.get(caller.companyId, input.model_id)).text) as Model;
    if (!model.built_in) await this.uses.requireNone(model.model_name, caller);
    const reply = await this.models.drop(caller, input.model_id);
    this.changes.changed(caller.companyId);
    return reply;
  }

  async getModelUsage({ input: { model_id, ...span }, caller: { companyId } }: CallTo<C, 'getModelUsage'>) {
    await this.builtIns.ensure(companyId);
    return this.analytics.ofModel(companyId, await this.models.nameOf(companyId, model_id), span);
  }

  private async edit(caller: Caller, id: number, rule: Rule<ModelRow>) {
    const reply = await this.models.edit(caller, id, rule);
    this.changes.changed(caller.companyId);
    return reply;
  }
}

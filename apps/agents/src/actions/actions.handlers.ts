import { Serves } from '@signalbox/bus';
import { SchemaChecker } from '@signalbox/conditions';
import {
  actions,
  type ActionTest,
  type AgentAction,
  type Batch,
  type Caller,
  type CallTo,
  type Handlers,
  emits,
} from '@signalbox/contracts';
import { Agents } from '../drafts/index.js';
import { KnownModels, modelsOfAction } from '../models/index.js';
import { RoutingRules } from '../routing/index.js';
import { ActionTests } from './execution/action-tests.js';
import { ActionWorkflows } from './action-workflows.js';
import { type ActionChange, FORMAT, formatOf, newAction, switchAction, updateAction } from './action.js';
import { Actions } from './actions.repository.js';

type C = typeof actions;

@Serves(actions)
export class ActionHandlers implements Handlers<C> {
  constructor(
    private readonly actions: Actions,
    private readonly agents: Agents,
    private readonly rules: RoutingRules,
    private readonly tests: ActionTests,
    private readonly schemas: SchemaChecker,
    private readonly models: KnownModels,
    private readonly workflows: ActionWorkflows,
  ) {}

  async listActions({ input, caller }: CallTo<C, 'listActions'>) {
    await this.agents.require(caller.companyId, input.agent_id);
    return this.actions.listBy(caller.companyId, input);
  }

  async createAction({ input, caller }: CallTo<C, 'createAction'>) {
    const action = newAction({ ...input });
    const format = formatOf(action.action_config);
    const named = modelsOfAction(action.action_config);
    if (format || named.length > 0) await this.agents.require(caller.companyId, input.agent_id);
    await this.schemas.requireGoodFormat(caller.companyId, format, FORMAT);
    await this.models.require(named, caller);
    const action_config = await this.workflows.pinned(action.action_type, action.action_config, caller);
    return this.actions.create(caller, { ...action, action_config }, [emits('agent_action.created')], async (tx) => {
      await this.actions.lockAgent(tx, input.agent_id);
      if (input.is_default) await this.actions.clearDefault(tx, input.agent_id);
    });
  }

  getAction({ keys }: Batch) {
    return this.actions.read(keys);
  }

  async updateAction({ input: { action_id, ...given }, caller }: CallTo<C, 'updateAction'>) {
    const change = given.action_config ? await this.checked(caller, action_id, given) : given;
    return this.actions.change(
      caller,
      action_id,
      (row) => updateAction(row, change),
      async (tx, row, { set }) => {
        if (set?.is_default && !row.is_default) await this.actions.clearDefault(tx, row.agent_id);
      },
    );
  }

  private async checked(caller: Caller, id: number, change: ActionChange): Promise<ActionChange> {
    const now = JSON.parse((await this.actions.get(caller.companyId, id)).text) as AgentAction;
    const { set } = updateAction(now, change);
    await this.schemas.requireGoodFormat(caller.companyId, formatOf(set?.action_config), FORMAT);
    await this.models.require(modelsOfAction(set?.action_config), caller);
    const type = change.action_type ?? now.action_type;
    return { ...change, action_config: await this.workflows.pinned(type, set?.action_config ?? null, caller) };
  }

  deleteAction({ input, caller }: CallTo<C, 'deleteAction'>) {
    return this.actions.remove(
      caller,
      input.action_id,
      () => ({ set: { is_default: false }, events: [emits('agent_action.deleted')] }),
      (tx, row) => this.rules.refuseWhileRouted(tx, row.agent_id, { action_id: row.id }),
    );
  }

  enableAction({ input, caller }: CallTo<C, 'enableAction'>) {
    return this.actions.change(caller, input.action_id, (row) => switchAction(row, true));
  }

  disableAction({ input, caller }: CallTo<C, 'disableAction'>) {
    return this.actions.change(caller, input.action_id, (row) => switchAction(row, false));
  }

  testAction({ input, caller }: CallTo<C, 'testAction'>): Promise<ActionTest> {
    return this.tests.run(caller, input);
  }
}

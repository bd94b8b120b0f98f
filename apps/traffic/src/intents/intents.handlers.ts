import { BusClient, Serves } from '@signalbox/bus';
import {
  agents,
  type Caller,
  type CallTo,
  conflict,
  type Handlers,
  intents,
  emits,
  monitorLinks,
  watchedConflict,
} from '@signalbox/contracts';
import { Applications } from '../applications/index.js';
import { CallTargetChanges } from '../call-target-changes/index.js';
import { Configs, type ConfigTarget } from '../config/index.js';
import { Models, usedBy } from '../models/index.js';
import { RequestReader } from '../request-reads/index.js';
import { conditionsOf } from '../request-records/index.js';
import { RecordedSessions, sessionFiltersOf } from '../session-history/index.js';

import type { IntentRow } from './intent.entity.js';
import { newIntent, requireBelow, updateIntent } from './intent.js';
import { Intents } from './intents.repository.js';

type C = typeof intents;
interface Path {
  application_id: number;
  intent_id: number;
}

/** Counts include the calls that were answered before the read. */
@Serves(intents)
export class IntentHandlers implements Handlers<C> {
  constructor(
    private readonly intents: Intents,
    private readonly applications: Applications,
    private readonly configs: Configs,
    private readonly models: Models,
    private readonly requests: RequestReader,
    private readonly sessions: RecordedSessions,
    private readonly changes: CallTargetChanges,
    private readonly bus: BusClient,
  ) {}

  async listIntents({ input, caller }: CallTo<C, 'listIntents'>) {
    await this.applications.require(caller.companyId, input.application_id);
    return this.intents.listBy(caller.companyId, input);
  }

  async createIntent({ input: { application_id, ...body }, caller }: CallTo<C, 'createIntent'>) {
    await this.configs.ready(caller, body.config ?? {});
    await this.applications.require(caller.companyId, application_id);
    await this.requireAgent(body.agent_id, caller);
    const reply = await this.intents.add(caller, application_id, newIntent(body));
    this.changes.changed(caller.companyId);
    return reply;
  }

  async getIntent({ input, caller }: CallTo<C, 'getIntent'>) {
    return this.existing(input, caller);
  }

  async updateIntent({ input: { application_id, intent_id, ...change }, caller }: CallTo<C, 'updateIntent'>) {
    await this.existing({ application_id, intent_id }, caller);
    await this.requireAgent(change.agent_id, caller);
    const reply = await this.intents.change(caller, intent_id, () => updateIntent(change));
    this.changes.changed(caller.companyId);
    return reply;
  }

  async deleteIntent({ input: { application_id, intent_id }, caller }: CallTo<C, 'deleteIntent'>) {
    await this.existing({ application_id, intent_id }, caller);
    await this.requireUnwatched(intent_id, caller);
    const reply = await this.intents.remove(caller, intent_id, (row) => {
      requireBelow(application_id, row);
      return { events: [emits('intent.deleted')] };
    });
    this.changes.changed(caller.companyId);
    return reply;
  }

  async getIntentConfig({ input, caller }: CallTo<C, 'getIntentConfig'>) {
    await this.existing(input, caller);
    return this.configs.view(caller.companyId, 'intent', input.intent_id);
  }

  updateIntentConfig({ input: { application_id, intent_id, ...change }, caller }: CallTo<C, 'updateIntentConfig'>) {
    return this.configs.change(caller, this.place({ application_id, intent_id }), change);
  }

  resetIntentConfig({ input, caller }: CallTo<C, 'resetIntentConfig'>) {
    return this.configs.reset(caller, this.place(input));
  }

  async listIntentRequests({ input: { application_id, ...query }, caller }: CallTo<C, 'listIntentRequests'>) {
    await this.existing({ application_id, intent_id: query.intent_id }, caller);
    return this.requests.list(caller.companyId, { ...query, filters: conditionsOf(query) }, false);
  }

  async listIntentModels({ input, caller }: CallTo<C, 'listIntentModels'>) {
    await this.existing(input, caller);
    const filters = [usedBy('intent_id', input.intent_id, input)];
    return this.models.list(caller.companyId, { ...input, filters });
  }

  async listIntentSessions({ input, caller }: CallTo<C, 'listIntentSessions'>) {
    await this.existing(input, caller);
    return this.sessions.list(caller.companyId, { ...input, filters: sessionFiltersOf(input) });
  }

  private existing({ application_id, intent_id }: Path, caller: Caller) {
    return this.intents.getBelow(caller.companyId, application_id, intent_id);
  }

  private place({ application_id, intent_id }: Path): ConfigTarget<IntentRow> {
    return { what: 'intent', id: intent_id, rows: this.intents, check: (row) => requireBelow(application_id, row) };
  }

  /** 409 for an intent that is a target of monitors; one that is attached meanwhile is detached by the deletion. */
  private async requireUnwatched(target_id: number, caller: Caller): Promise<void> {
    const input = { target_type: 'intent', target_id } as const;
    const watching = await this.bus.call(monitorLinks.endpoints.listWatchingMonitors, input, caller);
    if (watching.total > 0) throw watchedConflict('intent', watching);
  }

  /** 404 for an agent that does not exist, 409 for one that runs elsewhere. */
  private async requireAgent(agent_id: number | null | undefined, caller: Caller): Promise<void> {
    if (agent_id == null) return;
    const { kind } = await this.bus.call(agents.endpoints.getAgent, { agent_id }, caller);
    if (kind === 'EXTERNAL') throw conflict(`agent ${agent_id} is EXTERNAL: it cannot serve an intent`);
  }
}

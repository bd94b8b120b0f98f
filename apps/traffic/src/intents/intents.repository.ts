import { Injectable } from '@nestjs/common';
import { type BoundIntents, type Intent, type JsonText, emits } from '@signalbox/contracts';
import { CompanyRepository, Database, type Owner } from '@signalbox/database';
import { Applications } from '../applications/index.js';
import { ConfigLayers, type Overrides } from '../config/index.js';
import { IntentGroups } from '../intent-groups/index.js';
import { IntentRow } from './intent.entity.js';
import { requireBelow } from './intent.js';
import { IDS_OF_AGENT, IDS_ON_WORKFLOW, INTENTS_OF_AGENT, INTENTS_ON_WORKFLOW, SHOWN, view } from './intents.sql.js';

/** SQL: the count and the first bound intents are one read. */
@Injectable()
export class Intents extends CompanyRepository<IntentRow, Intent> {
  constructor(
    db: Database,
    private readonly applications: Applications,
    private readonly groups: IntentGroups,
    private readonly layers: ConfigLayers,
  ) {
    super(db, {
      entity: IntentRow,
      view,
      type: 'intent',
      uniqueViolations: { intents_action_type: 'an intent of this name exists already in the application' },
    });
  }

  /** The group of its name is created with its first intent. */
  add(
    owner: Owner,
    applicationId: number,
    values: Partial<IntentRow> & { action_type: string; config: Overrides },
  ): Promise<JsonText<Intent>> {
    return this.db.withCompany(
      owner,
      async (tx) => {
        await this.applications.share(tx, applicationId);
        const intent_group_id = await this.groups.ensure(tx, values.action_type);
        const row = { ...values, application_id: applicationId, intent_group_id };
        return this.createIn(tx, row, [emits('intent.created')], async (id) =>
          this.layers.require(tx, await this.layers.ofRow(tx, 'intent', id), values.config),
        );
      },
      this.resource.uniqueViolations,
    );
  }

  async boundTo(companyId: number, agentId: number): Promise<BoundIntents> {
    const [found] = await this.db.select<BoundIntents>(companyId, INTENTS_OF_AGENT, [agentId]);
    return found ?? { total: 0, intents: [] };
  }

  unbind(owner: Owner, agentId: number): Promise<number> {
    return this.db.withCompany(owner, async (tx) => {
      const bound = await tx.query<{ id: number }>(IDS_OF_AGENT, [tx.companyId, agentId]);
      const free = () => ({ set: { agent_id: null }, events: [emits('intent.updated')] });
      for (const { id } of bound) await this.changeIn(tx, id, free);
      return bound.length;
    });
  }

  /** Intents whose own configuration names the workflow as their model: the first ones, and their number. */
  async onWorkflow(companyId: number, refName: string): Promise<BoundIntents> {
    const rows = await this.db.select<{ id: number; application_id: number }>(companyId, INTENTS_ON_WORKFLOW, [
      refName,
    ]);
    return { total: rows.length, intents: rows.slice(0, SHOWN) };
  }

  offWorkflow(owner: Owner, refName: string): Promise<number> {
    return this.db.withCompany(owner, async (tx) => {
      const bound = await tx.query<{ id: number }>(IDS_ON_WORKFLOW, [tx.companyId, refName]);
      const free = (row: IntentRow) => {
        const { model: _workflow, ...config } = row.config;
        return { set: { config }, events: [emits('intent.config_updated' as const, { changed: ['model'] })] };
      };
      for (const { id } of bound) await this.changeIn(tx, id, free);
      return bound.length;
    });
  }

  async getBelow(companyId: number, applicationId: number, id: number): Promise<JsonText<Intent>> {
    const intent = await this.get(companyId, id);
    requireBelow(applicationId, JSON.parse(intent.text) as Intent);
    return intent;
  }
}

import { Injectable } from '@nestjs/common';
import { SchemaChecker } from '@signalbox/conditions';
import { type Caller, type Config, type ConfigView, emits } from '@signalbox/contracts';
import { type CompanyRepository, Database, type TenantRow } from '@signalbox/database';
import { CallTargetChanges } from '../call-target-changes/index.js';
import { BuiltIns } from '../providers/index.js';
import { ConfigLayers } from './config-layers.repository.js';
import type { Configured } from './config-layers.sql.js';
import { changed, dropped, modelFieldsOf, type Overrides, overridesOf, viewOf } from './config.js';
import { NamedWorkflows } from './named-workflows.js';

/** `check` may refuse the locked row. */
export interface ConfigTarget<Row extends TenantRow & { config: Overrides }> {
  what: Configured;
  id: number;
  rows: CompanyRepository<Row, object>;
  check?: (row: Row) => void;
}

@Injectable()
export class Configs {
  constructor(
    private readonly db: Database,
    private readonly layers: ConfigLayers,
    private readonly builtIns: BuiltIns,
    private readonly changes: CallTargetChanges,
    private readonly schemas: SchemaChecker,
    private readonly workflows: NamedWorkflows,
  ) {}

  async view(companyId: number, what: Configured, id: number): Promise<ConfigView> {
    return viewOf(await this.layers.of(companyId, what, id));
  }

  async change<Row extends TenantRow & { config: Overrides }>(
    caller: Caller,
    place: ConfigTarget<Row>,
    change: Config,
  ): Promise<ConfigView> {
    await this.ready(caller, change);
    return this.write(caller, place, 'update', overridesOf(change), (stored) => changed(stored, change));
  }

  reset<Row extends TenantRow & { config: Overrides }>(caller: Caller, place: ConfigTarget<Row>): Promise<ConfigView> {
    return this.write(caller, place, 'reset', {}, dropped);
  }

  async ready(caller: Caller, config: Config): Promise<void> {
    await this.workflows.require(modelFieldsOf(overridesOf(config)), caller);
    await this.schemas.requireGoodFormat(caller.companyId, config.response_format);
    await this.builtIns.ensure(caller.companyId);
  }

  private async write<Row extends TenantRow & { config: Overrides }>(
    caller: Caller,
    { what, id, rows, check }: ConfigTarget<Row>,
    action: string,
    named: Overrides,
    rule: (stored: Overrides) => { config: Overrides; changed: string[] },
  ): Promise<ConfigView> {
    const view = await this.db.withCompany(caller, async (tx) => {
      await rows.changeIn(tx, id, (row) => {
        check?.(row);
        const { config, changed: fields } = rule(row.config);
        if (fields.length === 0) return {};
        const events = [emits(`${what}.config_updated`, { changed: fields })];
        return { set: { config } as Partial<Row>, events, action };
      });
      const layers = await this.layers.ofRow(tx, what, id);
      await this.layers.require(tx, layers, named);
      return viewOf(layers);
    });
    this.changes.changed(caller.companyId);
    return view;
  }
}

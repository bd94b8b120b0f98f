import { Injectable } from '@nestjs/common';
import { ApiError, type ConfigSource, notFound } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { workflowNameOf } from '../models/index.js';
import { type Layer, modelFieldsOf, type Overrides, requireNeeds } from './config.js';

/** The kinds of resources with a configuration. */
export type Configured = Exclude<ConfigSource, 'default'>;

type LayerRow = Partial<Record<Configured, Overrides>>;

/** The layers of each kind: its own first, then those it inherits from. */
const ORDER: Record<Configured, Configured[]> = {
  intent: ['intent', 'intent_group', 'application'],
  intent_group: ['intent_group'],
  application: ['application'],
};

const SELECT: Record<Configured, string> = {
  application: `SELECT t.config AS application FROM traffic.applications t`,
  intent_group: `SELECT t.config AS intent_group FROM traffic.intent_groups t`,
  intent: `SELECT t.config AS intent, g.config AS intent_group, a.config AS application FROM traffic.intents t
    JOIN traffic.intent_groups g ON g.company_id = t.company_id AND g.id = t.intent_group_id
    JOIN traffic.applications a ON a.company_id = t.company_id AND a.id = t.application_id`,
};

/**
 * Reads the layers of configurations.
 *
 * SQL: only the columns of a layer are read, with the company in one round trip.
 */
@Injectable()
export class ConfigLayers {
  constructor(private readonly db: Database) {}

  /** The layers of a resource; 404 when it does not exist in the company. */
  async of(companyId: number, what: Configured, id: number): Promise<Layer[]> {
    const [row] = await this.db.select<LayerRow>(
      companyId,
      `SELECT x.* FROM s, LATERAL (${SELECT[what]} WHERE t.company_id = s.company AND t.id = $2
         AND t.deleted_at IS NULL OFFSET 0) x`,
      [id],
    );
    return layersOf(what, row);
  }

  async ofRow(tx: Tx, what: Configured, id: number): Promise<Layer[]> {
    const text = `${SELECT[what]} WHERE t.company_id = $1 AND t.id = $2 AND t.deleted_at IS NULL`;
    const [row] = await tx.query<LayerRow>(text, [tx.companyId, id]);
    return layersOf(what, row);
  }

  /** Refuses contradicting layers, and models in `named` that the company does not have. */
  async require(tx: Tx, layers: readonly Layer[], named: Overrides): Promise<void> {
    requireNeeds(layers);
    const models = modelFieldsOf(named).filter(({ model }) => workflowNameOf(model) === null);
    const names = [...new Set(models.map(({ model }) => model))];
    if (names.length === 0) return;
    // A share lock, so that a model cannot be deleted before the reference commits.
    const found = await tx.query<{ model_name: string }>(
      `SELECT model_name FROM traffic.models WHERE company_id = $1 AND model_name = ANY($2::text[]) AND deleted_at IS NULL
       ORDER BY id FOR SHARE`,
      [tx.companyId, names],
    );
    const known = new Set(found.map(({ model_name }) => model_name));
    const unknown = models.filter(({ model }) => !known.has(model));
    if (unknown.length > 0)
      throw new ApiError('not_found', `model ${unknown[0]?.model} not found`, {
        details: unknown.map(({ field, model }) => ({ field, message: `names model ${model}, which does not exist` })),
      });
  }
}

function layersOf(what: Configured, row: LayerRow | undefined): Layer[] {
  if (!row) throw notFound(what.replace('_', ' '));
  return ORDER[what].map((from) => ({ from, config: row[from] ?? {} }));
}

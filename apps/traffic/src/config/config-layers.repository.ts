import { Injectable } from '@nestjs/common';
import { notFound } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { workflowNameOf } from '../models/index.js';
import { type Layer, modelFieldsOf, type Overrides, requireNeeds } from './config.js';
import { type Configured, FIND_LAYERS, HOLD_MODELS, LAYERS_OF_ROW } from './config-layers.sql.js';

type LayerRow = Partial<Record<Configured, Overrides>>;

const ORDER: Record<Configured, Configured[]> = {
  intent: ['intent', 'intent_group', 'application'],
  intent_group: ['intent_group'],
  application: ['application'],
};

/** SQL: only the columns of a layer are read, with the company in one round trip. */
@Injectable()
export class ConfigLayers {
  constructor(private readonly db: Database) {}

  async of(companyId: number, what: Configured, id: number): Promise<Layer[]> {
    const [row] = await this.db.select<LayerRow>(companyId, FIND_LAYERS(what), [id]);
    return layersOf(what, row);
  }

  async ofRow(tx: Tx, what: Configured, id: number): Promise<Layer[]> {
    const [row] = await tx.query<LayerRow>(LAYERS_OF_ROW(what), [tx.companyId, id]);
    return layersOf(what, row);
  }

  /** Refuses layers that contradict each other, and models in `named` that the company does not have. */
  async require(tx: Tx, layers: readonly Layer[], named: Overrides): Promise<void> {
    requireNeeds(layers);
    const models = modelFieldsOf(named).filter(({ model }) => workflowNameOf(model) === null);
    const names = [...new Set(models.map(({ model }) => model))];
    if (names.length === 0) return;
    // A share lock, so that a model cannot be deleted before the reference commits.
    const found = await tx.query<{ model_name: string }>(HOLD_MODELS, [tx.companyId, names]);
    const known = new Set(found.map(({ model_name }) => model_name));
    const unknown = models.filter(({ model }) => !known.has(model));
    if (unknown.length > 0)
      throw notFound(`model ${unknown[0]?.model}`, {
        details: unknown.map(({ field, model }) => ({ field, message: `names model ${model}, which does not exist` })),
      });
  }
}

function layersOf(what: Configured, row: LayerRow | undefined): Layer[] {
  if (!row) throw notFound(what.replace('_', ' '));
  return ORDER[what].map((from) => ({ from, config: row[from] ?? {} }));
}

import { Injectable } from '@nestjs/common';
import { type Caller, emits, type JsonText, MODEL_NAME, type Model } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { Models } from '../models/index.js';
import { BASE_MODEL, FREE_NAME, MODEL_OF_RUN } from './finetuned-models.sql.js';

export interface FinetunedModel {
  finetune_run_id: number;
  base_model: string;
  provider_model: string;
  provider_id: number;
  intent_group_id: number;
}

const MAX_NAME = 128;

function namesOf({ provider_model, finetune_run_id }: FinetunedModel): string[] {
  const suffix = `-${finetune_run_id}`;
  const names = [provider_model, provider_model.slice(0, MAX_NAME - suffix.length) + suffix];
  return [...names.filter((name) => MODEL_NAME.test(name)), `finetune-run${suffix}`];
}

/** SQL: a model is found by its run, and a name is chosen among those that are free. */
@Injectable()
export class FinetunedModels {
  constructor(
    private readonly db: Database,
    private readonly models: Models,
  ) {}

  /** A repeat for the same run returns the existing model. */
  async add(caller: Caller, made: FinetunedModel): Promise<JsonText<Model>> {
    const known = await this.idOf(caller.companyId, made.finetune_run_id);
    if (known !== null) return this.models.get(caller.companyId, known);
    return this.db.withCompany(
      caller,
      async (tx) => {
        const model_name = await this.freeName(tx, namesOf(made));
        const values = { ...made, ...(await this.inherited(tx, made)), model_name, display_name: model_name };
        return this.models.createIn(tx, { ...values, model_type: 'FINETUNED' }, [emits('model.created')]);
      },
      this.models.resource.uniqueViolations,
    );
  }

  private async idOf(companyId: number, runId: number): Promise<number | null> {
    const [row] = await this.db.select<{ id: number }>(companyId, MODEL_OF_RUN, [runId]);
    return row?.id ?? null;
  }

  private async freeName(tx: Tx, names: readonly string[]): Promise<string> {
    const [row] = await tx.query<{ name: string }>(FREE_NAME, [tx.companyId, names]);
    return row?.name ?? names[0] ?? '';
  }

  /** Without prices: those of trained models differ from those of their base. */
  private async inherited(tx: Tx, { base_model }: FinetunedModel) {
    type Inherited = Pick<Model, 'context_window' | 'supports_tools' | 'supports_json_schema' | 'trainable'>;
    const [base] = await tx.query<Inherited>(BASE_MODEL, [tx.companyId, base_model]);
    return base ?? {};
  }
}

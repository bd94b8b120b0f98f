import { Injectable } from '@nestjs/common';
import { type Caller, conflict, type FailureClass } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import {
  type CallDefaults,
  type CanonicalInput,
  type CheckedInputs,
  InputSchemas,
  problemsText,
} from '../consumers/index.js';
import type { LockedTestRun } from '../run-records/index.js';
import {
  FAILED_ITEM,
  ITEMS_TO_ADAPT,
  RESET_ITEMS,
  RETIRE_ATTEMPTS,
  SLICE,
  STARTED_ITEM,
  STORE_ADAPTATIONS,
  UNADAPTED_ITEMS,
} from './reset-items.sql.js';

interface ItemToAdapt {
  id: number;
  /** Of the item of the set; null when that was deleted. */
  source: number;
  version: string;
  input: CanonicalInput | null;
  baseline: string | null;
  source_md5: string | null;
}

const DELETED = { field: 'test_set_item_id', message: 'names an item that was deleted' };

export interface Reset {
  classes: readonly FailureClass[];
  schema?: Record<string, unknown> | null | undefined;
  defaults?: CallDefaults | undefined;
}

/** SQL: the items of a run are reset in bulk. */
@Injectable()
export class ResetItems {
  constructor(
    private readonly db: Database,
    private readonly schemas: InputSchemas,
  ) {}

  async hasFailed(companyId: number, runId: string, classes: readonly FailureClass[]): Promise<boolean> {
    return (await this.db.select(companyId, FAILED_ITEM, [runId, classes])).length > 0;
  }

  /** The reset runs in a transaction of `store`. */
  withCheckedInputs<T>(
    caller: Caller,
    run: LockedTestRun,
    { classes, schema, defaults }: Reset,
    store: (inputs: CheckedInputs) => Promise<T>,
  ): Promise<T> {
    const check = async (inputs: CheckedInputs): Promise<void> => {
      for (let after = 0; schema && classes.includes('adapter');) {
        const items = await this.db.select<{ after: number; id: number; version: string; input: CanonicalInput }>(
          caller.companyId,
          UNADAPTED_ITEMS,
          [run.id, after],
        );
        const last = items.at(-1);
        if (!last) break;
        await inputs.check(items);
        after = last.after;
      }
    };
    return this.schemas.storing(caller, { ...run, input_schema: schema, defaults }, check, store);
  }

  /**
   * Returns how many items become pending. Items that could not be adapted are adapted again. Of repeats, those that
   * count and have failed are executed again; when the judge of an item failed, all are. 409 while what the items of a
   * cancelled run have started is not cancelled yet.
   */
  async reset(tx: Tx, run: LockedTestRun, { classes }: Reset, inputs: CheckedInputs): Promise<number> {
    const values = [tx.companyId, run.id, classes];
    const [started] = await tx.query(STARTED_ITEM, values);
    if (started)
      throw conflict(`test run ${run.no} is still being cancelled: reset it when its tasks and runs have ended`);
    await tx.query(RETIRE_ATTEMPTS, values);
    const reset = await tx.query<{ id: number; adapted: boolean }>(RESET_ITEMS, values);
    const unadapted = reset.filter(({ adapted }) => !adapted).map(({ id }) => id);
    for (let at = 0; at < unadapted.length; at += SLICE)
      await this.adaptAgain(tx, unadapted.slice(at, at + SLICE), inputs);
    return reset.length;
  }

  private async adaptAgain(tx: Tx, ids: readonly number[], inputs: CheckedInputs): Promise<void> {
    const items = await tx.query<ItemToAdapt>(ITEMS_TO_ADAPT, [tx.companyId, ids]);
    const results = items.map(({ source, version, input }) =>
      input ? inputs.adaptationOf({ id: source, version, input }) : { errors: [DELETED] },
    );
    await tx.query(STORE_ADAPTATIONS, [
      tx.companyId,
      items.map(({ id }) => id),
      results.map((each) => ('adapted_input' in each ? JSON.stringify(each.adapted_input) : null)),
      results.map(({ errors }) => problemsText(errors)),
      items.map(({ baseline }) => baseline),
      items.map(({ source_md5 }) => source_md5),
    ]);
  }
}

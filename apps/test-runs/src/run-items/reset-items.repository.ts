import { Injectable } from '@nestjs/common';
import { type Caller, conflict, type FailureClass } from '@signalbox/contracts';
import { Database, NOW_MS, type Tx } from '@signalbox/database';
import {
  type CallDefaults,
  type CanonicalInput,
  type CheckedInputs,
  InputSchemas,
  problemsText,
} from '../consumers/index.js';
import type { LockedTestRun } from '../run-records/index.js';

/** Items that are adapted again at once. */
const SLICE = 100;

const DELETED = { field: 'test_set_item_id', message: 'names an item that was deleted' };

export interface Reset {
  classes: readonly FailureClass[];
  schema?: Record<string, unknown> | null | undefined;
  /** What the calls of a model inherit from their intent. */
  defaults?: CallDefaults | undefined;
}

/**
 * Resets the failed items of runs.
 *
 * SQL: the items of a run are reset in bulk.
 */
@Injectable()
export class ResetItems {
  constructor(
    private readonly db: Database,
    private readonly schemas: InputSchemas,
  ) {}

  /** Checks the inputs of the items that will be adapted again, and resets them in a transaction of `store`. */
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
          `SELECT x.* FROM s, LATERAL (SELECT i.id AS after, t.id, t.xmin::text AS version, t.input
             FROM "test-runs".run_items i JOIN "test-runs".test_set_items t
               ON t.company_id = i.company_id AND t.id = i.test_set_item_id AND t.deleted_at IS NULL
             WHERE i.company_id = s.company AND i.run_id = $2 AND i.status = 'FAILED' AND i.failure_class = 'adapter'
               AND i.adapted_input IS NULL AND i.id > $3 ORDER BY i.id LIMIT ${SLICE} OFFSET 0) x`,
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
   * Makes the failed items of the given classes pending; returns how many there are. Items that could not be adapted are
   * adapted again. Of repeats, those that count and have failed are executed again; when the judge of an item failed,
   * all are. 409 while what the items of a cancelled run have started is not cancelled yet.
   */
  async reset(tx: Tx, run: LockedTestRun, { classes }: Reset, inputs: CheckedInputs): Promise<number> {
    const failed = `company_id = $1 AND run_id = $2 AND status = 'FAILED' AND failure_class = ANY ($3::text[])`;
    const values = [tx.companyId, run.id, classes];
    const [started] = await tx.query(
      `SELECT 1 FROM "test-runs".run_items WHERE ${failed} AND call_id IS NOT NULL LIMIT 1`,
      values,
    );
    if (started)
      throw conflict(`test run ${run.no} is still being cancelled: reset it when its tasks and runs have ended`);
    await tx.query(
      `UPDATE "test-runs".run_attempts a SET is_current = false
       FROM (SELECT id, failure_class FROM "test-runs".run_items WHERE ${failed}) i
       WHERE a.company_id = $1 AND a.run_item_id = i.id AND a.is_current AND (a.status = 'FAILED' OR i.failure_class = 'judge')`,
      values,
    );
    const reset = await tx.query<{ id: number; adapted: boolean }>(
      `UPDATE "test-runs".run_items SET status = 'PENDING', failure_class = NULL, error_code = NULL, error_message = NULL,
         matched = NULL, agreement = NULL, score_id = NULL, scored_at = NULL, completed_at = NULL, started_at = NULL,
         date_updated = ${NOW_MS}
       WHERE ${failed} RETURNING id, adapted_input IS NOT NULL AS adapted`,
      values,
    );
    const unadapted = reset.filter(({ adapted }) => !adapted).map(({ id }) => id);
    for (let at = 0; at < unadapted.length; at += SLICE)
      await this.adaptAgain(tx, unadapted.slice(at, at + SLICE), inputs);
    return reset.length;
  }

  private async adaptAgain(tx: Tx, ids: readonly number[], inputs: CheckedInputs): Promise<void> {
    const items = await tx.query<{ id: number; source: number; version: string; input: CanonicalInput | null }>(
      `SELECT i.id, s.id AS source, s.xmin::text AS version, s.input FROM "test-runs".run_items i
       LEFT JOIN "test-runs".test_set_items s ON s.company_id = i.company_id AND s.id = i.test_set_item_id AND s.deleted_at IS NULL
       WHERE i.company_id = $1 AND i.id = ANY ($2::int[])`,
      [tx.companyId, ids],
    );
    const results = items.map(({ id, source, version, input }) =>
      input ? { id, ...inputs.adaptationOf({ id: source, version, input }) } : { id, errors: [DELETED] },
    );
    await tx.query(
      `UPDATE "test-runs".run_items i SET adapted_input = u.adapted::json, error_message = u.problem,
         status = CASE WHEN u.problem IS NULL THEN 'PENDING' ELSE 'FAILED' END,
         failure_class = CASE WHEN u.problem IS NOT NULL THEN 'adapter' END,
         completed_at = CASE WHEN u.problem IS NOT NULL THEN ${NOW_MS} END
       FROM unnest($2::int[], $3::text[], $4::text[]) u(id, adapted, problem) WHERE i.company_id = $1 AND i.id = u.id`,
      [
        tx.companyId,
        results.map(({ id }) => id),
        results.map((each) => ('adapted_input' in each ? JSON.stringify(each.adapted_input) : null)),
        results.map(({ errors }) => problemsText(errors)),
      ],
    );
  }
}

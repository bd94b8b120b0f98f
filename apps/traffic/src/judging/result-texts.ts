import type { Tx } from '@signalbox/database';

/** Clears what results say about the content of deleted requests; their verdicts stay for the counts. */
export async function clearResultTexts(tx: Tx, requestIds: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE traffic.evaluation_results SET description = '', correction = NULL
     WHERE company_id = $1 AND request_id = ANY ($2::uuid[])`,
    [tx.companyId, requestIds],
  );
}

import type { Tx } from '@signalbox/database';
import { CLEAR_RESULT_TEXTS } from './result-texts.sql.js';

/** Clears what results say about the content of deleted requests; their verdicts stay for the counts. */
export async function clearResultTexts(tx: Tx, requestIds: readonly string[]): Promise<void> {
  await tx.query(CLEAR_RESULT_TEXTS, [tx.companyId, requestIds]);
}

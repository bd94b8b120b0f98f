import { txStatement } from '@signalbox/database';

export const CLEAR_RESULT_TEXTS = txStatement(
  { index: 'evaluation_results_request' },
  `UPDATE traffic.evaluation_results SET description = '', correction = NULL
   WHERE company_id = $1 AND request_id = ANY ($2::uuid[])`,
);

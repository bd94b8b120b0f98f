import { txStatement } from '@signalbox/database';

export const BEGIN_RUN = txStatement(
  { index: 'tag_runs_pkey' },
  'UPDATE traffic.tag_runs SET total_requests = $3, upto = $4 WHERE company_id = $1 AND id = $2',
);

export const COUNT_BATCH = txStatement(
  { index: 'tag_runs_pkey' },
  `UPDATE traffic.tag_runs SET cursor = $3, processed = processed + $4, judgements = judgements + $5,
     errors = errors + $6, last_error = COALESCE($7, last_error), tagged = tagged + $8
   WHERE company_id = $1 AND id = $2`,
);

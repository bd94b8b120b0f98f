import { readStatement } from '@signalbox/database';

export const SPENT_BY_CHAIN = readStatement(
  { index: ['runs_below', 'runs_pkey'] },
  `SELECT x.* FROM s, LATERAL (
   WITH RECURSIVE tree AS (
     SELECT t.id, t.cost, t.completed_at FROM workflows.runs t WHERE t.company_id = s.company AND t.id = $2
     UNION ALL
     SELECT c.id, c.cost, c.completed_at FROM tree JOIN workflows.runs c
       ON c.company_id = s.company AND c.parent_run_id = tree.id AND tree.completed_at IS NULL
   ) SELECT COALESCE(sum(cost), 0)::float8 AS cost FROM tree OFFSET 0) x`,
);

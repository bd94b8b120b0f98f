import { txStatement } from '@signalbox/database';

export const COMPOSITIONS_OF = txStatement(
  { index: 'compositions_group' },
  `SELECT id FROM training.compositions WHERE company_id = $1 AND deleted_at IS NULL AND entries @> $2::jsonb
   ORDER BY id LIMIT 20`,
);

import { type View, txStatement } from '@signalbox/database';

export const view: View = {
  resource: 'evaluation criteria',
  table: '"test-runs".evaluation_criteria',
  columns: [
    'id',
    'name',
    'description',
    'criteria_type',
    'method',
    'prompt',
    'config',
    'pass_threshold',
    'weight',
    'enabled',
    'date_created',
    'date_updated',
  ],
  search: ['t.name', 't.description'],
  filters: { criteria_type: 't.criteria_type = ?', method: 't.method = ?', enabled: 't.enabled = ?' },
  sort: { name: 't.name', weight: 't.weight' },
  large: ['prompt', 'config'],
};

/** Prevents deletion until the transaction ends. */
export const LOCK_CRITERIA = txStatement(
  { index: 'evaluation_criteria_pkey' },
  `SELECT 1 FROM "test-runs".evaluation_criteria
   WHERE company_id = $1 AND id = ANY ($2::int[]) AND deleted_at IS NULL FOR SHARE`,
);

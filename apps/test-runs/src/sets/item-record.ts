export const RECORD_COLUMNS = [
  'id',
  'test_set_id',
  'position',
  'source_type',
  'source_id',
  'flatten_variant',
  'baseline_hash',
  'meta',
  'date_created',
  'date_updated',
] as const;

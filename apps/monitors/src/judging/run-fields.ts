/** Shown by lists and events. */
export const RUN_COLUMNS = [
  'id',
  'monitor_id',
  'monitor_target_id',
  'monitor_version_id',
  'version_number',
  'source_type',
  'source_id',
  'runner_type',
  'runner_ref_id',
  'outcome',
  'failure_class',
  'runner_duration_ms',
  'cost',
  'error_message',
  'shadow',
  'date_created',
];

export const RUN_FIELDS = RUN_COLUMNS.map((column) => `t.${column}`).join(', ');

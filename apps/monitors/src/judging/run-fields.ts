/** The columns of a run that lists and events show. */
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

/** The columns of a run over the alias `t`, as its events carry them. */
export const RUN_FIELDS = RUN_COLUMNS.map((column) => `t.${column}`).join(', ');

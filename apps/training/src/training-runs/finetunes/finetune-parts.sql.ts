import type { View } from '@signalbox/database';

/** `serial` is the column in whose order the parts were added. */
const parts = (table: string, columns: string[], serial: string): View => ({
  resource: 'finetune run',
  table: `training.${table}`,
  columns,
  alive: 'true',
  filters: { run_id: 't.run_id = ?' },
  key: serial,
  sort: { date_created: 't.timestamp', date_updated: 't.timestamp' },
});

export const EVENTS: View = {
  ...parts('finetune_log', ['timestamp', 'level', 'message'], 'no'),
  search: ['t.message'],
};
export const METRICS: View = {
  ...parts('finetune_metrics', ['step', 'train_loss', 'validation_loss', 'timestamp'], 'step'),
  isNumberedInParent: true,
};
export const CHECKPOINTS: View = {
  ...parts('finetune_checkpoints', ['step', 'model_name', 'metrics'], 'step'),
  isNumberedInParent: true,
  search: ['t.step::text', 't.model_name'],
};

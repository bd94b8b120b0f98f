import type { RequestFilter, TagsCreateRunInput } from '@signalbox/sdk';
import type { ItemForm } from '../../declared/declaration.js';

export interface RunFields {
  rule_ids: number[];
  application_id?: number;
  model?: string;
  text?: string;
  evaluation_status?: RequestFilter['evaluation_status'];
  last_days?: number;
}

const DAY_MS = 86_400_000;

export const RUN_FORM: ItemForm<RunFields> = {
  required: ['rule_ids'],
  fields: {
    rule_ids: { type: 'array', title: 'Rules', minItems: 1 },
    application_id: { type: 'integer', title: 'Only of the application' },
    model: { type: 'string', title: 'Only of the model' },
    text: { type: 'string', title: 'Only with the text' },
    evaluation_status: { type: 'string', title: 'Only with the verdict', enum: ['PASS', 'FAULT', 'ERROR', 'NA'] },
    last_days: { type: 'integer', title: 'Only of the last days', minimum: 1, maximum: 3650 },
  },
  options: {
    rule_ids: 'tagRules',
    application_id: 'applications',
  },
};

export function runOf({ rule_ids, last_days, ...filters }: RunFields): TagsCreateRunInput {
  const since = last_days === undefined ? {} : { start_date: Date.now() - last_days * DAY_MS };
  return { rule_ids, filters: { ...filters, ...since } as RequestFilter };
}

import { largeTableIndexes } from '@signalbox/database';

/** Results of one application, intent, intent group, severity or failure class, newest first. */
export const ResultsByOwner1700000009623 = largeTableIndexes('ResultsByOwner1700000009623', 'traffic', [
  {
    name: 'evaluation_results_application',
    on: 'traffic.evaluation_results (company_id, application_id, id) WHERE application_id IS NOT NULL',
  },
  {
    name: 'evaluation_results_intent',
    on: 'traffic.evaluation_results (company_id, intent_id, id) WHERE intent_id IS NOT NULL',
  },
  {
    name: 'evaluation_results_group',
    on: 'traffic.evaluation_results (company_id, intent_group_id, id) WHERE intent_group_id IS NOT NULL',
  },
  { name: 'evaluation_results_severity', on: 'traffic.evaluation_results (company_id, severity, id)' },
  {
    name: 'evaluation_results_failed',
    on: 'traffic.evaluation_results (company_id, failure_class, id) WHERE failure_class IS NOT NULL',
  },
]);

import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { Composition } from './compositions.js';
import { Dataset } from './datasets.js';
import { FinetuneRun } from './finetune-runs.js';
import { OfIntent, OfIntentGroup } from '../paths.js';

/** The datasets of an intent (docs/api/traffic.md). */
export const intentDatasets = defineContract(
  { name: 'intent-datasets', service: 'training', tag: 'Intents' },
  {
    // Chosen: the datasets of its group that belong to its application or to none.
    listIntentDatasets: {
      get: '/applications/{application_id}/intents/{intent_id}/datasets',
      summary: 'List the datasets of an intent',
      input: OfIntent,
      output: page(Dataset),
    },
  },
);

/** The training resources of an intent group (docs/api/traffic.md). */
export const groupTraining = defineContract(
  { name: 'intent-group-training', service: 'training', tag: 'Intent Groups' },
  {
    listIntentGroupDatasets: {
      get: '/intent-groups/{intent_group_id}/datasets',
      summary: 'List the datasets of an intent group',
      input: OfIntentGroup,
      output: page(Dataset),
    },
    listIntentGroupCompositions: {
      get: '/intent-groups/{intent_group_id}/compositions',
      summary: 'List the compositions of an intent group',
      input: OfIntentGroup,
      output: page(Composition),
    },
    listIntentGroupFinetuneRuns: {
      get: '/intent-groups/{intent_group_id}/finetune-runs',
      summary: 'List the finetune runs of an intent group',
      input: OfIntentGroup,
      output: page(FinetuneRun),
    },
  },
);

import { defineContract } from '../../../contract.js';
import { page } from '../../../contract/outputs.js';
import { TestSet } from './test-sets.js';
import { OfIntentGroup } from '../../paths.js';

/** The test sets of an intent group (docs/api/traffic.md). */
export const groupTestSets = defineContract(
  { name: 'intent-group-test-sets', service: 'test-runs', tag: 'Intent Groups' },
  {
    // Chosen: a set comes from the group when an item was imported from a request of it, when it carries the group's
    // name as a tag, or when its meta names the group (which sets made under /test-sets do).
    listIntentGroupTestSets: {
      get: '/intent-groups/{intent_group_id}/test-sets',
      summary: 'List the test sets whose items or tags come from an intent group',
      input: OfIntentGroup,
      output: page(TestSet),
    },
  },
);

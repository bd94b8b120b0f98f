import { defineContract, page } from '../contract.js';
import { Id, OneOf, Optional } from '../fields.js';
import { ListQuery, TimedListQuery } from '../shapes.js';

/**
 * Lists below applications, intents and intent groups whose families no service serves yet, so that there is nothing of
 * their kind. Each contract goes whole to the service of its family once there is one: only `service` and the classes
 * change, not the routes.
 */
class Unborn {
  @Id() id!: number;
}
class OfApplication extends ListQuery {
  @Id() application_id!: number;
}
class WorkflowRunsOfApplication extends TimedListQuery {
  @Id() application_id!: number;
  @OneOf(['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED']) @Optional() status?: string;
}
class OfIntent extends TimedListQuery {
  @Id() application_id!: number;
  @Id() intent_id!: number;
}
class OfIntentGroup extends ListQuery {
  @Id() intent_group_id!: number;
}

const group = '/intent-groups/{intent_group_id}' as const;

/** The workflows of an application and their runs. */
export const applicationWorkflows = defineContract(
  { name: 'application-workflows', service: 'traffic', tag: 'Applications' },
  {
    listApplicationWorkflows: {
      get: '/applications/{application_id}/workflows',
      summary: 'List the workflows of an application',
      input: OfApplication,
      output: page(Unborn),
    },
    listApplicationWorkflowRuns: {
      get: '/applications/{application_id}/workflow-runs',
      summary: 'List the workflow runs of an application',
      input: WorkflowRunsOfApplication,
      output: page(Unborn),
    },
  },
);

/** The sentinels of an intent group. */
export const groupSentinels = defineContract(
  { name: 'intent-group-sentinels', service: 'traffic', tag: 'Intent Groups' },
  {
    listIntentGroupSentinels: {
      get: `${group}/sentinels`,
      summary: 'List the sentinels of an intent group',
      input: OfIntentGroup,
      output: page(Unborn),
    },
  },
);

/** The test sets of an intent group. */
export const groupTestSets = defineContract(
  { name: 'intent-group-test-sets', service: 'traffic', tag: 'Intent Groups' },
  {
    listIntentGroupTestSets: {
      get: `${group}/test-sets`,
      summary: 'List the test sets whose items or tags come from an intent group',
      input: OfIntentGroup,
      output: page(Unborn),
    },
  },
);

/** The datasets of an intent. */
export const intentDatasets = defineContract(
  { name: 'intent-datasets', service: 'traffic', tag: 'Intents' },
  {
    listIntentDatasets: {
      get: '/applications/{application_id}/intents/{intent_id}/datasets',
      summary: 'List the datasets of an intent',
      input: OfIntent,
      output: page(Unborn),
    },
  },
);

/** What models of an intent group are trained with, and that training. */
export const groupTraining = defineContract(
  { name: 'intent-group-training', service: 'traffic', tag: 'Intent Groups' },
  {
    listIntentGroupDatasets: {
      get: `${group}/datasets`,
      summary: 'List the datasets of an intent group',
      input: OfIntentGroup,
      output: page(Unborn),
    },
    listIntentGroupCompositions: {
      get: `${group}/compositions`,
      summary: 'List the compositions of an intent group',
      input: OfIntentGroup,
      output: page(Unborn),
    },
    listIntentGroupFinetuneRuns: {
      get: `${group}/finetune-runs`,
      summary: 'List the finetune runs of an intent group',
      input: OfIntentGroup,
      output: page(Unborn),
    },
  },
);

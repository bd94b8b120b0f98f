import { defineContract, page } from '../contract.js';
import type { Class } from '../fields/field-types.js';
import { Id } from '../fields/fields.js';
import { ListQuery, PlainSort, TimedListQuery } from '../shapes.js';

/**
 * Lists under applications, intents and intent groups whose families no service implements yet; they are always empty.
 * When a service implements a family, its contract moves there: only `service` and the classes change, not the routes.
 */
class EmptyListItem {
  @Id() id!: number;
}
class OfIntent extends TimedListQuery {
  @PlainSort() override sort!: string;
  @Id() application_id!: number;
  @Id() intent_id!: number;
}
class OfIntentGroup extends ListQuery {
  @PlainSort() override sort!: string;
  @Id() intent_group_id!: number;
}

const of =
  <const Root extends string, Q extends object>(root: Root, whose: string, input: Class<Q>) =>
  <const Path extends string>(path: Path, things: string) =>
    ({
      get: `${root}/${path}`,
      summary: `List the ${things} of ${whose}`,
      input,
      output: page(EmptyListItem),
    }) as const;
const application = '/applications/{application_id}';
const ofGroup = of('/intent-groups/{intent_group_id}', 'an intent group', OfIntentGroup);
const groups = { service: 'traffic', tag: 'Intent Groups' } as const;

/** The datasets of an intent. */
export const intentDatasets = defineContract(
  { name: 'intent-datasets', service: 'traffic', tag: 'Intents' },
  { listIntentDatasets: of(`${application}/intents/{intent_id}`, 'an intent', OfIntent)('datasets', 'datasets') },
);

/** The training resources of the models of an intent group. */
export const groupTraining = defineContract(
  { name: 'intent-group-training', ...groups },
  {
    listIntentGroupDatasets: ofGroup('datasets', 'datasets'),
    listIntentGroupCompositions: ofGroup('compositions', 'compositions'),
    listIntentGroupFinetuneRuns: ofGroup('finetune-runs', 'finetune runs'),
  },
);

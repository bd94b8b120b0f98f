import { composed, readStatement } from '@signalbox/database';

/** Deleted rows keep their names. */
const NAMES = {
  application: { table: 'applications', column: 'application_name' },
  intent: { table: 'intents', column: 'action_type' },
  intent_group: { table: 'intent_groups', column: 'intent_group_name' },
} as const;

export type Labelled = keyof typeof NAMES;

export const isLabelled = (grouping: string): grouping is Labelled => Object.hasOwn(NAMES, grouping);

export const NAMES_OF = composed(
  (grouping: Labelled) =>
    readStatement(
      { index: `${NAMES[grouping].table}_pkey` },
      `SELECT n.* FROM s, LATERAL (SELECT t.id, t.${NAMES[grouping].column} AS name FROM traffic.${NAMES[grouping].table} t
       WHERE t.company_id = s.company AND t.id = ANY($2::int[]) OFFSET 0) n`,
    ),
  ['application'],
  ['intent'],
  ['intent_group'],
);

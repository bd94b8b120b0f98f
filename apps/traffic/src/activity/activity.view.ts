import type { Filter } from '@signalbox/database';

/** View fields for the recorded activity of a resource; the condition is over a row `y` of the activity. */
export const activityOf = (condition: string): Readonly<Record<string, string>> => ({
  request_count: `(SELECT COALESCE(sum(y.request_count), 0)::bigint FROM traffic.recorded_activity y
    WHERE y.company_id = t.company_id AND ${condition})`,
  last_activity: `(SELECT max(y.last_activity) FROM traffic.recorded_activity y
    WHERE y.company_id = t.company_id AND ${condition})`,
});

/** The resources that use models. */
export type ModelUser = 'application_id' | 'intent_id' | 'intent_group_id';

const NAMED = `t.model_name IN (c.config->>'model', c.config #>> '{fallback_config,model}')`;
const CONFIGURED: Record<ModelUser, string[]> = {
  application_id: ['traffic.applications c WHERE c.id', 'traffic.intents c WHERE c.application_id'],
  intent_id: ['traffic.intents c WHERE c.id'],
  intent_group_id: ['traffic.intent_groups c WHERE c.id', 'traffic.intents c WHERE c.intent_group_id'],
};

/**
 * Filter: the models in the traffic or configuration of a resource; with a time span, those in its traffic within it.
 */
export function usedBy(user: ModelUser, id: number, { start_date, end_date }: Span = {}): Filter {
  if (start_date !== undefined || end_date !== undefined)
    return {
      sql: `EXISTS (SELECT 1 FROM traffic.requests r WHERE r.company_id = t.company_id AND r.model = t.model_name
        AND r.${user} = (?::bigint[])[1] AND r.date_created >= (?::bigint[])[2] AND r.date_created < (?::bigint[])[3])`,
      value: [id, start_date ?? 0, end_date ?? Number.MAX_SAFE_INTEGER],
    };
  const configured = CONFIGURED[user].map(
    (from) =>
      `EXISTS (SELECT 1 FROM ${from} = ?::int AND c.company_id = t.company_id AND c.deleted_at IS NULL AND ${NAMED})`,
  );
  const recorded = `EXISTS (SELECT 1 FROM traffic.recorded_activity y
    WHERE y.company_id = t.company_id AND y.${user} = ?::int AND y.model = t.model_name)`;
  return { sql: `(${[recorded, ...configured].join(' OR ')})`, value: id };
}

interface Span {
  start_date?: number | undefined;
  end_date?: number | undefined;
}

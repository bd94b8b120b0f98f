/** The condition is over a row `y` of the activity. */
export const activityOf = (condition: string): Readonly<Record<string, string>> => ({
  request_count: `(SELECT COALESCE(sum(y.request_count), 0)::bigint FROM traffic.recorded_activity y
    WHERE y.company_id = t.company_id AND ${condition})`,
  last_activity: `(SELECT max(y.last_activity) FROM traffic.recorded_activity y
    WHERE y.company_id = t.company_id AND ${condition})`,
});

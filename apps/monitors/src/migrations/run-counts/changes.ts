/** The columns by which runs are counted and filtered, with their types; with an hour or a day they are the key of a count. */
export const GROUPED: Readonly<Record<string, string>> = {
  monitor_id: 'int NOT NULL',
  monitor_target_id: 'int NOT NULL',
  version_number: 'text NOT NULL',
  shadow: 'boolean NOT NULL',
  outcome: 'text NOT NULL',
};

/** What is summed of a run, with its types. */
export const MEASURED: Readonly<Record<string, { type: string; sql: string }>> = {
  runs: { type: 'bigint NOT NULL', sql: '1' },
  timed: { type: 'bigint NOT NULL', sql: '(runner_duration_ms IS NOT NULL)::int' },
  duration_ms: { type: 'bigint NOT NULL', sql: 'COALESCE(runner_duration_ms, 0)' },
  priced: { type: 'bigint NOT NULL', sql: '(cost IS NOT NULL)::int' },
  // Sums of binary fractions depend on their order; the text of one has all of its digits.
  cost: { type: 'numeric NOT NULL', sql: 'COALESCE(cost::text::numeric, 0)' },
};

const HOUR = '3600000';
const grouped = Object.keys(GROUPED).join(', ');
const measured = Object.keys(MEASURED);
const READ = `company_id, date_created, ${grouped}, runner_duration_ms, cost`;

/** The judged runs of a table or of a transition table, each of which counts as `sign`. */
export const runsIn = (table: string, sign: 1 | -1): string =>
  `SELECT ${sign} AS sign, ${READ} FROM ${table} WHERE outcome IS NOT NULL`;

/** Notes by how much runs change the counts: one row per hour and combination. */
export const changesOf = (runs: string): string => `INSERT INTO monitors.monitor_run_count_changes
    (company_id, starts, ${grouped}, ${measured.join(', ')})
  SELECT company_id, date_created - date_created % ${HOUR}, ${grouped},
    ${Object.values(MEASURED)
      .map(({ sql }) => `sum(sign * ${sql})`)
      .join(', ')}
  FROM (${runs}) r GROUP BY company_id, 2, ${grouped}
  HAVING ${Object.values(MEASURED)
    .map(({ sql }) => `sum(sign * ${sql}) <> 0`)
    .join(' OR ')}`;

const EVENTS = {
  insert: { referencing: 'NEW TABLE AS fresh', runs: runsIn('fresh', 1) },
  update: {
    referencing: 'OLD TABLE AS former NEW TABLE AS fresh',
    runs: `${runsIn('fresh', 1)} UNION ALL ${runsIn('former', -1)}`,
  },
  delete: { referencing: 'OLD TABLE AS former', runs: runsIn('former', -1) },
};

const triggerOf = (event: string): string => `monitor_runs_counted_${event}`;

/** Triggers by which every statement that changes runs notes it, of whatever release it is. */
export const triggers = Object.entries(EVENTS).flatMap(([event, { referencing, runs }]) => [
  `CREATE FUNCTION monitors.${triggerOf(event)}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN ${changesOf(runs)}; RETURN NULL; END $$`,
  `CREATE TRIGGER ${triggerOf(event)} AFTER ${event.toUpperCase()} ON monitors.monitor_runs REFERENCING ${referencing}
    FOR EACH STATEMENT EXECUTE FUNCTION monitors.${triggerOf(event)}()`,
]);

export const dropTriggers = Object.keys(EVENTS).flatMap((event) => [
  `DROP TRIGGER ${triggerOf(event)} ON monitors.monitor_runs`,
  `DROP FUNCTION monitors.${triggerOf(event)}()`,
]);

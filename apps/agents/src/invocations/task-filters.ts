import type { InputOf, tasks } from '@signalbox/contracts';
import { type Filter, likeTextInJson } from '@signalbox/database';

type Filters = Partial<InputOf<typeof tasks.endpoints.listAllTasks>>;

const LATEST = `(SELECT v.version_number FROM agents.agent_versions v
  WHERE v.company_id = t.company_id AND v.agent_id = t.agent_id AND v.is_latest)`;

/** What a list of tasks is narrowed by; `latest` is the latest version of the agent of each task. */
export function taskFilters(input: Filters): Filter[] {
  const { version, text } = input;
  const given: [string, unknown][] = [
    ['t.agent_id = ?', input.agent_id],
    ['t.status = ANY(?::text[])', input.status],
    ['t.failure_class = ANY(?::text[])', input.failure_class],
    ['t.error_code = ANY(?::text[])', input.error_code],
    ['t.trigger = ANY(?::text[])', input.trigger],
    ['t.session_id = ?', input.session_id],
    ['t.release = ?', input.release],
    [`t.version = CASE ?::text WHEN 'latest' THEN ${LATEST} ELSE ? END`, version],
    [
      '(t.input_messages::text ILIKE ? OR t.output::text ILIKE ?)',
      text === undefined ? undefined : likeTextInJson(text),
    ],
    ['t.completed_at - t.started_at >= ?', input.min_duration_ms],
    ['t.cost >= ?', input.min_cost],
    ['t.date_created >= ?', input.start_date],
    ['t.date_created < ?', input.end_date],
  ];
  return given.filter(([, value]) => value !== undefined).map(([sql, value]) => ({ sql, value }));
}

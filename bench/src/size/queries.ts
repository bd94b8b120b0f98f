import { CONTRACTS } from '@signalbox/contracts';
import { openApi } from '@signalbox/openapi';

const DAY = 86_400_000;
const SORTS =
  'id date_created date_updated duration_ms cost response_time_ms total_tokens model last_request_at position'.split(
    ' ',
  );
/** Series over time and reports are asked for the whole of what is kept, and lists far from their start. */
const SPAN_DAYS = 90;
const DEEP = [100_000, 900_000];

/** The families whose tables grow with use. */
const FAMILIES =
  /^\/(requests|sessions|agents|workflows|workflow-runs|monitors|unified-test-sets|unified-test-runs|evaluations|sentinels|reports|analytics|tags|applications|intent-groups|audit-log|webhooks)\b/;
/** Streams, downloads and single resources without a table that grows. */
const NOT_READ =
  /\/(stream|export|content|diff|event-types|by-target|sample-target|versions|releases|config|default-script|languages|feedback)\b|^\/tags\/runs|(datasets|compositions|finetune-runs)$/;

interface Parameter {
  name: string;
  in: string;
  schema: { type?: string; enum?: string[]; items?: { enum?: string[] } };
}

/** Values of the parameters of paths: ids of what the company has most of. */
export type Ids = Readonly<Record<string, number | string>>;

/** A value for a filter that some rows have; null for a parameter that is no filter. */
function valueOf({ name, schema }: Parameter, ids: Ids, now: number): string | null {
  const known: Record<string, unknown> = {
    ...ids,
    start_date: now - 7 * DAY,
    end_date: now - DAY,
    text: 'question',
    search: 'session',
    model: 'model-2',
    release: 'production',
    version: '1.2.0',
    min_duration_ms: 10_000,
    min_cost: 0.04,
    failure_class: 'timeout',
    error_code: 'timeout',
    trigger: 'TEST',
    tag_ids: ids.tag_id,
    request_type: 'PROD',
    evaluation_status: 'FAULT',
    origin_id: 'nothing',
    reference_id: 'nothing',
  };
  if (['offset', 'limit', 'sort', 'include_body', 'format', 'wait_seconds', 'source_type', 'source_id'].includes(name))
    return null;
  const first = schema.enum?.[0] ?? schema.items?.enum?.[0];
  const value = known[name] ?? first ?? (schema.type === 'boolean' ? true : 1);
  return `${name}=${encodeURIComponent(String(value))}`;
}

/** The path with its ids; null when one of them is not known. */
function filledPath(path: string, ids: Ids): string | null {
  const at = (name: string): number | string | undefined =>
    name === 'session_id' && path.startsWith('/agents')
      ? ids.agent_session_id
      : name === 'run_id' && path.startsWith('/monitors')
        ? ids.monitor_run_id
        : ids[name];
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  if (names.some((name) => at(name) === undefined)) return null;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(at(name))));
}

function queriesOf(path: string, parameters: readonly Parameter[], ids: Ids, now: number): string[] {
  const filters = parameters.flatMap((each) => valueOf(each, ids, now) ?? []);
  const has = (name: string): boolean => parameters.some((each) => each.name === name);
  if (has('source_id')) return [`${path}?source_type=agent_task&source_id=${ids.monitored_source}`];
  if (has('limit')) {
    const more = [
      ...SORTS.flatMap((sort) => [`sort=-${sort}`, `sort=${sort}`]),
      ...DEEP.map((offset) => `offset=${offset}`),
    ];
    return ['', ...filters, ...more].map((query) => `${path}?limit=25&${query}`);
  }
  if (!has('start_date')) return [path];
  const span = `start_date=${now - SPAN_DAYS * DAY}&end_date=${now}`;
  const own = filters.filter((filter) => !/^(start|end)_date|^bucket|^source_/.test(filter));
  return ['', 'bucket=day', ...own].map((query) => `${path}?${span}&${query}`);
}

/** Every list, series and report of what grows, with each of its filters and sorts, as the served document has them. */
export function queries(ids: Ids, now: number): string[] {
  const { paths } = openApi(CONTRACTS) as unknown as { paths: Record<string, { get?: { parameters?: Parameter[] } }> };
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const filled = get !== undefined && FAMILIES.test(path) && !NOT_READ.test(path) ? filledPath(path, ids) : null;
    const parameters = (get?.parameters ?? []).filter((each) => each.in === 'query');
    return filled === null ? [] : queriesOf(filled, parameters, ids, now);
  });
}

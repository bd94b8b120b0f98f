export type Named =
  | 'agents'
  | 'hostedAgents'
  | 'externalAgents'
  | 'workflows'
  | 'applications'
  | 'intentGroups'
  | 'providers'
  | 'tags'
  | 'tagRules'
  | 'datasets'
  | 'compositions'
  | 'testSets';

/** `name` is that of the API and of the address. */
export interface Filter {
  name: string;
  label: string;
  kind: 'text' | 'number' | 'choice' | 'choices' | 'names';
  values?: readonly string[];
  /** Labels of values that are not self-explanatory. */
  words?: Readonly<Record<string, string>>;
  of?: Named;
  isMain?: boolean;
  hint?: string;
}

const HOUR = 3_600_000;
export const SPANS: Record<string, { label: string; ms: number }> = {
  '1h': { label: 'last hour', ms: HOUR },
  '24h': { label: 'last 24 hours', ms: 24 * HOUR },
  '7d': { label: 'last 7 days', ms: 7 * 24 * HOUR },
  '30d': { label: 'last 30 days', ms: 30 * 24 * HOUR },
};

type Input = Record<string, string | number | boolean | string[]>;

function valueOf({ kind, values }: Filter, given: string): Input[string] | undefined {
  if (kind === 'number' || kind === 'names') {
    const number = Number(given);
    return Number.isFinite(number) && number >= 0 ? number : undefined;
  }
  if (kind === 'choices') {
    const chosen = given.split(',').filter((value) => values?.includes(value));
    return chosen.length > 0 ? chosen : undefined;
  }
  if (kind === 'choice' && !values?.includes(given)) return undefined;
  return given === 'true' || given === 'false' ? given === 'true' : given;
}

/** Invalid values of the address are left out. */
export function inputOf(filters: readonly Filter[], params: URLSearchParams, now: number): Input {
  const input: Input = {};
  for (const filter of filters) {
    const given = params.get(filter.name)?.trim() ?? '';
    const value = given === '' ? undefined : valueOf(filter, given);
    if (value !== undefined) input[filter.name] = value;
  }
  const span = SPANS[params.get('since') ?? ''];
  const [start, end] = ['start_date', 'end_date'].map((name) => Number(params.get(name) ?? NaN));
  if (span) input.start_date = now - span.ms;
  else {
    if (start !== undefined && Number.isInteger(start)) input.start_date = start;
    if (end !== undefined && Number.isInteger(end)) input.end_date = end;
  }
  return input;
}

export function setFilters(filters: readonly Filter[], params: URLSearchParams): string[] {
  const names = [...filters.map(({ name }) => name), 'since', 'start_date', 'end_date'];
  return names.filter((name) => (params.get(name) ?? '') !== '');
}

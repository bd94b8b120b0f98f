import type { StepCheck } from '@signalbox/sdk';

export const CHECK_KINDS: Record<StepCheck['kind'], string> = {
  called: 'is called',
  not_called: 'is not called',
  order: 'are called in this order',
  no_failed_step: 'no step fails',
  status: 'it ends as',
};

export const STEP_STATES = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'] as const;

export const COMPARISONS = { equals: 'equals', contains: 'contains', matches: 'matches the pattern' } as const;
export type Comparison = keyof typeof COMPARISONS;

/** All fields of a form are texts. */
export interface CheckDraft {
  kind: StepCheck['kind'];
  tool: string;
  tools: string;
  min_times: string;
  max_times: string;
  status: (typeof STEP_STATES)[number];
  arguments: { path: string; comparison: Comparison; value: string }[];
}

export const NEW_CHECK: CheckDraft = {
  kind: 'called',
  tool: '',
  tools: '',
  min_times: '',
  max_times: '',
  status: 'COMPLETED',
  arguments: [],
};

const comparisonIn = (check: object): Comparison =>
  (Object.keys(COMPARISONS) as Comparison[]).find((each) => each in check) ?? 'equals';

export const draftOf = (check: StepCheck): CheckDraft => ({
  kind: check.kind,
  tool: check.tool ?? '',
  tools: (check.tools ?? []).join('\n'),
  min_times: check.min_times === undefined ? '' : String(check.min_times),
  max_times: check.max_times === undefined ? '' : String(check.max_times),
  status: check.status ?? 'COMPLETED',
  arguments: (check.arguments ?? []).map((each) => {
    const comparison = comparisonIn(each);
    const value: unknown = each[comparison];
    return {
      path: each.path ?? '',
      comparison,
      value: comparison === 'equals' ? JSON.stringify(value) : String(value ?? ''),
    };
  }),
});

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const numberIn = <Name extends string>(name: Name, text: string): { [name in Name]?: number } =>
  (text.trim() === '' ? {} : { [name]: Number(text) }) as { [name in Name]?: number };

export function checkOf(draft: CheckDraft): StepCheck {
  const { kind, tool, tools, min_times, max_times, status } = draft;
  if (kind === 'no_failed_step') return { kind };
  if (kind === 'status') return { kind, status };
  if (kind === 'order') {
    const names = tools.split('\n').map((line) => line.trim());
    return { kind, tools: names.filter(Boolean) };
  }
  const wanted = draft.arguments.map(({ path, comparison, value }) => ({
    ...(path.trim() === '' ? {} : { path: path.trim() }),
    [comparison]: comparison === 'equals' ? jsonOrText(value) : value,
  }));
  const given = { kind, tool: tool.trim(), ...(wanted.length > 0 ? { arguments: wanted } : {}) };
  return kind === 'not_called'
    ? given
    : { ...given, ...numberIn('min_times', min_times), ...numberIn('max_times', max_times) };
}

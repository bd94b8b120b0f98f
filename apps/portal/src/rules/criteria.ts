import type { CriteriaConfig, EvaluationCriteria } from '@signalbox/sdk';
import { readObject } from './monitor-draft.js';

export type Method = EvaluationCriteria['method'];

export const METHODS: Record<Method, string> = {
  EXACT: 'equals what is expected',
  CONTAINS: 'contains a text',
  REGEX: 'matches a pattern',
  JSON_FIELDS: 'has the expected fields',
  JSON_SCHEMA: 'fits a JSON Schema',
  SCRIPT: 'satisfies a script',
  STEPS: 'came about by the right steps',
  LATENCY: 'came soon enough',
  COST: 'was cheap enough',
  LLM: 'a model judges, by a prompt',
};

export const SCORERS = {
  javascript: `// item has input, messages, output, expected, item.metadata, latency_ms and cost.
function score(item) {
  const pass = item.output === item.expected;
  return { pass, reason: pass ? 'as expected' : 'got ' + JSON.stringify(item.output) };
}
`,
  typescript: `// item has input, messages, output, expected, item.metadata, latency_ms and cost.
function score(item: any): { pass: boolean; reason: string } {
  const pass = item.output === item.expected;
  return { pass, reason: pass ? 'as expected' : 'got ' + JSON.stringify(item.output) };
}
`,
  python: `# item has input, messages, output, expected, item, latency_ms and cost.
def score(item):
    ok = item["output"] == item["expected"]
    return {"pass": ok, "reason": "as expected" if ok else f"got {item['output']!r}"}
`,
} as const;

const USED: Record<Method, readonly (keyof CriteriaConfig)[]> = {
  EXACT: ['numeric_tolerance', 'case_sensitive', 'trim'],
  CONTAINS: ['value', 'case_sensitive', 'trim'],
  REGEX: ['pattern', 'case_sensitive'],
  JSON_FIELDS: ['required_paths', 'ignore_paths', 'numeric_tolerance', 'case_sensitive', 'trim'],
  JSON_SCHEMA: ['schema'],
  SCRIPT: ['language', 'script', 'timeout_ms', 'with_steps'],
  STEPS: ['checks'],
  LATENCY: ['max_latency_ms'],
  COST: ['max_cost'],
  LLM: ['model'],
};
export const uses = (method: Method, part: keyof CriteriaConfig): boolean => USED[method].includes(part);

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const NUMBERS: readonly (keyof CriteriaConfig)[] = ['numeric_tolerance', 'timeout_ms', 'max_latency_ms', 'max_cost'];

function partOf(part: keyof CriteriaConfig, given: Record<string, string>): unknown {
  const text = given[part] ?? '';
  if (part === 'case_sensitive' || part === 'trim' || part === 'with_steps') return text === 'on';
  if (part === 'required_paths' || part === 'ignore_paths') return linesOf(text);
  if (text.trim() === '') return undefined;
  if (NUMBERS.includes(part)) return Number(text);
  if (part === 'checks') return JSON.parse(text) as unknown;
  if (part !== 'schema') return text;
  const read = readObject(text);
  if ('problem' in read) throw new Error(`The schema cannot be read. ${read.problem}`);
  return read.value;
}

/** Throws with a sentence when the schema is not JSON. */
export function criterionOf(method: Method, given: Record<string, string>) {
  const { name = '', description = '', prompt = '', pass_threshold = '', weight = '1' } = given;
  const parts = USED[method].map((part) => [part, partOf(part, given)] as const);
  return {
    name,
    method,
    description: description || null,
    prompt: method === 'LLM' ? prompt : null,
    config: Object.fromEntries(parts.filter(([, value]) => value !== undefined)) as CriteriaConfig,
    weight: Number(weight),
    ...(pass_threshold === '' ? {} : { pass_threshold: Number(pass_threshold) }),
  };
}

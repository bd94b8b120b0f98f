import type { CriteriaConfig, EvaluationCriteria } from '@signalbox/sdk';
import { readObject } from './monitor-draft.js';

export type Method = EvaluationCriteria['method'];

/** The ways to judge, with what each looks at. */
export const METHODS: Record<Method, string> = {
  EXACT: 'equals what is expected',
  CONTAINS: 'contains a text',
  REGEX: 'matches a pattern',
  JSON_FIELDS: 'has the expected fields',
  JSON_SCHEMA: 'fits a JSON Schema',
  LLM: 'a model judges, by a prompt',
};

/** The parts of a configuration that each method uses. */
const USED: Record<Method, readonly (keyof CriteriaConfig)[]> = {
  EXACT: ['numeric_tolerance', 'case_sensitive', 'trim'],
  CONTAINS: ['value', 'case_sensitive', 'trim'],
  REGEX: ['pattern', 'case_sensitive'],
  JSON_FIELDS: ['required_paths', 'ignore_paths', 'numeric_tolerance', 'case_sensitive', 'trim'],
  JSON_SCHEMA: ['schema'],
  LLM: ['model'],
};
export const uses = (method: Method, part: keyof CriteriaConfig): boolean => USED[method].includes(part);

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** The value of one part of a configuration, as the field of a form gives it; undefined keeps the default. */
function partOf(part: keyof CriteriaConfig, given: Record<string, string>): unknown {
  const text = given[part] ?? '';
  if (part === 'case_sensitive' || part === 'trim') return text === 'on';
  if (part === 'required_paths' || part === 'ignore_paths') return linesOf(text);
  if (text.trim() === '') return undefined;
  if (part === 'numeric_tolerance') return Number(text);
  if (part !== 'schema') return text;
  const read = readObject(text);
  if ('problem' in read) throw new Error(`The schema cannot be read. ${read.problem}`);
  return read.value;
}

/** The fields of a form as a criterion; throws with a sentence when its schema is not JSON. */
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

import { containsText, valueAt } from '@signalbox/conditions';
import type { CriteriaConfig, DiffResult } from '@signalbox/contracts';
import { diffOutputs, isMatch } from './output-diff.js';
import type { DiffOptions } from './field-diff.js';
import { jsonOf, type Output, textOf } from './output.js';

export interface Check {
  passed: boolean;
  description: string;
}

const MAX_SHOWN = 3;

const optionsOf = ({ numeric_tolerance, case_sensitive, trim }: CriteriaConfig): DiffOptions => ({
  tolerance: numeric_tolerance ?? 0,
  caseSensitive: case_sensitive ?? true,
  trim: trim ?? true,
});

function described(diff: DiffResult): string {
  const { fields, matched_count, total_count } = diff;
  const differing = fields.filter(({ status }) => status !== 'match');
  const named = differing.slice(0, MAX_SHOWN).map(({ path, status }) => `${path || 'the value'}: ${status}`);
  const more = total_count - matched_count - named.length;
  const list = named.length > 0 ? `; ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}` : '';
  return `${matched_count} of ${total_count} fields match${list}`;
}

export function checkExact(expected: Output, actual: Output, config: CriteriaConfig): Check {
  const diff = diffOutputs(expected, actual, optionsOf(config));
  return { passed: isMatch(diff), description: described(diff) };
}

/** Expected fields but the ignored ones, and every required path. Further fields are allowed; EXACT refuses them. */
export function checkFields(expected: Output, actual: Output, config: CriteriaConfig): Check {
  const { ignore_paths: ignore = [], required_paths: required = [] } = config;
  const diff = diffOutputs(expected, actual, { ...optionsOf(config), ignore, extras: false });
  const value = jsonOf(actual);
  const missing = required.filter((path) => valueAt(value, path) === undefined);
  const lacks = missing.length > 0 ? `; the output lacks ${missing.slice(0, MAX_SHOWN).join(', ')}` : '';
  return { passed: isMatch(diff) && missing.length === 0, description: described(diff) + lacks };
}

export function checkContains(
  actual: Output,
  { value = '', case_sensitive = true, trim = true }: CriteriaConfig,
): Check {
  const part = trim ? value.trim() : value;
  const passed = containsText(textOf(actual), part, case_sensitive);
  return { passed, description: passed ? 'the output contains the value' : 'the output does not contain the value' };
}

export const patternOf = ({ pattern = '', case_sensitive = true }: CriteriaConfig): string =>
  case_sensitive ? pattern : `(?i)${pattern}`;

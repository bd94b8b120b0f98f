import { isDeeperThan, MAX_FOREIGN_DEPTH } from '@signalbox/contracts';
import type { Attributes, AttributeValue, Span } from '../otlp/span.js';
import { MODEL_MARK, NAMES, type Role, ROLES } from './attribute-names.js';

export function firstOf(attributes: Attributes, names: readonly string[]): AttributeValue | undefined {
  const name = names.find((each) => attributes[each] !== undefined && attributes[each] !== null);
  return name === undefined ? undefined : attributes[name];
}

export const valueIn = ({ attributes, resource }: Span, name: keyof typeof NAMES): AttributeValue | undefined =>
  firstOf(attributes, NAMES[name]) ?? firstOf(resource, NAMES[name]);

export function textIn(span: Span, name: keyof typeof NAMES): string | null {
  const value = valueIn(span, name);
  const one = Array.isArray(value) ? value[0] : value;
  if (typeof one !== 'string' && typeof one !== 'number') return null;
  const text = String(one).trim();
  return text === '' ? null : text;
}

export function amountOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}

const MAX_TOKENS = 1e12;

export const tokensIn = (span: Span, name: 'prompt_tokens' | 'completion_tokens'): number =>
  Math.min(MAX_TOKENS, Math.round(amountOf(valueIn(span, name)) ?? 0));

/** In US dollars, of one span; a sum over all of a company is still a number that analytics can give. */
const MAX_COST = 1e9;

/** Null when it is missing, or none. */
export function costIn(span: Span): number | null {
  const cost = amountOf(valueIn(span, 'cost'));
  return cost !== null && cost <= MAX_COST ? cost : null;
}

export function roleOf({ attributes }: Span): Role | null {
  for (const { attribute, roles } of ROLES) {
    const value = attributes[attribute];
    if (typeof value === 'string') return roles[value] ?? null;
  }
  return attributes[MODEL_MARK] === undefined ? null : 'model';
}

/** A text that is not JSON stays as it is, and so does JSON that is nested deeper than it could be written again. */
export function parsedOf(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
  try {
    const parsed = JSON.parse(value) as unknown;
    return isDeeperThan(parsed, MAX_FOREIGN_DEPTH) ? value : parsed;
  } catch {
    return value;
  }
}

/** OpenInference has it among the parameters of the call. */
export function requestedModelOf(span: Span): string | null {
  const parameters = parsedOf(span.attributes['llm.invocation_parameters']) as { model?: unknown } | null | undefined;
  const model = parameters?.model;
  return textIn(span, 'requested_model') ?? (typeof model === 'string' ? model : null);
}

/** At most 200 characters; null when nothing is left. */
export function nameOf(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const name = [...text.trim()].slice(0, 200).join('').trim();
  return name === '' ? null : name;
}

import { type Endpoint, fieldsOf, invalid, invalidField } from '@signalbox/contracts';
import { parseBody } from './json-body.js';

/** Converts form fields to those of a JSON body. A list may be given once for each of its elements. */
export function valuesOf({ input }: Endpoint, texts: readonly (readonly [string, string])[]): Record<string, unknown> {
  const declared = fieldsOf(input);
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, text] of texts) {
    const field = declared.get(name);
    if (!field) throw invalidField(name.slice(0, 200), 'is not a known field');
    const value = field.type.fromText ? field.type.fromText(text) : jsonOf(name, text);
    const earlier = values[name];
    if (earlier === undefined) values[name] = value;
    else if (Array.isArray(earlier) && Array.isArray(value))
      values[name] = [...(earlier as unknown[]), ...(value as unknown[])];
    else throw invalidField(name, 'is given twice');
  }
  return { ...values };
}

function jsonOf(name: string, text: string): unknown {
  try {
    return parseBody(Buffer.from(text), true);
  } catch {
    throw invalid([{ field: name, message: 'must be JSON' }]);
  }
}

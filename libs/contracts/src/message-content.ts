import { type FieldType, stringType } from './fields/field-types.js';

const text = stringType(0, 10_000_000);
const address = stringType(1, 10_000_000);

function unknownKeyOf(value: object, known: readonly string[]): string | undefined {
  const stranger = Object.keys(value).find((key) => !known.includes(key));
  return stranger === undefined
    ? undefined
    : `has a part with the unknown field ${JSON.stringify(stranger.slice(0, 80))}`;
}

function partProblem(part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null) return 'has a part that is no object';
  const { type, text: said, image_url: image } = part as Record<string, unknown>;
  if (type === 'text') return text.problem(said) ? 'has a text part without text' : undefined;
  if (type !== 'image_url') return 'has a part that is neither text nor image_url';
  const { url } = (image ?? {}) as { url?: unknown };
  return address.problem(url) ? 'has an image part without url' : undefined;
}

function surplusIn(part: object): string | undefined {
  const { type, image_url: image } = part as { type: string; image_url?: object };
  return unknownKeyOf(part, ['type', type]) ?? (image && unknownKeyOf(image, ['url']));
}

const typeOfContent = (strict: boolean): FieldType => ({
  schema: () => ({ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }, { type: 'null' }] }),
  problem: (value) => {
    if (typeof value === 'string') return text.problem(value);
    if (!Array.isArray(value)) return 'must be a string, null or a list of parts';
    for (const part of value as unknown[]) {
      const problem = partProblem(part) ?? (strict ? surplusIn(part as object) : undefined);
      if (problem) return problem;
    }
    return undefined;
  },
});

/** The content of a message: text, or parts of which each has the fields of its type. */
export const contentType = typeOfContent(true);

/** The content of a message as OpenAI clients send it: a part may have keys that only a provider knows. */
export const looseContentType = typeOfContent(false);

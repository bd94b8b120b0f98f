import { type FieldType, stringType } from './field-types.js';

const text = stringType(0, 10_000_000);
const address = stringType(1, 10_000_000);

function strangerIn(value: object, known: readonly string[]): string | undefined {
  const stranger = Object.keys(value).find((key) => !known.includes(key));
  return stranger === undefined
    ? undefined
    : `has a part with the unknown field ${JSON.stringify(stranger.slice(0, 80))}`;
}

function imageProblem(image: unknown, known: readonly string[]): string | undefined {
  if (typeof image !== 'object' || image === null || address.problem((image as { url?: unknown }).url))
    return 'has an image part without url';
  return strangerIn(image, known);
}

function partProblem(part: unknown, ofImage: readonly string[]): string | undefined {
  if (typeof part !== 'object' || part === null) return 'has a part that is no object';
  const { type, text: said, image_url: image } = part as Record<string, unknown>;
  if (type === 'text') return text.problem(said) ? 'has a text part without text' : strangerIn(part, ['type', 'text']);
  if (type === 'image_url') return imageProblem(image, ofImage) ?? strangerIn(part, ['type', 'image_url']);
  return 'has a part that is neither text nor image_url';
}

/** The content of a message: text, or parts of which each has the fields of its type and, in an image, `ofImage`. */
export const contentType = (...ofImage: string[]): FieldType => ({
  schema: () => ({ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }, { type: 'null' }] }),
  problem: (value) => {
    if (typeof value === 'string') return text.problem(value);
    if (!Array.isArray(value)) return 'must be a string, null or a list of parts';
    for (const part of value as unknown[]) {
      const problem = partProblem(part, ['url', ...ofImage]);
      if (problem) return problem;
    }
    return undefined;
  },
});

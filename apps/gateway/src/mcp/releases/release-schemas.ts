import type { FormField, JsonSchema, McpRelease, ResponseFormat } from '@signalbox/contracts';

/** The argument with the message for an agent; its form fields are further arguments. */
export const MESSAGE = 'message';
/** The argument of a workflow whose input is not an object. */
export const INPUT = 'input';
/** A longer schema is listed as any object, so that the list of tools stays readable. */
const MAX_SCHEMA_LENGTH = 16_384;
const DESCRIPTION_LENGTH = 500;

const TYPES: Record<FormField['field_type'], JsonSchema> = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', description: 'An ISO 8601 date' },
  enum: { type: 'string' },
  object: { type: 'object' },
  array: { type: 'array' },
};

function fieldSchema({ field_type, enum_values, description, label }: FormField): JsonSchema {
  return {
    ...TYPES[field_type],
    ...(field_type === 'enum' && enum_values ? { enum: enum_values } : {}),
    description: (description || label).slice(0, DESCRIPTION_LENGTH),
  };
}

export function agentInput({ input }: McpRelease): JsonSchema {
  const fields = (input ?? []) as FormField[];
  const required = fields.filter((field) => field.required && field.default_value == null);
  return short({
    type: 'object',
    properties: {
      [MESSAGE]: { type: 'string', description: 'What the agent is asked' },
      ...Object.fromEntries(fields.map((field) => [field.field_key, fieldSchema(field)])),
    },
    required: [...new Set([MESSAGE, ...required.map(({ field_key }) => field_key)])],
    additionalProperties: false,
  });
}

/** Null without a structured output, or when that is not an object. */
export function agentOutput({ output }: McpRelease): JsonSchema | null {
  const format = output as ResponseFormat | null;
  return format?.type === 'json_schema' ? objectOnly(format.json_schema?.schema) : null;
}

/** Whether the arguments of the tool are the input itself, rather than `INPUT` alone. */
export const takesInputItself = ({ input }: McpRelease): boolean => input === null || objectOnly(input) !== null;

export function workflowInput(release: McpRelease): JsonSchema {
  if (release.input === null) return { type: 'object' };
  if (takesInputItself(release)) return short(release.input as JsonSchema);
  return short({ type: 'object', properties: { [INPUT]: release.input }, required: [INPUT] });
}

/** Null without a declared output, or when that is not an object. */
export const workflowOutput = ({ output }: McpRelease): JsonSchema | null => objectOnly(output);

const objectOnly = (schema: unknown): JsonSchema | null =>
  (schema as JsonSchema | null | undefined)?.type === 'object' ? (schema as JsonSchema) : null;

const short = (schema: JsonSchema): JsonSchema =>
  JSON.stringify(schema).length > MAX_SCHEMA_LENGTH ? { type: 'object' } : schema;

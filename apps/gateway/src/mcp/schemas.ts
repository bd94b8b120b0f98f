import { fromJsonSchema, type JsonSchemaValidator, type jsonSchemaValidator } from '@modelcontextprotocol/server';
import { type Class, fieldsOf, type JsonSchema } from '@signalbox/contracts';
import { SchemaComponents } from '@signalbox/openapi';
import type { ToolSchema } from './listed-tool.js';

/** The platform validates inputs itself, with the messages of the API. */
const CHECKED_LATER: jsonSchemaValidator = {
  getValidator: <T>(): JsonSchemaValidator<T> => {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};

export const listedSchema = (schema: JsonSchema): ToolSchema =>
  fromJsonSchema<Record<string, unknown>>(schema, CHECKED_LATER);

const schemas = new WeakMap<Class, ToolSchema>();

export function schemaOf(input: Class): ToolSchema {
  const known = schemas.get(input);
  if (known) return known;
  const schema = listedSchema(new SchemaComponents().object([...fieldsOf(input).values()]));
  schemas.set(input, schema);
  return schema;
}

import type { JsonSchema } from '@signalbox/contracts';

export interface NeededField {
  name: string;
  sample: unknown;
}

export interface DocumentedEndpoint {
  method: string;
  path: string;
  summary: string;
  scope: string;
  /** Only the required fields; null without a body. */
  body: NeededField[] | null;
  query: NeededField[];
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  minItems?: number;
  minimum?: number;
  required?: string[];
  properties?: Record<string, Schema>;
}
interface Operation {
  summary: string;
  'x-required-scope'?: string;
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const MAX_DEPTH = 4;

/** A value that the schema accepts; a text is the name of its field. */
function sampleOf(name: string, given: Schema, schemas: Record<string, Schema>, depth = 0): unknown {
  const schema = given.$ref ? (schemas[given.$ref.split('/').at(-1) ?? ''] ?? {}) : given;
  const {
    const: only,
    enum: allowed,
    default: usual,
    anyOf,
    items,
    minItems = 0,
    required = [],
    properties = {},
  } = schema;
  if (only !== undefined) return only;
  if (allowed) return allowed[0];
  if (usual !== undefined) return usual;
  if (anyOf?.[0]) return sampleOf(name, anyOf[0], schemas, depth);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1);
  if (type === 'boolean') return true;
  if (type === 'array')
    return items && minItems > 0 && depth < MAX_DEPTH ? [sampleOf(name, items, schemas, depth + 1)] : [];
  if (type === 'string') return name === 'role' ? 'user' : `<${name}>`;
  const fields = depth < MAX_DEPTH ? required : [];
  return Object.fromEntries(
    fields.map((field) => [field, sampleOf(field, properties[field] ?? {}, schemas, depth + 1)]),
  );
}

export function documentedEndpoint(openApi: JsonSchema, method: string, path: string): DocumentedEndpoint | null {
  const { paths, components } = openApi as unknown as Document;
  const operation = paths[path]?.[method.toLowerCase()];
  if (!operation) return null;
  const sample = (name: string, schema: Schema): NeededField => ({
    name,
    sample: sampleOf(name, schema, components.schemas),
  });
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query' && parameter.required);
  return {
    method,
    path,
    summary: operation.summary,
    scope: operation['x-required-scope'] ?? 'read',
    body: body ? (body.required ?? []).map((name) => sample(name, body.properties?.[name] ?? {})) : null,
    query: query.map(({ name, schema }) => sample(name, schema)),
  };
}

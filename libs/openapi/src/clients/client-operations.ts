import { type Contract, type Endpoint, type JsonSchema, pathParameters } from '@signalbox/contracts';
import { openApi } from '../openapi.js';
import { type ClientName, clientNames, commandText } from './client-names.js';

/** One parameter of a path or query, or one field of a body. */
export interface ClientField {
  name: string;
  in: 'path' | 'query' | 'body';
  required: boolean;
  schema: JsonSchema;
}

/**
 * How a client reads a reply: `data` of the envelope, a page, a stream of events, the bytes of a file, or a body that
 * is not enveloped.
 */
export type ReplyShape = 'data' | 'page' | 'stream' | 'file' | 'plain';

/** A public endpoint as client generators need it. */
export interface ClientOperation extends ClientName {
  method: string;
  path: string;
  /** `signalbox <family> <verb> <parameters of the path>`. */
  command: string;
  summary: string;
  scope: string;
  fields: ClientField[];
  shape: ReplyShape;
  /** Schema of the reply: of one item of a page, of one event of a stream, null for a file. */
  reply: JsonSchema | null;
  /** The field that turns the reply into a stream, its value for that, and the schema of an event when it is known. */
  streams?: { field: string; value: string | boolean; event: JsonSchema | null };
  /** The field and value that turn the reply into a file. */
  downloads?: { field: string; value: string };
  /** The body accepts fields that it does not name. */
  open: boolean;
  /** The whole body is the value of this field. */
  wholeBody?: string;
  /** Media types of the file that is the body. */
  uploads?: string[];
  /** A `file` may be given, which is sent in a form with the other fields, in place of this field. */
  fileInsteadOf?: string;
  /** The call may last as long as `INVOKE_TIMEOUT_SECONDS`. */
  slow: boolean;
  deprecated: boolean;
}

/** All public endpoints for client generators, with the schemas that they refer to. */
export interface ClientDocument {
  operations: ClientOperation[];
  schemas: Record<string, JsonSchema>;
}

interface DocumentedOperation {
  parameters?: { name: string; in: string; required: boolean; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}

interface Documented {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, JsonSchema> };
}

interface ObjectSchema {
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
  additionalProperties?: unknown;
}

const JSON_TYPE = 'application/json';

const bodySchema = (documented: DocumentedOperation | undefined): ObjectSchema =>
  documented?.requestBody?.content[JSON_TYPE]?.schema ?? {};

function fieldsIn(documented: DocumentedOperation, inPath: string[]): ClientField[] {
  const given = (documented.parameters ?? []).filter((parameter) => parameter.in !== 'header');
  const { properties = {}, required = [] } = bodySchema(documented);
  const field = ({ name, in: where, ...rest }: (typeof given)[number]): ClientField => ({
    name,
    in: where === 'path' ? 'path' : 'query',
    required: rest.required,
    schema: rest.schema,
  });
  return [
    ...inPath.flatMap((name) => given.filter((each) => each.in === 'path' && each.name === name).map(field)),
    ...given.filter((each) => each.in !== 'path').map(field),
    ...Object.entries(properties).map(([name, schema]): ClientField => ({
      name,
      in: 'body',
      required: required.includes(name),
      schema,
    })),
  ];
}

function shapeOf({ output, protocol }: Endpoint): ReplyShape {
  if (protocol === 'openai') return 'plain';
  if (!('kind' in output) || output.kind === 'list') return 'data';
  if (output.kind === 'page' || output.kind === 'stream') return output.kind;
  return 'file';
}

function replySchema(documented: DocumentedOperation, shape: ReplyShape): JsonSchema | null {
  const content = documented.responses['200']?.content ?? {};
  if (shape === 'file') return null;
  if (shape === 'stream') return content['text/event-stream']?.schema ?? null;
  const schema = (content[JSON_TYPE]?.schema ?? {}) as ObjectSchema;
  if (shape === 'plain') return schema as JsonSchema;
  const data = schema.properties?.data as ObjectSchema;
  return shape === 'page' ? (data.items ?? null) : (data as JsonSchema);
}

function streamsOf(endpoint: Endpoint, { paths }: Documented, contract: Contract): ClientOperation['streams'] {
  const { chunked, follow } = endpoint;
  if (chunked) return { field: chunked.flag, value: true, event: null };
  if (!follow) return undefined;
  const path = contract.endpoints[follow.endpoint]?.path ?? '';
  const event = paths[path]?.get?.responses['200']?.content?.['text/event-stream']?.schema ?? null;
  if (follow.of !== 'reply') return { field: follow.flag, value: true, event };
  // A flag of the reply follows from a field of the input that may say `stream`.
  const { properties = {} } = bodySchema(paths[endpoint.path ?? '']?.post);
  const field = Object.entries(properties).find(([, schema]) => (schema as ObjectSchema).enum?.includes('stream'))?.[0];
  return field === undefined ? undefined : { field, value: 'stream', event };
}

/** A field that a file may replace is not required. */
const withoutDemand = (fields: ClientField[], name: string | undefined): ClientField[] =>
  fields.map((field) => (field.name === name ? { ...field, required: false } : field));

const uploadsOf = ({ requestBody }: DocumentedOperation): string[] | undefined => {
  const types = Object.keys(requestBody?.content ?? {});
  if (types.length === 0 || types.includes(JSON_TYPE)) return undefined;
  return types.filter((type) => !type.startsWith('multipart/'));
};

/** Describes every public endpoint for generators of clients. */
export function clientDocument(contracts: readonly Contract[]): ClientDocument {
  const document = openApi(contracts) as unknown as Documented;
  const open = contracts.flatMap((contract) =>
    Object.values(contract.endpoints)
      .filter((endpoint) => endpoint.path !== null)
      .map((endpoint) => ({ contract, endpoint })),
  );
  const names = clientNames(open.map(({ endpoint }) => endpoint));
  const operations = open.map(({ contract, endpoint }): ClientOperation => {
    const path = endpoint.path ?? '';
    const documented = document.paths[path]?.[endpoint.method?.toLowerCase() ?? ''];
    const name = names.get(endpoint);
    if (!documented || !name) throw new Error(`${endpoint.contract}.${endpoint.name} is not in the document`);
    const shape = shapeOf(endpoint);
    const streams = streamsOf(endpoint, document, contract);
    const uploads = uploadsOf(documented);
    return {
      ...name,
      method: endpoint.method ?? '',
      path,
      command: commandText(name, pathParameters(path)),
      summary: endpoint.summary,
      scope: endpoint.scope,
      fields: withoutDemand(fieldsIn(documented, pathParameters(path)), endpoint.uploadOr),
      shape,
      reply: replySchema(documented, shape),
      open: bodySchema(documented).additionalProperties === true,
      ...(streams ? { streams } : {}),
      ...(endpoint.downloadWhen
        ? { downloads: { field: endpoint.downloadWhen.field, value: endpoint.downloadWhen.value } }
        : {}),
      ...(endpoint.bodyField === undefined ? {} : { wholeBody: endpoint.bodyField }),
      ...(uploads ? { uploads } : {}),
      ...(endpoint.uploadOr === undefined ? {} : { fileInsteadOf: endpoint.uploadOr }),
      slow: endpoint.slow === true || endpoint.longDeadline === true || endpoint.endless === true,
      deprecated: endpoint.deprecatedBy !== undefined,
    };
  });
  return { operations, schemas: document.components.schemas };
}

import { type Contract, type Endpoint, fieldsOf, hasBody, acceptsBody, takesOnlyFile } from '@signalbox/contracts';
import { InputReader, type Texts } from './input-reader.js';
import { unknownFieldOf } from './unknown-fields.js';

export const PREFIX = '/api/v1';

/** `form` and `file` also accept JSON. */
export type BodyKind = 'none' | 'json' | 'form' | 'file' | 'text-file';

/** Computed once at start. */
export interface RouteDefinition {
  endpoint: Endpoint;
  path: string;
  methods: string[];
  label: string;
  reader: InputReader;
  body: BodyKind;
  takesLargeBody: boolean;
  /** Fields that may be sent as headers; header names are in lower case. */
  headers: { field: string; header: string }[];
  /** The event stream that the call replies with when the flag is set, in the input or the reply of the service. */
  follow: { flag: string; ofReply: boolean; stream: Endpoint } | null;
  /** Called instead when the flag is set. */
  chunked: { flag: string; endpoint: Endpoint } | null;
  /** Called instead when the field has the value. */
  download: { field: string; value: string; endpoint: Endpoint } | null;
  /** Gets the calls with a large body. */
  largeBodyEndpoint: Endpoint | null;
  /** Stores the parts of an uploaded file; null when the body is JSON. */
  upload: Endpoint | null;
  /** A call occupies a worker or a connection for long. */
  slow: boolean;
  /** The input has `last_event_id`, which `Last-Event-ID` sets. */
  resumable: boolean;
}

/** GET is also served as HEAD, and PUT as PATCH. */
export function methodsOf(endpoint: Endpoint): string[] {
  const method = endpoint.method ?? 'GET';
  // HEAD cannot announce the length of a reply in chunks.
  if (method === 'GET') return streams(endpoint) || isDownload(endpoint) ? ['GET'] : ['GET', 'HEAD'];
  return method === 'PUT' && !endpoint.exactMethod ? ['PUT', 'PATCH'] : [method];
}

export const isDownload = ({ output }: Endpoint): boolean => 'kind' in output && output.kind === 'chunks';

const streams = ({ output }: Endpoint): boolean => 'kind' in output && output.kind === 'stream';

function downloadOf(file: Endpoint['downloadWhen'], contract: Contract): RouteDefinition['download'] {
  const endpoint = file && contract.endpoints[file.endpoint];
  return file && endpoint ? { field: file.field, value: file.value, endpoint } : null;
}

function bodyKindOf(endpoint: Endpoint): BodyKind {
  if (endpoint.upload) return takesOnlyFile(endpoint) ? 'text-file' : 'file';
  if (endpoint.form) return 'form';
  return hasBody(endpoint) || acceptsBody(endpoint) ? 'json' : 'none';
}

export function routeDefinitionOf(endpoint: Endpoint, contract: Contract): RouteDefinition {
  const path = endpoint.path ?? '';
  const { follow, chunked, downloadWhen } = endpoint;
  const chunks = chunked && contract.endpoints[chunked.endpoint];
  const stream = follow && contract.endpoints[follow.endpoint];
  return {
    endpoint,
    path,
    methods: methodsOf(endpoint),
    label: `${endpoint.method} ${PREFIX}${path}`,
    reader: new InputReader(endpoint, unknownFieldOf(endpoint, contract)),
    body: bodyKindOf(endpoint),
    takesLargeBody: hasBody(endpoint) && endpoint.body === 'large',
    headers: Object.entries(endpoint.headers ?? {}).map(([field, name]) => ({ field, header: name.toLowerCase() })),
    follow: follow && stream ? { flag: follow.flag, ofReply: follow.of === 'reply', stream } : null,
    download: downloadOf(downloadWhen, contract),
    chunked: chunked && chunks ? { flag: chunked.flag, endpoint: chunks } : null,
    largeBodyEndpoint: (endpoint.largeBodyEndpoint && contract.endpoints[endpoint.largeBodyEndpoint]) || null,
    upload: (endpoint.upload && contract.endpoints[endpoint.upload]) || null,
    slow: endpoint.slow || streams(endpoint),
    resumable: fieldsOf(endpoint.input).has('last_event_id'),
  };
}

/** The path that replaces a deprecated one, with the parameters of a call; null when the route is not deprecated. */
export function successorOf({ endpoint }: RouteDefinition, values: Texts): string | null {
  if (endpoint.deprecatedBy === undefined) return null;
  return (
    PREFIX + endpoint.deprecatedBy.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
  );
}

export const routeDefinitionsOf = (contracts: readonly Contract[]): RouteDefinition[] =>
  contracts.flatMap((contract) =>
    Object.values(contract.endpoints)
      .filter((endpoint) => endpoint.path !== null)
      .map((endpoint) => routeDefinitionOf(endpoint, contract)),
  );

import { type Contract, type Endpoint, fieldsOf, hasBody, acceptsBody, takesOnlyFile } from '@signalbox/contracts';
import { InputReader, type Texts } from './input-reader.js';
import { unknownFieldOf } from './unknown-fields.js';

/** The prefix of the API. */
export const PREFIX = '/api/v1';

/** What the body of a call may be; forms and files of bytes may be sent as JSON, too. */
export type BodyKind = 'none' | 'json' | 'form' | 'file' | 'text-file';

/** An endpoint as it is mounted; everything that does not change from call to call is computed once. */
export interface RouteDefinition {
  endpoint: Endpoint;
  path: string;
  methods: string[];
  /** Names the route in logs and metrics. */
  label: string;
  reader: InputReader;
  body: BodyKind;
  /** The endpoint takes large JSON. */
  takesLargeBody: boolean;
  /** Fields that may be sent as headers, whose names are in lower case. */
  headers: { field: string; header: string }[];
  /** The stream that the reply of the call opens, when its flag is set. */
  follow: { flag: string; ofReply: boolean; stream: Endpoint } | null;
  /** The endpoint with a chunked reply, when its flag is set. */
  chunked: { flag: string; endpoint: Endpoint } | null;
  /** The endpoint with a download, when a field of the input has a value. */
  download: { field: string; value: string; endpoint: Endpoint } | null;
  /** The endpoint that gets the calls with a large body. */
  largeBodyEndpoint: Endpoint | null;
  /** The endpoint that stores the parts of an uploaded file; null when the body is JSON. */
  upload: Endpoint | null;
  /** The call occupies a worker or a connection for long. */
  slow: boolean;
  /** The input of the endpoint has the field that resumes a stream. */
  resumable: boolean;
}

/** The methods of an endpoint: GET also as HEAD, a partial update as PUT and PATCH. */
export function methodsOf(endpoint: Endpoint): string[] {
  const method = endpoint.method ?? 'GET';
  // A reply of unknown length cannot be announced by HEAD.
  if (method === 'GET') return streams(endpoint) || isDownload(endpoint) ? ['GET'] : ['GET', 'HEAD'];
  return method === 'PUT' && !endpoint.exactMethod ? ['PUT', 'PATCH'] : [method];
}

/** True for a reply in chunks that is no stream of events. */
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

/** An endpoint with what the gateway knows of it at its start. */
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

/** The path that replaces a deprecated one, with the values of a call; null when the route is not deprecated. */
export function successorOf({ endpoint }: RouteDefinition, values: Texts): string | null {
  if (endpoint.deprecatedBy === undefined) return null;
  return (
    PREFIX + endpoint.deprecatedBy.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
  );
}

/** The route definitions of all endpoints that have a path. */
export const routeDefinitionsOf = (contracts: readonly Contract[]): RouteDefinition[] =>
  contracts.flatMap((contract) =>
    Object.values(contract.endpoints)
      .filter((endpoint) => endpoint.path !== null)
      .map((endpoint) => routeDefinitionOf(endpoint, contract)),
  );

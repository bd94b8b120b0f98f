import { EgressFailed } from './errors.js';
import { hasPlaceholder } from './secrets/placeholders.js';
import type { SecretBag } from './secrets/secret-bag.js';

export interface BasicAuth {
  username: string;
  password: string;
}

/** In lower case; `sensitive` names must not follow a redirect to another origin. */
export interface RenderedHeaders {
  headers: Record<string, string>;
  sensitive: Set<string>;
  /** Rendered values that contain a secret, to be scrubbed from the response. */
  values: string[];
}

// Set only by the client: framing and routing of the connection, and the encodings that it can decode within limits.
const OWN_HEADERS = new Set(
  `host connection keep-alive proxy-connection proxy-authorization transfer-encoding content-length te trailer
  upgrade expect accept-encoding`.split(/\s+/),
);
const SENSITIVE = /^(authorization|cookie|proxy-authorization)$|api-?key|token|secret|password|signature/;
const MAX_REQUEST_HEADER_BYTES = 64 * 1024;

export function isSensitiveHeader(name: string): boolean {
  return SENSITIVE.test(name.toLowerCase());
}

/** Expands secrets, at the last moment before the call and nowhere else. */
export function renderHeaders(
  given: Record<string, string>,
  basicAuth: BasicAuth | undefined,
  secrets: SecretBag | undefined,
): RenderedHeaders {
  const rendered: RenderedHeaders = { headers: { 'user-agent': 'signalbox' }, sensitive: new Set(), values: [] };
  for (const [name, template] of Object.entries(given)) addHeader(rendered, name.toLowerCase(), template, secrets);
  if (basicAuth) addBasicAuth(rendered, basicAuth, secrets);
  rendered.headers['accept-encoding'] = 'gzip, deflate, br';
  if (sizeOf(rendered.headers) > MAX_REQUEST_HEADER_BYTES) {
    throw new EgressFailed('invalid_request', 'the headers of the request are too large');
  }
  return rendered;
}

function addHeader(rendered: RenderedHeaders, name: string, template: string, secrets: SecretBag | undefined): void {
  if (OWN_HEADERS.has(name)) return;
  const secret = secrets !== undefined && hasPlaceholder(template);
  const value = secret ? secrets.render(template) : template;
  if (secret) rendered.values.push(value);
  if (secret || isSensitiveHeader(name)) rendered.sensitive.add(name);
  rendered.headers[name] = value;
}

function addBasicAuth(rendered: RenderedHeaders, auth: BasicAuth, secrets: SecretBag | undefined): void {
  const pair = `${auth.username}:${auth.password}`;
  const encoded = Buffer.from(secrets ? secrets.render(pair) : pair, 'utf8').toString('base64');
  rendered.headers['authorization'] = `Basic ${encoded}`;
  rendered.sensitive.add('authorization');
  rendered.values.push(encoded);
}

function sizeOf(headers: Record<string, string>): number {
  return Object.entries(headers).reduce((size, [name, value]) => size + name.length + value.length + 4, 0);
}

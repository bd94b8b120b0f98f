import { ApiError, invalidField, type Provider } from '@signalbox/contracts';

export const HIDDEN = '[secret]';

export interface ProviderChecks {
  isSecretHeader(name: string): boolean;
  /** True when the operator allows plain http to this host. */
  allowsHttp(url: URL): boolean;
}

export interface ProviderInput {
  provider_name?: string;
  base_url?: string | null;
  api_key?: string | null;
  default_headers?: Record<string, string>;
  timeout_ms?: number;
  status?: Provider['status'];
}

export interface SplitHeaders {
  shown: Record<string, string>;
  secret: Record<string, string>;
}

/** 403 for the built-in provider and its model. */
export function requireOwn(what: string, row: { built_in: boolean }): void {
  if (row.built_in) throw new ApiError('forbidden', `${what} is built in and cannot be changed`);
}

/** 400 unless the base URL is https, or http where the operator allows it. */
export function checkBaseUrl(kind: Provider['kind'], text: string | null | undefined, checks: ProviderChecks): void {
  if (text === null || text === undefined) {
    if (kind === 'openai_compatible') throw invalidField('base_url', 'is required for an openai_compatible provider');
    return;
  }
  const problem = urlProblem(text, checks);
  if (problem) throw invalidField('base_url', problem);
}

function urlProblem(text: string, checks: ProviderChecks): string | undefined {
  if (!URL.canParse(text)) return 'must be an http or https URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
  if (text.includes('?') || text.includes('#')) return 'must not have a query or fragment';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return 'must be an http or https URL';
  return checks.allowsHttp(url) ? undefined : 'must be https: the operator does not allow http to this host';
}

export function checkApiKey(key: string | null | undefined): void {
  if (key != null && !/^[\x21-\x7e]+$/.test(key))
    throw invalidField('api_key', 'must be visible ASCII characters without spaces');
}

/** Null for a key so short that this would be half of it. */
export const last4Of = (key: string | null): string | null => (key !== null && key.length >= 8 ? key.slice(-4) : null);

/** Separates secret header values; one that is sent back as `[secret]` keeps its stored value. */
export function splitHeaders(
  given: Record<string, string>,
  kept: Record<string, string>,
  checks: ProviderChecks,
): SplitHeaders {
  const known = new Map(Object.entries(kept).map(([name, value]) => [name.toLowerCase(), value]));
  const split: SplitHeaders = { shown: {}, secret: {} };
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(given)) {
    const field = `default_headers.${name}`;
    if (seen.has(name.toLowerCase())) throw invalidField(field, 'is given twice');
    seen.add(name.toLowerCase());
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw invalidField(field, 'has characters that no header can carry');
    if (!checks.isSecretHeader(name)) {
      split.shown[name] = value;
      continue;
    }
    const secret = value === HIDDEN ? known.get(name.toLowerCase()) : value;
    if (secret === undefined) throw invalidField(field, `is ${HIDDEN}, but no value is stored that could be kept`);
    split.shown[name] = HIDDEN;
    split.secret[name] = secret;
  }
  return split;
}

export function checkInput(kind: Provider['kind'], input: ProviderInput, checks: ProviderChecks): void {
  checkBaseUrl(kind, input.base_url, checks);
  checkApiKey(input.api_key);
}

/** Another port of a host is still the host that was given the credentials; plain http is not. */
function reachesSameHost(base: string, next: string | null): boolean {
  if (next === null) return false;
  const [from, to] = [new URL(base), new URL(next)];
  return from.hostname === to.hostname && (from.protocol === to.protocol || to.protocol === 'https:');
}

/**
 * 400 when credentials that cannot be read would follow the address to another host: they are sent again with it, or
 * removed.
 */
export function requireCredentialsOfHost(
  stored: { base_url: string | null; hasKey: boolean; hasHeaders: boolean },
  { base_url, api_key, default_headers }: ProviderInput,
): void {
  if (base_url === undefined || stored.base_url === null || reachesSameHost(stored.base_url, base_url)) return;
  const problem = 'is stored for another host: send it again with the new base_url, or remove it';
  if (stored.hasKey && api_key === undefined) throw invalidField('api_key', problem);
  const keeps = default_headers === undefined || Object.values(default_headers).includes(HIDDEN);
  if (stored.hasHeaders && keeps) throw invalidField('default_headers', problem);
}

export const writtenSecrets = ({ api_key }: ProviderInput): string[] =>
  typeof api_key === 'string' ? ['api_key'] : [];

export function plainColumns({ provider_name, base_url, timeout_ms, status }: ProviderInput) {
  return {
    ...(provider_name === undefined ? {} : { provider_name }),
    ...(base_url === undefined ? {} : { base_url }),
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
    ...(status === undefined ? {} : { status }),
  };
}

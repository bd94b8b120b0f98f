import { ApiError, invalidField, type Provider } from '@signalbox/contracts';

/** What stands in place of a value that is never shown. */
export const HIDDEN = '[secret]';

/** Judgements that need more than the provider itself. */
export interface ProviderChecks {
  isSecretHeader(name: string): boolean;
  /** Whether the operator allows plain http to this host. */
  allowsHttp(url: URL): boolean;
}

/** The fields of a provider as a caller gives them, key and header values included. */
export interface ProviderInput {
  provider_name?: string;
  base_url?: string | null;
  api_key?: string | null;
  default_headers?: Record<string, string>;
  timeout_ms?: number;
  status?: Provider['status'];
}

/** Default headers in two parts: what may be shown, and the values that may not. */
export interface SplitHeaders {
  shown: Record<string, string>;
  secret: Record<string, string>;
}

/** The built-in provider and its model are the same for everybody. */
export function requireOwn(what: string, row: { built_in: boolean }): void {
  if (row.built_in) throw new ApiError('forbidden', `${what} is built in and cannot be changed`);
}

/** Where a provider may be: https, or http where the operator allows it. */
export function checkBaseUrl(kind: Provider['kind'], text: string | null | undefined, judges: ProviderChecks): void {
  if (text === null || text === undefined) {
    if (kind === 'openai_compatible') throw invalidField('base_url', 'is required for an openai_compatible provider');
    return;
  }
  const problem = urlProblem(text, judges);
  if (problem) throw invalidField('base_url', problem);
}

function urlProblem(text: string, judges: ProviderChecks): string | undefined {
  if (!URL.canParse(text)) return 'must be an http or https URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
  if (text.includes('?') || text.includes('#')) return 'must not have a query or fragment';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return 'must be an http or https URL';
  return judges.allowsHttp(url) ? undefined : 'must be https: the operator does not allow http to this host';
}

/** A key that can travel in a header. */
export function checkApiKey(key: string | null | undefined): void {
  if (key != null && !/^[\x21-\x7e]+$/.test(key))
    throw invalidField('api_key', 'must be visible ASCII characters without spaces');
}

/** The end of a key by which its owner knows it; nothing of a key so short that this would be half of it. */
export const last4Of = (key: string | null): string | null => (key !== null && key.length >= 8 ? key.slice(-4) : null);

/** Separates secret header values; one sent back as `[secret]` keeps the value it has. */
export function splitHeaders(
  given: Record<string, string>,
  kept: Record<string, string>,
  judges: ProviderChecks,
): SplitHeaders {
  const known = new Map(Object.entries(kept).map(([name, value]) => [name.toLowerCase(), value]));
  const split: SplitHeaders = { shown: {}, secret: {} };
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(given)) {
    const field = `default_headers.${name}`;
    if (seen.has(name.toLowerCase())) throw invalidField(field, 'is given twice');
    seen.add(name.toLowerCase());
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw invalidField(field, 'has characters that no header can carry');
    if (!judges.isSecretHeader(name)) {
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

/** Refuses a wish that would leave a provider that cannot be. */
export function checkInput(kind: Provider['kind'], wish: ProviderInput, judges: ProviderChecks): void {
  checkBaseUrl(kind, wish.base_url, judges);
  checkApiKey(wish.api_key);
}

/** The secret fields that a wish sets; the audit log names them. */
export const writtenSecrets = ({ api_key }: ProviderInput): string[] =>
  typeof api_key === 'string' ? ['api_key'] : [];

/** The plain columns that a wish names. */
export function plainColumns({ provider_name, base_url, timeout_ms, status }: ProviderInput) {
  return {
    ...(provider_name === undefined ? {} : { provider_name }),
    ...(base_url === undefined ? {} : { base_url }),
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
    ...(status === undefined ? {} : { status }),
  };
}

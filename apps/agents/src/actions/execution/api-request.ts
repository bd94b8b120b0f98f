import { type ActionAuth, type ApiActionConfig, type WebhookActionConfig } from '@signalbox/contracts';
import { buildUrl } from './action-url.js';
import { type Arguments, fillJson, placeholdersIn } from './template.js';

/** Secrets in the headers are still placeholders. */
export interface ApiRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  basicAuth?: { username: string; password: string };
  body?: string;
}

const BODILESS = new Set(['GET', 'DELETE']);

/**
 * Declared arguments without a placeholder are sent as well: in the query of GET and DELETE, else in the JSON body when
 * none is configured. No declared argument is dropped silently.
 */
export function apiRequest(
  config: ApiActionConfig | WebhookActionConfig,
  agentBase: string | null | undefined,
  given: Arguments,
  idempotencyKey: string,
): ApiRequest {
  const known = Object.keys(config.parameters);
  const url = buildUrl(config, agentBase, given, known);
  const free = unused(config, given);
  const { method } = config;
  if (BODILESS.has(method) && config.body == null)
    for (const [name, value] of Object.entries(free)) url.searchParams.append(name, textOf(value));
  const body = bodyOf(config, given, known, free);
  const { headers, basicAuth } = authOf(config.auth);
  return {
    url: url.href,
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...lowerCased(config.headers),
      ...headers,
      ...(method === 'GET' ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(basicAuth ? { basicAuth } : {}),
    ...(body === undefined ? {} : { body }),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();

function unused(config: ApiActionConfig, given: Arguments): Record<string, unknown> {
  const used = placeholdersIn([config.endpoint, config.query, config.body]);
  const names = Object.keys(config.parameters).filter((name) => !used.includes(name) && Object.hasOwn(given, name));
  return Object.fromEntries(names.map((name) => [name, given[name]]));
}

function bodyOf(
  config: ApiActionConfig,
  given: Arguments,
  known: readonly string[],
  free: Record<string, unknown>,
): string | undefined {
  if (config.body != null) return JSON.stringify(fillJson(config.body, given, known) ?? null);
  return BODILESS.has(config.method) || Object.keys(free).length === 0 ? undefined : JSON.stringify(free);
}

function authOf(auth: ActionAuth | null | undefined): Pick<ApiRequest, 'headers' | 'basicAuth'> {
  switch (auth?.type) {
    case 'bearer':
      return { headers: { authorization: `Bearer ${auth.token ?? ''}` } };
    case 'api_key':
      return { headers: { [(auth.header ?? '').toLowerCase()]: auth.token ?? '' } };
    case 'basic':
      return { headers: {}, basicAuth: { username: auth.username ?? '', password: auth.password ?? '' } };
    case 'none':
    case undefined:
      return { headers: {} };
  }
}

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
